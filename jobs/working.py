"""A job in a worker's hands: claimed, kept alive, ended or given back."""

import logging
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection, transaction
from django.db.models import F, Value
from django.db.models.functions import Coalesce
from django.utils import timezone, translation

from jobs import heartbeat, shares
from jobs.enqueuing import send
from jobs.kinds import job_kind, known_kinds
from jobs.models import Job, JobState
from jobs.verbs import take_back, take_out_of_hands
from projects.problems import Invalid

logger = logging.getLogger(__name__)

PROGRESS_SECONDS = 0.5
MAX_PROBLEM = 4000
# After a defect a job is tried again after so long, and after twice that the next time, up to the second number.
FIRST_DELAY_SECONDS, MAX_DELAY_SECONDS = 2.0, 120.0
# A task looks for so long for further jobs: then a worker's process is free for messages of other queues.
MAX_SECONDS = 20.0
# A job that was begun has so long to send its first calls before the next is begun beside it, and takes up the same
# processor to make its own ready.
HEAD_START_SECONDS, LOOK_SECONDS = 0.1, 0.25


class Lost(Exception):
    """The job is no longer in this worker's hands: somebody paused or cancelled it, or another worker has it."""


class PutOff(Exception):
    """What the job needs is in other hands. It is to be taken up again after `seconds`, and shows `sentence` until
    then."""

    def __init__(self, seconds: float, sentence: str) -> None:
        self.seconds, self.sentence = seconds, sentence
        super().__init__(sentence)


@dataclass(slots=True)
class Held:
    """A job in this worker's hands. Every write is made under its claim, so a worker that was slow cannot undo what
    its successor did."""

    job: Job
    claim: uuid.UUID
    is_finished: bool = False
    _shown_at: float = field(default=0.0)

    @property
    def row(self) -> Any:
        """The row under the condition that it is still ours."""
        return Job.objects.held_under(self.claim).filter(pk=self.job.pk)

    def progress(self, done: int, total: int | None = None, sentence: str | None = None) -> None:
        """Say how far it is, twice a second at most (always when `sentence` changes). Raises Lost."""
        now = time.monotonic()
        is_told_already = sentence in (None, self.job.sentence)
        if is_told_already and now - self._shown_at < PROGRESS_SECONDS:
            return
        self._shown_at = now
        self.job.done, self.job.total = done, self.job.total if total is None else total
        self.job.sentence = self.job.sentence if sentence is None else sentence
        values = {"done": done, "total": self.job.total, "sentence": self.job.sentence}
        if not self.row.update(heartbeat_at=timezone.now(), **values):
            raise Lost

    def gets_on(self, **changes: Any) -> bool:
        """Within the transaction that commits a part of the work for good: a job that gets on is not given up, however
        many workers die over it. False where it is in other hands."""
        return bool(self.row.update(attempts=0, heartbeat_at=timezone.now(), **changes))

    def check(self) -> None:
        """Raises Lost where somebody paused or cancelled the job, or another has it."""
        if not self.row.exists():
            raise Lost

    def finish(self, result: Any = None) -> None:
        """End the job as done. In the caller's transaction, so that the work and its end are committed together.
        Raises Lost. Where that transaction is rolled back and done anew, so is this."""
        now = timezone.now()
        ended = {"state": JobState.DONE, "claim": None, "heartbeat_at": now, "ended_at": now, "result": result}
        if self.job.total is not None:
            ended["done"] = F("total")
        if not self.row.update(**ended):
            raise Lost
        self.is_finished = True

    def fail(self, problem: str, result: Any = None) -> None:
        """End the job as failed, in words; it is not tried again by itself. Nothing where it is in other hands. Without
        a result, what it has written of how far it came stays."""
        now = timezone.now()
        ended = {"state": JobState.FAILED, "claim": None, "heartbeat_at": now, "ended_at": now}
        came_of_it = {} if result is None else {"result": result}
        self.row.update(**ended, **came_of_it, problem=problem[:MAX_PROBLEM])
        self.is_finished = True

    def put_off(self, until_then: PutOff) -> None:
        """Queue the job again for later; that counts as no attempt. Nothing where it is in other hands."""
        with transaction.atomic():
            if take_out_of_hands(self.row, JobState.QUEUED):
                due_at = timezone.now() + timedelta(seconds=until_then.seconds)
                attempts = max(0, self.job.attempts - 1)
                put_off = Job.objects.filter(pk=self.job.pk)
                put_off.update(due_at=due_at, attempts=attempts, sentence=until_then.sentence)


def claim(pk: int) -> Held | None:
    """Take a queued job that is due; None where another has it or it is over. One conditional UPDATE, and nothing of it
    where the row cannot be read then: nobody would do what it says that somebody does."""
    token = uuid.uuid4()
    now = timezone.now()
    queued = Job.objects.filter(pk=pk, state=JobState.QUEUED, due_at__lte=now)
    held = {"state": JobState.RUNNING, "claim": token, "heartbeat_at": now, "attempts": F("attempts") + 1}
    with transaction.atomic():
        if not queued.update(**held, started_at=Coalesce("started_at", Value(now))):
            return None
        return Held(Job.objects.select_related("project", "asked_by").get(pk=pk), token)


