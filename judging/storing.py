"""Writing results: each call once, a response's answer as soon as all its units have ended."""

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from judging.asking import Result
from judging.budgets import Purse
from judging.kinds import UnitAnswer, judge_kind
from judging.models import Call, CallState, Run, Shard, ShardState
from judging.parsing import VERSION

OPEN = (CallState.PLANNED, CallState.CANCELLED)
MOST_PROBLEM = 1000
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
    "cost_is_bound = CASE WHEN cost_is_bound THEN cost_is_bound ELSE %s END",
)
# A call that has ended is left alone: a result that comes twice is stored once.
UPDATE = (
    f"UPDATE judging_call SET {', '.join([*(f'{column} = %s' for column in COLUMNS), *ADDED])} "
    f"WHERE id = %s AND state IN ('{OPEN[0].value}', '{OPEN[1].value}')"
)


def store(shard: Shard, claim: object, results: Sequence[Result], purse: Purse | None = None) -> bool:
    """Commit results, what they cost and a heartbeat together. False where the shard is no longer held under this
    claim. What came back is stored in either case: it was asked and paid for.
    """
    now = timezone.now()
    with transaction.atomic():
        # One writer at a time per shard, so that two of them cannot both write a response's answer.
        held = Shard.objects.select_for_update().get(pk=shard.pk)
        is_mine = held.claim == claim and held.state == ShardState.RUNNING
        if is_mine:
            # A shard that gets on is not given up, however many workers die over it: it ends with its calls.
            progress = {"attempts": 0} if results else {}
            Shard.objects.filter(pk=shard.pk).update(heartbeat_at=now, **progress)
        if results:
            write(results, now)
            write_answers(shard.run, {result.response for result in results})
            if purse is not None:
                purse.settle(results, is_mine)
    return is_mine


def write(results: Sequence[Result], now: datetime) -> None:
    """One prepared statement for all: building an UPDATE per model instance costs more than the call itself."""
    at = connection.ops.adapt_datetimefield_value(now)
    rows = [
        (
            result.state,
            result.problem[:MOST_PROBLEM].replace("\0", "\ufffd"),
            result.nonce,
            result.raw_output,
            result.signal,
            VERSION,
            None if result.parsed is None else json.dumps(result.parsed, ensure_ascii=False),
            result.input_sha256,
            result.reply.model[:200].replace("\0", "\ufffd"),
            result.reply.finish_reason[:40].replace("\0", "\ufffd"),
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
            result.charge.is_bound,
            result.call,
        )
        for result in results
    ]
    with connection.cursor() as cursor:
        cursor.executemany(UPDATE, rows)


def origin(run: Run) -> dict[str, str]:
    """Where an answer came from, as its row says in `metadata`."""
    return {"run": str(run.uuid), "prompt": f"{run.prompt_version} {run.prompt_version.text_sha256[:12]}"}


def write_answers(run: Run, responses: set[int]) -> int:
    """Write the answers of those responses whose every call has ended; return how many were new.

    Of a kind whose answers are not made of several units, each answer that has come counts by itself.
    """
    judge = run.judge
    kind = judge_kind(judge.kind)
    units: dict[int, list[UnitAnswer]] = defaultdict(list)
    calls = Call.objects.filter(
        judge=run.judge_id, prompt_version=run.prompt_version_id, round=run.round, response__in=responses
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
