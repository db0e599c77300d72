"""Requests of pages that wait for a model: how many at once, how often for each person."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from projects import throttling

# Threads of one web process that may wait for a model at the same time; the others go on serving pages.
MAX_WAITING = 3

_waiting = threading.BoundedSemaphore(MAX_WAITING)


class Busy(Exception):
    """Too much at once. `seconds` from now it is worth another try; nothing was asked."""

    def __init__(self, seconds: int):
        self.seconds = seconds
        super().__init__(seconds)


def count_attempt(of_whom: str, most: int, window_seconds: int) -> None:
    """Count a try, in whichever process. Raises Busy where the window's tries are used up."""
    wait = throttling.take("waiting for a model", of_whom, most, window_seconds)
    if wait is not None:
        raise Busy(int(wait) + 1)


@contextmanager
def waiting_slot() -> Iterator[None]:
    """Raises Busy where as many wait here already as may."""
    if not _waiting.acquire(blocking=False):
        raise Busy(5)
    try:
        yield
    finally:
        _waiting.release()


def release_database_connection() -> None:
    """Close this thread's connection while it waits for a model, unless a transaction is open."""
    if not connection.in_atomic_block:
        connection.close()
