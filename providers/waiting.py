"""People who wait for a model on a page: how many at once, how often each, and what they hold up meanwhile."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from projects import throttling

# Threads of one web process that may wait for a model at the same time; the others go on serving pages.
MOST_WAITING = 3

_waiting = threading.BoundedSemaphore(MOST_WAITING)


class Busy(Exception):
    """Too much at once. `seconds` from now it is worth another try; nothing was asked."""

    def __init__(self, seconds: int):
        self.seconds = seconds
        super().__init__(seconds)


def count_try(of_whom: str, most: int, window_seconds: int) -> None:
    """Count a try, in whichever process. Raises Busy where the window's tries are used up."""
    wait = throttling.take("waiting for a model", of_whom, most, window_seconds)
    if wait is not None:
        raise Busy(int(wait) + 1)


@contextmanager
def a_place_to_wait() -> Iterator[None]:
    """Raises Busy where as many wait here already as may."""
    if not _waiting.acquire(blocking=False):
        raise Busy(5)
    try:
        yield
    finally:
        _waiting.release()


def let_go_of_the_database() -> None:
    """Others may have this thread's connection while it waits for a model."""
    if not connection.in_atomic_block:
        connection.close()
