"""A shard from claim to end. What a worker does with it, and what is done when the worker is gone."""

import logging
import queue
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from judging.asking import Prepared, Question, Result, Setup, ask, worst_case
from judging.budgets import Purse, is_held_by_any, purse_of
from judging.clients import loop
from judging.clients.keys import KeyMissing
from judging.clients.openai_compatible import Connections
from judging.lanes import Asking, R, Wake
from judging.models import Call, CallState, PausedBecause, Provider, Run, RunState, Shard, ShardState
from judging.posing import FIRST, made_ready, open_questions, setup_for
from judging.prices import NOTHING
from judging.providers import endpoint
from judging.runs import enqueue, finish_if_over, let_go, pause_all
from judging.storing import store, write_answers
from projects.problems import Invalid

logger = logging.getLogger(__name__)

# So many workers may die over a shard without one result between them; whoever stores one begins the count anew.
MOST_CLAIMS = 5
STALE_SECONDS = settings.JUDGING_SILENCE_SECONDS
# A queued shard may rightly wait for a worker; it is sent again in case its message was lost.
LOST_SECONDS = settings.JUDGING_LOST_SECONDS
BATCH = 128
# For so many calls to come a shard sets something aside at once.
AHEAD = 192
BATCH_SECONDS = 0.25
# So many times as long as storing the last batch took, beyond that.
STORING_TIMES = 2
BEAT_SECONDS = STALE_SECONDS / 12
# How long a shard waits that finds no money left, before it looks whether others needed less than they set aside.
DRY_SECONDS = 0.5


def claim(shard_id: int) -> tuple[Shard, uuid.UUID] | None:
    """Take a queued shard; None where another has it or it is over. One conditional UPDATE on its own row."""
    token = uuid.uuid4()
    taken = Shard.objects.filter(pk=shard_id, state=ShardState.QUEUED).update(
        state=ShardState.RUNNING, claim=token, heartbeat_at=timezone.now(), attempts=F("attempts") + 1
    )
    if not taken:
        return None
    return Shard.objects.select_related("run__judge__rater", "run__prompt_version", "run__run_set").get(
        pk=shard_id
    ), token


def work_through(
    shard_id: int, on_batch: Callable[[int], None] | None = None, on_last: Callable[[], None] | None = None
) -> int:
    """Ask the open calls of a shard and store what comes back; return how many results were stored.

    `on_batch` is told the size of each stored batch; `on_last` is called in the providers' event loop once the last
    calls are under way.
    """
    held = claim(shard_id)
    if held is None:
        return 0
    shard, token = held
    purse = purse_of(shard, token)
    asked = list(open_questions(shard))
    stored = 0
    try:
        setup, connections = prepare(shard.run)
    except (KeyMissing, Invalid) as problem:
        fail_open_calls(shard, problem_of(problem))
        asked, stored = [], len(asked)
    if asked:
        try:
            stored = ask_open(Work(shard, token, setup, purse, on_last), connections, asked, on_batch)
        except BaseException:
            give_back(shard, token)
            raise
    end(shard, token, purse)
    return stored


@dataclass(frozen=True, slots=True)
class Work:
    """A shard in this worker's hands."""

    shard: Shard
    token: uuid.UUID
    setup: Setup
    purse: Purse | None
    on_last: Callable[[], None] | None = None


def ask_open(
    work: Work, connections: Connections, asked: Sequence[Question], on_batch: Callable[[int], None] | None
) -> int:
    chunks = made_ready(work.setup, asked)
    purse = work.purse
    asking: Asking[Prepared, Result] = Asking(
        partial(ask, work.setup, purse=purse),
        next(chunks),
        is_open=len(asked) > FIRST,
        admit=None if purse is None else lambda made: purse.take(worst_case(work.setup, made)),
        on_last=work.on_last,
    )
    afford(work, asking)
    stored = ask_all(asking, connections, partial(keep, work, asking), on_batch, chunks)
    if asking.down:
        pause_all([work.shard.run], PausedBecause.PROVIDER)
    return stored


