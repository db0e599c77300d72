"""A run's changes of state: create, start, pause, cancel, resume, retry what failed.

A run ends once: each change is a conditional UPDATE, so of two workers, or of a worker and a person, one succeeds.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from jobs.enqueuing import queue_again, send
from jobs.models import OPEN, Job, JobState, Queue
from jobs.verbs import take_out_of_hands
from judging.engine.budgets import check_budget_left
from judging.engine.planning import Plan, plan
from judging.engine.purposes import check_round, purpose_of
from judging.engine.run_kinds import kind_of
from judging.kinds import judge_kind
from judging.models import Call, CallState, Judge, PausedBecause, Run, RunSet, RunState, Shard
from projects.among import Among
from projects.audit import record
from projects.insertion import insert_rows
from projects.models import Response, User
from projects.opening import open_areas
from projects.problems import Invalid, Problem

MAX_IN_SHARD, MIN_IN_SHARD = 400, 100
# A shard has this part of the calls that are left.
SHARDS_LEFT = 6
# What a call is before it is asked, in columns that have no default in the database.
UNASKED = {
    "state": CallState.PLANNED.value,
    "attempts": 0,
    "retries": 0,
    **dict.fromkeys(("input_sha256", "nonce", "raw_output", "signal", "problem", "reply_model", "finish_reason"), ""),
}
# States of a call of whatever kind of run.
PLANNED, CANCELLED = CallState.PLANNED.value, CallState.CANCELLED.value
OVER = (RunState.DONE, RunState.CANCELLED)


def create_run(
    judge: Judge,
    responses: QuerySet[Response],
    by: User | None = None,
    round: int = 1,
    options: dict | None = None,
    run_set: RunSet | None = None,
    purpose: str = "",
) -> Run:
    """A planned run with its shards and calls; nothing is asked yet.

    purpose  one of judging.models.Purpose; left out, that of the round, else what the judge's area declares.
    Raises Invalid where the judge's laboratory is unknown, the judge is out of use, nothing is left to ask, the kind
    cannot be evaluated, or the round has another purpose.
    """
    if not judge.is_active:
        raise Invalid(Problem("judge_inactive", _("This judge is out of use.")))
    with transaction.atomic():
        # Two runs of one judge planned at once would plan the same calls.
        Judge.objects.select_for_update().get(pk=judge.pk)
        purpose = purpose_of(judge, round, purpose)
        check_round(judge, round, purpose)
        planned = plan(judge, responses, round)
        if not planned.size:
            raise Invalid(Problem("nothing_to_ask", nothing_to_ask(planned)))
        run = Run.objects.create(
            project_id=judge.project_id,
            judge=judge,
            run_set=run_set,
            prompt_version=planned.prompt.row(),
            round=round,
            purpose=purpose,
            excluded=planned.excluded_count,
            options=options or {},
            created_by=by,
        )
        lay_out(run, planned)
        open_areas(judge.project, [judge_kind(judge.kind).area])
        record(
            "run.created",
            actor=by,
            project=judge.project,
            subject=run.uuid,
            judge=str(judge),
            calls=planned.size,
            purpose=purpose,
        )
    return run


def nothing_to_ask(planned: Plan) -> str:
    said = str(judge_kind(planned.judge.kind).idle) or nothing_left(planned)
    if not planned.reasons:
        return said
    reasons = ", ".join(f"{reason}: {n}" for reason, n in sorted(planned.reasons.items()))
    return f"{said} {_('Not ready to be asked about: %(reasons)s.') % {'reasons': reasons}}"


def nothing_left(planned: Plan) -> str:
    message = _(
        "There is nothing to ask: of %(responses)d responses this judge has answered or is answering %(answered)d, "
        "and %(excluded)d come from its own laboratory."
    )
    answered = planned.responses - planned.excluded_count
    return message % {"responses": planned.responses, "answered": answered, "excluded": planned.excluded_count}


def lay_out(run: Run, planned: Plan) -> None:
    """Write shards and calls. Calls of one response stay in one shard, whose worker writes its answer."""
    groups = shard_groups(planned.calls)
    taken_up = dict(Call.objects.filter(pk__in=Among(planned.taken_up)).values_list("pk", "response_id"))
    shard_of: dict[int, int] = {response: number for number, group in enumerate(groups) for response, _unit in group}
    shards = shards_of(run, groups or [[]])
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
        left = Call.objects.filter(pk__in=Among(pks), state=CallState.CANCELLED)
        left.update(run=run, shard=shards[number], state=CallState.PLANNED)


def shards_of(run: Run, groups: Sequence[Sequence[Any]]) -> list[Shard]:
    """A shard for each group of calls, with its planned job. Of one provider, no worker works on more than its
    share."""
    kind = kind_of(run)
    provider = f"provider:{kind.provider(run)}"
    same = {"kind": kind.job, "project_id": run.project_id, "queue": Queue.CALLS, "resource": provider}
    same |= {"asked_by": run.created_by, "language": get_language() or "en"}
    jobs = Job.objects.bulk_create([Job(**same, total=len(group)) for group in groups])
    return Shard.objects.bulk_create([Shard(job=job, run=run, number=number) for number, job in enumerate(jobs)])


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
    size = min(MAX_IN_SHARD, max(MIN_IN_SHARD, left // SHARDS_LEFT))
    return left if left < size + MIN_IN_SHARD // 2 else size


def start(run: Run, by: User | None = None) -> bool:
    """Set a planned run going. False where it was started before."""
    with transaction.atomic():
        began = begin(run, by)
        if began:
            send(jobs_of([run]).filter(state=JobState.QUEUED).only("pk", "queue"))
    run.refresh_from_db()
    return began


def start_here(run: Run) -> list[int]:
    """Set a planned run going without sending its shards; the caller works through them, in order."""
    with transaction.atomic():
        if not begin(run, by=None):
            return []
    return list(run.shards.order_by("number").values_list("pk", flat=True))


def begin(run: Run, by: User | None) -> bool:
    now = timezone.now()
    planned = Run.objects.filter(pk=run.pk, state=RunState.PLANNED)
    if not planned.update(state=RunState.RUNNING, started_at=now):
        return False
    jobs_of([run]).filter(state=JobState.PLANNED).update(state=JobState.QUEUED, heartbeat_at=now, due_at=now)
    record("run.started", actor=by, project=run.project, subject=run.uuid)
    return True


def jobs_of(runs: Sequence[Run]) -> QuerySet[Job]:
    """The jobs of the runs' shards."""
    return Job.objects.filter(pk__in=Shard.objects.filter(run__in=runs).values("job"))


