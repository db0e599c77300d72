"""A process says that it lives: for the jobs in its hands, and for itself.

One thread for all of a process's jobs, begun with the first: a job that computes for minutes in one statement is as
alive as its process is.
"""

import contextlib
import logging
import os
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from jobs.models import Job, JobState, Queue, Worker
from projects.enumeration import in_parts
from projects.health import Unwell

logger = logging.getLogger(__name__)

# A worker that has not been seen for so many beats is taken for gone.
MISSED_BEATS = 6
FORGOTTEN_AFTER = timedelta(days=1)

_lock = threading.Lock()
_claims: set[uuid.UUID] = set()
_queues: list[str] = []
_slots = 0
_beater: threading.Thread | None = None


def _forget() -> None:
    """In a process that was forked: what its parent holds is not its own."""
    global _lock, _beater
    _lock, _beater = threading.Lock(), None
    _claims.clear()
    _queues.clear()


os.register_at_fork(after_in_child=_forget)


def beat_seconds() -> float:
    return settings.JOB_SILENCE_SECONDS / 6


@contextmanager
def kept_alive(claim: uuid.UUID) -> Iterator[None]:
    """Within it, this process's beats are also those of the claim."""
    with _lock:
        _claims.add(claim)
    _start()
    try:
        yield
    finally:
        with _lock:
            _claims.discard(claim)


def announce(queues: list[str], processes: int = 1) -> None:
    """This process, or so many that it has forked, takes up jobs of these queues from now on, and says so with every
    beat."""
    global _slots
    _queues[:] = queues
    _slots = processes * settings.WORKER_SLOTS
    _start()


def seen_workers() -> list[Worker]:
    """Workers that have been seen lately."""
    since = timezone.now() - timedelta(seconds=MISSED_BEATS * beat_seconds())
    return list(Worker.objects.filter(seen_at__gte=since).order_by("name"))


def check_workers() -> str:
    """For the health page: how many workers live. Raises Unwell where a queue is nobody's, for its jobs wait."""
    workers = seen_workers()
    served = {queue for worker in workers for queue in worker.queues}
    if not workers:
        raise Unwell(_("No worker has been seen lately."))
    if missing := [str(queue.label) for queue in Queue if queue not in served]:
        raise Unwell(_("No worker takes up: %(queues)s.") % {"queues": in_parts(missing)})
    words = ngettext(
        "%(count)d worker process has been seen.", "%(count)d worker processes have been seen.", len(workers)
    )
    return words % {"count": len(workers)}


def _start() -> None:
    global _beater
    with _lock:
        if _beater is None or not _beater.is_alive():
            _beater = threading.Thread(target=_beat_on, name="beat", daemon=True)
            _beater.start()


def _beat_on() -> None:
    pause = threading.Event()
    while True:
        # Whatever it is: a thread that ended would let all jobs of this process be taken for dead.
        try:
            beat()
        except Exception as error:
            logger.warning("no beat could be written (%s: %s)", type(error).__name__, error)
        with contextlib.suppress(Exception):
            connection.close()
        pause.wait(beat_seconds())


def beat() -> None:
    """Write one beat for every claim of this process, and for the process where it takes up jobs by itself."""
    now = timezone.now()
    with _lock:
        claims = list(_claims)
    if claims:
        Job.objects.filter(claim__in=claims, state=JobState.RUNNING).update(heartbeat_at=now)
    if _queues:
        name = f"{socket.gethostname()}:{os.getpid()}"
        seen = {"queues": list(_queues), "slots": _slots, "seen_at": now}
        Worker.objects.update_or_create(name=name, defaults=seen)
        Worker.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()
