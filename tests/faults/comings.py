"""What comes and goes at a site all day beside the people who mark: runs of judges, imports, exports, glances.

Each is a thread that goes on until it is told to end, and keeps a list of what it was promised.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fake_provider import Control
from tests.faults.clients import dump
from tests.faults.counted import Line, Tally
from tests.faults.machines import ROOT

LOST = (OSError, http.client.HTTPException)
# Calls take a while, and one in ten has to be asked again.
PROVIDER = {"latency_ms": 150, "shares": {"error": 0.05, "ratelimit": 0.05}, "retry_after": 0.2}
MAX_ROUNDS = 100


@dataclass
class Place:
    """A site, who leads its projects, and what is counted of it."""

    address: str
    environment: dict[str, str]
    lead: dict[str, Any]
    tally: Tally
    folder: Path
    stop: threading.Event = field(default_factory=threading.Event)

    def line(self) -> Line:
        return Line(self.address, self.tally)

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


class Coming(ABC, threading.Thread):
    """Does its `turn` again and again, `pause` seconds apart; what breaks it is kept as its problem."""

    def __init__(self, place: Place, pause: float) -> None:
        super().__init__(daemon=True)
        self.place, self.pause = place, pause
        self.turns = 0
        self.problem: BaseException | None = None

    @abstractmethod
    def turn(self) -> None:
        """Do it once."""

    def run(self) -> None:
        try:
            while not self.place.stop.is_set():
                with contextlib.suppress(*LOST):  # counted already
                    self.turn()
                    self.turns += 1
                self.place.stop.wait(self.pause)
        except BaseException as problem:
            self.problem = problem


class Glances(Coming):
    """Somebody who opens a page on a connection of their own: the signed-out page, a project, its figures."""

    def __init__(self, place: Place, pause: float, pages: list[str]) -> None:
        super().__init__(place, pause)
        self.pages = pages

    def turn(self) -> None:
        line = self.place.line()
        page = self.pages[self.turns % len(self.pages)]
        line.ask("GET", page, headers=self.place.lead["headers"] | {"Accept": "text/html"})
        line.close()


class Judging(Coming):
    """A lead who starts one run after another over a project, and goes on with what a provider's end has paused."""

    def __init__(self, place: Place, pause: float, project: str, provider: str) -> None:
        super().__init__(place, pause)
        self.runs = f"/api/v1/projects/{project}/runs/"
        self.control = Control(provider)
        self.promised: list[str] = []
        self.resumed = 0
        self.rounds = 0
        self.current = ""

    def turn(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # it may be down: the next turn tells it
            self.control.tell(**PROVIDER)
        line = self.place.line()
        try:
            if self.current and self.look_at(line, self.current) not in ("done", "cancelled"):
                return
            if self.rounds < MAX_ROUNDS:
                self.rounds += 1
                self.current = ""
                payload = dump({"judge": self.place.lead["judge"], "round": self.rounds})
                status, _told, content = line.ask("POST", self.runs, payload, self.place.lead["headers"])
                if status == 201:
                    self.current = json.loads(content)["uuid"]
                    self.promised.append(self.current)
        finally:
            line.close()

    def look_at(self, line: Line, run: str) -> str:
        """The run's state; where it is paused it is told to go on."""
        headers = self.place.lead["headers"]
        status, _told, content = line.ask("GET", f"{self.runs}{run}/", headers=headers)
        if status != 200:
            return ""
        state = json.loads(content)["state"]
        if state == "paused":
            self.resumed += 1
            line.ask("POST", f"{self.runs}{run}/resume/", b"", headers)
        return state


OVER = ("done", "failed", "cancelled")
LOOK_SECONDS = 0.5


@dataclass
class Imported:
    """One file that was sent: the text of each row by its key, and whether it was promised to be stored."""

    rows: dict[str, str]
    is_promised: bool = False


class Imports(Coming):
    """Files of items, by the command and as uploads in turn; `command` is the program that imports. None of them has
    a fault: what is `refused` was promised, unless a connection was lost or the site said when to come again."""

    def __init__(
        self, place: Place, pause: float, project: str, rows: int, command: tuple[str, ...] = ("manage.py",)
    ) -> None:
        super().__init__(place, pause)
        self.project, self.rows, self.command = project, rows, command
        self.files: list[Imported] = []
        self.refused: list[str] = []
        self.by_command = self.by_upload = 0

    def turn(self) -> None:
        number = len(self.files)
        file = Imported({f"f{number}-{n}": f"الكشري {number} {n}. " + "word " * 100 for n in range(self.rows)})
        self.files.append(file)
        payload = b"".join(map(item, file.rows.items()))
        if number % 2:
            self.upload(file, payload)
        else:
            self.import_by_command(file, payload, number)

    def import_by_command(self, file: Imported, payload: bytes, number: int) -> None:
        path = self.place.folder / f"import-{number}.jsonl"
        path.write_bytes(payload)
        done = self.place.command(*self.command, "import_items", self.project, str(path), "--quiet")
        path.unlink()
        file.is_promised = done.returncode == 0
        self.by_command += file.is_promised
        if not file.is_promised:
            self.refused.append(f"import_items ended with code {done.returncode}: {done.stdout[-500:]}")

    def upload(self, file: Imported, payload: bytes) -> None:
        headers = self.place.lead["headers"] | {"Content-Type": "application/jsonl"}
        line = self.place.line()
        try:
            path = f"/api/v1/projects/{self.project}/imports/?file_format=jsonl"
            status, told, content = line.ask("POST", path, payload, headers)
            is_accepted, state = status == 202, ""
            while is_accepted and (state := self.state_of(line, told["location"])) not in OVER:
                time.sleep(LOOK_SECONDS)
        finally:
            line.close()
        file.is_promised = state == "done" if is_accepted else status == 201
        self.by_upload += file.is_promised
        if words := why_not(status, state, content):
            self.refused.append(words)

    def state_of(self, line: Line, job: str) -> str:
        """Of a job that a worker does; empty where the site could not say. Jobs that never end are found by the end.

        A connection that was lost, which is counted already, is made anew: what becomes of the file is still known.
        """
        try:
            status, _told, content = line.ask("GET", job, headers=self.place.lead["headers"])
        except LOST:
            if self.place.stop.is_set():  # the site may have ended
                raise
            return ""
        return json.loads(content)["state"] if status == 200 else ""


def why_not(status: int, state: str, content: bytes) -> str:
    """Why a file that was uploaded is not stored, where nothing excuses it; `state` is its job's where there is one.

    503 is excused: it says that nothing was kept, and when to come again.
    """
    if status in (201, 503) or state == "done":
        return ""
    if state:
        return f"an upload was accepted, and its job is {state}"
    return f"an upload was answered {status}: {content[:300].decode(errors='replace')}"


def item(row: tuple[str, str]) -> bytes:
    key, text = row
    about = {"prompt_id": key.partition("-")[0], "prompt": "سؤال", "variety": "ar-EG", "model": "Nile-7B"}
    return dump({"id": key, **about, "laboratory": "Delta Lab", "response": text}) + b"\n"


class Exports(Coming):
    """The gold by the command, and the responses page by page from the API; each must be whole and readable."""

    def __init__(self, place: Place, pause: float, project: str) -> None:
        super().__init__(place, pause)
        self.project = project
        self.unreadable: list[str] = []
        self.lines = 0

    def turn(self) -> None:
        if self.turns % 2:
            self.read_pages()
        else:
            self.export_gold()

    def export_gold(self) -> None:
        path = self.place.folder / "gold.jsonl"
        done = self.place.command("manage.py", "export_gold", self.project, "--output", str(path))
        if done.returncode:
            self.unreadable.append(done.stdout[-500:])
            return
        self.read(path.read_bytes().splitlines())

    def read_pages(self) -> None:
        line = self.place.line()
        path = f"/api/v1/projects/{self.project}/responses/"
        try:
            for _page in range(3):
                status, _told, content = line.ask("GET", path, headers=self.place.lead["headers"])
                if status != 200:
                    return
                self.read([content])
                following = json.loads(content).get("next") or ""
                if not following:
                    return
                path = "/" + following.partition("//")[2].partition("/")[2]
        finally:
            line.close()

    def read(self, documents: list[bytes]) -> None:
        for document in documents:
            try:
                json.loads(document)
                self.lines += 1
            except ValueError as problem:
                self.unreadable.append(f"{problem}: {document[:200]!r}")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