def cancel(run: Run, by: User | None = None) -> bool:
    """Stop a run; what was stored stays, what is in flight is stored still if it comes back. False if it was over."""
    with transaction.atomic():
        now = timezone.now()
        going = Run.objects.filter(pk=run.pk).exclude(state__in=OVER)
        stopped = going.update(state=RunState.CANCELLED, paused_because="", ended_at=now)
        if stopped:
            take_out_of_hands(jobs_of([run]).filter(state__in=OPEN), JobState.CANCELLED)
            kind_of(run).of(run).filter(state=PLANNED).update(state=CANCELLED)
            record("run.cancelled", actor=by, project=run.project, subject=run.uuid)
    run.refresh_from_db()
    return bool(stopped)


def pause(run: Run, because: str = PausedBecause.PERSON, by: User | None = None) -> bool:
    """Pause a running run: its open calls stay planned, and the claims on its shards end. What is in flight is stored
    if it comes back soon. False where it was not running."""
    paused = pause_all([run], because, by)
    run.refresh_from_db()
    return bool(paused)


def pause_all(runs: Sequence[Run], because: str, by: User | None = None) -> int:
    """Let those of the runs wait that are running; return how many.

    All in one transaction, runs before shards before run sets: so it never deadlocks with the storing of results.
    """
    paused = []
    with transaction.atomic():
        for run in runs:
            running = Run.objects.filter(pk=run.pk, state=RunState.RUNNING)
            if running.update(state=RunState.PAUSED, paused_because=because):
                paused.append(run)
        going = jobs_of(paused).filter(state__in=[JobState.QUEUED, JobState.RUNNING])
        take_out_of_hands(going, JobState.PAUSED)
        for run in paused:
            record("run.paused", actor=by, project=run.project, subject=run.uuid, because=str(because))
    return len(paused)


