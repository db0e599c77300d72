"""The gate before a provider: who may send, and when. One for a process, whatever number of shards it works on.

A call that may go is let through without asking anybody. The process asks for its share a few times a second while
it has calls under way, and at once when something happens that the others must know of.
"""

import asyncio
import contextlib
import enum
import logging
import time
from collections import deque
from dataclasses import dataclass

from providers.limiter.circuit_breaker import ProviderDown
from providers.limiter.shared_limits import LEASE_SECONDS, Limits, News, Share
from providers.limiter.stores import Board
from providers.limiter.token_buckets import capacity

logger = logging.getLogger(__name__)

RENEW_SECONDS = 0.2
# A process with nothing under way for so long gives its permits back.
IDLE_SECONDS = 1.0
# Where it waits for others there is no use in asking more often than this.
SHORTEST_SECONDS = 0.05


class DeadlineOver(Exception):
    """The time of a call was over before it could be sent, or before its answer came."""


class Ending(enum.Enum):
    """What an attempt says of its provider."""

    ANSWERED = "answered"
    REFUSED = "refused"  # 429: too much at once
    FAILED = "failed"
    GIVEN_UP = "given up"  # by ourselves: it says nothing


@dataclass(slots=True)
class Permit:
    """The right to send one attempt."""

    tokens: int
    epoch: int
    is_probe: bool = False


@dataclass(slots=True, eq=False)
class Waiting:
    """A call before the gate."""

    tokens: int
    permit: "asyncio.Future[Permit]"


