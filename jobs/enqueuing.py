"""From a row to a worker: the one place from which anything is sent to the broker."""

import logging
from collections.abc import Iterable, Sequence

from celery import current_app
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language

from jobs.kinds import job_kind
from jobs.models import OPEN, Job, JobState
from projects.among import Among
from projects.models import Project, User

logger = logging.getLogger(__name__)


def add_job(
    kind: str,
    project: Project | None = None,
    by: User | None = None,
    *,
    options: dict | None = None,
    resource: str = "",
    key: str = "",
    total: int | None = None,
    wake: bool = True,
) -> Job:
    """A queued job, sent once the caller's transaction is committed. With a `key`, the open job of the same kind and
    key where there is one. Without `wake` no worker is sent for: the caller does it, and where it dies the sweep sends
    for one."""
    values = {"options": options or {}, "resource": resource, "total": total, "asked_by": by, "project": project}
    for _attempt in range(3):
        if key and (job := Job.objects.filter(kind=kind, key=key, state__in=OPEN).first()):
            return job
        try:
            with transaction.atomic():
                now = timezone.now()
                job = Job.objects.create(
                    kind=kind,
                    key=key,
                    queue=job_kind(kind).queue,
                    state=JobState.QUEUED,
                    language=get_language() or "en",
                    heartbeat_at=now,
                    due_at=now,
                    **values,
                )
                if wake:
                    send([job])
            return job
        except IntegrityError:  # somebody else was first: theirs is looked up, or has ended meanwhile
            if not key:
                raise
    raise RuntimeError(f"a job {kind} {key} was begun by others three times")


def queue_again(jobs: Sequence[Job], **changes: object) -> int:
    """Queue jobs that nobody holds, from whatever state, as for the first time; return how many. The caller has
    locked or chosen them so that nobody else moves them. Those that are to wait (`due_at`) are sent by the sweep, when
    they are due."""
    now = timezone.now()
    values: dict[str, object] = {"state": JobState.QUEUED, "claim": None, "attempts": 0}
    values |= {"heartbeat_at": now, "due_at": now}
    values |= {"ended_at": None, "problem": ""}
    held_by_nobody = Job.objects.filter(pk__in=Among(job.pk for job in jobs)).exclude(state=JobState.RUNNING)
    moved = held_by_nobody.update(**values | changes)
    if "due_at" not in changes:
        send(jobs)
    return moved


def send(jobs: Iterable[Job]) -> None:
    """Wake workers for queued jobs once what they stand for is committed.

    A few messages for each queue, however many the jobs: whoever is woken works through all that waits in the queue,
    and hands on what it has no time for. A message that finds its job held up by its resource's share wakes for the
    next job of another resource. So what waits for long, or where nobody is, never fills the broker.

    A broker that is away is logged and no more (`robust`): the rows stand, and the sweep sends them again.
    """
    waiting = some_of_each_queue(jobs)
    if not waiting:
        return

    def wake_workers() -> None:  # a function with a name of its own: where it fails, Django logs that name
        from jobs.tasks import run

        for pk, queue in waiting:
            run.apply_async((pk,), queue=queue, ignore_result=True)

    transaction.on_commit(wake_workers, robust=True)


def some_of_each_queue(jobs: Iterable[Job]) -> list[tuple[int, str]]:
    """The ids and queues of as many jobs as one process of a worker does at once; of all where this process is to do
    them itself, for then nobody works through what is left."""
    by_queue: dict[str, list[tuple[int, str]]] = {}
    for job in jobs:
        chosen = by_queue.setdefault(job.queue, [])
        if len(chosen) < settings.WORKER_SLOTS or current_app.conf.task_always_eager:
            chosen.append((job.pk, job.queue))
    return [each for chosen in by_queue.values() for each in chosen]