def work_on(pk: int) -> bool:
    """Do one job, whatever comes of it. False where it could not be taken up here and now."""
    job = Job.objects.filter(pk=pk, state=JobState.QUEUED, kind__in=known_kinds()).first()
    if job is None or not shares.take(job):
        return False
    try:
        held = claim(pk)
        if held is None:
            return False
        with heartbeat.kept_alive(held.claim):
            do(held)
    finally:
        shares.give_back(job)
    return True


def do_at_once(job: Job) -> None:
    """Do a queued job that is committed in this request. Where the database refuses it now, or it cannot be taken up
    here, a worker is sent for: whoever asked is answered with the job, which is stored, and not with the refusal."""
    try:
        is_taken_up = work_on(job.pk)
    except (DatabaseError, InterfaceError) as error:
        logger.warning("%s is left to a worker (%s)", job, error)
        connection.close_if_unusable_or_obsolete()
        is_taken_up = False
    if not is_taken_up:
        send([job])
    job.refresh_from_db()


def do(held: Held) -> None:
    """Run a held job and end it in one state, or give it back."""
    kind = job_kind(held.job.kind)
    try:
        try:
            with translation.override(held.job.language):
                result = kind.run(held)
                if not held.is_finished:
                    held.finish(result)
        except Invalid as invalid:
            held.fail(str(invalid))
        except PutOff as put_off:
            held.put_off(put_off)
            return
    except Lost:
        logger.info("%s is in other hands, paused or cancelled", held.job)
        return
    except Exception:
        logger.exception("%s was broken off", held.job)
        give_back(held)
        return
    except BaseException:
        give_back(held, is_at_once=True)
        raise
    kind.after_end(held.job)


def give_back(held: Held, is_at_once: bool = False) -> None:
    """After a defect or an outage: queue it again for later, or give it up after too many attempts. Where not even
    that can be written the sweep does it, once the claim has been silent for long."""
    try:
        delay = min(FIRST_DELAY_SECONDS * 2 ** (held.job.attempts - 1), MAX_DELAY_SECONDS)
        delay = max(delay, job_kind(held.job.kind).winding_down_seconds)
        take_back(held.job.pk, held.claim, timedelta(seconds=0 if is_at_once else delay))
    except DatabaseError:
        logger.exception("%s could not be given back", held.job)


def next_waiting(queue: str) -> int | None:
    """The job of a queue that this process should take up next."""
    waiting = Job.objects.waiting(queue).filter(kind__in=known_kinds())
    waiting = waiting.exclude(resource__in=shares.full_resources())
    return waiting.values_list("pk", flat=True).first()


def next_waiting_if_known(queue: str) -> int | None:
    """As `next_waiting`; none while the database is away, so that whoever looks goes on with what is under way."""
    try:
        return next_waiting(queue)
    except DatabaseError:
        logger.warning("what waits in %s cannot be looked up", queue, exc_info=True)
        transaction.get_connection().close()
        return None


def work_through(pk: int, queue: str) -> None:
    """Do a job, then those that wait in its queue, for a while."""
    until = time.monotonic() + MAX_SECONDS
    next_pk: int | None = pk
    while next_pk is not None:
        if not work_on(next_pk) and not shares.has_room(queue):
            return  # whoever holds the queue's share takes it up next
        if shares.is_closing() or time.monotonic() > until:
            hand_on(queue)
            return
        next_pk = next_waiting(queue)


def hand_on(queue: str) -> None:
    """Wake somebody for the next job of a queue. Its own message may have come while its resource had its share: it is
    gone, and the sweep would miss it only after a long while."""
    if (waiting := next_waiting(queue)) is not None:
        send(Job.objects.filter(pk=waiting).only("pk", "queue"))


def work_through_beside(pk: int, queue: str, is_for_others_too: bool = True) -> None:
    """In a process that has one task at a time: jobs that mostly wait for others are done beside one another, each
    in a thread, so that a provider that hangs holds up nothing but its own.

    A process that serves further queues takes up nothing more after a while, to be free for them; any other goes on
    for as long as something of it hangs.
    """
    until = time.monotonic() + MAX_SECONDS
    threads = [_begin(work_through, pk, queue)]
    threads[0].join(timeout=HEAD_START_SECONDS)
    while threads:
        is_time_up = shares.is_closing() or (is_for_others_too and time.monotonic() > until)
        pause = LOOK_SECONDS
        if not is_time_up and len(threads) < settings.WORKER_SLOTS:
            waiting = next_waiting_if_known(queue)
            if waiting is not None and shares.has_room(queue):
                threads.append(_begin(work_through, waiting, queue))
                pause = HEAD_START_SECONDS
        threads[-1].join(timeout=pause)
        threads = [thread for thread in threads if thread.is_alive()]


def _begin(work: Callable[[int, str], None], pk: int, queue: str) -> threading.Thread:
    def in_thread() -> None:
        try:
            work(pk, queue)
        except Exception:
            logger.exception("a thread of jobs was broken off")
        finally:
            close_old_connections()
            transaction.get_connection().close()

    thread = threading.Thread(target=in_thread, name="job")
    thread.start()
    return thread
