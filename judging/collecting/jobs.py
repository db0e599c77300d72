"""The verbs of a collection: make, start, cancel, resume, ask again where no answer came.

A collection ends once: each step is a conditional UPDATE, so of two workers, or of a worker and a person, one wins.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from judging.collecting.planning import Plan, plan
from judging.laboratories import guard_of
from judging.models import Collection, CollectionCall, CollectionState, RunState, TargetEndpoint
from judging.runs import OVER
from projects.audit import record
from projects.models import Response, User
from projects.problems import Invalid, Problem

INSERT_BATCH = 1000


def create_collection(endpoint: TargetEndpoint, by: User | None = None) -> Collection:
    """A planned collection with its calls; nothing is asked yet.

    Raises Invalid where the model has no API, its laboratory is unknown, or nothing is left to ask.
    """
    if endpoint.provider is None:
        raise Invalid(Problem("by_hand", _("This model has no provider; its responses are pasted by hand.")))
    guard_of(endpoint.model, endpoint.provider)
    with transaction.atomic():
        # Two collections of one model planned at once would plan the same calls.
        TargetEndpoint.objects.select_for_update(of=("self",)).get(pk=endpoint.pk)
        planned = plan(endpoint)
        if not planned.size:
            raise Invalid(Problem("nothing_to_ask", nothing_to_ask(planned)))
        collection = Collection.objects.create(endpoint=endpoint, unfrozen=planned.unfrozen, created_by=by)
        calls = [CollectionCall(collection=collection, endpoint=endpoint, prompt_id=pk) for pk in planned.prompts]
        CollectionCall.objects.bulk_create(calls, batch_size=INSERT_BATCH)
        for start in range(0, len(planned.taken_up), INSERT_BATCH):
            taken = CollectionCall.objects.filter(pk__in=planned.taken_up[start : start + INSERT_BATCH])
            taken.update(collection=collection, state=CollectionState.PLANNED)
        record(
            "collection.created",
            actor=by,
            project=endpoint.project,
            subject=collection.uuid,
            model=endpoint.target_model.name,
            prompts=planned.size,
        )
    return collection


def nothing_to_ask(planned: Plan) -> str:
    message = _(
        "There is nothing to ask: %(answered)d prompts have a response of this model, %(asked)d were asked or are "
        "being asked, and %(unfrozen)d have no frozen rubric yet."
    )
    counted = {"answered": planned.answered, "asked": planned.asked.total(), "unfrozen": planned.unfrozen}
    return message % counted


def start(collection: Collection, by: User | None = None, here: bool = False) -> bool:
    """Set a planned collection going. False where it was started before.

    `here`: no worker is told; whoever called works through it.
    """
    with transaction.atomic():
        now = timezone.now()
        planned = Collection.objects.filter(pk=collection.pk, state=RunState.PLANNED)
        began = planned.update(state=RunState.RUNNING, started_at=now, heartbeat_at=now)
        if began:
            record("collection.started", actor=by, project=collection.endpoint.project, subject=collection.uuid)
            if not here:
                enqueue([collection.pk])
    collection.refresh_from_db()
    return bool(began)


def enqueue(collections: Iterable[int]) -> None:
    """Send the collections' ids once what they stand for is committed; a broker that is away is logged (`robust`)."""
    from judging.tasks import collect

    sent = list(collections)

    def send() -> None:
        for pk in sent:
            collect.delay(pk)

    transaction.on_commit(send, robust=True)


def cancel(collection: Collection, by: User | None = None) -> bool:
    """Stop a collection; what was stored stays, what is in flight is stored still if it comes. False if it was over.

    The worker's claim stays until it has let go, so that nothing in flight is asked a second time meanwhile.
    """
    with transaction.atomic():
        now = timezone.now()
        going = Collection.objects.filter(pk=collection.pk).exclude(state__in=OVER)
        stopped = going.update(state=RunState.CANCELLED, ended_at=now)
        if stopped:
            open_calls = CollectionCall.objects.filter(collection=collection, state=CollectionState.PLANNED)
            open_calls.update(state=CollectionState.CANCELLED)
            record("collection.cancelled", actor=by, project=collection.endpoint.project, subject=collection.uuid)
    collection.refresh_from_db()
    return bool(stopped)


def resume(collection: Collection, by: User | None = None) -> bool:
    """Go on with a cancelled collection. False where it was not cancelled, or its worker has not let go of it yet."""
    return _go_on(collection, [RunState.CANCELLED], [CollectionState.CANCELLED], "collection.resumed", by)


def retry_failed(collection: Collection, by: User | None = None) -> bool:
    """Ask again where no answer came at all. False where there is no such prompt, or the collection is not over."""
    states = [CollectionState.CANCELLED, CollectionState.FAILED]
    return _go_on(collection, OVER, states, "collection.retried", by)


def _go_on(
    collection: Collection, from_states: Iterable[str], call_states: Iterable[str], action: str, by: User | None
) -> bool:
    with transaction.atomic():
        locked = Collection.objects.select_for_update(of=("self",)).get(pk=collection.pk)
        if locked.state not in list(from_states) or locked.claim is not None:
            return False
        # What was pasted or imported meanwhile is the response; nothing is asked beside it.
        answered = Response.objects.filter(prompt=OuterRef("prompt"), target_model=OuterRef("endpoint__target_model"))
        calls = CollectionCall.objects.filter(~Exists(answered), collection=locked, state__in=list(call_states))
        again = list(calls.values_list("pk", flat=True))
        if not again and locked.state == RunState.DONE:
            return False
        CollectionCall.objects.filter(pk__in=again).update(
            state=CollectionState.PLANNED, problem="", raw_output="", ended_at=None
        )
        Collection.objects.filter(pk=locked.pk).update(
            state=RunState.RUNNING, ended_at=None, heartbeat_at=timezone.now(), attempts=0
        )
        enqueue([locked.pk])
        record(action, actor=by, project=collection.endpoint.project, subject=collection.uuid)
    collection.refresh_from_db()
    return True
