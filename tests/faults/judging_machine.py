"""Workers that ask judges while they are killed: processes on Redis, or the embedded mode's one worker on files.

Django is set up in the test's own process for the same database, so the rows are read and written right here.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import redis
from celery import Celery

from deploy import run
from deploy.processes import wait_until
from tests.fake_provider import FakeProvider
from tests.faults.machines import START_SECONDS, Machine, children_of

# Much shorter than for people, who can wait: so that recovering is measured and not the waiting for it.
SILENCE_SECONDS, SWEEP_SECONDS = 2.0, 0.5
TASK = "judging.tasks.run_shard"


class JudgingMachine(Machine):
    """One provider, one broker, one worker; `embedded` as `make run` starts it."""

    def __init__(self, folder: Path, database: str, embedded: bool, app: str = "config") -> None:
        super().__init__(folder)
        self.embedded, self.app = embedded, app
        self.processes = 1 if embedded else 2
        self.provider = FakeProvider()
        self.environment |= {
            "DATABASE_URL": database,
            "FAKE_PROVIDER_URL": self.provider.url,
            "JUDGING_SILENCE_SECONDS": str(SILENCE_SECONDS),
            # A message that a flush took away is missed after this time; one that only waits is sent twice, no more.
            "JUDGING_LOST_SECONDS": str(4 * SILENCE_SECONDS),
            "JUDGING_SWEEP_SECONDS": str(SWEEP_SECONDS),
        }
        if not embedded:
            self.start_redis()

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def stop(self) -> None:
        for name in ("clock", *self.running):
            if name in self.running:
                self.running.pop(name).stop()
        self.provider.stop()

    def start(self) -> None:
        """The worker and, where it has none inside, the clock; returns once the worker takes work."""
        self.start_worker()
        if not self.embedded:
            beat = [sys.executable, "-m", "celery", "-A", self.app, "beat", "--loglevel", "WARNING"]
            self.child("clock", [*beat, "--schedule", self.data / "schedule"])
        worker = self.running["worker"]
        assert wait_until(lambda: " ready." in worker.last_log_lines(), [worker], START_SECONDS), (
            worker.last_log_lines()
        )

    def start_worker(self) -> None:
        if self.embedded:
            command = dict(run.programs(self.data, self.environment))["worker"]
        else:
            command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--loglevel", "INFO"]
            command += ["--pool", "prefork", "--concurrency", str(self.processes)]
        self.child("worker", [self.app if part == "config" else part for part in command])

    def broker(self) -> Celery:
        """For messages of our own; for all others this process goes on with the broker that its settings name."""
        if not self.embedded:
            return Celery(broker=self.environment["REDIS_URL"], set_as_current=False)
        folder = self.data / "broker"
        sender = Celery(broker="filesystem://", set_as_current=False)
        sender.conf.broker_transport_options = {
            "data_folder_in": str(folder),
            "data_folder_out": str(folder),
            "control_folder": str(folder / "control"),
        }
        return sender

    # --- What is done to it -------------------------------------------------------------------------------

    def send(self, shards: Iterable[int]) -> None:
        """A message for each shard. One that was sent before is delivered twice, as any broker may do."""
        with self.broker() as sender:
            for shard in shards:
                sender.send_task(TASK, [shard], ignore_result=True)

    def children(self) -> list[int]:
        """The processes that work; the worker itself where it has threads."""
        worker = self.running["worker"].process.pid
        return [worker] if self.embedded else children_of(worker)

    def kill_child(self, number: int) -> None:
        """SIGKILL to one of the processes that work; the worker starts another in its place."""
        if self.embedded:
            self.kill_group()
        elif found := self.children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(found[number % len(found)], signal.SIGKILL)

    def kill_group(self) -> None:
        """SIGKILL to the worker with all its processes at once, and a new one, as a process manager does it."""
        self.kill("worker")
        self.start_worker()

    def flush(self) -> None:
        """Redis loses everything it holds."""
        if not self.embedded:
            with redis.Redis.from_url(self.environment["REDIS_URL"]) as client:
                client.flushall()

    @contextlib.contextmanager
    def frozen(self, number: int) -> Iterator[None]:
        """One of the processes stands still and knows nothing of it, as when a machine swaps or is moved."""
        found = self.children()
        if not found:
            yield
            return
        victim = found[number % len(found)]
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGSTOP)
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGCONT)


@contextlib.contextmanager
def judging_machine(folder: Path, database: str, *, embedded: bool, app: str = "config") -> Iterator[JudgingMachine]:
    """A machine in `folder` on a database that is there already; all its processes end with the block."""
    made = JudgingMachine(folder, database, embedded, app)
    try:
        yield made
    finally:
        made.stop()
