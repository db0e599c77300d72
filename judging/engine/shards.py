"""A shard as a job: what a worker does with it, and what is done when the worker is gone."""

from __future__ import annotations

import logging
import queue
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from jobs.beating import kept_alive
from jobs.enqueuing import send
from jobs.kinds import JobKind, job_kind
from jobs.models import Job, JobState, Queue
from jobs.working import Held, Lost, claim, give_back
from judging.engine import budgets
from judging.engine.budgets import Purse, is_held_by_any, purse_of
from judging.engine.pool import Asking, R, Wake
from judging.engine.questions import FIRST
from judging.engine.run_kinds import Ended, RunKind, kind_of, run_kind
from judging.engine.runs import finish_if_over, pause_all
from judging.engine.storing import store
from judging.models import PausedBecause, Run, RunState, Shard
from projects.problems import Invalid
from providers.client import loop
from providers.client.keys import KeyMissing
from providers.endpoints import endpoint
from providers.models import Provider
from providers.prices import NOTHING, Amount

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections

logger = logging.getLogger(__name__)

BATCH = 128
# For so many calls to come a shard sets something aside at once.
AHEAD = 192
BATCH_SECONDS = 0.25
# So many times as long as storing the last batch took, beyond that.
STORING_TIMES = 2
BEAT_SECONDS = settings.JOB_SILENCE_SECONDS / 12
# How long a shard waits that finds no money left, before it looks whether others needed less than they set aside.
DRY_SECONDS = 0.5
PARTS = (
    "run__judge__rater",
    "run__prompt_version",
    "run__run_set",
    "run__endpoint__provider",
    "run__endpoint__target_model",
)


class RunShard(JobKind):
    """Asks the open calls of a shard and stores what comes back."""

    queue = Queue.CALLS
    is_part = True

    def __init__(self, of: str, label: Any) -> None:
        self.kind = run_kind(of)
        self.name, self.label = self.kind.job, label

    @property
    def winding_down_seconds(self) -> float:
        return self.kind.letting_go_seconds

    def run(self, held: Held) -> None:
        ask_shard(shard_of(held.job), held)

    def let_go(self, pks: Sequence[int]) -> None:
        """What the shards have set aside counts as spent until the workers, where they live, say what came of it."""
        shards = Shard.objects.filter(job__in=list(pks))
        reserved = budgets.reserved_by(shards)
        shards.update(money_reserved=0, tokens_reserved=0)
        budgets.charge(reserved)
        if seconds := self.kind.letting_go_seconds:
            stopped = Job.objects.filter(pk__in=list(pks), state__in=[JobState.PAUSED, JobState.CANCELLED])
            stopped.update(due_at=timezone.now() + timedelta(seconds=seconds))

    def give_up(self, job: Job) -> None:
        fail_open_calls(shard_of(job), "worker_lost")

    def after_end(self, job: Job) -> None:
        if run := Shard.objects.filter(job=job.pk).values_list("run", flat=True).first():
            finish_if_over(run)

    def sweep(self) -> int:
        """End the runs whose last shard ended right before its worker was killed."""
        running = Run.objects.filter(state=RunState.RUNNING, shards__job__kind=self.name).distinct()
        return sum(finish_if_over(run) for run in running.values_list("pk", flat=True))


def shard_of(job: Job) -> Shard:
    return Shard.objects.select_related("job", *PARTS).get(job=job)


def take_up(shard_id: int) -> tuple[Shard, Held] | None:
    """A queued shard, from now on in this process's hands; None where another has it or it is over."""
    held = claim(Shard.objects.values_list("job", flat=True).get(pk=shard_id))
    return None if held is None else (shard_of(held.job), held)


def work_through(shard_id: int, on_batch: Callable[[int], None] | None = None) -> int:
    """Ask the open calls of a shard in this process, without a message; return how many results were stored.

    `on_batch` is told the size of each stored batch.
    """
    taken = take_up(shard_id)
    if taken is None:
        return 0
    shard, held = taken
    try:
        with kept_alive(held.claim):
            stored = ask_shard(shard, held, on_batch)
    except BaseException:
        give_back(held, is_at_once=True)
        raise
    job_kind(held.job.kind).after_end(held.job)
    return stored


def ask_shard(shard: Shard, held: Held, on_batch: Callable[[int], None] | None = None) -> int:
    purse = purse_of(shard, held.claim)
    asked = kind_of(shard.run).questions(shard)
    stored = 0
    try:
        setup, connections = prepare(shard.run)
    except (KeyMissing, Invalid) as problem:
        stored = len(asked) if fail_open_calls(shard, problem_of(problem), held.claim) else 0
        asked = []
    if asked:
        stored = ask_open(Work(shard, held.claim, setup, purse), connections, asked, on_batch)
    end(held, shard, purse)
    return stored


@dataclass(frozen=True, slots=True)
class Work:
    """A shard in this worker's hands."""

    shard: Shard
    token: uuid.UUID
    setup: Any
    purse: Purse | None

    @property
    def kind(self) -> RunKind:
        return kind_of(self.shard.run)

    def worst_case(self, made: Any) -> Amount:
        return self.kind.worst_case(self.setup, made)


