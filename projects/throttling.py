"""Counting what somebody does within a time, for all processes: in the shared cache, or in a table while that fails.

A window begins with the first count and ends `period` seconds later; what is counted afterwards begins another. Each
count is one atomic step on either side, so that requests at the same moment cannot all be the first. When the counting
moves from one side to the other it begins at nothing: that gives a guesser a few tries more, once per outage.
"""

import logging
import random
import threading
import time
from dataclasses import dataclass

from allauth.account.adapter import get_adapter
from django.core.cache import caches
from django.db import DatabaseError, connection, models
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from projects.addresses import network_of
from projects.models import WindowCount
from projects.outages import Outage, outage_of

logger = logging.getLogger(__name__)

CACHE = "counters"
# A value in the cache is the end of its window in milliseconds, and behind that the count: one number can be
# incremented atomically, two cannot.
ROOM = 1_000_000
# So long after a failure the cache is not asked again: each question would wait for its timeout.
PAUSE_SECONDS = 5.0
# On average so many counts in the table bring one look for what has ended.
COUNTS_PER_CLEANING = 100

_cache_rests_until = 0.0
# Counts of this process alone, while neither the cache nor the table can be written: (n, end of the window).
_own_counts: dict[str, tuple[int, float]] = {}
_own_lock = threading.Lock()


class CacheFailed(Exception):
    """The cache raised, or does not keep what it is given."""


@dataclass(frozen=True)
class Window:
    """How often something was counted, and the seconds until the count begins anew."""

    n: int
    seconds_left: float


def take(name: str, key: object, limit: int, period: float) -> float | None:
    """Count one use of `limit` in `period` seconds; None where it was within the limit, else the seconds to wait."""
    window = count(name, key, period)
    return None if window.n <= limit else window.seconds_left


def count(name: str, key: object, period: float) -> Window:
    """Count one more and say how many that makes, this one included."""
    place = _place(name, key)
    if _cache_is_asked():
        try:
            return _count_in_cache(place, period)
        except CacheFailed as failure:
            _let_cache_rest(failure)
    try:
        return _count_in_table(place, period)
    except DatabaseError as problem:
        # Reading must not need space on the disk, nor wait for a lock: this process then counts by itself.
        if outage_of(problem) not in (Outage.FULL, Outage.BUSY) or connection.in_atomic_block:
            raise
        return _count_in_process(place, period)


def counted(name: str, key: object) -> int:
    """How many there are in the window under way; counts nothing."""
    place = _place(name, key)
    if _cache_is_asked():
        try:
            return _decoded(_asked("get", place, 0)).n
        except CacheFailed as failure:
            _let_cache_rest(failure)
    row = WindowCount.objects.filter(pk=place, ends_at__gt=time.time()).first()
    return row.n if row else 0


def give_back(name: str, key: object) -> None:
    """Take one count back: what it stood for turned out well."""
    place = _place(name, key)
    if _cache_is_asked():
        try:
            # Two that look at the same moment may both see the last one: whoever went below nothing takes that back.
            if _decoded(_asked("get", place, 0)).n > 0 and _is_below_nothing(_asked("decr", place)):
                _asked("incr", place)
            return
        except CacheFailed as failure:
            _let_cache_rest(failure)
        except ValueError:  # its window ended meanwhile
            return
    WindowCount.objects.filter(pk=place, n__gt=0).update(n=models.F("n") - 1)


def forget(name: str, key: object) -> None:
    """Begin at nothing."""
    place = _place(name, key)
    if _cache_is_asked():
        try:
            _asked("delete", place)
            return
        except CacheFailed as failure:
            _let_cache_rest(failure)
    WindowCount.objects.filter(pk=place).delete()


def state() -> dict[str, str]:
    """Where this process counts at the moment: {"counts": "cache" | "database", "problem": ""}. Tries the cache."""
    try:
        _count_in_cache(_place("state", "probe"), 60)
    except CacheFailed as failure:
        _let_cache_rest(failure)
        return {"counts": "database", "problem": str(failure)}
    return {"counts": "cache", "problem": ""}


def visitor_address(request: HttpRequest) -> str:
    """The address that stands for a visitor, as the outermost proxy of ours saw it: of IPv6 the /64."""
    return network_of(get_adapter().get_client_ip(request))


def _place(name: str, key: object) -> str:
    """What is counted is often an address of a person, and stands in no cache and no table as such."""
    return salted_hmac("projects.throttling", f"{name}\0{key}", algorithm="sha256").hexdigest()


# --- In the cache -------------------------------------------------------------------------------------------


def _cache_is_asked() -> bool:
    return time.monotonic() >= _cache_rests_until


def _let_cache_rest(failure: CacheFailed) -> None:
    global _cache_rests_until
    if _cache_is_asked():
        logger.warning("The cache fails (%s); limits are counted in the database meanwhile", failure)
    _cache_rests_until = time.monotonic() + PAUSE_SECONDS


def _asked(verb: str, *arguments: object) -> int:
    """Call the cache. Raises CacheFailed for whatever its library raises, ValueError where there is no such key."""
    try:
        return int(getattr(caches[CACHE], verb)(*arguments))
    except ValueError:
        raise
    except Exception as problem:
        # The libraries of caches share no class of errors; what is unforeseen here must not refuse a sign-in.
        raise CacheFailed(f"{type(problem).__name__}: {problem}") from problem


def _is_below_nothing(value: int) -> bool:
    """One taken from a count of nothing leaves the greatest count there is, a millisecond before."""
    return value % ROOM > ROOM // 2


def _decoded(value: int) -> Window:
    ends_at, n = divmod(value, ROOM)
    seconds_left = ends_at / 1000 - time.time()
    if seconds_left <= 0:
        return Window(0, 0)
    return Window(0 if _is_below_nothing(value) else n, seconds_left)


def _count_in_cache(place: str, period: float) -> Window:
    for _attempt in range(3):
        beginning = int((time.time() + period) * 1000) * ROOM
        _asked("add", place, beginning, period + 1)
        try:
            window = _decoded(_asked("incr", place))
        except ValueError:  # it ended between the two steps, or the cache forgets at once
            continue
        if window.n > 0:
            return window
        _asked("delete", place)  # a window that has ended, or a count that lost its end
    raise CacheFailed("the cache keeps nothing")


# --- In the table -------------------------------------------------------------------------------------------

COUNT = """
    INSERT INTO projects_windowcount (place, n, ends_at) VALUES (%s, 1, %s)
    ON CONFLICT (place) DO UPDATE SET
        n = CASE WHEN projects_windowcount.ends_at <= %s THEN 1 ELSE projects_windowcount.n + 1 END,
        ends_at = CASE WHEN projects_windowcount.ends_at <= %s THEN excluded.ends_at
                  ELSE projects_windowcount.ends_at END
    RETURNING n, ends_at
"""


def _count_in_process(place: str, period: float) -> Window:
    now = time.time()
    with _own_lock:
        for gone in [each for each, (_n, ends_at) in _own_counts.items() if ends_at <= now]:
            del _own_counts[gone]
        n, ends_at = _own_counts.get(place, (0, now + period))
        _own_counts[place] = (n + 1, ends_at)
        return Window(n + 1, ends_at - now)


def _count_in_table(place: str, period: float) -> Window:
    now = time.time()
    with connection.cursor() as cursor:
        cursor.execute(COUNT, [place, now + period, now, now])
        n, ends_at = cursor.fetchone()
    if random.random() * COUNTS_PER_CLEANING < 1:
        WindowCount.objects.filter(ends_at__lt=now).delete()
    return Window(n, ends_at - now)
