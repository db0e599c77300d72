"""A shard from claim to end. What a worker does with it, and what is done when the worker is gone."""

import logging
import queue
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from judging.asking import Asking, Question, R, Setup, ask
from judging.clients import loop
from judging.clients.keys import KeyMissing
from judging.clients.openai_compatible import Connections
from judging.kinds import Material, judge_kind
from judging.models import Call, CallState, Provider, Run, RunState, Shard, ShardState
from judging.prompts import PromptText
from judging.providers import endpoint
from judging.runs import enqueue, finish_if_over
from judging.setups import setup_of
from judging.storing import store, write_answers
from projects.problems import Invalid

logger = logging.getLogger(__name__)

# So many workers may die over a shard without one result between them; whoever stores one begins the count anew.
MOST_CLAIMS = 5
STALE_SECONDS = settings.JUDGING_SILENCE_SECONDS
# A queued shard may rightly wait for a worker; it is sent again in case its message was lost.
LOST_SECONDS = settings.JUDGING_LOST_SECONDS
BATCH = 128
BATCH_SECONDS = 0.25
BEAT_SECONDS = STALE_SECONDS / 12


def claim(shard_id: int) -> tuple[Shard, uuid.UUID] | None:
    """Take a queued shard; None where another has it or it is over. One conditional UPDATE on its own row."""
    token = uuid.uuid4()
    taken = Shard.objects.filter(pk=shard_id, state=ShardState.QUEUED).update(
        state=ShardState.RUNNING, claim=token, heartbeat_at=timezone.now(), attempts=F("attempts") + 1
    )
    if not taken:
        return None
    return Shard.objects.select_related("run__judge__rater", "run__prompt_version").get(pk=shard_id), token


def work_through(shard_id: int, on_batch: Callable[[int], None] | None = None) -> int:
    """Ask the open calls of a shard and store what comes back; return how many results were stored.

    `on_batch` is told the size of each stored batch.
    """
    held = claim(shard_id)
    if held is None:
        return 0
    shard, token = held
    questions = list(open_questions(shard))
    stored = 0
    try:
        setup, connections = prepare(shard.run)
    except (KeyMissing, Invalid) as problem:
        fail_open_calls(shard, problem_of(problem))
        questions, stored = [], len(questions)
    if questions:
        try:
            asking = Asking(partial(ask, setup), questions)
            stored = ask_all(asking, connections, partial(store, shard, token), on_batch)
        except BaseException:
            give_back(shard, token)
            raise
    end(shard, token)
    return stored


def ask_all(
    asking: Asking[Any, R],
    connections: Connections,
    store: Callable[[Sequence[R]], bool],
    on_batch: Callable[[int], None] | None = None,
) -> int:
    """Ask, and store batch by batch as answers come; return how many were stored.

    Where `store` says that somebody else goes on with the work, nothing more is asked.
    """
    stored = 0
    future = loop.run(asking.run(connections))
    try:
        for batch in batches(asking.results):
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
    setup = setup_of(run)
    return setup, loop.connections(endpoint(Provider.objects.get(judges=run.judge_id)))


def problem_of(problem: Exception) -> str:
    return f"key_missing: {problem}" if isinstance(problem, KeyMissing) else "laboratory_unknown"


def open_questions(shard: Shard) -> Iterator[Question]:
    """The calls still to be asked."""
    return questions_of(shard.run, Call.objects.filter(shard=shard, state=CallState.PLANNED).order_by("pk"))


def questions_of(run: Run, calls: QuerySet[Call]) -> Iterator[Question]:
    """Calls of a run with all that may be shown: prompt, response, the language's name, and the errors, criteria or
    other rows that are asked about. The statements do not grow with the calls."""
    kind, text_of_run = judge_kind(run.judge.kind), PromptText.of(run.prompt_version)
    fields = (
        "pk",
        "response_id",
        "unit",
        "about",
        "response__prompt__text",
        "response__text",
        "response__variety__name",
        "response__target_model__name",
        "response__target_model__laboratory__slug",
    )
    rows = list(calls.values_list(*fields))
    subjects = kind.subjects({pk for row in rows for pk in row[3]})
    for pk, response, unit, about, prompt, text, language, model, laboratory in rows:
        found = [subjects[pk] for pk in about if pk in subjects]
        yield Question(
            call=pk,
            response=response,
            unit=unit,
            material=kind.material(Material(prompt, text, language), found, model, text_of_run),
            target_model=model,
            target_laboratory=laboratory,
            markers=tuple(subject.author for subject in found if subject.author),
            is_whole=len(found) == len(about),
        )


def batches(results: "queue.SimpleQueue[R | None]") -> Iterator[list[R]]:
    """Results as they come, a batch at a time; an empty batch where none came for a while, to say so."""
    while True:
        batch: list[R] = []
        deadline = time.monotonic() + BEAT_SECONDS
        ended = False
        while len(batch) < BATCH:
            try:
                result = results.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                break
            if result is None:
                ended = True
                break
            if not batch:
                deadline = time.monotonic() + BATCH_SECONDS
            batch.append(result)
        if batch or not ended:
            yield batch
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


def end(shard: Shard, token: uuid.UUID) -> None:
    with transaction.atomic():
        mine = Shard.objects.filter(pk=shard.pk, claim=token, state=ShardState.RUNNING)
        if mine.update(state=ShardState.DONE, claim=None):
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
    with transaction.atomic():
        mine = Shard.objects.filter(pk=shard.pk, claim=shard.claim, state=ShardState.RUNNING)
        if shard.attempts < MOST_CLAIMS:
            moved = mine.update(state=ShardState.QUEUED, claim=None, heartbeat_at=timezone.now())
            if moved:
                logger.warning("shard %s was silent and is queued again", shard.pk)
                enqueue([shard.pk])
            return bool(moved)
        if not mine.update(state=ShardState.DONE, claim=None):
            return False
        logger.error("shard %s lost %s workers without a result and is given up", shard.pk, shard.attempts)
        fail_open_calls(shard, "worker_lost")
        finish_if_over(shard.run_id)
        return True
