"""Servers that can be killed without warning and started again: all of them children of the test, ended by id.

Nothing here is shared: each campaign has a folder, a database cluster, a Redis and ports of its own on loopback.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deploy.processes import Child, wait_until
from tests import migrated, servers

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
GUNICORN = [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "deploy" / "gunicorn_conf.py")]


def children_of(pid: int) -> list[int]:
    """Ids of the processes whose parent is `pid`."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(process.name))
    return found


def is_alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(child: Child) -> None:
    """SIGKILL to a server and all it has started, at once; returns when none of them is left.

    PostgreSQL's processes and gunicorn's workers are found by their parent: some have left its process group.
    """
    victims = [child.process.pid, *children_of(child.process.pid)]
    for pid in victims:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.process.pid, signal.SIGKILL)
    child.process.wait()
    deadline = time.monotonic() + 10
    while any(map(is_alive, victims)) and time.monotonic() < deadline:
        time.sleep(0.02)


class Machine:
    """One installation with its servers by name; `start` what `kill` ended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folders = contextlib.ExitStack()
        self.running: dict[str, Child] = {}
        self.projects: dict[str, Any] = {}
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        self.environment = kept | {
            "DATA_DIR": str(folder / "data"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "tests-only",
            "STATIC_HASHED": "0",
            "LOG_LEVEL": "ERROR",
            "WEB_GRACE": "1",
        }
        (folder / "data" / "broker" / "control").mkdir(parents=True)

    def child(self, name: str, command: list[str | Path], **options: Any) -> Child:
        settings: dict[str, Any] = {"environment": self.environment, "folder": ROOT, "patience": 3.0, **options}
        self.running[name] = Child(name, command, self.folder / f"{name}.log", **settings)
        return self.running[name]

    def kill(self, name: str) -> None:
        kill(self.running.pop(name))

    @contextlib.contextmanager
    def frozen(self, name: str) -> Iterator[None]:
        """A server that stands still: it takes connections and says nothing on them."""
        victim = self.running[name].process.pid
        os.kill(victim, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(victim, signal.SIGCONT)

    def stop(self) -> None:
        for name in ("web", "worker", "redis", "postgres"):
            if name in self.running:
                self.running.pop(name).stop()

    def run(self, *arguments: str) -> dict[str, Any]:
        """What a script of this folder prints, run in the installation."""
        command = [sys.executable, "-m", "tests.faults.prepare", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    # --- The web server and the worker ------------------------------------------------------------------

    def start_web(self, application: str = "config.wsgi:application", workers: int = 2) -> None:
        """Start gunicorn, where it stood before if it stood anywhere; returns once it answers."""
        bind = self.environment.setdefault("BIND", f"{servers.HOST}:{servers.free_port()}")
        environment = self.environment | {"WEB_WORKERS": str(workers)}
        preload = [] if workers == 2 else ["--preload"]  # a killed worker of a defective server is back at once
        web = self.child("web", [*GUNICORN, *preload, application], environment=environment)
        port = int(bind.rpartition(":")[2])
        ready = wait_until(lambda: servers.listens(port), [web], START_SECONDS)
        assert ready, web.last_log_lines()

    @property
    def address(self) -> str:
        return self.environment["BIND"]

    def kill_one_web_worker(self) -> None:
        """The master starts another in its place."""
        workers = children_of(self.running["web"].process.pid)
        if workers:
            os.kill(workers[0], signal.SIGKILL)

    def start_worker(self) -> None:
        command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", "1"]
        self.child("worker", [*command, "--without-gossip", "--without-mingle", "--loglevel", "WARNING"])

    # --- PostgreSQL and Redis ---------------------------------------------------------------------------

    def start_postgres(self) -> None:
        """Start the cluster, which waits for the disk at each commit; made on first need."""
        programs, owner = servers.postgres_programs(), servers.unprivileged_owner()
        assert programs is not None
        is_new = "DATABASE_URL" not in self.environment
        if is_new:
            self.cluster = self.folders.enter_context(servers.owned_folder("mizan-postgres-", owner))
            servers.make_cluster(programs, self.cluster, owner, "tests-only")
            self.postgres_port = servers.free_port()
            address = f"mizan:tests-only@{servers.HOST}:{self.postgres_port}"
            # The database that each cluster is born with: making one more would only take time.
            self.environment["DATABASE_URL"] = f"postgres://{address}/postgres"
        options = [f"listen_addresses={servers.HOST}", f"port={self.postgres_port}"]
        # Commits that do not wait for the disk reach it by this clock: seldom, so that a kill finds them unwritten.
        options += [f"unix_socket_directories={self.cluster}", "wal_writer_delay=10s", "max_connections=60"]
        options += ["autovacuum=off", "checkpoint_timeout=1h"]  # both would write for everyone else too
        server = self.child(
            "postgres",
            [
                programs / "postgres",
                "-D",
                self.cluster / "data",
                *(word for option in options for word in ("-c", option)),
            ],
            folder=self.cluster,
            stop_signal=signal.SIGQUIT,  # at once: nobody needs its data afterwards
            user=owner.pw_uid if owner else None,
            group=owner.pw_gid if owner else None,
        )
        ready = [str(programs / "pg_isready"), "-q", "-h", servers.HOST, "-p", str(self.postgres_port)]
        assert wait_until(lambda: subprocess.run(ready).returncode == 0, [server], START_SECONDS), (
            server.last_log_lines()
        )
        if is_new:
            migrated.fill_postgres(self.environment["DATABASE_URL"])

    def start_redis(self) -> None:
        """Redis that keeps nothing on disk: what it held is gone with it."""
        if "REDIS_URL" not in self.environment:
            self.redis_port = servers.free_port()
            self.environment["REDIS_URL"] = f"redis://:tests-only@{servers.HOST}:{self.redis_port}/0"
        program = servers.redis_program()
        assert program is not None
        lines = [f"bind {servers.HOST}", f"port {self.redis_port}", "requirepass tests-only", 'save ""']
        redis = self.child("redis", [program, "-"], folder=self.folder, stdin="\n".join(lines).encode())
        assert wait_until(lambda: servers.listens(self.redis_port), [redis], START_SECONDS), redis.last_log_lines()


@contextlib.contextmanager
def machine(folder: Path) -> Iterator[Machine]:
    """An installation in `folder` whose servers all end with the block."""
    made = Machine(folder)
    with made.folders:
        try:
            yield made
        finally:
            made.stop()
