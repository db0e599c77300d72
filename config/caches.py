"""The caches of both modes. Neither fails a request: what cannot be read is a miss, what cannot be kept is not kept."""

import contextlib
import gc
import logging
import pickle
import random
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.redis import RedisCache
from django.core.files import locks
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisAway
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisSilent
from redis.retry import Retry

from projects.circuit_breaker import CircuitBreaker

logger = logging.getLogger(__name__)
T = TypeVar("T")

# How many writes there are for one look at how full the folder is.
WRITES = 50
PATIENCE_SECONDS = 0.25
AWAY = (RedisAway, RedisSilent, OSError)
# What reading a value raises that another version of the program kept: what it was made of is gone, or was renamed.
UNREADABLE = (
    pickle.UnpicklingError,
    EOFError,
    zlib.error,
    AttributeError,
    ImportError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
)


@contextlib.contextmanager
def without_collecting() -> Iterator[None]:
    """Nothing is looked for among live objects meanwhile. A dashboard is tens of thousands of objects that all live:
    while they are read or written down, looking through them and all others time and again takes longer than the
    reading, and finds nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class SharedFolder(FileBasedCache):
    """A folder that all processes of an embedded installation share.

    Django's, but for listing the folder at every write: a dashboard that keeps hundreds of figures would spend longer
    on that than on some of them. The folder may hold some entries more than it should meanwhile.
    """

    def _cull(self) -> None:
        if random.random() * WRITES < 1:
            super()._cull()  # type: ignore[misc]


class FolderCache(SharedFolder):
    """The cache of an embedded installation: a disk that is full, or was full halfway through a file, costs entries and
    not pages."""

    def _createdir(self) -> None:
        with contextlib.suppress(OSError):
            super()._createdir()  # type: ignore[misc]

    def has_key(self, key: Any, version: int | None = None) -> bool:
        try:
            return super().has_key(key, version)
        except OSError:
            return False

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            with without_collecting():
                return super().get(key, default, version)
        except OSError:
            return default
        except UNREADABLE as problem:
            logger.warning("A kept value cannot be read, and is made anew: %r", problem)
            return default

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        with contextlib.suppress(OSError):
            super().set(key, value, timeout, version)

    def _write_content(self, file: Any, timeout: Any, value: Any) -> None:
        """As Django's, but compressed lightly: hundreds of figures are kept at once, and somebody waits for them."""
        file.write(pickle.dumps(self.get_backend_timeout(timeout), self.pickle_protocol))
        with without_collecting():
            written = pickle.dumps(value, self.pickle_protocol)
        file.write(zlib.compress(written, 1))

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        try:
            return super().touch(key, timeout, version)
        except OSError:
            return False

    def check(self) -> None:
        """Raises OSError where nothing can be kept."""
        FileBasedCache.set(self, "health", time.time(), 60)


class CounterFolder(SharedFolder):
    """A folder in which counting is atomic: Django's reads, adds and writes, and two processes lose one of two counts.

    It is apart from the cache of figures, which pushes out at random what it has no room for, and it fails where
    nothing can be written: limits are then counted in a table (projects/throttling.py).
    """

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        self._createdir()  # type: ignore[attr-defined]
        with Path(self._dir, "lock").open("ab") as file:  # type: ignore[attr-defined]
            locks.lock(file, locks.LOCK_EX)
            try:
                yield
            finally:
                locks.unlock(file)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        with self._locked():
            return super().add(key, value, timeout, version)

    def delete(self, key: Any, version: int | None = None) -> bool:
        with self._locked():
            return super().delete(key, version)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Raises ValueError where there is no such key. The key ends when it would have ended."""
        with self._locked():
            ends_at, value = self._read(key, version)
            self.set(key, value + delta, ends_at - time.time(), version)
            return value + delta

    def _read(self, key: Any, version: int | None) -> tuple[float, int]:
        try:
            with open(self._key_to_file(key, version), "rb") as file:  # type: ignore[attr-defined]
                ends_at = pickle.load(file)
                if ends_at > time.time():
                    return ends_at, pickle.loads(zlib.decompress(file.read()))
        except (FileNotFoundError, EOFError):
            pass
        raise ValueError(f"There is no key {key!r}")


class BoundedRedisCache(RedisCache):
    """Django's, but that Redis may go away: nobody waits longer than 250 ms for it, and while it is away nobody waits.

    Until it is back each read is a miss, and `add` answers as if nobody else had the key: a lock is had, a try is the
    first one. What must hold without Redis, like the limit of sign-ins, must not rest on this cache alone.
    """

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        patience = {
            "socket_timeout": PATIENCE_SECONDS,
            "socket_connect_timeout": PATIENCE_SECONDS,
            # A connection that Redis has closed is made anew, once; silence is not waited for twice.
            "retry": Retry(NoBackoff(), 1, supported_errors=(RedisAway,)),
        }
        super().__init__(server, {**params, "OPTIONS": patience | params.get("OPTIONS", {})})
        self.breaker = BREAKER

    def _attempt(self, act: Callable[[], T], otherwise: T) -> T:
        """What `act` gives, or `otherwise` where Redis is away or refuses."""
        if not self.breaker.may_try():
            return otherwise
        try:
            given = act()
        except AWAY as problem:
            if self.breaker.fail():
                logger.warning("Redis is away (%s): working without the cache until it is back", type(problem).__name__)
            return otherwise
        except RedisError as problem:  # it is there, and full, say
            self.breaker.succeed()
            logger.warning("Redis refuses (%s): %s", type(problem).__name__, problem)
            return otherwise
        if self.breaker.succeed():
            logger.warning("Redis is back")
        return given

    def _read(self, act: Callable[[], T], otherwise: T) -> T:
        try:
            with without_collecting():
                return self._attempt(act, otherwise)
        except UNREADABLE as problem:
            self.breaker.succeed()  # Redis is there
            logger.warning("A kept value cannot be read, and is made anew: %r", problem)
            return otherwise

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        add = super().add
        return self._attempt(lambda: add(key, value, timeout, version), True)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        get = super().get
        return self._read(lambda: get(key, default, version), default)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        set_ = super().set
        self._attempt(lambda: set_(key, value, timeout, version), None)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        touch = super().touch
        return self._attempt(lambda: touch(key, timeout, version), False)

    def delete(self, key: Any, version: int | None = None) -> bool:
        delete = super().delete
        return self._attempt(lambda: delete(key, version), False)

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        get_many = super().get_many
        return self._read(lambda: get_many(keys, version), {})

    def has_key(self, key: Any, version: int | None = None) -> bool:
        has_key = super().has_key
        return self._attempt(lambda: has_key(key, version), False)

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        incr = super().incr
        value = self._attempt(lambda: incr(key, delta, version), None)
        if value is None:
            raise ValueError(f"Key {key!r} not found.")  # as where nobody has set it
        return value

    def set_many(self, data: dict[Any, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> list[Any]:
        set_many = super().set_many
        return self._attempt(lambda: set_many(data, timeout, version), list(data))

    def delete_many(self, keys: Iterable[Any], version: int | None = None) -> None:
        delete_many = super().delete_many
        self._attempt(lambda: delete_many(keys, version), None)

    def clear(self) -> None:
        self._attempt(super().clear, None)

    def check(self) -> None:
        """Raises RedisError or OSError where Redis does not answer, whatever the breaker says."""
        self._cache.get_client(None, write=True).ping()


# One for all threads: Django makes a cache object for each of them.
BREAKER = CircuitBreaker()
