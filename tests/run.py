"""`make test`: the rules of the browser's scripts in Node, then every test, in two runs at once: on PostgreSQL and
Redis, and on SQLite and in the browser. Starts what it needs. What is put to both is said in tests/two_runs.py.

DATABASE_URL and REDIS_URL are used where set. REQUIRE_SERVICES=1 makes a missing server or browser a failure.
Arguments go to pytest in both runs, and leave Node out: make test ARGS="tests/projects -k invitation".

While the runs go on side by side, the one on the servers is shown as it goes; what the other printed meanwhile follows
it, so that each can be read from its beginning to its end.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from deploy.preparation import ENVIRONMENT, PYTHON, ROOT, CannotPrepare, find_npm, prepare, say
from deploy.processes import Interrupted, end_on_signals, end_with_parent
from tests import servers

NO_TESTS = 5
SERVICE_URLS = ("DATABASE_URL", "REDIS_URL")
MAX_PROCESSES = 8
LOOK_SECONDS = 0.2


def main(arguments: list[str]) -> int:
    end_on_signals()
    # Hundreds of programs are started: the source is compiled once, whatever the machine's own habit is.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        prepare("requirements-dev.txt")
        servers.install(servers.missing())
        with tempfile.TemporaryDirectory(prefix="mizan-runs-") as folder:
            in_node = 0 if arguments else run_in_node(Path(folder))
            return run_both(arguments, Path(folder)) or in_node
    except (CannotPrepare, servers.ServiceMissing) as missing:
        say(f"\n{missing}")
        return 1
    except Interrupted:
        say("\nStopped.")
        return 130


def run_in_node(folder: Path) -> int:
    """The rules of the browser's scripts that need no browser. What Node prints is shown where one of them fails."""
    say("\n== In Node")
    began = time.monotonic()
    path = f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    done = subprocess.run(
        [find_npm(), "test", "--silent"],
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    passed = re.search(r"^\W+pass (\d+)$", done.stdout, re.MULTILINE)
    code = done.returncode or int(passed is None or passed[1] == "0")
    if code:
        say(done.stdout)
    outcome = "failed" if code else f"{passed[1] if passed else 0} passed"
    say(f"{outcome} in {time.monotonic() - began:.1f}s")
    (folder / "node").write_text(f"In Node: {outcome} in {time.monotonic() - began:.1f}s\n")
    return code


def run_both(arguments: list[str], folder: Path) -> int:
    """Both runs at once; both must pass. The last lines printed are pytest's own, of the run on SQLite."""
    with ExitStack() as started:
        environment, servers_missing = server_environment(started)
        cores = min(os.cpu_count() or 2, MAX_PROCESSES)
        first, runs, beside = 0, [], {}
        others = folder / "others"  # how the other runs ended; the run on SQLite waits for it before its own last lines
        if servers_missing:
            first = 1 if os.environ.get("REQUIRE_SERVICES") == "1" else 0
        else:
            chosen = ["--database-tests-only", "-m", "not browser", *arguments]
            runs.append(Run("On PostgreSQL and Redis", chosen, environment | {"MIZAN_LIGHT": "1"}, folder, cores))
            beside = {"MIZAN_BESIDE": "1"}
        embedded = {name: value for name, value in os.environ.items() if name not in SERVICE_URLS}
        embedded["MIZAN_OTHER_RUNS"] = str(others)
        embedded |= beside
        chosen = ["-m", "not postgres and not redis", *arguments]
        # One process more than cores: a test in the browser waits for Chromium most of its time.
        runs.append(Run("On SQLite, with the browser", chosen, embedded, folder, cores + 1))
        in_node = (folder / "node").read_text() if (folder / "node").exists() else ""
        if servers_missing:
            end = f"NOT TESTED on PostgreSQL and Redis: {' and '.join(servers_missing)} not found.\n"
            say(end)
            write_whole(others, in_node + end)
        codes = []
        try:
            for run in runs:
                run.start()
            for run in runs:
                say(f"\n== {run.name}")
                codes.append(run.show())
                if len(codes) < len(runs):
                    write_whole(others, f"{in_node}{run.name}: {run.last_line()}\n")
        finally:
            for run in runs:
                run.stop()
    if arguments:
        # A choice of tests may hold none that one of the runs has a use for.
        codes = [0 if code == NO_TESTS else code for code in codes]
    return next((code for code in [first, *codes] if code), 0)


def server_environment(started: ExitStack) -> tuple[dict[str, str], list[str]]:
    """The environment with a PostgreSQL and a Redis in it, and the names of those that are not to be had."""
    environment = dict(os.environ)
    missing = [name for name in servers.missing() if name != "Chromium"]
    if not missing and not environment.get("DATABASE_URL"):
        environment["DATABASE_URL"] = started.enter_context(servers.postgres())
    if not missing and not environment.get("REDIS_URL"):
        environment["REDIS_URL"] = started.enter_context(servers.redis())
    return environment, missing


def write_whole(path: Path, text: str) -> None:
    """Whoever sees the file sees all of it."""
    unfinished = path.with_suffix(".part")
    unfinished.write_text(text)
    unfinished.replace(path)


@dataclass
class Run:
    """One pytest over several processes. Its output goes to a file, and to the terminal when its turn comes."""

    name: str
    arguments: list[str]
    environment: dict[str, str]
    folder: Path
    processes: int

    @property
    def output(self) -> Path:
        return self.folder / f"{self.name}.log"

    def start(self) -> None:
        color = ["--color=yes"] if sys.stdout.isatty() else []
        spread = ["-n", str(self.processes), "--dist", "loadgroup", "--no-loadscope-reorder"]
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [PYTHON, "-m", "pytest", *spread, "--durations=20", "--durations-min=1", *color, *self.arguments],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                preexec_fn=end_with_parent,
            )

    def show(self) -> int:
        """Pass on what it prints, from the beginning, until it ends; its exit code."""
        with self.output.open("rb") as output:
            while True:
                ended = self.process.poll() is not None  # asked first: what it wrote before its end is read below
                while chunk := output.read(65536):
                    sys.stdout.buffer.write(chunk)
                sys.stdout.buffer.flush()
                if ended:
                    return self.process.returncode
                time.sleep(LOOK_SECONDS)

    def last_line(self) -> str:
        lines = self.output.read_text(errors="replace").strip().splitlines() or [""]
        return re.sub(r"\x1b\[[\d;]*m", "", lines[-1]).strip("= ")

    def stop(self) -> None:
        process = getattr(self, "process", None)
        if process and process.poll() is None:
            process.terminate()
            process.wait(timeout=20)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
