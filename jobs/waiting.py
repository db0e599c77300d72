"""For what a job waits, in words. Three statements for any number of jobs, none where no job waits."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from jobs import heartbeat, shares
from jobs.models import Job, JobState, Worker
from projects.models import AuditEvent


class Waiting:
    """What the jobs of one page wait for, as it is now."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.now = timezone.now()
        waiting = [job for job in jobs if job.state == JobState.QUEUED]
        self.before, self.held = self._before(waiting)
        self.seen_at, self.shares = self._workers() if waiting else ({}, {})
        self.paused_by = self._paused_by([job for job in jobs if job.state == JobState.PAUSED])

    def in_words(self, job: Job) -> str:
        if job.state == JobState.PAUSED:
            name = self.paused_by.get(str(job.uuid))
            return _("paused by %(name)s") % {"name": name} if name else _("paused")
        if job.state == JobState.PLANNED:
            return _("waits until somebody starts it")
        if job.state != JobState.QUEUED:
            return ""
        if job.due_at > self.now:
            return self._until(job)
        if not self.shares.get(job.queue):
            return self._for_a_worker(job)
        if job.resource and self.held.get(job.resource, 0) >= self.shares[job.queue]:
            return _("waits for the provider's share: as many jobs as may ask it at once are at work")
        if before := self.before.get(job.pk, 0):
            return ngettext(
                "waits for its turn: %(count)d before it", "waits for its turn: %(count)d before it", before
            ) % {"count": before}
        return _("waits for a worker, which takes it up in a moment")

    def _until(self, job: Job) -> str:
        due_at = timezone.localtime(job.due_at)
        at = {"time": date_format(due_at, "H:i:s T" if job.due_at - self.now < timedelta(minutes=2) else "H:i T")}
        return _("waits until %(time)s after a failure") % at if job.attempts else _("waits until %(time)s") % at

    def _for_a_worker(self, job: Job) -> str:
        seen_at = self.seen_at.get(job.queue)
        if seen_at is None:
            return _("waits for a worker: none has been seen")
        minutes = max(1, round((self.now - seen_at).total_seconds() / 60))
        words = ngettext(
            "waits for a worker: none has been seen for %(count)d minute",
            "waits for a worker: none has been seen for %(count)d minutes",
            minutes,
        )
        return words % {"count": minutes}

    def _before(self, waiting: Sequence[Job]) -> tuple[dict[int, int], dict[str, int]]:
        """How many wait before each, and how many jobs of each resource are at work."""
        if not waiting:
            return {}, {}
        resources = sorted({job.resource for job in waiting if job.resource})
        earlier = {
            f"before_{job.pk}": Count(
                "pk",
                filter=Q(state=JobState.QUEUED, queue=job.queue, due_at__lte=self.now)
                & (Q(due_at__lt=job.due_at) | Q(due_at=job.due_at, pk__lt=job.pk)),
            )
            for job in waiting
        }
        at_work = {
            f"held_{place}": Count("pk", filter=Q(state=JobState.RUNNING, resource=resource))
            for place, resource in enumerate(resources)
        }
        moving = Job.objects.filter(state__in=[JobState.QUEUED, JobState.RUNNING])
        counts = moving.aggregate(**earlier, **at_work)
        before = {job.pk: counts[f"before_{job.pk}"] for job in waiting}
        return before, {resource: counts[f"held_{place}"] for place, resource in enumerate(resources)}

    def _workers(self) -> tuple[dict[str, datetime], dict[str, int]]:
        """By queue: when a worker was seen last, and how many jobs of one resource those that are alive may hold."""
        since = self.now - timedelta(seconds=heartbeat.MISSED_BEATS * heartbeat.beat_seconds())
        seen_at: dict[str, datetime] = {}
        may_hold: dict[str, int] = {}
        for queues, slots, at in Worker.objects.order_by("seen_at").values_list("queues", "slots", "seen_at"):
            for queue in queues:
                seen_at[queue] = at
                may_hold[queue] = may_hold.get(queue, 0) + (shares.share_of_resource(slots) if at >= since else 0)
        return seen_at, may_hold

    def _paused_by(self, paused: Sequence[Job]) -> dict[str, str]:
        if not paused:
            return {}
        events = AuditEvent.objects.filter(
            project=paused[0].project_id, action="job.paused", subject__in=[str(job.uuid) for job in paused]
        )
        return {
            event.subject: str(event.actor) for event in events.select_related("actor").order_by("pk") if event.actor
        }