class Gate:
    """Lets calls through as the provider's limits, its pace and its breaker allow, first come, first served."""

    def __init__(self, provider: str, worker: str, board: Board, limits: Limits) -> None:
        self.provider, self.worker, self.board, self.limits = provider, worker, board, limits
        self._share: Share | None = None
        self._valid_until = 0.0
        self._under_way = self._peak = 0
        self._waiting: deque[Waiting] = deque()
        # Taken from the buckets and not yet used; used since the last exchange.
        self._requests, self._tokens = 0, 0.0
        self._requests_used, self._tokens_used = 0, 0.0
        self._news = News(worker, limits)
        # Of what happened that must be known before anything more is sent: how much, and how much was told.
        self._happened = self._told = 0
        self._call = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    async def enter(self, tokens: int = 0, deadline: float | None = None) -> Permit:
        """Wait until one attempt may be sent. `deadline` is a time of time.monotonic().

        Raises ProviderDown, or DeadlineOver.
        """
        if not self._waiting and self._may_go(tokens):
            return self._let_go(tokens)
        waiting = Waiting(tokens, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if not self._is_full():
            self._ask_soon()
        try:
            if deadline is None:
                return await waiting.permit
            async with asyncio.timeout(deadline - time.monotonic()):
                return await waiting.permit
        except BaseException as problem:
            self._withdraw(waiting)
            if isinstance(problem, TimeoutError):
                raise DeadlineOver from None
            raise

    def leave(
        self, permit: Permit, ending: Ending, *, retry_after: float | None = None, tokens: int | None = None
    ) -> None:
        """An attempt has ended; `tokens` were used, where the answer told."""
        self._under_way -= 1
        if tokens is not None:
            self._news.tokens_beyond += tokens - permit.tokens
        if self._note(permit, ending, retry_after):
            self._happened += 1
            self._ask_soon()
        else:
            self._let_go_who_may()

    def _note(self, permit: Permit, ending: Ending, retry_after: float | None) -> bool:
        """Keep what an ending says for the next exchange; True where nothing may be sent before that."""
        news = self._news
        if ending is Ending.FAILED:
            news.failures += 1
            news.probe = "failed" if permit.is_probe else news.probe
            return True
        if ending is Ending.GIVEN_UP:
            news.probe = "lost" if permit.is_probe else news.probe
            return permit.is_probe
        news.is_answered, news.failures = True, 0
        is_of_now = self._share is not None and permit.epoch == self._share.epoch
        if ending is Ending.ANSWERED:
            news.answers += is_of_now
            return permit.is_probe
        if is_of_now:
            news.is_refused = True
            asked = [seconds for seconds in (news.retry_after, retry_after) if seconds is not None]
            news.retry_after = max(asked, default=None)
        return is_of_now or permit.is_probe

    def _may_go(self, tokens: int) -> bool:
        share = self._share
        if share is None or self._happened > self._told or self._under_way >= share.permits or share.open_until:
            return False
        now = time.monotonic()
        if now >= self._valid_until:
            return False
        if share.hold_until and now < share.hold_until - self.board.ahead:
            return False
        return self._has_room(share, tokens)

    def _is_full(self) -> bool:
        """True where only another call's end, or time, can let one more through."""
        share = self._share
        if share is None or not share.permits or time.monotonic() >= self._valid_until:
            return False
        return self._under_way >= share.permits

    def _has_room(self, share: Share, tokens: int) -> bool:
        if share.limits.requests_per_minute is not None and self._requests < 1:
            return False
        limit = share.limits.tokens_per_minute
        # What is larger than the whole bucket goes when the bucket is full.
        return limit is None or self._tokens >= min(tokens, capacity(limit))

    def _let_go(self, tokens: int, *, is_probe: bool = False) -> Permit:
        assert self._share is not None
        self._under_way += 1
        self._peak = max(self._peak, self._under_way)
        self._requests_used += 1
        self._tokens_used += tokens
        if self._share.limits.requests_per_minute is not None:
            self._requests -= 1
        if self._share.limits.tokens_per_minute is not None:
            self._tokens -= tokens
        return Permit(tokens, self._share.epoch, is_probe)

    def _let_go_who_may(self) -> None:
        while self._waiting:
            first = self._waiting[0]
            if first.permit.done():
                self._waiting.popleft()
            elif self._may_go(first.tokens):
                self._waiting.popleft()
                first.permit.set_result(self._let_go(first.tokens))
            else:
                return

    def _withdraw(self, waiting: Waiting) -> None:
        """A call that waits no more. The permit that it may have been given meanwhile goes back."""
        if waiting.permit.done() and not waiting.permit.cancelled() and waiting.permit.exception() is None:
            self.leave(waiting.permit.result(), Ending.GIVEN_UP)
        elif waiting in self._waiting:
            self._waiting.remove(waiting)

    # --- Keeping the share ---------------------------------------------------------------------------

    def _ask_soon(self) -> None:
        if self._keeper is None or self._keeper.done():
            self._keeper = asyncio.create_task(self._keep())
            self._keeper.add_done_callback(self._fail_who_wait)
        self._call.set()

    def _fail_who_wait(self, keeper: "asyncio.Task[None]") -> None:
        """A defect of ours is theirs to tell: without their share they would wait for ever."""
        if not keeper.cancelled() and (problem := keeper.exception()):
            logger.error("the share of %s could not be kept", self.provider, exc_info=problem)
            while self._waiting:
                if not (first := self._waiting.popleft()).permit.done():
                    first.permit.set_exception(problem)

    async def _keep(self) -> None:
        idle_since = time.monotonic()
        while True:
            began = time.monotonic()
            self._call.clear()
            await self._exchange()
            if self._under_way or self._waiting:
                idle_since = time.monotonic()
            elif time.monotonic() - idle_since >= IDLE_SECONDS:
                self._share = None
                return
            await self._rest(began)

    async def _rest(self, began: float) -> None:
        """Until the share must be renewed, or something has happened."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(RENEW_SECONDS):
                await self._call.wait()
        if self._happened == self._told and (rest := began + SHORTEST_SECONDS - time.monotonic()) > 0:
            await asyncio.sleep(rest)

    async def _exchange(self) -> None:
        happened, sent_at = self._happened, time.monotonic()
        share = await self.board.exchange(self._tell())
        self._told = happened
        self._share, self._valid_until = share, sent_at + LEASE_SECONDS
        self._requests += share.requests
        self._tokens += share.tokens
        if share.is_down:
            while self._waiting:
                if not (first := self._waiting.popleft()).permit.done():
                    first.permit.set_exception(ProviderDown(self.provider))
        elif share.may_probe:
            self._probe()
        self._let_go_who_may()

    def _probe(self) -> None:
        """Send the first of those who wait past an open breaker, or say that nobody waits any more."""
        while self._waiting:
            if not (first := self._waiting.popleft()).permit.done():
                first.permit.set_result(self._let_go(first.tokens, is_probe=True))
                return
        self._news.probe = "lost"
        self._happened += 1
        self._call.set()

    def _tell(self) -> News:
        """What happened since the last exchange, and what is wanted until the next."""
        news = self._news
        news.limits, news.under_way, news.peak = self.limits, self._under_way, self._peak
        news.waiting = sum(1 for waiting in self._waiting if not waiting.permit.done())
        news.held = max(self._under_way, self._share.permits if self._share else 0)
        news.epoch = self._share.epoch if self._share else 0
        room = max(1, news.held - self._under_way)
        limits = self._share.limits if self._share else self.limits
        if limits.requests_per_minute is not None:
            news.requests = max(2 * self._requests_used, min(news.waiting, room)) - self._requests
            self._requests += min(0, news.requests)
        if limits.tokens_per_minute is not None:
            waited_for = [waiting.tokens for waiting in self._waiting]
            news.tokens = max(2 * self._tokens_used, sum(waited_for[:room])) - self._tokens
            self._tokens += min(0.0, news.tokens)
        self._peak, self._requests_used, self._tokens_used = self._under_way, 0, 0.0
        self._news = News(self.worker, self.limits)
        return news
