"""A shard as a job: how a worker claims it, asks its open calls, stores the results and releases it; and what is done
when the worker is gone."""

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

from jobs.enqueuing import send
from jobs.heartbeat import kept_alive
from jobs.kinds import JobKind, job_kind
from jobs.models import Job, JobState, Queue
from jobs.working import Held, Lost, claim, give_back
from judging.engine import budgets
from judging.engine.budgets import (
    BudgetReservation,
    JointReservation,
    Reservation,
    has_reservations,
    reservation_of,
)
from judging.engine.pool import CallPool, PoolSignal, R
from judging.engine.run_kinds import FIRST, EndedCall, RunKind, Watch, kind_of, run_kind
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

# Results that are stored at once, at most, and the seconds for which they are gathered after the first; to these comes
# STORING_FACTOR times the time that storing the last batch took.
BATCH = 128
BATCH_SECONDS = 0.25
STORING_FACTOR = 2
# The last questions of a shard are stored as they come, so that little is left to store after the last answer.
LAST_SECONDS = 0.05
# A shard reserves budget for so many upcoming calls at once.
RESERVED_CALLS = 192
HEARTBEAT_SECONDS = settings.JOB_SILENCE_SECONDS / 12
# How long a shard without budget waits before it looks whether others have returned some.
BUDGET_RECHECK_SECONDS = 0.5
RELATED = (
    "run__judge__rater__laboratory",
    "run__judge__provider",
    "run__prompt_version",
    "run__run_set",
    "run__endpoint__provider",
    "run__endpoint__target_model__laboratory",
)


class RunShard(JobKind):
    """Asks the open calls of a shard and stores the results."""

    queue = Queue.CALLS
    is_part = True

    def __init__(self, of: str, label: Any) -> None:
        self.kind = run_kind(of)
        self.name, self.label = self.kind.job, label

    @property
    def winding_down_seconds(self) -> float:
        return self.kind.drain_seconds

    def run(self, held: Held) -> None:
        ask_shard(shard_of(held.job), held)

    def release(self, pks: Sequence[int]) -> None:
        """Count what the shards have reserved as spent, until their workers settle it, if they are alive."""
        shards = Shard.objects.filter(job__in=list(pks))
        reserved = budgets.reserved_by(shards)
        shards.update(money_reserved=0, tokens_reserved=0)
        budgets.count_as_spent(reserved)
        self.kind.count_as_spent(shards)
        if seconds := self.kind.drain_seconds:
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
    return Shard.objects.select_related("job", *RELATED).get(job=job)


def claim_shard(shard_id: int) -> tuple[Shard, Held] | None:
    """Claim a queued shard for this process; None where another process has claimed it or it is over."""
    held = claim(Shard.objects.values_list("job", flat=True).get(pk=shard_id))
    return None if held is None else (shard_of(held.job), held)


def work_through(shard_id: int, on_batch: Callable[[int], None] | None = None) -> int:
    """Ask the open calls of a shard in this process, without a message; return how many results were stored.

    `on_batch` is called with the size of each stored batch. What a call raises by a defect releases the shard and is
    raised here.
    """
    claimed_job = claim_shard(shard_id)
    if claimed_job is None:
        return 0
    shard, held = claimed_job
    try:
        with kept_alive(held.claim):
            stored = ask_shard(shard, held, on_batch)
    except BaseException:
        give_back(held, is_at_once=True)
        raise
    job_kind(held.job.kind).after_end(held.job)
    return stored


def ask_shard(shard: Shard, held: Held, on_batch: Callable[[int], None] | None = None) -> int:
    reservation = reservation_of(shard, held.claim)
    watch = kind_of(shard.run).watch(shard, held.claim)
    if watch is not None:
        watch.stop()
    questions = kind_of(shard.run).questions(shard)
    stored = 0
    try:
        setup, connections = setup_and_connections(shard.run)
    except (KeyMissing, Invalid) as problem:
        stored = len(questions) if fail_open_calls(shard, problem_of(problem), held.claim) else 0
        questions = []
    if questions:
        stored = ask_questions(
            ClaimedShard(shard, held.claim, setup, reservation, watch), connections, questions, on_batch
        )
    release_shard(held, shard, reservation, watch)
    return stored


