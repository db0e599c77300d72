"""Writing results, of whatever kind of run; and those of judges: each call once, a response's answer as soon as all
its units have ended."""

import json
import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, InterfaceError, OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone

from jobs import shares
from jobs.models import Job, JobState
from judging.engine.budgets import BudgetReservation
from judging.engine.calling import Result
from judging.engine.parsing import VERSION
from judging.engine.run_kinds import EndedCall, Watch, kind_of
from judging.kinds import UnitAnswer, judge_kind
from judging.models import Call, CallState, Purpose, Run, Shard
from projects.among import Among
from providers.client.replies import storable
from providers.prices import NOTHING

logger = logging.getLogger(__name__)

# So often it is tried to store what has come, after half a second, one, two, four, eight: as long as a database takes
# to start anew.
ATTEMPTS = 6
FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 0.5, 8.0
OPEN = (CallState.PLANNED, CallState.CANCELLED)
MAX_PROBLEM = 1000
COLUMNS = (
    "state",
    "problem",
    "nonce",
    "raw_output",
    "signal",
    "parser",
    "parsed",
    "input_sha256",
    "reply_model",
    "finish_reason",
    "prompt_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "latency_ms",
    "words",
    "reused_id",
    "ended_at",
)
# A call that is asked again after it had ended has cost both times.
ADDED = (
    "attempts = attempts + %s",
    "cost = COALESCE(cost + %s, %s, cost)",
    "charged_tokens = COALESCE(charged_tokens, prompt_tokens + completion_tokens, 0) + %s",
    "cost_is_bound = CASE WHEN cost_is_bound THEN cost_is_bound ELSE %s END",
)
# A call that has ended is left alone: a result that comes twice is stored once.
UPDATE = (
    f"UPDATE judging_call SET {', '.join([*(f'{column} = %s' for column in COLUMNS), *ADDED])} "
    f"WHERE id = %s AND state IN ('{OPEN[0].value}', '{OPEN[1].value}')"
)


def store(
    shard: Shard,
    claim: object,
    results: Sequence[EndedCall],
    reservation: BudgetReservation | None = None,
    watch: Watch | None = None,
) -> bool:
    """Commit results, what they cost and a heartbeat together. False where the claim on the shard has ended; what came
    back is stored all the same, because it was paid for. A database that is away for a moment is waited for.

    Raises OperationalError or InterfaceError where the database stays away.
    """
    results = [result.read() for result in results]  # before any lock is held
    delay = FIRST_PAUSE_SECONDS
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return store_once(shard, claim, results, reservation, watch, may_be_there=attempt > 1)
        except (OperationalError, InterfaceError) as error:
            if attempt == ATTEMPTS or connection.in_atomic_block:
                raise
            logger.warning("%s answers are not stored yet (%s)", len(results), error)
            connection.close()
            if shares.is_closing_within(delay):
                raise
            delay = min(2 * delay, MAX_PAUSE_SECONDS)
    raise AssertionError("unreachable")


def store_once(
    shard: Shard,
    claim: object,
    results: Sequence[EndedCall],
    reservation: BudgetReservation | None,
    watch: Watch | None = None,
    may_be_there: bool = False,
) -> bool:
    """One transaction. `may_be_there` says that an earlier transaction may have been committed although the connection
    broke: what is stored already is not counted twice."""
    settled, ended = NOTHING, results
    now = timezone.now()
    with transaction.atomic():
        # One writer at a time per shard, so that two of them cannot both write a response's answer.
        job = Job.objects.select_for_update(of=("self",)).get(pk=shard.job_id)
        is_claim_valid = job.claim == claim and job.state == JobState.RUNNING
        if may_be_there and results and not are_open(shard, results):
            settled = sum((result.held for result in results), NOTHING)
            results = []
        if is_claim_valid:
            # A shard that gets on is not given up, however many workers die over it: it ends with its calls.
            progress = {"attempts": 0, "done": F("done") + len(results)} if results else {}
            Job.objects.filter(pk=job.pk).update(heartbeat_at=now, **progress)
        if results:
            kind_of(shard.run).write(shard, results, now)
            if reservation is not None:
                settled = reservation.settle(results, is_claim_valid)
            if watch is not None:
                watch.settle(results)
    if watch is not None:
        watch.drop_settled(ended)
    if reservation is not None:
        reservation.drop_settled(settled)
    return is_claim_valid


def are_open(shard: Shard, results: Sequence[EndedCall]) -> bool:
    """Whether any of the calls has not ended: results are stored together or not at all."""
    calls = kind_of(shard.run).calls._default_manager
    return calls.filter(pk__in=[result.call for result in results], state__in=OPEN).exists()


def write(results: Sequence[Result], now: datetime) -> None:
    """One prepared statement for all: building an UPDATE per model instance costs more than the call itself."""
    at = connection.ops.adapt_datetimefield_value(now)
    rows = [
        (
            result.state,
            storable(result.problem, MAX_PROBLEM),
            result.nonce,
            result.raw_output,
            result.signal,
            VERSION,
            None if result.parsed is None else json.dumps(result.parsed, ensure_ascii=False),
            result.input_sha256,
            storable(result.reply.model, 200),
            storable(result.reply.finish_reason, 40),
            result.reply.prompt_tokens,
            result.reply.completion_tokens,
            result.reply.reasoning_tokens,
            result.reply.latency_ms,
            len(result.reply.text.split()) if result.reply.text else None,
            result.reused,
            at,
            result.reply.attempts,
            result.charge.money,
            result.charge.money,
            result.charge.tokens,
            result.charge.is_bound,
            result.call,
        )
        for result in results
    ]
    with connection.cursor() as cursor:
        cursor.executemany(UPDATE, rows)


def origin(run: Run) -> dict[str, str]:
    """Where an answer came from, as its row says in `metadata`; of one that is for evaluation also that it is."""
    came = {"run": str(run.uuid), "prompt": f"{run.pinned_prompt} {run.pinned_prompt.text_sha256[:12]}"}
    return came | ({"purpose": str(run.purpose)} if run.purpose == Purpose.EVALUATION else {})


def write_answers(run: Run, responses: set[int]) -> int:
    """Write the answers of those responses whose every call has ended; return how many were new.

    Of a kind whose answers are not made of several units, each answer that has come counts by itself.
    """
    judge = run.asked_judge
    kind = judge_kind(judge.kind)
    units: dict[int, list[UnitAnswer]] = defaultdict(list)
    calls = Call.objects.filter(
        judge=run.judge_id, prompt_version=run.prompt_version_id, round=run.round, response__in=Among(responses)
    )
    for response, unit, state, parsed, about in calls.values_list("response_id", "unit", "state", "parsed", "about"):
        units[response].append(UnitAnswer(unit, state, parsed, tuple(about)))
    if kind.is_stored_whole:
        ended = {pk: answers for pk, answers in units.items() if all(answer.state not in OPEN for answer in answers)}
    else:
        come = {pk: [answer for answer in answers if answer.state not in OPEN] for pk, answers in units.items()}
        ended = {pk: answers for pk, answers in come.items() if answers}
    if not ended:
        return 0
    metadata = origin(run)
    try:
        with transaction.atomic():
            return kind.store(judge, run.round, ended, metadata)
    except IntegrityError:  # somebody else wrote one of them in between; what is still missing is written now
        with transaction.atomic():
            return kind.store(judge, run.round, ended, metadata)