def resume(run: Run, by: User | None = None) -> bool:
    """Go on with a paused or cancelled run: ask what was not answered. False where it is neither.

    Raises Invalid where the budget of its set is spent: `run_sets.raise_limits` comes first.
    """
    return _go_on(run, [RunState.PAUSED, RunState.CANCELLED], [CANCELLED], "run.resumed", by)


def retry_failed(run: Run, by: User | None = None) -> bool:
    """Ask again what ended as failed, and of a judge what was cut or unreadable, in a run that is over. False where
    there is no such call. Raises Invalid as `resume`."""
    return _go_on(run, OVER, [CANCELLED, *kind_of(run).retriable], "run.retried", by)


def ask_cancelled(run: Run) -> bool:
    """Ask again what was cancelled in a run that went on without it and is done. Otherwise as `retry_failed`."""
    return _go_on(run, [RunState.DONE], [CANCELLED], "run.retried", None)


def _go_on(run: Run, from_states: Iterable[str], call_states: Sequence[str], action: str, by: User | None) -> bool:
    if run.run_set_id is not None:
        check_budget_left(run.run_set_id)
    kind = kind_of(run)
    with transaction.atomic():
        locked = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
        if locked.state not in list(from_states):
            return False
        calls = kind.to_ask_again(locked, call_states)
        # The rows are locked: no shard is cancelled or claimed while it is queued again.
        idle = jobs_of([run]).exclude(state=JobState.RUNNING).order_by("pk").select_for_update(of=("self",))
        again = list(idle.filter(Q(pk__in=calls.values("shard__job")) | Q(state=JobState.PAUSED)))
        if not again and locked.state == RunState.DONE:
            return False
        kind.plan_again(calls)
        Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING, paused_because="", ended_at=None)
        queue_when_drained(again)
        record(action, actor=by, project=run.project, subject=run.uuid)
        finish_if_over(run.pk)  # a run cancelled after its last answer has nothing left to ask
    run.refresh_from_db()
    return True


def queue_when_drained(jobs: Sequence[Job]) -> None:
    """Queue jobs anew; those whose last worker may still have calls in flight, for when these are over."""
    now = timezone.now()
    queue_again([job for job in jobs if job.due_at <= now])
    for job in jobs:
        if job.due_at > now:
            queue_again([job], due_at=job.due_at)


def finish_if_over(run_id: int) -> bool:
    """End a running run whose shards are all through. True for the one caller that ended it."""
    busy = Shard.objects.filter(run=run_id, job__state__in=[JobState.QUEUED, JobState.RUNNING])
    running = Run.objects.filter(pk=run_id, state=RunState.RUNNING)
    if busy.exists():
        return False
    with transaction.atomic():
        # Looked at again with the run locked: somebody may have set it going anew meanwhile.
        if running.select_for_update().values_list("pk").first() is None or busy.exists():
            return False
        is_over = bool(running.update(state=RunState.DONE, ended_at=timezone.now()))
    if is_over:
        run = Run.objects.select_related("project", "endpoint").get(pk=run_id)
        kind_of(run).after_end(run)
    return is_over


def counts(run: Run) -> dict[str, int]:
    """Number of calls by state, every state named."""
    kind = kind_of(run)
    numbers = dict(kind.of(run).values_list("state").annotate(n=Count("pk")).order_by())
    return {state: numbers.get(state, 0) for state in kind.states.values}
