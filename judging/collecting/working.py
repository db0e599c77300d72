"""A collection in a worker's hands, and what is done when the worker is gone."""

import logging
import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from judging.clients import loop
from judging.clients.keys import KeyMissing
from judging.clients.openai_compatible import Connections
from judging.collecting.asking import Question, Setup, ask
from judging.collecting.jobs import enqueue
from judging.collecting.storing import store
from judging.laboratories import guard_of
from judging.lanes import Asking
from judging.models import Collection, CollectionCall, CollectionState, RunState, TargetEndpoint
from judging.providers import endpoint as address_of
from judging.shards import LOST_SECONDS, MOST_CLAIMS, STALE_SECONDS, ask_all, problem_of
from projects.problems import Invalid

logger = logging.getLogger(__name__)


def claim(collection_id: int) -> tuple[Collection, uuid.UUID] | None:
    """Take a running collection that nobody holds; None where there is no such. One conditional UPDATE."""
    token = uuid.uuid4()
    taken = Collection.objects.filter(pk=collection_id, state=RunState.RUNNING, claim=None).update(
        claim=token, heartbeat_at=timezone.now(), attempts=F("attempts") + 1
    )
    if not taken:
        return None
    parts = ("endpoint__provider__laboratory", "endpoint__target_model")
    return Collection.objects.select_related(*parts).get(pk=collection_id), token


def work_through(collection_id: int, on_batch: Callable[[int], None] | None = None) -> int:
    """Ask the open prompts of a collection and store what comes back; return how many answers were stored."""
    held = claim(collection_id)
    if held is None:
        return 0
    collection, token = held
    stored = 0
    try:
        setup, connections = prepare(collection.endpoint)
        if questions := open_questions(collection):
            asking = Asking(partial(ask, setup), questions)
            stored = ask_all(asking, connections, partial(store, collection, token), on_batch)
    except (KeyMissing, Invalid) as problem:
        fail_open_calls(collection, problem_of(problem))
    except BaseException:
        give_back(collection, token)
        raise
    end(collection, token)
    return stored


def prepare(endpoint: TargetEndpoint) -> tuple[Setup, Connections]:
    """What the prompts share. Raises KeyMissing or Invalid where the model cannot be asked at all."""
    provider = endpoint.provider
    assert provider is not None, "a model without a provider is never asked"
    guard = guard_of(endpoint.model, provider)
    parameters = dict(endpoint.parameters)
    system = parameters.pop("system", "")
    # OpenAI's own models refuse the older name; everybody else understands it.
    if guard.laboratory == "openai" and "max_tokens" in parameters:
        parameters["max_completion_tokens"] = parameters.pop("max_tokens")
    return Setup(guard, endpoint.model, system, parameters), loop.connections(address_of(provider))


def open_questions(collection: Collection) -> list[Question]:
    calls = CollectionCall.objects.filter(collection=collection, state=CollectionState.PLANNED).order_by("pk")
    return [Question(pk, text) for pk, text in calls.values_list("pk", "prompt__text")]


def fail_open_calls(collection: Collection, problem: str) -> None:
    calls = CollectionCall.objects.filter(collection=collection, state=CollectionState.PLANNED)
    calls.update(state=CollectionState.FAILED, problem=problem, ended_at=timezone.now())


def end(collection: Collection, token: uuid.UUID) -> None:
    """Let go of a collection, and end it unless somebody has cancelled it meanwhile."""
    with transaction.atomic():
        mine = Collection.objects.filter(pk=collection.pk, claim=token)
        ended = mine.filter(state=RunState.RUNNING)
        if not ended.update(state=RunState.DONE, claim=None, ended_at=timezone.now()):
            mine.update(claim=None)


def give_back(collection: Collection, token: uuid.UUID) -> None:
    """After a defect: the sweep sends it again until its claims are used up."""
    stale = timezone.now() - timedelta(seconds=STALE_SECONDS)
    Collection.objects.filter(pk=collection.pk, claim=token).update(heartbeat_at=stale)


def sweep(stale_seconds: float = STALE_SECONDS, lost_seconds: float = LOST_SECONDS) -> int:
    """Send abandoned collections again, end those that were claimed too often; return how many were moved."""
    now = timezone.now()
    silent = Collection.objects.filter(claim__isnull=False, heartbeat_at__lte=now - timedelta(seconds=stale_seconds))
    moved = sum(take_back(collection) for collection in silent)
    waiting = Collection.objects.filter(
        state=RunState.RUNNING, claim=None, heartbeat_at__lte=now - timedelta(seconds=lost_seconds)
    )
    with transaction.atomic():
        lost = list(waiting.values_list("pk", flat=True))
        Collection.objects.filter(pk__in=lost).update(heartbeat_at=now)
        enqueue(lost)
    return moved + len(lost)


def take_back(collection: Collection) -> bool:
    """Queue a silent collection anew, or end it after too many workers. False where it has moved meanwhile."""
    with transaction.atomic():
        mine = Collection.objects.filter(pk=collection.pk, claim=collection.claim)
        if collection.state != RunState.RUNNING:  # cancelled, and its worker gone before it could let go
            return bool(mine.update(claim=None))
        mine = mine.filter(state=RunState.RUNNING)
        if collection.attempts < MOST_CLAIMS:
            moved = mine.update(claim=None, heartbeat_at=timezone.now())
            if moved:
                logger.warning("collection %s was silent and is queued again", collection.pk)
                enqueue([collection.pk])
            return bool(moved)
        if not mine.update(claim=None, state=RunState.DONE, ended_at=timezone.now()):
            return False
        logger.error("collection %s lost %s workers and is given up", collection.pk, collection.attempts)
        fail_open_calls(collection, "worker_lost")
        return True