@dataclass(frozen=True, slots=True)
class ClaimedShard:
    """A shard that this worker has claimed, with what its calls share."""

    shard: Shard
    claim: uuid.UUID
    setup: Any
    reservation: BudgetReservation | None
    watch: Watch | None = None

    @property
    def kind(self) -> RunKind:
        return kind_of(self.shard.run)

    def worst_case(self, prepared: Any) -> Amount:
        return self.kind.worst_case(self.setup, prepared)

    def reservation_for(self, prepared: Any) -> Reservation | None:
        """All that has to pay for a call."""
        watched = self.watch.reservation_for(prepared.question.call) if self.watch is not None else None
        if self.reservation is None or watched is None:
            return watched or self.reservation
        return JointReservation(self.reservation, watched)

    def admit(self, prepared: Any) -> bool:
        reservation = self.reservation_for(prepared)
        return reservation is None or reservation.hold(self.worst_case(prepared))

    async def ask(self, connections: Connections, prepared: Any) -> EndedCall:
        return await self.kind.ask(self.setup, connections, prepared, reservation=self.reservation_for(prepared))


def ask_questions(
    claimed: ClaimedShard, connections: Connections, questions: Sequence[Any], on_batch: Callable[[int], None] | None
) -> int:
    chunks = about_to_be_sent(claimed, questions)
    has_budget = claimed.reservation is not None or claimed.watch is not None
    pool: CallPool[Any, EndedCall] = CallPool(
        claimed.ask,
        next(chunks),
        is_open=len(questions) > FIRST,
        admit=claimed.admit if has_budget else None,
    )
    reserve_all(claimed, pool)
    stored = run_pool(pool, connections, partial(store_batch, claimed, pool), on_batch, chunks)
    if pool.ended.is_set() and (unsent := pool.unsent()):
        claimed.kind.never_sent(claimed.shard.run, unsent)
    if pool.down:
        pause_all([claimed.shard.run], PausedBecause.PROVIDER)
    return stored


def about_to_be_sent(claimed: ClaimedShard, questions: Sequence[Any]) -> Iterator[list[Any]]:
    """Questions in chunks as they will be sent; who sees them is written down before each chunk."""
    for chunk in claimed.kind.prepare_in_chunks(claimed.setup, questions):
        claimed.kind.about_to_send(claimed.shard.run, chunk)
        yield chunk


def store_batch(claimed: ClaimedShard, pool: CallPool[Any, EndedCall], batch: Sequence[EndedCall]) -> bool:
    """Store a batch and reserve budget for the next calls. False where nothing more is to be asked."""
    if not store(claimed.shard, claimed.claim, batch, claimed.reservation, claimed.watch):
        return False
    if batch and claimed.watch is not None and (stopped := claimed.watch.stop()):
        pool.drop(lambda prepared: prepared.question.call in stopped)
    return reserve_all(claimed, pool)


def reserve_all(claimed: ClaimedShard, pool: CallPool[Any, EndedCall]) -> bool:
    """Reserve what the next calls may cost of every budget that pays for them. False as `reserve_budget`.

    Whoever waits for one budget returns what it has of the other: another worker may be waiting for that.
    """
    watch, reservation = claimed.watch, claimed.reservation
    waits = False
    if watch is not None:
        stopped, waits = watch.reserve(pool.upcoming(RESERVED_CALLS), claimed.worst_case)
        if stopped:
            pool.drop(lambda prepared: prepared.question.call in stopped)
    # Woken for nothing, the pool would ask for budget again at once.
    if not reserve_budget(claimed, pool, wakes=not waits):
        return False
    if reservation is not None and reservation.is_limited and not reservation.is_in_use:
        if waits:
            reservation.return_available()
        elif watch is not None and reservation.available == NOTHING:
            watch.return_available()
    return True


def reserve_budget(claimed: ClaimedShard, pool: CallPool[Any, EndedCall], wakes: bool) -> bool:
    """Reserve what the next calls may cost. False where the budget is spent: then all runs of the set are paused.
    `wakes` the pool where it can go on.

    It is not spent while any worker holds a reservation for calls in flight: they may cost less.
    """
    reservation = claimed.reservation
    if reservation is None or not reservation.is_limited:
        if wakes and claimed.watch is not None:
            pool.wake()
        return True
    costs = [claimed.worst_case(prepared) for prepared in pool.upcoming(RESERVED_CALLS)]
    # As much again as is held for calls in flight: an attempt that breaks off may be charged, and so may the next.
    if reservation.extend(sum(costs, reservation.held), costs[0] if costs else NOTHING):
        if wakes:
            pool.wake()
        return True
    if reservation.is_in_use:
        return True
    if not reservation.return_available():
        return False
    if has_reservations(reservation.run_set):
        return True  # asked again after BUDGET_RECHECK_SECONDS
    running_runs = Run.objects.filter(run_set=reservation.run_set, state=RunState.RUNNING)
    pause_all(list(running_runs.select_related("project")), PausedBecause.BUDGET)
    return False


