"""Programs that are kept running: one that ends is started again, sooner or later by how often it has ended.

What runs, since when and why something ended stands in one small file as well, for the page that shows it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from deploy.preparation import ROOT, say
from deploy.processes import Child, Interrupted

# Seconds before a program is started again: the first time, at most, and how long it must have run to be well again.
FIRST_PAUSE, MAX_PAUSE, HEALTHY = 1.0, 60.0, 30.0
# One that has run so many times as long as it would have to wait is well too: it does not end by what it does at once.
WELL_TIMES = 10
TICK = 0.25
# So often the file of states is written although nothing has changed: who reads it sees that somebody watches.
STATE_SECONDS = 10.0
LINES_KEPT = 12
LINES_SHOWN = 20
# The mark of every program started here and of all that it starts.
MARK = "MIZAN_SUPERVISED"


@dataclass(frozen=True)
class Program:
    """One long-running program of the installation."""

    name: str
    command: Sequence[str | Path]
    environment: dict[str, str] = field(default_factory=dict)
    descriptors: Sequence[int] = ()
    # Seconds that those it has started may go on when it has ended: requests under way.
    linger: float = 0.0
    longest_pause: float = MAX_PAUSE


class Signals:
    """SIGINT and SIGTERM ask to end; a second one asks to end faster. A terminal that is closed ends nothing."""

    def __init__(self) -> None:
        self.count = 0
        # While the installation is prepared one thing is done after another: an exception ends what is being done.
        self.raising = True
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(signal_number, self.receive)
        signal.signal(signal.SIGHUP, self.ignore)

    def receive(self, number: int, _frame: object) -> None:
        self.count += 1
        if self.raising:
            self.raising = False
            raise Interrupted(signal.Signals(number).name)

    def ignore(self, _number: int, _frame: object) -> None:
        """A handler and not SIG_IGN, which the children would inherit."""


class Supervised:
    """A program, the child that runs it at present, and what became of the ones before."""

    def __init__(self, program: Program, environment: dict[str, str], log: Path) -> None:
        self.program, self.environment, self.log = program, environment, log
        self.child: Child | None = None
        self.started = 0.0
        self.pause = FIRST_PAUSE
        self.due = 0.0
        self.restarts = -1
        self.since = ""
        self.last_exit: dict[str, Any] | None = None
        self.remains: list[tuple[float, Child]] = []

    def tick(self, now: float) -> bool:
        """Look after it; whether something changed. `now` is of the clock that nobody can set."""
        for until, child in list(self.remains):
            if now >= until:
                child.kill()
                self.remains.remove((until, child))
        if self.child and self.child.ended:
            self.note_end(now)
            return True
        if self.child is None and now >= self.due:
            self.start(now)
            return True
        return False

    def start(self, now: float) -> None:
        program = self.program
        try:
            self.child = Child(
                program.name,
                program.command,
                self.log,
                environment=self.environment | program.environment,
                folder=ROOT,
                descriptors=program.descriptors,
            )
        except OSError as problem:  # no memory, no processes left, no disk: it may be there again soon
            self.postpone(now, f"could not be started: {problem}", None, "")
            return
        self.started, self.since = now, moment()
        self.restarts += 1

    def note_end(self, now: float) -> None:
        assert self.child
        code = self.child.process.returncode
        how = f"was ended by {signal_name(-code)}" if code < 0 else f"ended by itself with code {code}"
        if now - self.started >= min(HEALTHY, WELL_TIMES * self.pause):
            self.pause = FIRST_PAUSE
        lines = self.child.last_log_lines(LINES_KEPT)
        self.remains.append((now + self.program.linger, self.child))
        self.child = None
        self.postpone(now, how, code, lines)

    def postpone(self, now: float, how: str, code: int | None, lines: str) -> None:
        """Start it again later. `code` is its exit code, None where it did not even start."""
        self.last_exit = {"how": how, "code": code, "at": moment(), "lines": lines.splitlines()}
        self.due = now + self.pause
        said = [f"{self.program.name}: {how}; it is started again in {self.pause:.0f} s."]
        if self.pause > FIRST_PAUSE and lines:
            said += ["  Its last lines were:", *("  | " + line for line in lines.splitlines()[-5:])]
        say("\n".join(said))
        self.pause = min(2 * self.pause, self.program.longest_pause)

    def replace(self) -> None:
        """End what runs and does not answer; the next look finds it ended."""
        if self.child:
            self.child.kill()

    def state(self) -> dict[str, Any]:
        return {
            "name": self.program.name,
            "pid": self.child.process.pid if self.child else None,
            "since": self.since,
            "restarts": max(self.restarts, 0),
            "last_exit": self.last_exit,
        }


class Supervisor:
    """All programs of one installation; `look` is called again and again until somebody asks to end."""

    def __init__(self, environment: dict[str, str], data: Path, signals: Signals) -> None:
        self.data, self.signals = data, signals
        self.environment = environment | {MARK: str(data)}
        self.supervised: list[Supervised] = []
        self.since = moment()
        self.written = 0.0
        self.shown = 0.0
        self.complained = 0.0

    def add(self, program: Program) -> Supervised:
        log = self.data / "logs" / f"{program.name}.log"
        self.supervised.append(Supervised(program, self.environment, log))
        return self.supervised[-1]

    def look(self) -> None:
        """Look after each program once. Whatever goes wrong here is said, and looked at again the next time."""
        now = time.monotonic()
        try:
            changed = [each.tick(now) for each in self.supervised]
            if any(changed) or now - self.written >= STATE_SECONDS:
                self.written = now
                self.write_state()
            if now - self.shown >= 1:
                self.shown = now
                self.show_errors()
        except Exception as problem:
            if now - self.complained >= 60:
                self.complained = now
                say(f"Looking after the programs failed, and goes on: {problem!r}")

    def write_state(self) -> None:
        path = self.data / "processes.json"
        state = {
            "supervisor": {"pid": os.getpid(), "since": self.since},
            "written_at": moment(),
            "processes": [each.state() for each in self.supervised],
        }
        with contextlib.suppress(OSError):
            path.with_suffix(".part").write_text(json.dumps(state, indent=1))
            path.with_suffix(".part").replace(path)

    def show_errors(self) -> None:
        """What in the logs a person should know of; the rest stays in the files."""
        for supervised in self.supervised:
            if supervised.child:
                lines = [line for line in supervised.child.new_log_lines() if is_error(line)]
                for line in lines[:LINES_SHOWN]:
                    say(f"{supervised.program.name}: {line}")
                if len(lines) > LINES_SHOWN:
                    say(f"{supervised.program.name}: and {len(lines) - LINES_SHOWN} more errors (its log has them)")
                supervised.child.shorten_log()

    def stop(self, order: Sequence[str]) -> None:
        """End all in this order, each in its own time; at once where somebody asks a second time."""
        asked = self.signals.count
        running = [each for each in self.supervised if each.child]
        running.sort(key=lambda each: order.index(each.program.name))
        children = [each.child for each in running if each.child]
        for child in children[:-1] if len(children) > 1 else children:
            child.ask_to_stop()  # all but the last, whose answers the others may be waiting for
        for child in children:
            child.ask_to_stop()
            wait(lambda child=child: child.ended or self.signals.count > asked, child.patience)  # type: ignore[misc]
            child.kill()
            child.process.wait()
        for supervised in self.supervised:
            for _until, child in supervised.remains:
                child.kill()
        with contextlib.suppress(OSError):
            (self.data / "processes.json").unlink()


def wait(reached: Callable[[], bool], seconds: float) -> bool:
    """Wait for it; False when the time is up."""
    ends = time.monotonic() + seconds
    while not reached():
        if time.monotonic() >= ends:
            return False
        time.sleep(0.05)
    return True


def moment() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def is_error(line: str) -> bool:
    return any(mark in line for mark in (" ERROR ", " CRITICAL ", "[ERROR]", "[CRITICAL]", "/ERROR", "/CRITICAL"))


# --- What an earlier run has left -------------------------------------------------------------------------


def left_behind(data: Path) -> list[int]:
    """Ids of programs that a supervisor of this folder has started and that still run. Known on Linux alone."""
    mark = f"{MARK}={data}".encode()
    ids = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (process / "environ").read_bytes().split(b"\0") and int(process.name) != os.getpid():
                ids.append(int(process.name))
    return ids


def end_left_behind(data: Path, seconds: float = 8.0) -> None:
    """End what an earlier run has left, whose supervisor was killed: it holds the port and works on the same rows."""
    ids = left_behind(data)
    if not ids:
        return
    say(f"Ending {len(ids)} processes that the last run has left ...")
    send(ids, signal.SIGTERM)
    if not wait(lambda: not left_behind(data), seconds):
        send(left_behind(data), signal.SIGKILL)
        wait(lambda: not left_behind(data), seconds)


def send(ids: Sequence[int], number: signal.Signals) -> None:
    for process_id in ids:
        with contextlib.suppress(OSError):
            os.kill(process_id, number)
