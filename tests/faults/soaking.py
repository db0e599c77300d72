"""`make run` soaked: people save, judges run, imports and exports come and go, and its programs are killed by lot.

`soak` starts an installation of its own, lets all of it happen, ends it and returns what was seen; `broken_promises`
says what of it was not as it must be. `speed/soak_bench.py` is half an hour of it, the test a minute.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.processes import end_with_parent
from speed.write_lock import WriteLock
from tests import migrated, servers
from tests.deploy.broken import BROKEN
from tests.deploy.site import ROOT, Site
from tests.faults.checking import Findings, check, read_sqlite
from tests.faults.clients import Ledger
from tests.faults.comings import Coming, Exports, Glances, Imported, Imports, Judging, Place, sha256
from tests.faults.counted import CountedAnnotator, Tally
from tests.faults.machines import children_of

QUEUES = ("calls", "figures", "work", "sweeps")
VICTIMS = ("worker", "web worker", "clock", "web", "provider")
# Until a program that was killed is back: what the supervisor waits at most, and what starting takes on a busy machine.
BACK_SECONDS = 180.0
# Until everything that was begun is over, once nothing is killed any more.
SETTLE_SECONDS = 240.0
# Nobody else may be kept from writing for longer, be it an idle machine; on a busy one as many times as long as it has
# programs for each of its cores.
MAX_LOCK = 1.0


@dataclass(frozen=True)
class Plan:
    """How long and how much. `kills` names the programs in the order in which they are killed; none left, it is over
    once `seconds` have passed too. Without any, they are drawn by lot until then."""

    seconds: float
    kills: tuple[str, ...] = ()
    pause: float = 1.0  # between two kills
    deeds_between: int = 5  # that people are answered between two kills, at least
    items: int = 100
    responses: int = 10  # that each run of judges is about
    rows: int = 200  # of a file that is imported
    thinking: float = 0.3
    load: float = 0.0  # of the machine, which is kept above this by programs that do nothing else
    program: str = "deploy.run"
    importer: tuple[str, ...] = ("manage.py",)
    variables: tuple[tuple[str, str], ...] = ()
    broken_messages: int = 10


@dataclass
class Outcome:
    """What a soak saw, and what it left in the database."""

    tally: Tally
    seconds: float = 0.0
    kills: Counter[str] = field(default_factory=Counter)
    restarts: dict[str, int] = field(default_factory=dict)
    slowest_restart: tuple[float, str] = (0.0, "")
    ended: str = ""  # why it was over before its time
    broken_messages: int = 0
    messages_left: int = 0
    people: Findings = field(default_factory=Findings)
    judging: dict[str, Any] = field(default_factory=dict)
    imports: list[Imported] = field(default_factory=list)
    not_imported: list[str] = field(default_factory=list)  # why, where nothing excuses it
    exports: Exports | None = None
    turns: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    longest_lock: float = 0.0
    load: list[float] = field(default_factory=list)
    runs_resumed: int = 0


def soak(folder: Path, plan: Plan, say: Callable[[str], None] = lambda line: None) -> Outcome:
    """Let all of it happen to an installation in `folder`."""
    soaked = Soak(folder, plan, say)
    with contextlib.ExitStack() as running:
        running.enter_context(busy(plan, soaked.outcome))
        running.callback(soaked.end_site)
        soaked.begin()
        try:
            soaked.kill_again_and_again()
            soaked.end_people()
            soaked.settle()
        except SiteEnded as ended:
            soaked.outcome.ended = str(ended)
        finally:
            soaked.end_people()
    soaked.look_at_what_is_left()
    return soaked.outcome


class SiteEnded(Exception):
    """`make run` itself is gone, or a program of it does not come back."""


class Soak:
    def __init__(self, folder: Path, plan: Plan, say: Callable[[str], None]) -> None:
        self.folder, self.plan, self.say = folder, plan, say
        self.outcome = Outcome(Tally())
        self.provider = f"http://{servers.HOST}:{servers.free_port()}/v1"
        variables = {
            "FAKE_PROVIDER_URL": self.provider,
            "SECRET_KEY": "tests-only",
            "WEB_WORKERS": "2",
            # Much shorter than for people, who can wait: so that recovering is seen within the time.
            "JOB_SILENCE_SECONDS": "6",
            "JOB_LOST_SECONDS": "8",
            "JOB_SWEEP_SECONDS": "2",
        }
        self.site = Site(folder, plan.program, **variables | dict(plan.variables))
        self.database = self.site.data / "mizan.sqlite3"
        self.lot = random.Random(11)
        self.victims = iter(plan.kills) if plan.kills else self.drawn()
        self.began = time.monotonic()
        self.people: list[CountedAnnotator] = []
        self.comings: list[Coming] = []

    def drawn(self) -> Iterator[str]:
        """By lot, each as often as any other."""
        while True:
            yield from self.lot.sample(VICTIMS, len(VICTIMS))

    # --- Beginning and ending -------------------------------------------------------------------------------

    def begin(self) -> None:
        (self.site.data / "broker" / "control").mkdir(parents=True)
        migrated.copy_sqlite(self.database)
        made = self.prepare("soak", str(self.plan.items), str(self.plan.responses))
        self.site.start()
        self.site.wait_for(lambda: all(self.site.pid_of(name) for name in ("worker", "clock", "provider")))
        self.say("the site answers")
        address = f"{servers.HOST}:{self.site.port}"
        self.place = Place(address, self.site.environment, made["lead"], self.outcome.tally, self.folder)
        self.project = made["marked"]
        self.lock = WriteLock(self.database)
        self.lock.__enter__()
        self.outcome.tally.begin()
        self.began = time.monotonic()
        self.begin_people()

    def begin_people(self) -> None:
        place, plan, tally = self.place, self.plan, self.outcome.tally
        for number in range(4):
            ledger = Ledger(self.folder / f"ledger-{number}.jsonl")
            person = CountedAnnotator(
                number, place.address, self.project, ledger, place.stop, tally=tally, thinking=plan.thinking
            )
            person.deadline = self.began + plan.seconds + 10 * BACK_SECONDS
            self.people.append(person)
        pages = ["/accounts/login/", "/p/marked/", "/p/judged/", "/p/imported/", "/healthz"]
        self.judging = Judging(place, 1.0, "judged", self.provider)
        self.imports = Imports(place, 1.0, "imported", plan.rows, plan.importer)
        self.exports = self.outcome.exports = Exports(place, 1.0, "marked")
        glances: list[Coming] = [Glances(place, 0.3, pages[turn:] + pages[:turn]) for turn in range(2)]
        self.comings = [self.judging, self.imports, self.exports, *glances]
        self.threads = [threading.Thread(target=person.work, daemon=True) for person in self.people]
        for thread in [*self.threads, *self.comings]:
            thread.start()

    def end_people(self) -> None:
        """Let each finish what was begun; the judges' lead goes on until the runs are over."""
        if not self.comings:
            return
        self.place.stop.set()
        for person in self.people:
            person.deadline = min(person.deadline, time.monotonic() + 60)
        for thread in [*self.threads, *self.comings]:
            thread.join(180)
            if thread.is_alive():
                self.outcome.problems.append(f"{thread.name} does not end")
        self.outcome.problems += [f"{each}: {each.problem!r}" for each in self.comings if each.problem]
        self.outcome.turns.update({type(each).__name__: each.turns for each in self.comings})
        self.outcome.imports = self.imports.files
        self.outcome.not_imported = self.imports.refused
        self.comings = []

    def settle(self) -> None:
        """Until every run and every job is over, with nobody's help but a lead's who goes on with what was paused."""
        line = self.place.line()
        for run in self.judging.promised:
            ends = time.monotonic() + SETTLE_SECONDS
            while True:
                with contextlib.suppress(OSError):
                    if self.judging.look_at(line, run) in ("done", "cancelled"):
                        break
                if time.monotonic() > ends:
                    self.outcome.problems.append(f"the run {run} is not over")
                    return
                self.check_site()
                time.sleep(0.2)
        self.outcome.seconds = time.monotonic() - self.began
        self.outcome.runs_resumed = self.judging.resumed
        for name in ("web", "worker", "clock", "provider"):
            self.wait_back(name, 0)
        self.outcome.restarts = {name: state["restarts"] for name, state in self.site.states().items()}
        self.outcome.messages_left = len(list((self.site.data / "broker").glob("thrown*.msg")))

    def end_site(self) -> None:
        if hasattr(self, "lock"):
            self.lock.__exit__(None, None, None)
            self.outcome.longest_lock = self.lock.longest
        if hasattr(self.site, "run"):
            self.site.run.stop()

    def prepare(self, *arguments: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "tests.faults.prepare", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.site.environment, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    # --- What is done to it ---------------------------------------------------------------------------------

    def kill_again_and_again(self) -> None:
        broken = itertools.cycle(BROKEN)
        ends = self.began + self.plan.seconds
        for victim in self.victims:
            self.wait_for_deeds(self.plan.deeds_between)
            for queue in itertools.islice(itertools.cycle(QUEUES), self.plan.broken_messages):
                self.throw(next(broken), queue)
            self.kill(victim)
            self.place.stop.wait(self.plan.pause)
            if not self.plan.kills and time.monotonic() > ends:
                break
        while time.monotonic() < ends or not self.has_seen_enough():
            self.check_site()
            if time.monotonic() > ends + BACK_SECONDS:
                self.outcome.problems.append(f"little was put to the test: {self.seen()}")
                return
            time.sleep(0.1)

    def seen(self) -> dict[str, int]:
        """How much of each has happened."""
        return {
            "uploads": self.imports.by_upload,
            "imports by command": self.imports.by_command,
            "exports": self.exports.turns,
            "runs": len(self.judging.promised),
            "deeds": sum(person.answered for person in self.people) // 20,
        }

    def has_seen_enough(self) -> bool:
        return all(self.seen().values())

    def wait_for_deeds(self, count: int) -> None:
        """Until people were answered so many times more: each kill meets them at work."""
        before = self.deeds()
        ends = time.monotonic() + BACK_SECONDS
        while self.deeds() < before + count:
            self.check_site()
            if time.monotonic() > ends:
                raise SiteEnded("people are not answered any more")
            time.sleep(0.05)

    def deeds(self) -> int:
        return sum(person.answered for person in self.people)

    def throw(self, payload: bytes, queue: str) -> None:
        """A broken message, with a name that is taken before those of the others."""
        self.outcome.broken_messages += 1
        (self.site.data / "broker" / f"thrown{self.outcome.broken_messages}_x.{queue}.msg").write_bytes(payload)

    def kill(self, victim: str) -> None:
        """SIGKILL to one of the site's programs, or to a worker of its web server; returns when it is back."""
        name = "web" if victim == "web worker" else victim
        self.wait_back(name, 0)
        pid = self.site.pid_of(name)
        assert pid
        mark = [f"MIZAN_SUPERVISED={self.site.data}".encode()]
        if mark[0] not in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
            return  # it has ended meanwhile, and the id may be somebody else's
        began = time.monotonic()
        if victim == "web worker":
            workers = children_of(pid)
            if not workers:
                return
            self.outcome.tally.killed(is_whole=False)
            os.kill(self.lot.choice(workers), signal.SIGKILL)
        else:
            if victim == "web":
                self.outcome.tally.killed(is_whole=True)
            os.kill(pid, signal.SIGKILL)
            self.wait_back(name, pid)
        self.outcome.kills[victim] += 1
        seconds = time.monotonic() - began
        self.outcome.slowest_restart = max(self.outcome.slowest_restart, (seconds, victim))
        self.say(f"{victim} was killed, after {began - self.began:.0f} s; another is there {seconds:.1f} s later")

    def wait_back(self, name: str, victim: int) -> None:
        ends = time.monotonic() + BACK_SECONDS
        while self.site.pid_of(name) in (None, victim):
            self.check_site()
            if time.monotonic() > ends:
                raise SiteEnded(f"{name} does not come back")
            time.sleep(0.05)

    def check_site(self) -> None:
        if self.site.run.ended:
            raise SiteEnded(f"make run ended by itself: {self.site.run.last_log_lines(5)}")

    # --- What is left ---------------------------------------------------------------------------------------

    def look_at_what_is_left(self) -> None:
        """The site has ended: what the database holds is all there is."""
        entries = [entry for person in self.people for entry in person.ledger.entries()]
        self.outcome.people = check(entries, read_sqlite(self.database, self.project["stage"]))
        with contextlib.closing(sqlite3.connect(self.database)) as connection:
            rows = connection.execute(
                "SELECT key, text, text_sha256 FROM projects_response WHERE project_id ="
                " (SELECT id FROM projects_project WHERE slug = 'imported')"
            ).fetchall()
        self.outcome.problems += wrong_imports(self.outcome.imports, rows)
        self.outcome.judging = self.prepare("judged", *self.judging.promised)


def wrong_imports(files: list[Imported], rows: list[tuple[str, str, str]]) -> list[str]:
    """Every promised file is there whole, once and unaltered; of any other all or nothing."""
    found = [f"{key} is there {n} times" for key, n in Counter(row[0] for row in rows).items() if n > 1]
    stored = {key: (text, digest) for key, text, digest in rows}
    for number, file in enumerate(files):
        there = [key for key in file.rows if key in stored]
        if len(there) != len(file.rows) and (there or file.is_promised):
            found.append(f"of file {number} {len(there)} of {len(file.rows)} rows are there: {file.is_promised=}")
        found += [f"{key} was altered" for key in there if stored[key] != (file.rows[key], sha256(file.rows[key]))]
    return found[:5]


def broken_promises(outcome: Outcome) -> list[str]:
    """In words; empty where all were kept."""
    judging = outcome.judging
    ours = dict(outcome.kills)
    ours.pop("web worker", None)
    by_themselves = {name: n - ours.get(name, 0) for name, n in outcome.restarts.items() if n > ours.get(name, 0)}
    broken = [f"it was over before its time: {outcome.ended}"] if outcome.ended else []
    broken += [f"not answered: {failure}" for failure in outcome.tally.failures[:5]]
    broken += [f"{name} ended by itself, {n} times" for name, n in by_themselves.items()]
    broken += [f"{what}: {words}" for what, words in outcome.people.broken().items()]
    broken += [f"a run is {state}, and was promised" for state in judging["runs"] if state != "done"]
    broken += [f"{n} calls are {state}" for state, n in judging["calls"].items() if state in ("planned", "cancelled")]
    broken += [f"{n} jobs are {state}" for state, n in judging["jobs"].items() if state not in ("done", "cancelled")]
    broken += judging["wrong"]
    broken += [f"a file was not imported: {words}" for words in outcome.not_imported[:5]]
    broken += outcome.problems
    broken += [
        f"an export cannot be read: {words}" for words in (outcome.exports.unreadable if outcome.exports else [])
    ]
    if outcome.messages_left and not outcome.ended:
        broken.append(f"{outcome.messages_left} broken messages still lie where they were thrown")
    if outcome.longest_lock > longest_lock(outcome):
        broken.append(f"nobody could write for {outcome.longest_lock:.1f} s")
    return broken


def longest_lock(outcome: Outcome) -> float:
    programs = max([*outcome.load, 1.0]) / (os.cpu_count() or 1)
    return MAX_LOCK * max(1.0, programs)


# --- A busy machine -----------------------------------------------------------------------------------------

BURNER = "import sys, time\nends = time.monotonic() + float(sys.argv[1])\nwhile time.monotonic() < ends: pass"
BURNER_SECONDS = 20.0


@contextlib.contextmanager
def busy(plan: Plan, outcome: Outcome) -> Iterator[None]:
    """Keep the machine's load above what is asked by programs that compute; each of them ends by itself soon."""
    ended = threading.Event()

    def keep() -> None:
        burners: list[subprocess.Popen] = []
        while not ended.wait(1.0):
            burners = [each for each in burners if each.poll() is None]
            load = os.getloadavg()[0]
            outcome.load.append(load)
            # The load follows slowly what runs: as many as are asked for by ourselves are enough in the end.
            if load < plan.load + 2 and len(burners) < plan.load + 2:
                burners.append(
                    subprocess.Popen(
                        [sys.executable, "-c", BURNER, str(BURNER_SECONDS)],
                        stdin=subprocess.DEVNULL,
                        preexec_fn=end_with_parent,
                    )
                )
        for each in burners:
            each.terminate()
            each.wait()

    thread = threading.Thread(target=keep, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
