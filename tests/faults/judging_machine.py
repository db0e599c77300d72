"""Workers that ask judges while they are killed: processes on Redis, or the embedded mode's one worker on files.

The clock beside them is a worker for the sweeps alone, as it is deployed.

Django is set up in the test's own process for the same database, so the rows are read and written right here.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path

import redis
import yaml
from celery import Celery

from deploy import run
from deploy.processes import Child, wait_until
from tests.fake_provider import FakeProvider
from tests.faults.machines import START_SECONDS, Machine, children_of

# Much shorter than for people, who can wait: so that recovering is measured and not the waiting for it.
SILENCE_SECONDS, SWEEP_SECONDS = 2.0, 0.5
TASK = "jobs.tasks.run"
COMPOSE = Path(__file__).resolve().parents[2] / "deploy" / "compose.yaml"


def deployed_workers() -> dict[str, str]:
    """By name the queues of each worker that the compose file starts."""
    services = yaml.safe_load(COMPOSE.read_text())["services"]
    commands = {name: str(service.get("command", "")).split() for name, service in services.items()}
    return {name: words[words.index("--queues") + 1] for name, words in commands.items() if "--queues" in words}


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
            "JOB_SILENCE_SECONDS": str(SILENCE_SECONDS),
            # A message that a flush took away is missed after this time; one that only waits is sent twice, no more.
            "JOB_LOST_SECONDS": str(4 * SILENCE_SECONDS),
            "JOB_SWEEP_SECONDS": str(SWEEP_SECONDS),
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
        """The worker and the clock; returns once both take work."""
        self.start_worker()
        self.child("clock", self.program("clock"))
        for name in ("worker", "clock"):
            self.wait_ready(self.running[name])

    def wait_ready(self, child: Child) -> None:
        """All it wrote since it was started is looked at: sweeps follow the word within seconds."""

        def ready() -> bool:
            return b" ready." in child.log.read_bytes()[child.log_start :]

        assert wait_until(ready, [child], START_SECONDS), child.last_log_lines()

    def start_worker(self) -> None:
        """All but the sweeps: in threads as the embedded mode has it, else in processes."""
        command = self.program("worker")
        if not self.embedded:
            command[command.index("--exclude-queues") :] = ["--queues", "calls", "--pool", "prefork"]
            command += ["--concurrency", str(self.processes)]
        self.child("worker", command)

    def start_other_workers(self) -> None:
        """What a team has beside the one that asks models, and the clock: those of the compose file."""
        beside = {name: queues for name, queues in deployed_workers().items() if queues not in ("calls", "sweeps")}
        started = []
        for name, queues in beside.items():
            command = self.program("worker")
            command[command.index("--exclude-queues") :] = ["--queues", queues, "--pool", "prefork"]
            command += ["--concurrency", "2", "--hostname", f"{name}@%h"]
            started.append(self.child(f"{name} beside", command))
        for child in started:
            self.wait_ready(child)

    def program(self, name: str) -> list[str | Path]:
        """The command line of `make run`, for the application of this machine."""
        command = dict(run.programs(self.data, self.environment))[name]
        return [self.app if part == "config" else part for part in command]

    def broker(self) -> Celery:
        """For messages of our own; for all others this process goes on with the broker that its settings name."""
        if not self.embedded:
            return Celery(broker=self.environment["REDIS_URL"], set_as_current=False)
        sender = Celery(broker="folder://localhost/", set_as_current=False)
        sender.conf.broker_transport = "config.broker.folder.Transport"
        sender.conf.broker_transport_options = {"folder": str(self.data / "broker")}
        return sender

    # --- What is done to it -------------------------------------------------------------------------------

    def send(self, jobs: Iterable[int]) -> None:
        """A message for each shard's job. One that was sent before is delivered twice, as any broker may do."""
        self.send_to("calls", jobs)

    def send_to(self, queue: str, jobs: Iterable[int]) -> None:
        with self.broker() as sender:
            for job in jobs:
                sender.send_task(TASK, [job], queue=queue, ignore_result=True)

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
    def frozen_child(self, number: int) -> Iterator[None]:
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
