"""The verbs of a run: make, start, cancel, resume, ask again what failed. The rows say what is to be done.

A run ends once: each step is a conditional UPDATE, so of two workers, or of a worker and a person, one wins.
"""

import json
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Case, Count, F, QuerySet, Value, When
from django.utils import timezone
from django.utils.translation import gettext as _

from judging import budgets
from judging.kinds import judge_kind
from judging.models import Call, CallState, Judge, PausedBecause, Run, RunSet, RunState, Shard, ShardState
from judging.planning import Plan, plan
from projects.audit import record
from projects.insertion import insert_rows
from projects.models import Response, User
from projects.problems import Invalid, Problem

MOST_IN_SHARD, FEWEST_IN_SHARD = 400, 100
# A shard has this part of the calls that are left.
SHARDS_LEFT = 6
# What a call is before it is asked, in columns that have no default in the database.
UNASKED = {
    "state": CallState.PLANNED.value,
    "attempts": 0,
    "retries": 0,
    **dict.fromkeys(("input_sha256", "nonce", "raw_output", "signal", "problem", "reply_model", "finish_reason"), ""),
}
# What may be asked again: an answer that was cut or unreadable can come whole the next time.
RETRIABLE = (CallState.FAILED, CallState.TRUNCATED, CallState.MALFORMED)
OVER = (RunState.DONE, RunState.CANCELLED)
OPEN_SHARDS = (ShardState.QUEUED, ShardState.RUNNING, ShardState.PAUSED)


def create_run(
    judge: Judge,
    responses: QuerySet[Response],
    by: User | None = None,
    round: int = 1,
    options: dict | None = None,
    run_set: RunSet | None = None,
) -> Run:
    """A planned run with its shards and calls; nothing is asked yet.

    Raises Invalid where the judge's laboratory is unknown, the judge is out of use, or nothing is left to ask.
    """
    if not judge.is_active:
        raise Invalid(Problem("judge_inactive", _("This judge is out of use.")))
    with transaction.atomic():
        # Two runs of one judge planned at once would plan the same calls.
        Judge.objects.select_for_update().get(pk=judge.pk)
        planned = plan(judge, responses, round)
        if not planned.size:
            raise Invalid(Problem("nothing_to_ask", nothing_to_ask(planned)))
        run = Run.objects.create(
            project_id=judge.project_id,
            judge=judge,
            run_set=run_set,
            prompt_version=planned.prompt.row(),
            round=round,
            excluded=planned.excluded_count,
            options=options or {},
            created_by=by,
        )
        lay_out(run, planned)
        record("run.created", actor=by, project=judge.project, subject=run.uuid, judge=str(judge), calls=planned.size)
    return run


def nothing_to_ask(planned: Plan) -> str:
    if idle := judge_kind(planned.judge.kind).idle:
        return str(idle)
    message = _(
        "There is nothing to ask: of %(responses)d responses this judge has answered or is answering %(answered)d, "
        "and %(excluded)d come from its own laboratory."
    )
    answered = planned.responses - planned.excluded_count
    return message % {"responses": planned.responses, "answered": answered, "excluded": planned.excluded_count}


def lay_out(run: Run, planned: Plan) -> None:
    """Write shards and calls. Calls of one response stay in one shard: whoever ends it writes its answer."""
    groups = shard_groups(planned.calls)
    taken_up = dict(Call.objects.filter(pk__in=planned.taken_up).values_list("pk", "response_id"))
    shard_of: dict[int, int] = {response: number for number, group in enumerate(groups) for response, _unit in group}
    count = max(len(groups), 1)
    shards = Shard.objects.bulk_create([Shard(run=run, number=number) for number in range(count)])
    same = {
        "run": run.pk,
        "judge": run.judge_id,
        "prompt_version": run.prompt_version_id,
        "round": run.round,
        **UNASKED,
    }
    rows = (
        (response, unit, json.dumps(planned.about.get((response, unit), ())), shards[number].pk, *same.values())
        for number, group in enumerate(groups)
        for response, unit in group
    )
    insert_rows(Call, ("response", "unit", "about", "shard", *same), rows)
    by_shard: dict[int, list[int]] = {}
    for pk, response in taken_up.items():
        by_shard.setdefault(shard_of.get(response, 0), []).append(pk)
    for number, pks in by_shard.items():
        left = Call.objects.filter(pk__in=pks, state=CallState.CANCELLED)
        left.update(run=run, shard=shards[number], state=CallState.PLANNED)


