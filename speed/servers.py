"""Servers for the benches: Mizan as in production, and the bare view it is held against, on the same database.

with installation() as mizan:                 # PostgreSQL with durable commits, Redis, migrated
    mizan.manage("load_demo", "--scale", "juice")
    with mizan.web() as address, mizan.bare() as floor:
        ...
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deploy import run
from deploy.processes import Child, wait_until
from speed.gunicorn_conf import READY
from speed.load import Client, Load, measure
from tests import servers

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60


@dataclass
class Installation:
    folder: Path
    environment: dict[str, str]

    def manage(self, *arguments: str) -> str:
        """Run one management command; returns what it printed.

        Raises:
            subprocess.CalledProcessError: it failed; its messages were printed.
        """
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout

    @contextlib.contextmanager
    def web(self, workers: int = 2) -> Iterator[str]:
        """Mizan behind gunicorn; yields host:port once it answers."""
        with self.gunicorn("web", "config.wsgi:application", workers) as address:
            yield address

    @contextlib.contextmanager
    def bare(self, workers: int = 2) -> Iterator[str]:
        """The floor: a Django view that does one insert, on the same server, pool and database."""
        with self.gunicorn("bare", "speed.bare:application", workers) as address:
            yield address

    @contextlib.contextmanager
    def worker(self, processes: int = 2) -> Iterator[Child]:
        """What asks the models as this mode runs it, once it takes work: processes on Redis, else threads. The clock
        runs beside it."""
        environment = {"FAKE_PROVIDER_URL": "http://127.0.0.1:0/v1", **self.environment}
        programs = dict(run.programs(self.folder, environment))
        command = programs["worker"]
        if "REDIS_URL" in environment:
            command[command.index("--exclude-queues") :] = ["--queues", "calls", "--pool", "prefork"]
            command += ["--concurrency", str(processes)]
        with contextlib.ExitStack() as started:
            for name in ("clock", "worker"):
                child = Child(name, programs[name], self.folder / f"{name}.log", environment=environment, folder=ROOT)
                started.callback(child.stop)
            if not wait_until(lambda: " ready." in child.last_log_lines(), [child], START_SECONDS):
                raise RuntimeError(f"The worker did not start:\n{child.last_log_lines()}")
            yield child

    @contextlib.contextmanager
    def gunicorn(self, name: str, application: str, workers: int) -> Iterator[str]:
        address = f"{servers.HOST}:{servers.free_port()}"
        environment = self.environment | {"BIND": address, "WEB_WORKERS": str(workers)}
        settings = str(ROOT / "speed" / "gunicorn_conf.py")
        command = [sys.executable, "-m", "gunicorn", "-c", settings, application]
        log = self.folder / f"{name}-{address.rpartition(':')[2]}.log"
        server = Child(name, command, log, environment=environment, folder=ROOT)
        try:
            if not wait_until(lambda: log.read_text().count(READY) >= workers, [server], START_SECONDS):
                raise RuntimeError(f"{name} did not start:\n{server.last_log_lines()}")
            yield address
        finally:
            server.stop()


@contextlib.contextmanager
def installation(*, sqlite: bool = False) -> Iterator[Installation]:
    """An empty, migrated installation of its own: PostgreSQL with durable commits and Redis, or the embedded mode."""
    with contextlib.ExitStack() as started:
        folder = Path(started.enter_context(tempfile.TemporaryDirectory(prefix="mizan-bench-")))
        inherited = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        environment = inherited | {
            "DATA_DIR": str(folder),
            "STATIC_HASHED": "0",
            "LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        if not sqlite:
            environment["DATABASE_URL"] = started.enter_context(servers.postgres(durable=True))
            environment["REDIS_URL"] = started.enter_context(servers.redis())
        mizan = Installation(folder, environment)
        mizan.manage("migrate", "--verbosity", "0")
        yield mizan


async def insert_bare(client: Client, number: int) -> None:
    await client.request("POST", "/", b'{"text": "' + b"x" * 200 + b'"}')


def measure_floor(mizan: Installation, seconds: float = 8.0, workers: int = 2) -> Load:
    """The bare view's figures under the same load: what saving and claiming are divided by."""
    with mizan.bare(workers) as address:
        return measure(address, insert_bare, seconds=seconds)
