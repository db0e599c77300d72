"""The supervisor of `make run`, with small programs in the place of Mizan's: what ends is started again."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deploy import run, supervision
from deploy.processes import Child, wait_until
from deploy.supervision import FIRST_PAUSE, HEALTHY, MAX_PAUSE, Program, Supervised, left_behind
from projects.processes import supervision as said
from tests import servers

ROOT = Path(__file__).resolve().parents[2]
LASTING = [sys.executable, "-c", "import time; print('begun', flush=True); time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, lambda *_told: print('asked', flush=True)); "
    "print('begun', flush=True); time.sleep(600)",
]
ENDING = [sys.executable, "-c", "print('I cannot go on'); raise SystemExit(3)"]
# A supervisor as deploy/run.py uses it, for the programs that it is given.
SUPERVISOR = """
import json, sys, time
from pathlib import Path
from deploy.supervision import Program, Signals, Supervisor
data, programs = Path(sys.argv[1]), json.loads(sys.argv[2])
signals = Signals()
signals.raising = False
supervisor = Supervisor({}, data, signals)
for name, command in programs.items():
    supervisor.add(Program(name, command))
print("watching", flush=True)
while not signals.count:
    supervisor.look()
    time.sleep(0.05)
for each in supervisor.supervised:
    if each.child:
        each.child.patience = 60
supervisor.stop(list(programs))
print("Stopped.", flush=True)
"""


@pytest.fixture
def supervise(tmp_path):
    """Start a supervisor of these programs in a process of its own; it ends with the test."""
    started: list[Child] = []

    def start(**programs) -> Child:
        command = [sys.executable, "-c", SUPERVISOR, tmp_path, json.dumps(programs)]
        log = tmp_path / "supervisor.log"
        started.append(Child("supervisor", command, log, folder=ROOT, patience=20))
        wait_for(lambda: "watching" in log.read_text())
        return started[-1]

    yield start
    for supervisor in started:
        supervisor.stop()
    wait_for(lambda: left_behind(tmp_path) == [])


def wait_for(reached, seconds: float = 30) -> None:
    assert wait_until(reached, [], seconds), "this did not come about in time"


def states(data: Path) -> dict[str, dict]:
    try:
        return {each["name"]: each for each in json.loads((data / "processes.json").read_text())["processes"]}
    except (OSError, ValueError):
        return {}


def pid_of(data: Path, name: str) -> int | None:
    return states(data).get(name, {}).get("pid")


def has_begun(data: Path, *names: str) -> bool:
    """All of them have come to say so."""
    logs = [data / "logs" / f"{name}.log" for name in names]
    return all(log.exists() and "begun" in log.read_text() for log in logs)


# --- When it is started again -------------------------------------------------------------------------------


@pytest.fixture
def ending(tmp_path):
    """A program that always ends, watched by a clock of the test's own."""
    return Supervised(Program("brief", ENDING), dict(os.environ), tmp_path / "logs" / "brief.log")


def until_it_ends(supervised: Supervised, now: float) -> None:
    supervised.tick(now)
    assert supervised.child
    supervised.child.process.wait()
    supervised.tick(now)
    assert supervised.child is None


def test_the_pauses_double_up_to_a_minute(ending):
    now, pauses = 0.0, []
    for _ in range(8):
        until_it_ends(ending, now)
        pauses.append(ending.due - now)
        ending.tick(ending.due - 0.01)
        assert ending.child is None, "it was started before its time"
        now = ending.due
    assert pauses == [1, 2, 4, 8, 16, 32, MAX_PAUSE, MAX_PAUSE]
    assert ending.restarts == 7


def test_what_ran_for_long_before_it_was_killed_is_back_as_soon_as_the_first_time(ending):
    """Somebody, or something, kills it again and again: it is up for most of the time all the same."""
    now = 0.0
    for _time in range(10):
        ending.tick(now)
        ending.child.process.wait()
        ending.tick(now + 25)
        assert ending.due == now + 25 + FIRST_PAUSE
        now = ending.due


def test_the_web_server_is_never_away_for_long(tmp_path):
    with run.bound(servers.free_port()) as listener:
        web = Supervised(run.web_server(listener), {}, tmp_path / "log")
    now, pauses = 0.0, []
    for _time in range(6):
        web.postpone(now, "ended", 0, "")
        pauses.append(web.due - now)
    assert pauses == [1, 2, 4, 4, 4, 4]