def shard_groups(calls: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Calls, ordered by response, in groups that never part a response: large ones first, small ones at the end.

    However long each takes, workers then end at nearly the same time (guided self-scheduling: Polychronopoulos and
    Kuck, 1987).
    """
    groups: list[list[tuple[int, int]]] = []
    size = 0
    for position, call in enumerate(calls):
        same_response = bool(groups) and groups[-1][-1][0] == call[0]
        if not groups or (len(groups[-1]) >= size and not same_response):
            groups.append([])
            size = shard_size(len(calls) - position)
        groups[-1].append(call)
    return groups


def shard_size(left: int) -> int:
    """Of the next shard, where so many calls are left."""
    size = min(MOST_IN_SHARD, max(FEWEST_IN_SHARD, left // SHARDS_LEFT))
    return left if left < size + FEWEST_IN_SHARD // 2 else size


def start(run: Run, by: User | None = None) -> bool:
    """Set a planned run going. False where it was started before."""
    with transaction.atomic():
        now = timezone.now()
        began = Run.objects.filter(pk=run.pk, state=RunState.PLANNED).update(state=RunState.RUNNING, started_at=now)
        if began:
            Shard.objects.filter(run=run).update(heartbeat_at=now)
            enqueue(run.shards.filter(state=ShardState.QUEUED).values_list("pk", flat=True))
            record("run.started", actor=by, project=run.project, subject=run.uuid)
    run.refresh_from_db()
    return bool(began)


def start_here(run: Run) -> list[int]:
    """Set a planned run going without sending its shards; whoever called works through them, in order."""
    with transaction.atomic():
        now = timezone.now()
        planned = Run.objects.filter(pk=run.pk, state=RunState.PLANNED)
        if not planned.update(state=RunState.RUNNING, started_at=now):
            return []
        Shard.objects.filter(run=run).update(heartbeat_at=now)
        record("run.started", actor=None, project=run.project, subject=run.uuid)
    return list(run.shards.order_by("number").values_list("pk", flat=True))


def enqueue(shards: Iterable[int]) -> None:
    """Send the shards' ids once what they stand for is committed.

    A broker that is away is logged and no more (`robust`): the rows stand, and the sweep sends them again.
    """
    from judging.tasks import run_shard

    sent = list(shards)

    def send() -> None:  # a function with a name of its own: where it fails, Django logs that name
        for pk in sent:
            run_shard.delay(pk)

    transaction.on_commit(send, robust=True)


def cancel(run: Run, by: User | None = None) -> bool:
    """Stop a run; what was stored stays, what is in flight is stored still if it comes back. False if it was over."""
    with transaction.atomic():
        now = timezone.now()
        going = Run.objects.filter(pk=run.pk).exclude(state__in=OVER)
        stopped = going.update(state=RunState.CANCELLED, paused_because="", ended_at=now)
        if stopped:
            let_go(Shard.objects.filter(run=run, state__in=OPEN_SHARDS), ShardState.CANCELLED)
            Call.objects.filter(run=run, state=CallState.PLANNED).update(state=CallState.CANCELLED)
            record("run.cancelled", actor=by, project=run.project, subject=run.uuid)
    run.refresh_from_db()
    return bool(stopped)


def pause(run: Run, because: str = PausedBecause.PERSON, by: User | None = None) -> bool:
    """Let a running run wait: its open calls stay planned, and nobody holds its shards. What is in flight is stored
    still if it comes back soon. False where it was not running."""
    paused = pause_all([run], because, by)
    run.refresh_from_db()
    return bool(paused)


def pause_all(found: Sequence[Run], because: str, by: User | None = None) -> int:
    """Let those of the runs wait that are running; return how many.

    All in one transaction, runs before shards before run sets: so whoever stores results never waits in a circle.
    """
    paused = []
    with transaction.atomic():
        for run in found:
            running = Run.objects.filter(pk=run.pk, state=RunState.RUNNING)
            if running.update(state=RunState.PAUSED, paused_because=because):
                paused.append(run)
        open_shards = Shard.objects.filter(run__in=paused, state__in=[ShardState.QUEUED, ShardState.RUNNING])
        let_go(open_shards, ShardState.PAUSED)
        for run in paused:
            record("run.paused", actor=by, project=run.project, subject=run.uuid, because=str(because))
    return len(paused)


def let_go(shards: QuerySet[Shard], state: str) -> int:
    """Take shards out of their workers' hands; return how many. What they have set aside counts as spent until the
    workers, where they live, say what came of it."""
    found = list(shards.order_by("pk").select_for_update(of=("self",)).values_list("pk", flat=True))
    held = Shard.objects.filter(pk__in=found)
    reserved = budgets.reserved_by(held)
    held.update(state=state, claim=None, heartbeat_at=timezone.now(), money_reserved=0, tokens_reserved=0)
    budgets.charge(reserved)
    return len(found)


def resume(run: Run, by: User | None = None) -> bool:
    """Go on with a paused or cancelled run: ask what was not answered. False where it is neither."""
    return _go_on(run, [RunState.PAUSED, RunState.CANCELLED], [CallState.CANCELLED], "run.resumed", by)


def retry_failed(run: Run, by: User | None = None) -> bool:
    """Ask again what ended as failed, cut or unreadable in a run that is over. False where there is no such call."""
    return _go_on(run, OVER, [CallState.CANCELLED, *RETRIABLE], "run.retried", by)


def _go_on(run: Run, from_states: Iterable[str], call_states: Iterable[str], action: str, by: User | None) -> bool:
    with transaction.atomic():
        now = timezone.now()
        locked = Run.objects.select_for_update().get(pk=run.pk)
        if locked.state not in list(from_states):
            return False
        calls = Call.objects.filter(run=run, state__in=list(call_states))
        judge = locked.judge
        ended = calls.exclude(state=CallState.CANCELLED).values_list("response", flat=True)
        # What people have reviewed meanwhile stays as it is, incomplete and counted so.
        kept = judge_kind(judge.kind).withdraw(judge, locked.round, set(ended))
        calls = calls.exclude(response__in=kept)
        shards = set(calls.values_list("shard", flat=True).distinct())
        shards |= set(Shard.objects.filter(run=run, state=ShardState.PAUSED).values_list("pk", flat=True))
        if not shards and locked.state == RunState.DONE:
            return False
        unanswered(calls)
        Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING, paused_because="", ended_at=None)
        Shard.objects.filter(pk__in=shards).update(state=ShardState.QUEUED, claim=None, attempts=0, heartbeat_at=now)
        enqueue(sorted(shards))
        record(action, actor=by, project=run.project, subject=run.uuid)
        finish_if_over(run.pk)  # a run cancelled after its last answer has nothing left to ask
    run.refresh_from_db()
    return True


def unanswered(calls: QuerySet[Call]) -> None:
    """Make planned calls of them. One that had ended is asked as another, so that no provider answers it from memory
    with what it said before."""
    calls.update(
        retries=F("retries") + Case(When(state=CallState.CANCELLED, then=Value(0)), default=Value(1)),
        state=CallState.PLANNED,
        problem="",
        raw_output="",
        parsed=None,
        ended_at=None,
    )


def finish_if_over(run_id: int) -> bool:
    """End a running run whose shards are all through. True for the one caller that ended it."""
    busy = Shard.objects.filter(run=run_id, state__in=[ShardState.QUEUED, ShardState.RUNNING])
    if busy.exists():
        return False
    running = Run.objects.filter(pk=run_id, state=RunState.RUNNING)
    return bool(running.update(state=RunState.DONE, ended_at=timezone.now()))


def counts(run: Run) -> dict[str, int]:
    """Number of calls by state, every state named."""
    found = dict(Call.objects.filter(run=run).values_list("state").annotate(n=Count("pk")).order_by())
    return {state: found.get(state, 0) for state in CallState.values}
