"""What is done to a job from outside: pause, resume, cancel, ask for it again, take it back from a worker that is gone.

Each is a conditional UPDATE: of two, one wins.
"""

import logging
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from jobs.enqueuing import queue_again, send
from jobs.kinds import job_kind
from jobs.models import OPEN, OVER, Job, JobState
from projects.among import Among
from projects.audit import record
from projects.models import User

logger = logging.getLogger(__name__)


def pause(job: Job, by: User | None = None) -> bool:
    """Let a job wait until somebody resumes it; its worker breaks off at its next step. False where it was not
    open."""
    return _move(job, [JobState.PLANNED, JobState.QUEUED, JobState.RUNNING], JobState.PAUSED, "job.paused", by)


def cancel(job: Job, by: User | None = None) -> bool:
    """End a job; what was committed stays. False where it was over."""
    return _move(job, OPEN, JobState.CANCELLED, "job.cancelled", by)


def resume(job: Job, by: User | None = None) -> bool:
    """Queue a paused or planned job. False where it is neither."""
    return _again(job, [JobState.PAUSED, JobState.PLANNED], "job.resumed", by)


def retry(job: Job, by: User | None = None) -> bool:
    """Queue a job that failed or was cancelled, as if it were new. False where it is neither."""
    as_new: dict[str, object] = {"started_at": None}
    if not job_kind(job.kind).goes_on:
        as_new["result"] = None
    return _again(job, [JobState.FAILED, JobState.CANCELLED], "job.retried", by, **as_new)


def _move(job: Job, states: Sequence[str], to: str, action: str, by: User | None) -> bool:
    with transaction.atomic():
        moved = take_out_of_hands(Job.objects.filter(pk=job.pk, state__in=states), to)
        if moved:
            record(action, actor=by, project=job.project, subject=job.uuid, kind=job.kind)
    job.refresh_from_db()
    if moved and job.is_over:
        job_kind(job.kind).after_end(job)
    return bool(moved)


def _again(job: Job, states: Sequence[str], action: str, by: User | None, **changes: object) -> bool:
    with transaction.atomic():
        locked = Job.objects.select_for_update(of=("self",)).filter(pk=job.pk, state__in=states).first()
        if locked is None or (locked.key and _is_overtaken(locked)):
            return False
        try:
            with transaction.atomic():
                queue_again([locked], done=0, sentence="", **changes)
        except IntegrityError:  # overtaken since it was looked up (`job_open_once_by_key`)
            return False
        record(action, actor=by, project=job.project, subject=job.uuid, kind=job.kind)
    job.refresh_from_db()
    return True


def _is_overtaken(job: Job) -> bool:
    """Whether another open job does the same by now."""
    others = Job.objects.filter(kind=job.kind, key=job.key, state__in=OPEN)
    return others.exclude(pk=job.pk).exists()


def take_out_of_hands(jobs: QuerySet[Job], state: str) -> int:
    """Move jobs to a state in which nobody holds them, within the caller's transaction; return how many.

    Rows are locked in the order of their ids. What their kinds keep beside the row of a running job is settled by
    `JobKind.release`.
    """
    locked = list(jobs.order_by("pk").select_for_update(of=("self",)).values_list("pk", "kind", "state"))
    if not locked:
        return 0
    now = timezone.now()
    ended_at = now if state in OVER else None
    rows = Job.objects.filter(pk__in=Among(pk for pk, _kind, _state in locked))
    rows.update(state=state, claim=None, heartbeat_at=now, due_at=now, ended_at=ended_at)
    running: dict[str, list[int]] = {}
    for pk, kind, earlier in locked:
        if earlier == JobState.RUNNING:
            running.setdefault(kind, []).append(pk)
    for kind, held in running.items():
        job_kind(kind).release(held)
    return len(locked)


def take_back(
    pk: int, claim: uuid.UUID | None, delay: timedelta = timedelta(0), silent_since: datetime | None = None
) -> bool:
    """Queue a job anew that is held under this claim, or end it after too many attempts. False where it has moved or is
    gone meanwhile, or its worker has said something after `silent_since`."""
    job = Job.objects.select_related("project").filter(pk=pk).first()
    if job is None:
        return False
    kind = job_kind(job.kind)
    with transaction.atomic():
        held = Job.objects.filter(pk=pk, claim=claim, state=JobState.RUNNING)
        if silent_since is not None:
            held = held.filter(heartbeat_at__lte=silent_since)
        is_given_up = job.attempts >= kind.most_attempts
        if not take_out_of_hands(held, JobState.FAILED if is_given_up else JobState.QUEUED):
            return False
        if is_given_up:
            logger.error("%s lost %s workers and is given up", job, job.attempts)
            with translation.override(job.language):
                Job.objects.filter(pk=pk).update(problem=given_up())
            kind.give_up(job)
        else:
            logger.warning("%s is queued again after %s attempts", job, job.attempts)
            if delay:  # the sweep sends it when it is due
                Job.objects.filter(pk=pk).update(due_at=timezone.now() + delay)
            else:
                send([job])
    if is_given_up:
        kind.after_end(job)
    return True


def given_up() -> str:
    return _("It was begun several times and broke off each time. The log of the workers says why; try it again.")
