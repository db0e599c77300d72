"""The product with a defect planted in it, for the one question whether the campaign would notice.

A request names the defect it is to be treated with in the header X-Planted-Defect. Each stands for a way in which
servers like this one have lost people's work.
"""

import os
import threading
import time
import uuid
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application

product = get_wsgi_application()

from django.db import connection  # noqa: E402
from django.db.backends.signals import connection_created  # noqa: E402
from django.db.models import Count, F, Q  # noqa: E402
from django.utils import timezone  # noqa: E402

from projects.models import Rater  # noqa: E402
from workflow import claims, drafts, submission  # noqa: E402
from workflow.models import HOLDING, Assignment, Draft, Stage, Status, WorkItem  # noqa: E402

planted: ContextVar[str] = ContextVar("planted", default="")


def application(environ: dict[str, Any], start_response: Any) -> Any:
    planted.set(environ.get("HTTP_X_PLANTED_DEFECT", ""))
    return product(environ, start_response)


def commit_lazily(connection: Any, **kwargs: Any) -> None:
    """Each request takes its connection from the pool anew."""
    lazy = "off" if planted.get() == "commits-lazily" else "on"
    with connection.cursor() as cursor:
        cursor.execute(f"SET synchronous_commit TO {lazy}")


connection_created.connect(commit_lazily)


# --- Answers before it has committed ------------------------------------------------------------------

PENDING: dict[int, tuple[int, dict]] = {}
LOCK = threading.Lock()
save = drafts.save


def save_later(assignment: Assignment, version: int, body: Any, **more: Any) -> drafts.Saved:
    """Keep the draft in memory, answer, and write it a second later."""
    if planted.get() != "answers-early":
        return save(assignment, version, body, **more)
    with LOCK:
        PENDING[assignment.pk] = (version + 1, body)
    threading.Timer(1, write_pending, [assignment.pk]).start()
    return drafts.Saved(version + 1, timezone.now())


def write_pending(assignment: int) -> None:
    with LOCK:
        version, body = PENDING.pop(assignment, (0, {}))
    if version:
        Draft.objects.update_or_create(assignment_id=assignment, defaults={"version": version, "body": body})


# --- Submits in two steps, and takes a resend for another submission -------------------------------------

submit_locked = submission._submit_locked


def submit_badly(kind: Any, own: Assignment, number: uuid.UUID, version: int, answer: dict) -> Any:
    write_pending(own.pk)
    if planted.get() == "forgets-submissions" and own.status == Status.SUBMITTED:
        Assignment.objects.filter(pk=own.pk).update(
            status=Status.CLAIMED, submitted_at=None, submission=None, lease_expires_at=timezone.now()
        )
        own.status, answer = Status.CLAIMED, LAST_ANSWER[own.pk]
    LAST_ANSWER[own.pk] = answer
    if planted.get() == "submits-in-two-steps" and own.status != Status.SUBMITTED:
        first_step = threading.Thread(target=store_and_commit, args=[kind, own, answer])
        first_step.start()
        first_step.join()
        time.sleep(2)  # long enough for a kill to meet it
        kind = AlreadyStored()
    return submit_locked(kind, own, number, version, answer)


def store_and_commit(kind: Any, own: Assignment, answer: dict) -> None:
    """A thread has a connection, and so a transaction, of its own."""
    try:
        kind.store(own, answer)
    finally:
        connection.close()


class AlreadyStored:
    def store(self, own: Assignment, answer: dict) -> None:
        """The first step has done it."""


LAST_ANSWER: dict[int, dict] = {}

# --- Claims with its predicate on a joined table --------------------------------------------------------

from_queue = claims._from_queue


def from_queue_by_counting(rater: Rater, stage: Stage, notes: Sequence[int]) -> Assignment | None:
    """Lock an item for which too few assignments are found: the lock does not look at them again."""
    if planted.get() != "claims-by-join":
        return from_queue(rater, stage, notes)
    held = Count("assignments", filter=Q(assignments__status__in=HOLDING))
    few = WorkItem.objects.filter(stage=stage).annotate(held=held).filter(held__lt=F("slots"))
    open_items = WorkItem.objects.filter(pk__in=few.values("pk")).exclude(assignments__rater=rater)
    item = open_items.select_for_update(of=("self",)).order_by("position").first()
    if item is None:
        return None
    until_somebody_waits()
    now = timezone.now()
    lease = claims.lease_end(stage, now)
    turn = {"item": item, "stage": stage, "rater": rater, "status": Status.CLAIMED}
    return Assignment.objects.create(claimed_at=now, lease_expires_at=lease, **turn)


def until_somebody_waits() -> None:
    """Others come meanwhile, and wait for the lock with what they have already read."""
    ends = time.monotonic() + 1
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    with connection.cursor() as cursor:
        while time.monotonic() < ends:
            time.sleep(0.05)
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(waiting)
            if cursor.fetchone():
                return


for module, name, defective in (
    (drafts, "save", save_later),
    (submission, "_submit_locked", submit_badly),
    (claims, "_from_queue", from_queue_by_counting),
):
    setattr(module, name, defective)
