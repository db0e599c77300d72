"""Annotators who write down what they are about to send, send it, and write down what they were answered.

The ledger is fsynced before each send and after each answer, so it knows what the server has promised, whatever
is killed. An answer that does not come, or is a 5xx, promises nothing: the same is sent again, as a browser would.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import threading
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECONDS = 10  # until an answer that does not come is given up
PAUSE = 0.1
WORDS = re.compile(r"\w+")


class Ledger:
    """What one annotator sent and was answered, in order, on disk before anything follows from it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(self, **entry: Any) -> None:
        os.write(self.file, json.dumps(entry, ensure_ascii=False).encode() + b"\n")
        os.fsync(self.file)

    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_bytes().splitlines()]


@dataclass
class Annotator:
    """One person at one browser. `work` claims, saves and submits until told to stop."""

    number: int
    address: str
    project: dict[str, Any]
    ledger: Ledger
    stop: threading.Event
    defect: str = ""
    skips: float = 0.35  # share of items that are left with their draft
    deadline: float = field(default_factory=lambda: time.monotonic() + 120)
    connection: http.client.HTTPConnection | None = None
    answered: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.project['slug']} {self.number}")
        self.headers = self.project["headers"][self.number] | {"X-Planted-Defect": self.defect}
        self.claim_path = f"/p/{self.project['slug']}/my-work/{self.project['stage']}/next"

    def work(self) -> None:
        while not self.stop.is_set():
            path = self.claim()
            if path is None:
                return
            version = 0
            for turn in range(self.chance.choice((1, 2, 3))):
                answer = self.save(path, version, body(turn))
                if answer is None:
                    return
                version = answer["version"]
            end = self.skip if self.chance.random() < self.skips else self.submit
            if not end(path, version):
                return

    def claim(self) -> str | None:
        """The path of the next item, or None where there is none."""
        status, answer = self.promise("claim", "POST", self.claim_path, b"", {})
        return answer["location"] if status == 302 and "/p/" not in answer["location"] else None

    def save(self, path: str, version: int, draft: dict[str, Any]) -> dict[str, Any] | None:
        payload = {"body": draft, "client": f"tab-{self.number}"}
        sent = {"path": path, "version": version, "body": draft}
        status, answer = self.promise(
            "save", "PUT", path + "draft", dump(payload), sent, **{"If-Match": f'"{version}"'}
        )
        return answer if status == 200 else None

    def submit(self, path: str, version: int) -> bool:
        submission = str(uuid.uuid4())
        payload = {"submission": submission, "version": version, "body": body("final")}
        sent = {"path": path, "submission": submission, "body": payload["body"]}
        # Now and then an answer is lost on its way back, so the very same comes once more.
        for _time in range(2 if self.defect or self.chance.random() < 0.3 else 1):
            status, _answer = self.promise("submit", "POST", path + "submit", dump(payload), sent)
        return status == 200

    def skip(self, path: str, version: int) -> bool:
        payload = dump({"reason": "do_not_know", "note": ""})
        return self.promise("skip", "POST", path + "skip", payload, {"path": path})[0] == 200

    def promise(
        self, kind: str, method: str, path: str, payload: bytes, sent: dict[str, Any], **headers: str
    ) -> tuple[int, dict[str, Any]]:
        """Send until it is answered with anything but a 5xx; (0, {}) where that takes too long."""
        deed = str(uuid.uuid4())
        while time.monotonic() < self.deadline:
            self.ledger.write(event="sent", deed=deed, kind=kind, **sent)
            try:
                status, answer = self.exchange(method, path, payload, headers)
            except (OSError, http.client.HTTPException, ValueError) as problem:
                self.connection = None
                self.ledger.write(event="unanswered", deed=deed, kind=kind, problem=repr(problem))
                time.sleep(PAUSE)
                continue
            self.ledger.write(event="answered", deed=deed, kind=kind, status=status, answer=answer, **sent)
            if status < 500:
                self.answered += 1
                return status, answer
            time.sleep(PAUSE)
        return 0, {}

    def exchange(self, method: str, path: str, payload: bytes, headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.address, timeout=SECONDS)
        self.connection.request(method, path, payload, self.headers | headers)
        response = self.connection.getresponse()
        content = response.read()
        if response.getheader("Content-Type", "").startswith("application/json"):
            return response.status, json.loads(content)
        return response.status, {"location": response.getheader("Location", "")}


def dump(payload: dict[str, Any]) -> bytes:
    return json.dumps(payload, ensure_ascii=False).encode()


def body(turn: object) -> dict[str, Any]:
    """A complete answer with two spans that no other answer has."""
    quote = "الكشري"
    place = {"start": 0, "end": len(quote), "quote": quote, "paragraph": None}
    nowhere = {"start": None, "end": None, "quote": "", "paragraph": None}
    return {
        "no_errors": False,
        "spans": [
            {"id": str(uuid.uuid4()), "anchor": "words", **place, **labels(turn)},
            {"id": str(uuid.uuid4()), "anchor": "response", **nowhere, **labels(turn)},
        ],
    }


def labels(turn: object) -> dict[str, str]:
    explanation = f"مش صح {turn} {uuid.uuid4()}"
    return {"type": "logical", "criticality": "low", "category": "", "explanation": explanation, "correction": ""}


@dataclass
class Crowd:
    """The annotators of one project, each in a thread; `entries` is what they promised each other on disk."""

    annotators: list[Annotator]

    @classmethod
    def at(cls, address: str, project: dict[str, Any], folder: Path, defect: str = "") -> Crowd:
        stop = threading.Event()
        ledgers = [Ledger(folder / f"ledger-{project['slug']}-{number}.jsonl") for number in range(4)]
        return cls([Annotator(n, address, project, ledger, stop, defect) for n, ledger in enumerate(ledgers)])

    def begin(self) -> None:
        self.threads = [threading.Thread(target=annotator.work, daemon=True) for annotator in self.annotators]
        for thread in self.threads:
            thread.start()

    def wait_for(self, deeds: int, seconds: float) -> None:
        """Wait until so many more deeds were answered, or the seconds are over."""
        before, ends = self.answered, time.monotonic() + seconds
        while self.answered < before + deeds and time.monotonic() < ends:
            time.sleep(0.05)

    @property
    def answered(self) -> int:
        return sum(annotator.answered for annotator in self.annotators)

    def end(self, seconds: float = 20) -> None:
        """Let each finish what it has begun; who is not answered within `seconds` gives up."""
        for annotator in self.annotators:
            annotator.deadline = time.monotonic() + seconds
            annotator.stop.set()
        for thread in self.threads:
            thread.join(seconds + SECONDS + 5)
        assert not any(thread.is_alive() for thread in self.threads)

    def entries(self) -> list[dict[str, Any]]:
        return [entry for annotator in self.annotators for entry in annotator.ledger.entries()]
