"""The event loop of a process: one thread that talks to providers, whatever thread asks it to.

Connections outlive a shard that way, and the workers' own threads are free to write to the database meanwhile.
"""

import asyncio
import concurrent.futures
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from judging.clients.openai_compatible import Connections, Endpoint

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_owner = 0  # the process the loop belongs to: a forked child needs one of its own
_connections: dict[Endpoint, Connections] = {}


def loop() -> asyncio.AbstractEventLoop:
    global _loop, _owner
    with _lock:
        if _loop is None or _owner != os.getpid():
            _connections.clear()
            _loop, _owner = asyncio.new_event_loop(), os.getpid()
            threading.Thread(target=_loop.run_forever, name="providers", daemon=True).start()
        return _loop


def run(coroutine: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
    return asyncio.run_coroutine_threadsafe(coroutine, loop())


def connections(endpoint: Endpoint) -> Connections:
    """The process's connections to an endpoint: its concurrency holds across all shards of the process."""
    if endpoint not in _connections:
        _connections[endpoint] = Connections(endpoint)
    return _connections[endpoint]
