"""Answers that are held back until a job is over: a quarter of a web process's threads at most, so that whoever saves
is served while programs wait."""

import threading
import time
from collections.abc import Callable

from django.conf import settings

LOOK_SECONDS = 0.1

_places = threading.BoundedSemaphore(max(1, settings.WEB_THREADS // 4))


def wait_for(is_over: Callable[[], bool], seconds: float) -> None:
    """Ask again and again until it is over, for so long at most; not at all where as many wait as may."""
    until = time.monotonic() + seconds
    if seconds <= 0 or is_over() or not _places.acquire(blocking=False):
        return
    try:
        while time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
            if is_over():
                return
    finally:
        _places.release()
