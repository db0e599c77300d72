"""Throw-away PostgreSQL and Redis servers on loopback, and the browser: found, installed on Debian, started.

The standard library alone: `make test` starts these before it starts pytest. Tests and benchmarks that need a
server of their own use the same context managers.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from deploy.processes import Child, wait_until

HOST = "127.0.0.1"
FAST_SHUTDOWN = signal.SIGINT  # PostgreSQL ends its clients and itself
START_SECONDS = 30
POLICY = Path("/usr/sbin/policy-rc.d")
PACKAGES = {
    "PostgreSQL": ["postgresql"],
    "Redis": ["redis-server"],
    "Chromium": ["chromium-headless-shell", "fonts-noto-core", "fonts-noto-cjk", "fonts-noto-color-emoji"],
}
# First the one without windows: every page of the others brings renderers for toolbars that nobody sees.
BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]
# Autovacuum would come by in the middle of some test, of which it sees nothing, and mislead the planner about it.
# Without what it counts, the planner takes small tables for large ones, and would compile statements for them.
FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "jit=off"]


class ServiceMissing(Exception):
    """A server or the browser is not on this machine, or does not start; the message names it."""


# --- Finding and installing -------------------------------------------------------------------------


def postgres_programs() -> Path | None:
    """The folder of the newest PostgreSQL server's programs."""

    def version(folder: Path) -> float:
        return float(re.sub(r"[^\d.]", "", folder.parent.name) or 0)

    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=version, reverse=True)
    on_path = shutil.which("initdb")
    folders += [Path(on_path).resolve().parent] if on_path else []
    needed = ["initdb", "postgres", "pg_isready", "createdb"]
    return next((folder for folder in folders if all((folder / name).exists() for name in needed)), None)


def redis_program() -> str | None:
    return shutil.which("redis-server") or shutil.which("valkey-server")


def chromium_program() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def missing() -> list[str]:
    """Names of what the tests need and neither the environment nor this machine has."""
    found = {
        "PostgreSQL": os.environ.get("DATABASE_URL") or postgres_programs(),
        "Redis": os.environ.get("REDIS_URL") or redis_program(),
        "Chromium": chromium_program(),
    }
    return [name for name, where in found.items() if not where]


def install(names: list[str]) -> None:
    """Install them from Debian's packages where this is Debian and we are root; else do nothing.

    Each is tried by itself, so that one failing does not cost the others; what is missing afterwards is for
    the caller to find out.
    """
    if not names or os.geteuid() or not shutil.which("apt-get"):
        return
    with no_service_starts():
        apt_get("update") or apt_get("update")
        for name in names:
            print(f"Installing {name} for the tests (apt-get) ...", flush=True)
            arguments = ["install", "--yes", "--no-install-recommends", *PACKAGES[name]]
            apt_get(*arguments) or apt_get(*arguments)
            if name == "Chromium" and not chromium_program():  # a Debian that has no package of it without windows
                apt_get("install", "--yes", "--no-install-recommends", "chromium", *PACKAGES[name][1:])


def apt_get(*arguments: str) -> bool:
    finished = subprocess.run(
        ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120", *arguments],
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if finished.returncode:
        print("\n".join(finished.stdout.splitlines()[-5:]), flush=True)
    return finished.returncode == 0


@contextlib.contextmanager
def no_service_starts() -> Iterator[None]:
    """Keep Debian from starting the servers it installs: the tests start their own, in their own folder."""
    if POLICY.exists():
        yield
        return
    POLICY.write_text("#!/bin/sh\nexit 101\n")
    POLICY.chmod(0o755)
    try:
        yield
    finally:
        POLICY.unlink(missing_ok=True)


# --- Starting ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def postgres(*, durable: bool = False, settings: tuple[str, ...] = ()) -> Iterator[str]:
    """Run a PostgreSQL server with an empty database `mizan`; yields its URL.

    Args:
        durable: wait for the disk at each commit, as a real server does; tests need not, benchmarks must.
        settings: further `name=value` server settings.

    Raises:
        ServiceMissing: there is no PostgreSQL here, or it did not start.
    """
    programs = postgres_programs()
    if not programs:
        raise ServiceMissing("PostgreSQL was not found.")
    owner = unprivileged_owner()
    with owned_folder("mizan-postgres-", owner) as folder:
        password = secrets.token_hex(16)
        make_cluster(programs, folder, owner, password)
        port = free_port()
        options = ["listen_addresses=" + HOST, f"port={port}", f"unix_socket_directories={folder}"]
        options += ["max_connections=200", "shared_buffers=256MB", *([] if durable else FAST), *settings]
        flags = [word for option in options for word in ("-c", option)]
        server = Child(
            "PostgreSQL",
            [programs / "postgres", "-D", folder / "data", *flags],
            folder / "server.log",
            folder=folder,
            stop_signal=FAST_SHUTDOWN,
            user=owner.pw_uid if owner else None,
            group=owner.pw_gid if owner else None,
        )
        try:
            ready = [str(programs / "pg_isready"), "-q", "-h", HOST, "-p", str(port)]
            if not wait_until(lambda: subprocess.run(ready).returncode == 0, [server], START_SECONDS):
                raise ServiceMissing(f"PostgreSQL did not start:\n{server.last_log_lines()}")
            subprocess.run(
                [str(programs / "createdb"), "-h", HOST, "-p", str(port), "-U", "mizan", "mizan"],
                env=os.environ | {"PGPASSWORD": password},
                check=True,
            )
            yield f"postgres://mizan:{password}@{HOST}:{port}/mizan"
        finally:
            server.stop()


def make_cluster(programs: Path, folder: Path, owner: pwd.struct_passwd | None, password: str) -> None:
    """Initialise the data folder `folder/data`, owned by `owner` or by ourselves."""
    secret = folder / "password"
    secret.write_text(password)
    if owner:
        os.chown(secret, owner.pw_uid, owner.pw_gid)
    command = [str(programs / "initdb"), "-D", str(folder / "data"), "-U", "mizan", "--auth=scram-sha-256"]
    command += [f"--pwfile={secret}", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
    made = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        user=owner.pw_uid if owner else None,
        group=owner.pw_gid if owner else None,
        extra_groups=[] if owner else None,
    )
    if made.returncode:
        raise ServiceMissing(f"PostgreSQL could not make its data folder:\n{made.stdout}")


@contextlib.contextmanager
def redis(*, settings: tuple[str, ...] = ()) -> Iterator[str]:
    """Run an empty Redis server that keeps nothing on disk; yields its URL.

    Raises:
        ServiceMissing: there is no Redis here, or it did not start.
    """
    program = redis_program()
    if not program:
        raise ServiceMissing("Redis was not found.")
    with owned_folder("mizan-redis-", None) as folder:
        port, password = free_port(), secrets.token_hex(16)
        lines = [f"bind {HOST}", f"port {port}", f"requirepass {password}", f"dir {folder}"]
        lines += ['save ""', "appendonly no", *settings]
        server = Child("Redis", [program, "-"], folder / "server.log", stdin="\n".join(lines).encode())
        try:
            if not wait_until(lambda: listens(port), [server], START_SECONDS):
                raise ServiceMissing(f"Redis did not start:\n{server.last_log_lines()}")
            yield f"redis://:{password}@{HOST}:{port}/0"
        finally:
            server.stop()


def unprivileged_owner() -> pwd.struct_passwd | None:
    """Whom PostgreSQL runs as, since it refuses to run as root; None: as ourselves."""
    if os.geteuid():
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise ServiceMissing("PostgreSQL does not run as root, and there is no user postgres or nobody.")


@contextlib.contextmanager
def owned_folder(prefix: str, owner: pwd.struct_passwd | None) -> Iterator[Path]:
    """A folder that only its owner may enter, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        if owner:
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0
