"""The one sweep: jobs whose worker is gone are queued again or given up, and lost messages are sent again."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from jobs.enqueuing import send
from jobs.files import sweep_files
from jobs.kinds import job_kinds, known_kinds
from jobs.models import Job, JobState
from jobs.verbs import take_back

logger = logging.getLogger(__name__)

AT_ONCE = 500


def sweep(silence_seconds: float | None = None, lost_seconds: float | None = None) -> int:
    """Take back jobs of silent workers, send those again that nobody took up; return how many were moved."""
    now = timezone.now()
    silence = settings.JOB_SILENCE_SECONDS if silence_seconds is None else silence_seconds
    lost = settings.JOB_LOST_SECONDS if lost_seconds is None else lost_seconds
    since = now - timedelta(seconds=silence)
    silent = Job.objects.filter(state=JobState.RUNNING, heartbeat_at__lte=since)
    silent = silent.filter(kind__in=known_kinds()).order_by("heartbeat_at", "pk")
    steps: list[Callable[[], int]] = [
        partial(take_back, pk, token, silent_since=since) for pk, token in silent.values_list("pk", "claim")[:AT_ONCE]
    ]
    steps.append(partial(send_lost, now - timedelta(seconds=lost)))
    steps += [sweep_expired_files, *(kind.sweep for kind in job_kinds())]
    return sum(map(done_or_logged, steps))


def sweep_expired_files() -> int:
    sweep_files()
    return 0


def done_or_logged(step: Callable[[], int]) -> int:
    """What one step moved. One that fails, over one job or one kind, keeps no other from being swept."""
    try:
        return step()
    except Exception:
        logger.exception("a part of the sweep failed; the others go on")
        return 0


def send_lost(before: datetime) -> int:
    """A queued job may rightly wait for a worker; after a while it is sent again in case its message was lost. One
    that was put off is sent when it is due. A few messages wake for all of them."""
    now = timezone.now()
    waiting = Job.objects.filter(
        Q(heartbeat_at__lte=before) | Q(due_at__gt=F("heartbeat_at")), state=JobState.QUEUED, due_at__lte=now
    )
    with transaction.atomic():
        lost = list(waiting.order_by("pk").only("pk", "queue")[:AT_ONCE])
        Job.objects.filter(pk__in=[job.pk for job in lost], state=JobState.QUEUED).update(heartbeat_at=now)
        send(lost)
    return len(lost)
