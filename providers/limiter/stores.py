"""Where the workers' common knowledge of a provider stands: in memory, or in Redis where several processes send.

In Redis it is one small value for a provider, replaced as a whole by whoever read it last. A flushed Redis gets it
back from the next worker's copy; with none at all, each worker goes on with what was its part.
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

from providers.limiter.shared_limits import News, Share, Shared

logger = logging.getLogger(__name__)

PREFIX = "mizan:provider"
# What no worker has touched for so long is forgotten.
KEPT_SECONDS = 3600
PATIENCE_SECONDS = 1.0
# After a failure Redis is left alone for so long.
PAUSE_SECONDS = 1.0
MOST_ROUNDS = 20
LONGEST_WAIT_SECONDS = 0.01

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


class Board(Protocol):
    """Takes a worker's news and gives it its share. `ahead` is what its clock is ahead of time.monotonic()."""

    ahead: float

    async def exchange(self, news: News) -> Share: ...


class LocalBoard:
    """A process that is alone with a provider."""

    ahead = 0.0

    def __init__(self) -> None:
        self.shared = Shared()

    async def exchange(self, news: News) -> Share:
        return self.shared.hear(news, time.monotonic())


class RedisBoard:
    """All processes on one Redis. Never raises: a worker that is cut off goes by its last copy."""

    def __init__(self, client: "redis.Redis", provider: str, base_url: str) -> None:
        # Another address is another provider, whatever it is called: a test's, say.
        address = hashlib.sha256(base_url.encode()).hexdigest()[:12]
        self.key = f"{PREFIX}:{provider}:{address}"
        self.ahead = time.time() - time.monotonic()
        self._script: AsyncScript = client.register_script(EXCHANGE)
        self._copy = Shared().dump()
        self._again_at = 0.0
        self._is_cut_off = False

    async def exchange(self, news: News) -> Share:
        if time.monotonic() >= self._again_at:
            try:
                share = await self._over_redis(news)
            except (RedisError, OSError) as problem:
                self._again_at = time.monotonic() + PAUSE_SECONDS
                self._cut_off(type(problem).__name__)
            else:
                self._is_cut_off = False
                return share
        shared = Shared.load(self._copy)
        share = shared.hear(news, time.monotonic() + self.ahead, is_cut_off=True)
        self._copy = shared.dump()
        return share

    async def _over_redis(self, news: News) -> Share:
        expected: Any = b""
        wanted = b""
        share: Share | None = None
        for _round in range(MOST_ROUNDS):
            told = await self._script(keys=[self.key], args=[expected, wanted, KEPT_SECONDS * 1000])
            if share is not None and (told[0] or told[1] == wanted):  # the latter where the first reply was lost
                self._copy = wanted
                return share
            if share is not None:
                await asyncio.sleep(random.random() * LONGEST_WAIT_SECONDS)
            expected, now = told[1], int(told[2]) + int(told[3]) / 1e6
            self.ahead = now - time.monotonic()
            shared = Shared.load(expected or self._copy)
            share = shared.hear(news, now)
            wanted = shared.dump()
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
        socket_timeout=PATIENCE_SECONDS,
        socket_connect_timeout=PATIENCE_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )
