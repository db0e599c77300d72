"""Clients whose every request is counted: answered with what and how late, or lost, and whether a kill excuses that."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.faults.clients import Annotator

# Whoever waits longer than this is taken for not answered at all.
LONGEST = 60
# A server closes a connection on which nothing comes for 30 seconds.
IDLE_SECONDS = 10
# The workers of a web server that was killed finish what they have begun, and take nothing new once they notice.
LINGER_SECONDS = 8.0


@dataclass
class Tally:
    """Of all clients of one site together."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    statuses: Counter[int] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    # The longest time in which no request of anybody was answered.
    longest_silence: float = 0.0
    last_answer: float = field(default_factory=time.monotonic)
    # Requests lost with a killed web server's process, and those that nothing excuses.
    lost_by_kill: int = 0
    failures: list[str] = field(default_factory=list)
    # When a process of the web server was killed, and until when it may have taken connections.
    kills: list[tuple[float, float]] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return sum(self.statuses.values()) + self.lost_by_kill + len(self.failures)

    def begin(self) -> None:
        self.last_answer = time.monotonic()

    def answer(self, what: str, status: int, seconds: float, text: str) -> None:
        now = time.monotonic()
        with self.lock:
            self.statuses[status] += 1
            self.slowest = max(self.slowest, (seconds, what))
            self.longest_silence = max(self.longest_silence, now - self.last_answer)
            self.last_answer = now
            # 503 with Retry-After is an answer: it says what was kept, and when to come again.
            if status >= 500 and status != 503:
                self.failures.append(f"{what} was answered {status}: {text[:200]}")
                self.statuses[status] -= 1

    def lose(self, what: str, opened: float, problem: Exception) -> None:
        now = time.monotonic()
        with self.lock:
            if any(opened <= until and killed <= now for killed, until in self.kills):
                self.lost_by_kill += 1
            else:
                self.failures.append(f"{what}: {problem!r} on a connection of {now - opened:.1f} s")

    def killed(self, is_whole: bool) -> None:
        """A worker of the web server is about to be killed, or the whole of it."""
        now = time.monotonic()
        with self.lock:
            self.kills.append((now, now + LINGER_SECONDS if is_whole else now))


class Line:
    """One client's connection; made anew after it was lost or has been idle."""

    def __init__(self, address: str, tally: Tally) -> None:
        self.address, self.tally = address, tally
        self.connection: http.client.HTTPConnection | None = None
        self.opened = self.used = 0.0

    def ask(
        self, method: str, path: str, payload: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers by their small names, and content. Raises OSError or HTTPException where it was lost."""
        began = time.monotonic()
        if self.connection is None or self.connection.sock is None or began - self.used > IDLE_SECONDS:
            self.close()
            self.connection, self.opened = http.client.HTTPConnection(self.address, timeout=LONGEST), began
        what = f"{method} {path}"
        try:
            self.connection.request(method, path, payload, headers or {})
            response = self.connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as problem:
            self.close()
            self.tally.lose(what, self.opened, problem)
            raise
        self.used = time.monotonic()
        self.tally.answer(what, response.status, self.used - began, content[:300].decode(errors="replace"))
        return response.status, {name.lower(): value for name, value in response.getheaders()}, content

    def close(self) -> None:
        if self.connection:
            self.connection.close()
            self.connection = None


@dataclass
class CountedAnnotator(Annotator):
    """An annotator whose requests are counted, and who thinks between two of them."""

    tally: Tally = field(default_factory=Tally)
    thinking: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.line = Line(self.address, self.tally)

    def exchange(self, method: str, path: str, payload: bytes, headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
        self.stop.wait(self.thinking)
        status, told, content = self.line.ask(method, path, payload, self.headers | headers)
        if told.get("content-type", "").startswith("application/json"):
            return status, json.loads(content)
        return status, {"location": told.get("location", "")}
