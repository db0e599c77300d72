"""How much of one worker's process may be held by one queue and by one resource, counted in the process itself.

Of the slots of a process, jobs of one resource hold a quarter at most, and jobs of one queue leave two slots to the
others: a provider that hangs, or ten imports at once, hold up nothing but themselves.
"""

import mmap
import threading
import time
from collections import Counter

from django.conf import settings

from jobs.models import Job

_lock = threading.Lock()
_by_resource: Counter[str] = Counter()
_by_queue: Counter[str] = Counter()
# Shared with the processes that are forked from this one: a worker is told to end, and its processes do the work.
_closing = mmap.mmap(-1, 1)


def share_of_resource(slots: int | None = None) -> int:
    """Of a process's slots, or of so many."""
    return max(1, (settings.WORKER_SLOTS if slots is None else slots) // 4)


def share_of_queue() -> int:
    return max(1, settings.WORKER_SLOTS - 2)


def take(job: Job) -> bool:
    """Count a job in. False where its resource or its queue has its share already."""
    with _lock:
        if _by_queue[job.queue] >= share_of_queue():
            return False
        if job.resource and _by_resource[job.resource] >= share_of_resource():
            return False
        _by_queue[job.queue] += 1
        _by_resource[job.resource] += 1
        return True


def give_back(job: Job) -> None:
    with _lock:
        _by_queue[job.queue] -= 1
        _by_resource[job.resource] -= 1


def full_resources() -> list[str]:
    with _lock:
        return [name for name, held in _by_resource.items() if name and held >= share_of_resource()]


def has_room(queue: str) -> bool:
    with _lock:
        return _by_queue[queue] < share_of_queue()


def close() -> None:
    """The process and those that it has forked are to end: nothing more is taken up."""
    _closing[0] = 1


def is_closing() -> bool:
    return _closing[0] == 1


def is_closing_within(seconds: float) -> bool:
    """Wait for so long, unless the process is to end; whether it is."""
    until = time.monotonic() + seconds
    while not is_closing() and (left := until - time.monotonic()) > 0:
        time.sleep(min(left, 0.1))
    return is_closing()
