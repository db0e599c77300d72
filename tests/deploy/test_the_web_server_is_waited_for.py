"""Starting has no deadline: a web server that lives is waited for, one that ends again and again is given up."""

import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from deploy import run
from deploy.supervision import Program, Signals, Supervised, Supervisor
from tests import servers

# A web server on the socket of its parent, as gunicorn is: what it does before it answers is the test's.
SERVER = """
import socket, sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

ready, starts = Path(sys.argv[2]), Path(sys.argv[3])
with starts.open("a") as file:
    file.write("started\\n")
count = len(starts.read_text().splitlines())

class Answering(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if ready.exists() else 503)
        self.end_headers()

def serve():
    server = HTTPServer(("127.0.0.1", 0), Answering, bind_and_activate=False)
    server.socket = socket.socket(fileno=int(sys.argv[1]))
    server.serve_forever()

"""
SILENT_UNTIL_READY = "while not ready.exists(): print('reading a large table', flush=True); time.sleep(0.02)\nserve()"
NOT_READY_AT_FIRST = "serve()"
# Where nobody gave it up it would answer in the end: the test fails then, and does not hang.
ENDING = "if count <= {times}: sys.exit('no such table')\nready.touch(); serve()"


@dataclass
class Start:
    """What a person sees of one start; `on_line` is what they do at each line in the terminal."""

    folder: Path
    supervisor: Supervisor
    listener: socket.socket
    lines: list[str] = field(default_factory=list)
    on_line: Callable[[], object] = lambda: None

    @property
    def ready(self) -> Path:
        return self.folder / "ready"

    @property
    def starts(self) -> int:
        return len((self.folder / "starts").read_text().splitlines())

    def say(self, line: str) -> None:
        self.lines.append(line)
        self.on_line()

    def waiting(self) -> list[str]:
        return [line for line in self.lines if line.startswith("Waiting for the web server")]

    def begin(self, doing: str) -> tuple[bool, Supervised]:
        """Whether it was waited for until it answered."""
        descriptor = self.listener.fileno()
        command: list[str | Path] = [
            sys.executable,
            "-c",
            SERVER + doing,
            str(descriptor),
            self.ready,
            self.folder / "starts",
        ]
        # Started again at once: how long that takes in the end is the business of another test.
        web = self.supervisor.add(Program("web", command, descriptors=[descriptor], longest_pause=0.05))
        web.pause = 0.01
        answers = run.Answers(f"127.0.0.1:{self.listener.getsockname()[1]}")
        try:
            return run.wait_for_web(self.supervisor, web, answers), web
        finally:
            answers.ended.set()


@pytest.fixture
def start(tmp_path, monkeypatch) -> Iterator[Start]:
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    signals = Signals()
    signals.raising = False
    listener = run.bound(servers.free_port())
    assert listener
    made = Start(tmp_path, Supervisor(dict(os.environ), tmp_path, signals), listener)
    monkeypatch.setattr(run, "SAY_SECONDS", 0.1)
    monkeypatch.setattr(run, "say", made.say)
    yield made
    listener.close()
    made.supervisor.stop(["web"])
    for each, handler in handlers.items():
        signal.signal(each, handler)


def test_one_that_is_slow_is_waited_for_and_that_is_said_again_and_again(start):
    start.on_line = lambda: len(start.waiting()) >= 5 and start.ready.touch()
    has_come, web = start.begin(SILENT_UNTIL_READY)
    assert has_come
    assert (web.restarts, start.starts) == (0, 1), "it was waited for, not replaced"
    assert all(f"(process {web.child.process.pid})" in line for line in start.waiting())


def test_one_that_answers_that_it_is_not_ready_is_waited_for_with_its_answer(start):
    start.on_line = lambda: any("which answers 503" in line for line in start.waiting()) and start.ready.touch()
    has_come, web = start.begin(NOT_READY_AT_FIRST)
    assert has_come
    assert web.restarts == 0


def test_one_that_ends_a_few_times_is_started_again(start):
    has_come, web = start.begin(ENDING.format(times=run.START_ATTEMPTS - 1))
    assert has_come
    assert web.restarts == run.START_ATTEMPTS - 1


def test_one_that_ends_each_time_is_given_up_and_says_why(start):
    has_come, web = start.begin(ENDING.format(times=run.START_ATTEMPTS + 3))
    assert not has_come
    assert run.report_failure(web) == 1
    assert f"ended {run.START_ATTEMPTS} times before its first answer" in start.lines[-3]
    assert "no such table" in start.lines[-2]


def test_whoever_asks_to_stop_meanwhile_is_heard(start):
    start.on_line = lambda: os.kill(os.getpid(), signal.SIGINT)
    has_come, web = start.begin(SILENT_UNTIL_READY)
    assert not has_come
    assert web.child
    assert start.supervisor.signals.count