def ask_open(work: Work, connections: Connections, asked: Sequence[Any], on_batch: Callable[[int], None] | None) -> int:
    chunks = work.kind.made_ready(work.setup, asked)
    purse = work.purse
    asking: Asking[Any, Ended] = Asking(
        partial(work.kind.ask, work.setup, purse=purse),
        next(chunks),
        is_open=len(asked) > FIRST,
        admit=None if purse is None else lambda made: purse.take(work.worst_case(made)),
    )
    afford(work, asking)
    stored = ask_all(asking, connections, partial(keep, work, asking), on_batch, chunks)
    if asking.down:
        pause_all([work.shard.run], PausedBecause.PROVIDER)
    return stored


def keep(work: Work, asking: Asking[Any, Ended], batch: Sequence[Ended]) -> bool:
    """Store a batch, and see that the next calls can be paid for. False where nothing more is to be asked."""
    return store(work.shard, work.token, batch, work.purse) and afford(work, asking)


def afford(work: Work, asking: Asking[Any, Ended]) -> bool:
    """Set aside what the next calls may cost. Where the budget is spent, the whole set waits and False comes back.

    It is not spent while something is set aside for calls under way, here or elsewhere: less may come of it.
    """
    purse = work.purse
    if purse is None or not purse.is_limited:
        return True
    costs = [work.worst_case(made) for made in asking.ahead(AHEAD)]
    # As much again as is under way: an attempt that breaks off may be charged, and the next one too.
    if purse.fill(sum(costs, purse.held), costs[0] if costs else NOTHING):
        asking.wake()
        return True
    if purse.is_in_use:
        return True
    if not purse.spare():
        return False
    if is_held_by_any(purse.run_set):
        return True  # looked at again soon
    going = Run.objects.filter(run_set=purse.run_set, state=RunState.RUNNING)
    pause_all(list(going.select_related("project")), PausedBecause.BUDGET)
    return False


def ask_all(
    asking: Asking[Any, R],
    connections: Connections,
    store: Callable[[Sequence[R]], bool],
    on_batch: Callable[[int], None] | None = None,
    more: Iterable[Sequence[Any]] = (),
) -> int:
    """Ask, and store batch by batch as answers come; return how many were stored. `more` are questions that are made
    ready while the first are under way.

    Where `store` says that somebody else goes on with the work, nothing more is asked.
    """
    stored = 0
    future = loop.run(asking.run(connections))
    try:
        for questions in more:
            asking.add(questions)
        asking.close()
        for batch in batches(asking):
            if not store(batch):
                asking.stop()
            stored += len(batch)
            if on_batch and batch:
                on_batch(len(batch))
    except BaseException:
        asking.stop()
        raise
    future.result()
    return stored


def prepare(run: Run) -> tuple[Any, Connections]:
    """What the calls share. Raises KeyMissing or Invalid where the model cannot be asked at all."""
    kind = kind_of(run)
    return kind.prepare(run), loop.connections(endpoint(Provider.objects.get(pk=kind.provider(run))))


def problem_of(problem: Exception) -> str:
    return f"key_missing: {problem}" if isinstance(problem, KeyMissing) else "laboratory_unknown"


def batches(asking: Asking[Any, R]) -> Iterator[list[R]]:
    """Results as they come, a batch at a time; an empty batch where none came for a while, to say so, and what there
    is at once where questions wait for it to be stored.

    A batch is gathered for longer where storing takes long, so that storing never takes most of a worker's time.
    """
    storing = 0.0
    while True:
        batch: list[R] = []
        deadline = time.monotonic() + (DRY_SECONDS if asking.is_dry else BEAT_SECONDS)
        ended = False
        while len(batch) < BATCH:
            try:
                result = asking.results.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            if result is None or isinstance(result, Wake):
                ended = result is None
                break
            if not batch:
                deadline = time.monotonic() + BATCH_SECONDS + STORING_TIMES * storing
            batch.append(result)
        if batch or not ended:
            began = time.monotonic()
            yield batch
            storing = min(time.monotonic() - began, BATCH_SECONDS)
        if ended:
            return


def fail_open_calls(shard: Shard, problem: str, claim: uuid.UUID | None = None) -> bool:
    """End every open call of a shard as failed, with all that follows from it. False where the shard is not held under
    this claim any more; without a claim, the caller has taken it out of everybody's hands."""
    with transaction.atomic():
        job = Job.objects.select_for_update(of=("self",)).get(pk=shard.job_id)
        if claim is not None and (job.claim, job.state) != (claim, JobState.RUNNING):
            return False
        kind_of(shard.run).fail_open(shard, problem, timezone.now())
    return True


def end(held: Held, shard: Shard, purse: Purse | None = None) -> None:
    """Let go of a shard, done where it is still in this worker's hands."""
    with transaction.atomic():
        try:
            held.finish()
        except Lost:
            is_mine = False
        else:
            is_mine = True
            Shard.objects.filter(pk=shard.pk).update(money_reserved=0, tokens_reserved=0)
        if purse is not None:
            purse.empty(is_mine)
        if not is_mine and kind_of(shard.run).letting_go_seconds:
            say_let_go(held.job)


def say_let_go(job: Job) -> None:
    """Nothing of the job's is in flight any more: where it was stopped, it need not be waited for."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=job.pk, claim=None, due_at__gt=now)
    waiting.filter(state__in=[JobState.PAUSED, JobState.CANCELLED, JobState.QUEUED]).update(due_at=now)
    send(Job.objects.filter(pk=job.pk, state=JobState.QUEUED).only("pk", "queue"))