def keep(work: Work, asking: Asking[Prepared, Result], batch: Sequence[Result]) -> bool:
    """Store a batch, and see that the next calls can be paid for. False where nothing more is to be asked."""
    return store(work.shard, work.token, batch, work.purse) and afford(work, asking)


def afford(work: Work, asking: Asking[Prepared, Result]) -> bool:
    """Set aside what the next calls may cost. Where the budget is spent, the whole set waits and False comes back.

    It is not spent while something is set aside for calls under way, here or elsewhere: less may come of it.
    """
    purse = work.purse
    if purse is None or not purse.is_limited:
        return True
    costs = [worst_case(work.setup, made) for made in asking.ahead(AHEAD)]
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


def prepare(run: Run) -> tuple[Setup, Connections]:
    """What the calls share. Raises KeyMissing or Invalid where the judge cannot be asked at all."""
    return setup_for(run), loop.connections(endpoint(Provider.objects.get(judges=run.judge_id)))


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


def fail_open_calls(shard: Shard, problem: str) -> None:
    """End every open call of a shard as failed, and write the answers that are thereby complete."""
    with transaction.atomic():
        Shard.objects.select_for_update().get(pk=shard.pk)
        calls = Call.objects.filter(shard=shard, state=CallState.PLANNED)
        responses = set(calls.values_list("response_id", flat=True))
        calls.update(state=CallState.FAILED, problem=problem, ended_at=timezone.now())
        write_answers(shard.run, responses)


def end(shard: Shard, token: uuid.UUID, purse: Purse | None = None) -> None:
    with transaction.atomic():
        mine = Shard.objects.filter(pk=shard.pk, claim=token, state=ShardState.RUNNING)
        ended = mine.update(state=ShardState.DONE, claim=None, money_reserved=0, tokens_reserved=0)
        if purse is not None:
            purse.empty(is_mine=bool(ended))
    if ended:
        finish_if_over(shard.run_id)


def give_back(shard: Shard, token: uuid.UUID) -> None:
    """After a defect: the sweep sends it again until its claims are used up."""
    Shard.objects.filter(pk=shard.pk, claim=token, state=ShardState.RUNNING).update(
        heartbeat_at=timezone.now() - timedelta(seconds=STALE_SECONDS)
    )


def sweep(stale_seconds: float = STALE_SECONDS, lost_seconds: float = LOST_SECONDS) -> int:
    """Send abandoned shards again, end those that were claimed too often; return how many were moved."""
    now = timezone.now()
    going = Shard.objects.filter(run__state=RunState.RUNNING)
    silent = going.filter(state=ShardState.RUNNING, heartbeat_at__lte=now - timedelta(seconds=stale_seconds))
    moved = sum(take_back(shard) for shard in silent.select_related("run__judge__rater", "run__prompt_version"))
    waiting = going.filter(state=ShardState.QUEUED, heartbeat_at__lte=now - timedelta(seconds=lost_seconds))
    with transaction.atomic():
        lost = list(waiting.values_list("pk", flat=True))
        Shard.objects.filter(pk__in=lost, state=ShardState.QUEUED).update(heartbeat_at=now)
        enqueue(lost)
    for run_id in Run.objects.filter(state=RunState.RUNNING).values_list("pk", flat=True):
        finish_if_over(run_id)
    return moved + len(lost)


def take_back(shard: Shard) -> bool:
    """Queue a silent shard anew, or end it after too many workers. False where it has moved meanwhile."""
    is_given_up = shard.attempts >= MOST_CLAIMS
    with transaction.atomic():
        mine = Shard.objects.filter(pk=shard.pk, claim=shard.claim, state=ShardState.RUNNING)
        if not let_go(mine, ShardState.DONE if is_given_up else ShardState.QUEUED):
            return False
        if is_given_up:
            logger.error("shard %s lost %s workers without a result and is given up", shard.pk, shard.attempts)
            fail_open_calls(shard, "worker_lost")
        else:
            logger.warning("shard %s was silent and is queued again", shard.pk)
            enqueue([shard.pk])
    finish_if_over(shard.run_id)
    return True
