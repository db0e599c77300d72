"""How long SQLite's write lock is held by whoever holds it longest, seen by somebody who only asks for it."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from types import TracebackType

# So long between two questions: what is held for less is not seen, what is seen is at most this much too long.
PAUSE = 0.005


class WriteLock:
    """Asks for the lock again and again, waits for nobody, and gives it back at once.

    `longest` is the longest time in seconds in which it was refused each time. Several short holders that follow each
    other closely count as one: the figure is never too small.
    """

    def __init__(self, database: Path) -> None:
        self.database = database
        self.longest = 0.0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        with closing(sqlite3.connect(self.database, timeout=0, isolation_level=None)) as probe:
            refused_since = None
            while not self.ended.wait(PAUSE):
                now = time.monotonic()
                try:
                    probe.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError:
                    refused_since = refused_since or now
                else:
                    probe.execute("ROLLBACK")
                    if refused_since is not None:
                        self.longest = max(self.longest, now - refused_since)
                    refused_since = None

    def __enter__(self) -> WriteLock:
        self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ended.set()
        self.thread.join()