def test_half_a_minute_of_health_makes_the_pause_short_again(ending):
    for start in (0.0, 10.0, 20.0):
        until_it_ends(ending, start)
    assert ending.due == 20 + 4 * FIRST_PAUSE
    ending.tick(30.0)
    ending.child.process.wait()
    ending.tick(30 + HEALTHY)
    assert ending.due == 30 + HEALTHY + FIRST_PAUSE


def test_what_it_said_last_is_said_and_kept(ending, capsys):
    until_it_ends(ending, 0.0)
    assert "brief: ended by itself with code 3; it is started again in 1 s." in capsys.readouterr().out
    assert ending.state()["last_exit"]["lines"] == ["I cannot go on"]


def test_a_program_that_is_not_there_is_tried_again(tmp_path, capsys):
    missing = Supervised(Program("missing", ["/nowhere/at/all"]), {}, tmp_path / "missing.log")
    missing.tick(0.0)
    missing.tick(1.0)
    assert missing.due == 3.0
    assert "could not be started" in capsys.readouterr().out


def test_a_log_that_cannot_be_written_ends_nothing(tmp_path):
    (tmp_path / "logs").write_text("a file where the folder should be")
    blind = Supervised(Program("blind", LASTING), dict(os.environ), tmp_path / "logs" / "blind.log")
    blind.tick(0.0)
    assert blind.child
    assert blind.child.new_log_lines() == []
    assert blind.child.last_log_lines() == ""
    blind.child.stop()


def test_a_log_that_grows_is_set_aside_while_it_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr("deploy.processes.LOG_BYTES", 10_000)
    code = "import time\nfor n in range(10**9): print('line', n, flush=True); time.sleep(0.0002)"
    child = Child("talkative", [sys.executable, "-c", code], tmp_path / "talkative.log")
    try:
        wait_for(lambda: child.log.stat().st_size > 20_000)
        child.shorten_log()
        assert (tmp_path / "talkative.log.1").stat().st_size > 20_000
        wait_for(lambda: len(child.new_log_lines()) > 0)
        assert not child.log.read_bytes().startswith(b"\0")
    finally:
        child.stop()


def test_a_line_without_an_end_holds_up_none_of_those_after_it(tmp_path):
    code = "import time; print('x' * 3_000_000); print('at last', flush=True); time.sleep(600)"
    child = Child("wordy", [sys.executable, "-c", code], tmp_path / "wordy.log")
    try:
        wait_for(lambda: "at last" in child.new_log_lines())
    finally:
        child.stop()


def test_a_log_that_cannot_be_set_aside_is_shortened_all_the_same(tmp_path, monkeypatch):
    """The disk is full, and this log is what fills it."""
    monkeypatch.setattr("deploy.processes.LOG_BYTES", 10)
    child = Child("talkative", LASTING, tmp_path / "talkative.log")
    try:
        wait_for(lambda: child.new_log_lines() == ["begun"])
        (tmp_path / "talkative.log").write_bytes(b"x" * 100)
        (tmp_path / "talkative.log.1").mkdir()  # nothing can be written to it
        child.shorten_log()
        assert child.log.stat().st_size == 0
    finally:
        child.stop()


def test_a_web_server_that_nobody_asked_was_not_silent():
    """The supervisor itself stood still (Ctrl-Z), and goes on after minutes."""

    class Healthy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Healthy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        answers = run.Answers(f"127.0.0.1:{server.server_port}")
        assert answers.first.wait(20)
        answers.ended.set()
        assert answers.silent_for(time.monotonic() - 600) == 0
        server.shutdown()


