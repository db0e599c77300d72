"""Who gets which item, for how long, and how it goes back. Every function is one transaction.

Locks are always taken in the order rater, assignment, item. On PostgreSQL the item's own row is locked with its
own predicate (`open_slots > 0`), so that two claims can never both see the last slot; on SQLite a transaction
holds the write lock from its start, and the conditional update says the same again.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from itertools import product

from django.db import transaction
from django.db.models import (
    BigIntegerField,
    Case,
    DateTimeField,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    When,
)
from django.utils import timezone

from projects.models import LanguageVariety, Rater
from projects.prepared import Given, Prepared, PreparedUpdate
from workflow.content_notes import NO_NOTE, sets_for
from workflow.daily_cap import check_day
from workflow.eligibility import check_eligible, due_check
from workflow.models import HOLDING, Assignment, Stage, Status, WorkItem
from workflow.planning import recount
from workflow.refusals import Refused
from workflow.skipping import REASSIGNED, UNREAD
from workflow.task_types import task_type

CANDIDATES = 5
SWEEP_BATCH = 500


class Lock(Enum):
    FREE = "only what nobody else has locked"
    WAITING = "whatever it is, when others let it go"


# --- Claiming -----------------------------------------------------------------------------------------


LOCKED_RATER = Prepared(
    lambda: Rater.objects.select_for_update(no_key=True).filter(pk=Given("rater", Rater)).only("pk")
)


def claim_next(rater: Rater, stage: Stage) -> Assignment | None:
    """What this rater does next in the stage, or None where nothing is left for them.

    First what they have begun and still hold, or can hold again; then what a lead reserved for them; then a check
    that is due, or the next open item of their varieties; at last what they once gave back. Never an item they had
    in another way. Raises Refused("closed") where the stage takes no work, Refused("day_full") where their day is, and
    whatever a check of eligibility refuses them with.
    """
    check_takes_work(stage)
    with transaction.atomic():
        # One claim at a time per rater: a double click gets the same item twice, not two items.
        LOCKED_RATER.first(rater=rater.pk)
        kept = BEGUN.all(rater=rater.pk, stage=stage.pk)
        begun = _first_taken(each for each in kept if each.status != Status.RESERVED)
        if begun is not None:
            return begun
        check_day(rater)  # what they hold they may finish
        reserved = _first_taken(each for each in kept if each.status == Status.RESERVED)
        if reserved is not None:
            return reserved
        check_eligible(rater, stage)
        notes = sets_for(rater, stage.project)
        return _check(rater, stage, notes) or _from_queue(rater, stage, notes) or _given_back(rater, stage, notes)


def claim_another(rater: Rater, stage: Stage) -> Assignment | None:
    """The next open item of the queue, though the rater has others begun; None where there is none.

    Raises Refused as `claim_next` does.
    """
    check_takes_work(stage)
    check_day(rater)
    check_eligible(rater, stage)
    with transaction.atomic():
        LOCKED_RATER.first(rater=rater.pk)
        return _from_queue(rater, stage, sets_for(rater, stage.project))


def check_takes_work(stage: Stage) -> None:
    if not stage.takes_work or stage.project.archived_at:
        raise Refused("closed")


def _unfinished() -> QuerySet[Assignment]:
    """What a rater has begun in a stage and still holds or can hold again, then what is reserved for them."""
    order = Case(
        When(status=Status.CLAIMED, then=0), When(status=Status.EXPIRED, then=1), default=2, output_field=IntegerField()
    )
    mine = Assignment.objects.filter(
        ~Q(status=Status.EXPIRED) | Q(item__open_slots__gt=0),
        rater=Given("rater", Rater),
        stage=Given("stage", Stage),
        status__in=[Status.CLAIMED, Status.EXPIRED, Status.RESERVED],
    )
    # What was reserved comes in the stage's own order, like what comes from its queue.
    return mine.select_related("item", "stage").order_by(order, "claimed_at", "item__position", "pk")[:CANDIDATES]


BEGUN = Prepared(_unfinished)


def _given_back(rater: Rater, stage: Stage, notes: Sequence[int]) -> Assignment | None:
    mine = Assignment.objects.filter(
        rater=rater, stage=stage, status=Status.RELEASED, skip_reason="", item__open_slots__gt=0
    )
    if stage.project.note_sets:
        mine = mine.filter(item__note_set__in=notes)
    return _first_taken(mine.select_related("item", "stage").order_by("pk")[:CANDIDATES])


def _first_taken(candidates: Iterable[Assignment]) -> Assignment | None:
    for assignment in candidates:
        try:
            take(assignment)
        except Refused:  # its last slot went to someone else this very moment
            continue
        return assignment
    return None


def _check(rater: Rater, stage: Stage, notes: Sequence[int]) -> Assignment | None:
    """The check that is due now, in the place of the next item of the queue; none with notes they do not want."""
    item = due_check(rater, stage)
    return _claimed(rater, stage, item) if item is not None and item.note_set in notes else None


def _claimed(rater: Rater, stage: Stage, item: WorkItem) -> Assignment:
    now = timezone.now()
    return Assignment.objects.create(
        item=item,
        stage=stage,
        rater=rater,
        # A check stands beside the queue: the rater's next search goes on from where it was.
        queue_position=None if item.is_check else item.position,
        status=Status.CLAIMED,
        claimed_at=now,
        lease_expires_at=lease_end(stage, now),
    )


def _from_queue(rater: Rater, stage: Stage, notes: Sequence[int]) -> Assignment | None:
    queues = list(product([variety.pk for variety in VARIETIES.all(rater=rater.pk)], notes))
    latest = LATEST.first(rater=rater.pk, stage=stage.pk)
    last = latest.queue_position if latest else None
    # Ahead of the last item taken, round and round like the hand of a clock, so that what was passed over is not
    # looked at again with every claim; then from the front, where something opened up or was planned meanwhile; then,
    # waiting this time, whatever another claim had locked: it may have slots left for us.
    for after, waiting in ((last, False), (None, False), (None, True)):
        item = _locked_item(rater, stage, queues, after, waiting)
        if item is None:
            continue
        if not TAKE_SLOT.run(pk=item.pk):
            continue
        return _claimed(rater, stage, item)
    return None


VARIETIES = Prepared(lambda: LanguageVariety.objects.filter(raters=Given("rater", Rater)).order_by("pk").only("pk"))
LATEST = Prepared(
    lambda: (
        Assignment.objects.filter(rater=Given("rater", Rater), stage=Given("stage", Stage))
        .filter(queue_position__isnull=False)
        .order_by("-pk")
        .only("queue_position")[:1]
    )
)
TAKE_SLOT = PreparedUpdate(
    lambda: (
        WorkItem.objects.filter(pk=Given("pk", WorkItem), open_slots__gt=0),
        {"open_slots": F("open_slots") - 1},
    )
)


def open_items(
    kind: str,
    rater: Rater | Given,
    stage: Stage | Given,
    variety: LanguageVariety | Given,
    after: int | Given | None,
    note_set: int | Given = NO_NOTE,
) -> QuerySet[WorkItem]:
    """The next item of a queue that is open to a rater in one variety and with one set of content notes, and behind
    position `after` where there is one.

    Each variety and set is asked by itself: its index is then read from its front.
    """
    had = Assignment.objects.filter(item=OuterRef("pk"), rater=rater)
    items = WorkItem.objects.filter(~Exists(had), stage=stage, variety=variety, note_set=note_set)
    items = items.filter(open_slots__gt=0, is_check=False).order_by("position")
    if after is not None:
        items = items.filter(position__gt=after)
    return task_type(kind).eligible(items, rater)[:1]


@cache
def _search(kind: str, is_ahead: bool, lock: Lock | None) -> Prepared[WorkItem]:
    def make() -> QuerySet[WorkItem]:
        place = Given("rater", Rater), Given("stage", Stage), Given("variety", LanguageVariety)
        after = Given("after", BigIntegerField()) if is_ahead else None
        items = open_items(kind, *place, after, Given("note_set", IntegerField()))
        if lock is None:
            return items
        return items.select_for_update(of=("self",), no_key=True, skip_locked=lock == Lock.FREE)

    return Prepared(make)


# A language variety and a set of content notes.
Queue = tuple[int, int]


def _locked_item(
    rater: Rater, stage: Stage, queues: Sequence[Queue], after: int | None, waiting: bool
) -> WorkItem | None:
    """The first of the items open to the rater, locked."""
    given = {"rater": rater.pk, "stage": stage.pk, "after": after}
    is_ahead = after is not None
    if len(queues) > 1:
        first = _search(stage.kind, is_ahead, None)
        fronts = [
            (first.first(variety=variety, note_set=notes, **given), (variety, notes)) for variety, notes in queues
        ]
        queues = [queue for _at, queue in sorted((item.position, queue) for item, queue in fronts if item)]
    search = _search(stage.kind, is_ahead, Lock.WAITING if waiting else Lock.FREE)
    items = (search.first(variety=variety, note_set=notes, **given) for variety, notes in queues)
    return next((item for item in items if item), None)


def can_claim(rater: Rater, stage: Stage, varieties: Sequence[int], notes: Sequence[int]) -> bool:
    """Whether the queue holds an item that is open to the rater in one of these varieties and with one of these sets of
    notes, at the cost of a claim."""
    latest = LATEST.first(rater=rater.pk, stage=stage.pk)
    given = {"rater": rater.pk, "stage": stage.pk, "after": latest.queue_position if latest else None}
    searches = [_search(stage.kind, is_ahead, None) for is_ahead in ((True, False) if latest else (False,))]
    queues = list(product(varieties, notes))
    return any(search.first(variety=v, note_set=n, **given) for search in searches for v, n in queues)


# --- Holding ------------------------------------------------------------------------------------------


def lease_end(stage: Stage, now: datetime) -> datetime:
    """The end of a full lease, on the next whole minute: the saves of one minute then leave it as it is, and with
    it the index of leases, so that PostgreSQL writes no index for them at all."""
    end = now + timedelta(minutes=stage.lease_minutes)
    return end.replace(second=0, microsecond=0) + timedelta(minutes=1)


def _renewal() -> tuple[QuerySet[Assignment], dict]:
    claimed = Assignment.objects.filter(pk=Given("pk", Assignment), status=Status.CLAIMED)
    return claimed, {"lease_expires_at": Given("lease", DateTimeField())}


RENEW = PreparedUpdate(_renewal)


def renew(assignment: Assignment) -> bool:
    """Hold a claimed item for another full lease; false where it is no longer claimed."""
    lease = lease_end(assignment.stage, timezone.now())
    renewed = RENEW.run(pk=assignment.pk, lease=lease)
    if renewed:
        assignment.lease_expires_at = lease
    return bool(renewed)


def take(assignment: Assignment) -> None:
    """Hold an assignment again that its rater comes back to: renewed, begun, or resumed where a slot is open.

    Raises Refused("lease_lost") where others took the slots meanwhile, and the code that fits where it was
    submitted, given back or reassigned.
    """
    with transaction.atomic():
        current = Assignment.objects.select_for_update().only("status", "skip_reason").get(pk=assignment.pk)
        if current.status in (Status.SUBMITTED, Status.SKIPPED) or current.skip_reason == REASSIGNED:
            raise refusal(current)
        if current.status not in HOLDING:
            free = WorkItem.objects.filter(pk=assignment.item_id, open_slots__gt=0)
            if not free.update(open_slots=F("open_slots") - 1):
                raise Refused("lease_lost")
        now = timezone.now()
        assignment.status = Status.CLAIMED
        assignment.claimed_at = assignment.claimed_at or now
        assignment.lease_expires_at = lease_end(assignment.stage, now)
        assignment.save(update_fields=["status", "claimed_at", "lease_expires_at"])


def hold(assignment: Assignment) -> None:
    """Renew the lease for a write, resuming it where it ran out and a slot is open; raises Refused otherwise."""
    if renew(assignment):
        return
    assignment.refresh_from_db(fields=["status", "skip_reason"])
    if assignment.status == Status.RELEASED:
        raise refusal(assignment)
    take(assignment)


def refusal(assignment: Assignment) -> Refused:
    """Why nothing more can be written to an assignment in this state."""
    if assignment.skip_reason == REASSIGNED:
        return Refused("reassigned")
    if assignment.status == Status.SUBMITTED:
        return Refused("submitted")
    return Refused("given_back" if assignment.status in (Status.RELEASED, Status.SKIPPED) else "lease_lost")


# --- Giving back --------------------------------------------------------------------------------------


def give_back(assignment: Assignment, status: Status, reason: str = "", note: str = "") -> None:
    """Leave an item that is held and not submitted; its slot opens for others and the draft is kept."""
    with transaction.atomic():
        left = Assignment.objects.filter(pk=assignment.pk, status__in=[Status.CLAIMED, Status.RESERVED]).update(
            status=status, skip_reason=reason, skip_note=note, lease_expires_at=None
        )
        if not left:
            assignment.refresh_from_db(fields=["status", "skip_reason"])
            if assignment.status == status:  # sent twice
                return
            if assignment.status != Status.EXPIRED:
                raise refusal(assignment)
            Assignment.objects.filter(pk=assignment.pk, status=Status.EXPIRED).update(
                status=status, skip_reason=reason, skip_note=note, lease_expires_at=None
            )
        assignment.status, assignment.skip_reason, assignment.skip_note = status, reason, note
        recount([assignment.item_id])


def release(assignment: Assignment) -> None:
    """Give an item back; it can come again when nothing else is left. Raises Refused where nobody could take it."""
    if assignment.item.is_own_beginning:
        raise Refused("own_beginning")
    give_back(assignment, Status.RELEASED)


def leave_unread(assignment: Assignment) -> None:
    """Give an item back that its person did not want to look at. It does not come to them again."""
    give_back(assignment, Status.RELEASED, UNREAD)


def skip(assignment: Assignment, reason: str, note: str = "") -> None:
    """Leave an item for good, saying why."""
    give_back(assignment, Status.SKIPPED, reason, note)


def sweep_expired_leases() -> int:
    """Open the slots of all items whose lease has run out; return how many. Drafts are kept."""
    swept = 0
    while batch := _sweep_batch():
        swept += batch
    return swept


def _sweep_batch() -> int:
    with transaction.atomic():
        # A row that someone is just saving or submitting is locked by them: it is left to the next sweep.
        late = Assignment.objects.filter(status=Status.CLAIMED, lease_expires_at__lt=timezone.now())
        rows = late.select_for_update(skip_locked=True).order_by("pk").values_list("pk", "item_id")[:SWEEP_BATCH]
        ids, items = [], []
        for pk, item in rows:
            ids.append(pk)
            items.append(item)
        if ids:
            Assignment.objects.filter(pk__in=ids, status=Status.CLAIMED).update(status=Status.EXPIRED)
            recount(sorted(set(items)))
    return len(ids)
