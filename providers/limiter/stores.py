"""Stores of a provider's shared limits: in memory, or in Redis where several processes send.

In Redis they are one small value for a provider, replaced as a whole by compare and set. After a flush the next worker
puts its own copy back; without Redis each worker keeps to what was its part.
"""

import asyncio
import hashlib
import logging
import random
import time
from typing import Any, Protocol

import redis.asyncio as redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.commands.core import AsyncScript
from redis.exceptions import RedisError

from providers.limiter.shared_limits import Share, SharedLimits, UsageReport

logger = logging.getLogger(__name__)

PREFIX = "mizan:provider"
# What no worker has touched for so long is forgotten.
EXPIRY_SECONDS = 3600
TIMEOUT_SECONDS = 1.0
# After a failure Redis is left alone for so long.
PAUSE_SECONDS = 1.0
MAX_ROUNDS = 20
MAX_WAIT_SECONDS = 0.01

# Replaces what was read, unless somebody else has done so since; answers with what stands there, and the time.
EXCHANGE = """
local found = redis.call('GET', KEYS[1]) or ''
if ARGV[2] ~= '' and found == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return {1}
end
local now = redis.call('TIME')
return {0, found, now[1], now[2]}
"""


class LimitStore(Protocol):
    """Exchanges a worker's report for its share. `clock_offset` is its clock minus time.monotonic(), in seconds."""

    clock_offset: float

    async def exchange(self, report: UsageReport) -> Share: ...


class LocalStore:
    """In the memory of a process that is alone with a provider."""

    clock_offset = 0.0

    def __init__(self) -> None:
        self.shared = SharedLimits()

    async def exchange(self, report: UsageReport) -> Share:
        return self.shared.update(report, time.monotonic())


class RedisStore:
    """In Redis, for all processes. Never raises: a worker that is cut off goes by its last copy."""

    def __init__(self, client: "redis.Redis", provider: str, base_url: str) -> None:
        # Another address is another provider, whatever it is called: a test's, say.
        address = hashlib.sha256(base_url.encode()).hexdigest()[:12]
        self.key = f"{PREFIX}:{provider}:{address}"
        self.clock_offset = time.time() - time.monotonic()
        self._script: AsyncScript = client.register_script(EXCHANGE)
        self._copy = SharedLimits().dump()
        self._retry_at = 0.0
        self._is_cut_off = False

    async def exchange(self, report: UsageReport) -> Share:
        if time.monotonic() >= self._retry_at:
            try:
                share = await self._exchange_over_redis(report)
            except (RedisError, OSError) as problem:
                self._retry_at = time.monotonic() + PAUSE_SECONDS
                self._cut_off(type(problem).__name__)
            else:
                self._is_cut_off = False
                return share
        shared = SharedLimits.load(self._copy)
        share = shared.update(report, time.monotonic() + self.clock_offset, is_cut_off=True)
        self._copy = shared.dump()
        return share

    async def _exchange_over_redis(self, report: UsageReport) -> Share:
        expected: Any = b""
        updated = b""
        share: Share | None = None
        for _round in range(MAX_ROUNDS):
            answer = await self._script(keys=[self.key], args=[expected, updated, EXPIRY_SECONDS * 1000])
            if share is not None and (answer[0] or answer[1] == updated):  # the latter where the first reply was lost
                self._copy = updated
                return share
            if share is not None:
                await asyncio.sleep(random.random() * MAX_WAIT_SECONDS)
            expected, now = answer[1], int(answer[2]) + int(answer[3]) / 1e6
            self.clock_offset = now - time.monotonic()
            shared = SharedLimits.load(expected or self._copy)
            share = shared.update(report, now)
            updated = shared.dump()
        raise RedisError("others were quicker each time")

    def _cut_off(self, problem: str) -> None:
        if not self._is_cut_off:
            logger.warning(
                "Redis is not there (%s): this process keeps to its own part of the provider's limits", problem
            )
        self._is_cut_off = True


def redis_client(url: str) -> "redis.Redis":
    """A client for the providers' event loop. It tries a lost connection once more, and does not wait for long."""
    return redis.from_url(
        url,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )
