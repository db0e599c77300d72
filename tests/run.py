"""`make test`: every test on PostgreSQL and Redis, then on SQLite and in the browser. Starts what it needs.

DATABASE_URL and REDIS_URL are used where set. REQUIRE_SERVICES=1 makes a missing server or browser a failure.
Arguments go to pytest in both runs: make test ARGS="tests/projects -k invitation".
"""

import os
import re
import subprocess
import sys
from contextlib import ExitStack

from deploy.preparation import PYTHON, ROOT, CannotPrepare, prepare, say
from deploy.processes import Interrupted, end_on_signals, end_with_parent
from tests import servers

NO_TESTS = 5
SERVICE_URLS = ("DATABASE_URL", "REDIS_URL")


def main(arguments: list[str]) -> int:
    end_on_signals()
    try:
        prepare("requirements-dev.txt")
        servers.install(servers.missing())
        return run_both(arguments)
    except (CannotPrepare, servers.ServiceMissing) as missing:
        say(f"\n{missing}")
        return 1
    except Interrupted:
        say("\nStopped.")
        return 130


def run_both(arguments: list[str]) -> int:
    """On the servers first, on SQLite last; both must pass. The last lines printed are pytest's own."""
    required = os.environ.get("REQUIRE_SERVICES") == "1"
    servers_missing = [name for name in servers.missing() if name != "Chromium"]
    if servers_missing:
        earlier = f"NOT TESTED on PostgreSQL and Redis: {' and '.join(servers_missing)} not found."
        say(earlier)
        first = 1 if required else 0
    else:
        first, summary = run_on_servers(arguments)
        earlier = f"On PostgreSQL and Redis, before this run: {summary}"
    say("\n== On SQLite, with the browser")
    embedded = {name: value for name, value in os.environ.items() if name not in SERVICE_URLS}
    embedded["MIZAN_EARLIER_RUNS"] = earlier
    last, _ = pytest(["-m", "not postgres and not redis", *arguments], embedded)
    if arguments:
        # A choice of tests may hold none that one of the runs has a use for.
        first, last = (0 if code == NO_TESTS else code for code in (first, last))
    return first or last


def run_on_servers(arguments: list[str]) -> tuple[int, str]:
    with ExitStack() as started:
        environment = dict(os.environ)
        if not environment.get("DATABASE_URL"):
            environment["DATABASE_URL"] = started.enter_context(servers.postgres())
        if not environment.get("REDIS_URL"):
            environment["REDIS_URL"] = started.enter_context(servers.redis())
        say("\n== On PostgreSQL and Redis")
        return pytest(["--database-tests-only", "-m", "not browser", *arguments], environment)


def pytest(arguments: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """Run pytest in two processes, pass its output on as it comes; returns its exit code and its last line."""
    color = ["--color=yes"] if sys.stdout.isatty() else []
    run = subprocess.Popen(
        [PYTHON, "-m", "pytest", "-n", "2", "--dist", "worksteal", *color, *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        preexec_fn=end_with_parent,
    )
    assert run.stdout
    tail = b""
    try:
        while chunk := os.read(run.stdout.fileno(), 65536):
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
            tail = (tail + chunk)[-2000:]
        code = run.wait()
    except BaseException:
        run.terminate()
        run.wait(timeout=20)
        raise
    last_line = (tail.decode(errors="replace").strip().splitlines() or [""])[-1]
    return code, re.sub(r"\x1b\[[\d;]*m", "", last_line).strip("= ")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