def test_a_web_server_that_answers_nothing_is_silent_from_the_first_question_on(monkeypatch):
    monkeypatch.setattr(run, "SILENT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        answers = run.Answers(f"127.0.0.1:{deaf.getsockname()[1]}")
        wait_for(lambda: answers.silent_for(0.0) > run.SILENT_SECONDS)
        silences = [answers.silent_for(time.monotonic()) for _time in range(20)]
        assert min(silences) < run.SILENT_SECONDS, "not from before it was started"
        answers.ended.set()


# --- The supervisor as a process ----------------------------------------------------------------------------


def test_each_that_is_killed_comes_back_and_the_others_go_on(supervise, tmp_path, settings):
    supervise(first=LASTING, second=LASTING)
    wait_for(lambda: has_begun(tmp_path, "first", "second"))
    victim, other = pid_of(tmp_path, "first"), pid_of(tmp_path, "second")
    os.kill(victim, signal.SIGKILL)
    wait_for(lambda: pid_of(tmp_path, "first") not in (None, victim))
    assert pid_of(tmp_path, "second") == other

    settings.DATA_DIR = tmp_path
    first, second = said().programs
    assert (first.name, first.restarts, first.is_running) == ("first", 1, True)
    assert (first.last_exit, first.last_exit_in_words) == ("was ended by SIGKILL", "It was ended by SIGKILL.")
    assert first.last_exit_at <= first.since
    assert first.last_lines == ["begun"]
    assert (second.restarts, second.last_exit) == (0, "")


def test_nobody_supervises_once_the_supervisor_is_gone(supervise, tmp_path, settings):
    supervisor = supervise(only=LASTING)
    settings.DATA_DIR = tmp_path
    wait_for(lambda: said().code == "watching")
    supervisor.process.kill()
    supervisor.process.wait()
    assert said().code == "silent"


def test_what_it_started_ends_when_it_is_killed(supervise, tmp_path):
    supervisor = supervise(only=LASTING)
    wait_for(lambda: pid_of(tmp_path, "only"))
    supervisor.process.kill()
    supervisor.process.wait()
    wait_for(lambda: left_behind(tmp_path) == [])


def test_the_next_one_ends_what_was_left_behind(supervise, tmp_path, capsys):
    """Who does not hear of the end of its parent is ended by the next start, however stubborn."""
    supervisor = supervise(only=STUBBORN)
    wait_for(lambda: has_begun(tmp_path, "only"))
    supervisor.process.kill()
    supervisor.process.wait()
    assert len(left_behind(tmp_path)) == 1
    supervision.end_left_behind(tmp_path, seconds=1)
    wait_for(lambda: left_behind(tmp_path) == [])
    assert "Ending 1 processes" in capsys.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_once_it_ends_all_in_order(supervise, tmp_path, number):
    supervisor = supervise(first=LASTING, second=LASTING)
    wait_for(lambda: pid_of(tmp_path, "second"))
    supervisor.process.send_signal(number)
    supervisor.process.wait(50)
    assert supervisor.log.read_text().endswith("Stopped.\n")
    assert left_behind(tmp_path) == []
    assert not (tmp_path / "processes.json").exists()


def test_asked_twice_it_does_not_wait(supervise, tmp_path):
    supervisor = supervise(only=STUBBORN)
    wait_for(lambda: has_begun(tmp_path, "only"))
    supervisor.process.send_signal(signal.SIGINT)
    wait_for(lambda: "asked" in (tmp_path / "logs" / "only.log").read_text())
    time.sleep(0.5)
    assert supervisor.process.poll() is None, "it is patient with a program that takes its time"
    supervisor.process.send_signal(signal.SIGINT)
    supervisor.process.wait(30)  # and not the minute that the program has
    assert left_behind(tmp_path) == []


def test_odd_things_do_not_end_it(supervise, tmp_path):
    """A closed terminal, a storm of ending grandchildren, a state that cannot be written, a log whose folder goes."""
    storm = "import os, time\nfor n in range(300):\n if not os.fork(): os._exit(0)\ntime.sleep(600)"
    supervisor = supervise(only=LASTING, storm=[sys.executable, "-c", storm], brief=ENDING)
    wait_for(lambda: pid_of(tmp_path, "only"))
    os.kill(supervisor.process.pid, signal.SIGHUP)
    for _ in range(200):
        os.kill(supervisor.process.pid, signal.SIGCHLD)
    (tmp_path / "processes.part").mkdir()
    (tmp_path / "logs").rename(tmp_path / "elsewhere")
    (tmp_path / "logs").write_text("in the way")
    for program in left_behind(tmp_path):
        with contextlib.suppress(ProcessLookupError):  # one of the storm's, or the one that ends by itself
            os.kill(program, signal.SIGKILL)
    wait_for(lambda: len(left_behind(tmp_path)) >= 2)
    assert supervisor.process.poll() is None


def test_no_process_to_be_had_is_waited_out(tmp_path):
    """The machine has no more processes to give: what cannot be started now is started later."""
    code = """
    import resource, sys, time
    from pathlib import Path
    from deploy.supervision import Program, Signals, Supervisor
    signals = Signals()
    supervisor = Supervisor({}, Path(sys.argv[1]), signals)
    supervisor.add(Program("only", ["/bin/sleep", "600"]))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (4, hard))
    supervisor.look()
    assert supervisor.supervised[0].child is None, "it was started with no file to be had"
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    ends = time.monotonic() + 20
    while supervisor.supervised[0].child is None and time.monotonic() < ends:
        supervisor.look()
        time.sleep(0.1)
    print("running" if supervisor.supervised[0].child else "never")
    supervisor.stop(["only"])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), tmp_path], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert re.search(r"could not be started.*it is started again in 1 s\.\nrunning", done.stdout), (
        done.stdout + done.stderr
    )