def run_pool(
    pool: CallPool[Any, R],
    connections: Connections,
    store: Callable[[Sequence[R]], bool],
    on_batch: Callable[[int], None] | None = None,
    later_questions: Iterable[Sequence[Any]] = (),
) -> int:
    """Ask, and store batch by batch as results come; return how many were stored. `later_questions` are prepared while
    the first are in flight.

    Where `store` returns False, nothing more is asked.
    """
    stored = 0
    future = loop.run(pool.run(connections))
    try:
        for questions in later_questions:
            pool.add(questions)
        pool.close()
        for batch in batches(pool):
            if not store(batch):
                pool.stop()
            stored += len(batch)
            if on_batch and batch:
                on_batch(len(batch))
    except BaseException:
        pool.stop()
        raise
    future.result()
    return stored


def setup_and_connections(run: Run) -> tuple[Any, Connections]:
    """What the calls of a run share. Raises KeyMissing or Invalid where the model cannot be asked at all."""
    kind = kind_of(run)
    return kind.setup(run), loop.connections(endpoint(Provider.objects.get(pk=kind.provider(run))))


def problem_of(problem: Exception) -> str:
    return f"key_missing: {problem}" if isinstance(problem, KeyMissing) else "laboratory_unknown"


def batches(pool: CallPool[Any, R]) -> Iterator[list[R]]:
    """Results as they come, a batch at a time; an empty batch where none came for a while, so that the shard's claim
    is renewed. Where questions wait for budget, what there is comes at once.

    A batch is gathered for longer where storing takes long, so that storing never takes most of a worker's time.
    """
    storing = 0.0
    while True:
        batch: list[R] = []
        deadline = time.monotonic() + (BUDGET_RECHECK_SECONDS if pool.is_waiting_for_budget else HEARTBEAT_SECONDS)
        ended = False
        while len(batch) < BATCH:
            try:
                result = pool.results.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            if result is None or isinstance(result, PoolSignal):
                ended = result is None
                break
            if not batch:
                gathering = BATCH_SECONDS + STORING_FACTOR * storing if pool.upcoming(1) else LAST_SECONDS
                deadline = time.monotonic() + gathering
            batch.append(result)
        if batch or not ended:
            began = time.monotonic()
            yield batch
            storing = min(time.monotonic() - began, BATCH_SECONDS)
        if ended:
            return


def fail_open_calls(shard: Shard, problem: str, claim: uuid.UUID | None = None) -> bool:
    """End every open call of a shard as failed, with all that follows from it. False where the shard is no longer
    claimed under `claim`; without one, the caller has ended every claim on the shard."""
    with transaction.atomic():
        job = Job.objects.select_for_update(of=("self",)).get(pk=shard.job_id)
        if claim is not None and (job.claim, job.state) != (claim, JobState.RUNNING):
            return False
        kind_of(shard.run).fail_open(shard, problem, timezone.now())
    return True


def release_shard(
    held: Held, shard: Shard, reservation: BudgetReservation | None = None, watch: Watch | None = None
) -> None:
    """Release a shard. It is done where this worker's claim is still valid."""
    with transaction.atomic():
        try:
            held.finish()
        except Lost:
            is_claim_valid = False
        else:
            is_claim_valid = True
            Shard.objects.filter(pk=shard.pk).update(money_reserved=0, tokens_reserved=0)
        if reservation is not None:
            reservation.close(is_claim_valid)
        if watch is not None:
            watch.close()
        if not is_claim_valid and kind_of(shard.run).drain_seconds:
            end_drain(held.job)


def end_drain(job: Job) -> None:
    """No call of the job is in flight any more: where it was stopped, it is due at once."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=job.pk, claim=None, due_at__gt=now)
    waiting.filter(state__in=[JobState.PAUSED, JobState.CANCELLED, JobState.QUEUED]).update(due_at=now)
    send(Job.objects.filter(pk=job.pk, state=JobState.QUEUED).only("pk", "queue"))
