"""The event loop of a process: one thread that talks to providers, whatever thread asks it to.

Connections outlive a shard that way, and the workers' own threads are free to write to the database meanwhile.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
import time
import uuid
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from django.conf import settings
from redis.asyncio import Redis

from providers.client.endpoint import Endpoint
from providers.limiter.rate_limiter import RateLimiter
from providers.limiter.shared_limits import Limits
from providers.limiter.stores import LimitStore, LocalStore, RedisStore, redis_client

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_owner = 0  # the process the loop belongs to: a forked child needs one of its own
_connections: dict[Endpoint, Connections] = {}
_limiters: dict[tuple[str, str], RateLimiter] = {}
_redis: Redis | None = None


def loop() -> asyncio.AbstractEventLoop:
    global _loop, _owner, _redis
    with _lock:
        if _loop is None or _owner != os.getpid():
            _connections.clear()
            _limiters.clear()
            _redis = None
            _loop, _owner = asyncio.new_event_loop(), os.getpid()
            threading.Thread(target=_loop.run_forever, name="providers", daemon=True).start()
        return _loop


def run(coroutine: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
    return asyncio.run_coroutine_threadsafe(coroutine, loop())


def connections(endpoint: Endpoint) -> Connections:
    """The process's connections to an endpoint, behind the one rate limiter that all its shards share.

    An endpoint whose row has changed meanwhile is another endpoint: its new limits hold from here on.
    """
    from providers.client.openai_compatible import (
        Connections,  # with the SDK, which a process without calls never loads
    )

    loop()
    with _lock:
        limiter = _limiter(endpoint)
        if endpoint not in _connections:
            for old in [old for old in _connections if old.name == endpoint.name]:
                _running().call_soon_threadsafe(_connections.pop(old).retire)
            _connections[endpoint] = Connections(endpoint, limiter)
        return _connections[endpoint]


def limiter(endpoint: Endpoint) -> RateLimiter:
    """The one that all calls to the endpoint share, for calls that have a connection of their own."""
    loop()
    with _lock:
        return _limiter(endpoint)


def _limiter(endpoint: Endpoint) -> RateLimiter:
    limits = Limits(
        endpoint.concurrency,
        endpoint.requests_per_minute,
        endpoint.tokens_per_minute,
        endpoint.timeout_seconds,
        time.time(),
    )
    address = (endpoint.name, endpoint.base_url)
    if address not in _limiters:
        _limiters[address] = RateLimiter(endpoint.name, uuid.uuid4().hex, _limit_store(endpoint), limits)
    _limiters[address].limits = limits
    return _limiters[address]


def _limit_store(endpoint: Endpoint) -> LimitStore:
    global _redis
    if not settings.REDIS_URL:
        return LocalStore()
    _redis = _redis or redis_client(settings.REDIS_URL)
    return RedisStore(_redis, endpoint.name, endpoint.base_url)


def _running() -> asyncio.AbstractEventLoop:
    assert _loop is not None
    return _loop
