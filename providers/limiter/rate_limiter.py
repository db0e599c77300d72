"""The rate limiter of a provider: when a call may be sent. One for each process, whatever number of shards it runs.

A call within the process's share gets its permit without any exchange with other processes. The share is renewed a few
times a second while calls are in flight, and at once when something happens that the other processes must know of.
"""

import asyncio
import contextlib
import enum
import logging
import time
from collections import deque
from dataclasses import dataclass

from providers.limiter.circuit_breaker import ProviderDown
from providers.limiter.shared_limits import LEASE_SECONDS, Limits, Share, UsageReport
from providers.limiter.stores import LimitStore
from providers.limiter.token_buckets import capacity

logger = logging.getLogger(__name__)

RENEW_SECONDS = 0.2
# A process with nothing in flight for so long gives its permits back.
IDLE_SECONDS = 1.0
# The least time between two exchanges, where nothing urgent happened.
MIN_SECONDS = 0.05


class DeadlineOver(Exception):
    """The time of a call was over before it could be sent, or before its answer came."""


class Outcome(enum.Enum):
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
class Waiter:
    """A call that waits for its permit."""

    tokens: int
    permit: "asyncio.Future[Permit]"


class RateLimiter:
    """Grants permits as the provider's limits, its pace and its breaker allow, first come, first served."""

    def __init__(self, provider: str, worker: str, store: LimitStore, limits: Limits) -> None:
        self.provider, self.worker, self.store, self.limits = provider, worker, store, limits
        self._share: Share | None = None
        self._valid_until = 0.0
        self._under_way = self._peak = 0
        self._waiters: deque[Waiter] = deque()
        # Taken from the buckets and not yet used; used since the last exchange.
        self._requests, self._tokens = 0, 0.0
        self._requests_used, self._tokens_used = 0, 0.0
        self._report = UsageReport(worker, limits)
        # Numbers of events that must be reported before anything more is sent, and of those that were.
        self._urgent = self._urgent_reported = 0
        self._wake = asyncio.Event()
        self._renewal: asyncio.Task[None] | None = None

    async def acquire(self, tokens: int = 0, deadline: float | None = None) -> Permit:
        """Wait until one attempt may be sent. `deadline` is a time of time.monotonic().

        Raises ProviderDown, or DeadlineOver.
        """
        if not self._waiters and self._is_allowed(tokens):
            return self._grant(tokens)
        waiter = Waiter(tokens, asyncio.get_running_loop().create_future())
        self._waiters.append(waiter)
        if not self._is_full():
            self._request_exchange()
        try:
            if deadline is None:
                return await waiter.permit
            async with asyncio.timeout(deadline - time.monotonic()):
                return await waiter.permit
        except BaseException as problem:
            self._withdraw(waiter)
            if isinstance(problem, TimeoutError):
                raise DeadlineOver from None
            raise

    def release(
        self, permit: Permit, outcome: Outcome, *, retry_after: float | None = None, tokens: int | None = None
    ) -> None:
        """Give a permit back after its attempt. `tokens` is what the attempt used, None where the answer does not say;
        `retry_after` the seconds that a refusal asks for."""
        self._under_way -= 1
        if tokens is not None:
            self._report.tokens_beyond += tokens - permit.tokens
        if self._record(permit, outcome, retry_after):
            self._urgent += 1
            self._request_exchange()
        else:
            self._grant_waiting()

    def _record(self, permit: Permit, outcome: Outcome, retry_after: float | None) -> bool:
        """Note an outcome for the next exchange; True where nothing may be sent before that."""
        report = self._report
        if outcome is Outcome.FAILED:
            report.failures += 1
            report.probe = "failed" if permit.is_probe else report.probe
            return True
        if outcome is Outcome.GIVEN_UP:
            report.probe = "lost" if permit.is_probe else report.probe
            return permit.is_probe
        report.is_answered, report.failures = True, 0
        is_current = self._share is not None and permit.epoch == self._share.epoch
        if outcome is Outcome.ANSWERED:
            report.answers += is_current
            return permit.is_probe
        if is_current:
            report.is_refused = True
            pauses = [seconds for seconds in (report.retry_after, retry_after) if seconds is not None]
            report.retry_after = max(pauses, default=None)
        return is_current or permit.is_probe

    def _is_allowed(self, tokens: int) -> bool:
        share = self._share
        if (
            share is None
            or self._urgent > self._urgent_reported
            or self._under_way >= share.permits
            or share.open_until
        ):
            return False
        now = time.monotonic()
        if now >= self._valid_until:
            return False
        if share.hold_until and now < share.hold_until - self.store.clock_offset:
            return False
        return self._has_room(share, tokens)

    def _is_full(self) -> bool:
        """True where only the end of a call, or time, can free a permit."""
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

    def _grant(self, tokens: int, *, is_probe: bool = False) -> Permit:
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

    def _grant_waiting(self) -> None:
        while self._waiters:
            waiter = self._waiters[0]
            if waiter.permit.done():
                self._waiters.popleft()
            elif self._is_allowed(waiter.tokens):
                self._waiters.popleft()
                waiter.permit.set_result(self._grant(waiter.tokens))
            else:
                return

    def _withdraw(self, waiter: Waiter) -> None:
        """Remove a waiter. The permit that it may have been granted meanwhile is released."""
        if waiter.permit.done() and not waiter.permit.cancelled() and waiter.permit.exception() is None:
            self.release(waiter.permit.result(), Outcome.GIVEN_UP)
        elif waiter in self._waiters:
            self._waiters.remove(waiter)

    # --- Renewing the share --------------------------------------------------------------------------

    def _request_exchange(self) -> None:
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._renew())
            self._renewal.add_done_callback(self._check_renewal)
        self._wake.set()

    def _check_renewal(self, renewal: "asyncio.Task[None]") -> None:
        """Where renewing broke off by a defect, the waiters raise it: without a share they would wait for ever."""
        if not renewal.cancelled() and (problem := renewal.exception()):
            logger.error("the share of %s could not be kept", self.provider, exc_info=problem)
            self._fail_waiters(problem)

    def _fail_waiters(self, problem: BaseException) -> None:
        while (waiter := self._next_waiter()) is not None:
            waiter.permit.set_exception(problem)

    def _next_waiter(self) -> Waiter | None:
        """Take the first call that still waits out of the queue."""
        while self._waiters:
            if not (waiter := self._waiters.popleft()).permit.done():
                return waiter
        return None

    async def _renew(self) -> None:
        idle_since = time.monotonic()
        while True:
            began = time.monotonic()
            self._wake.clear()
            await self._exchange()
            if self._under_way or self._waiters:
                idle_since = time.monotonic()
            elif time.monotonic() - idle_since >= IDLE_SECONDS:
                self._share = None
                return
            await self._wait_for_renewal(began)

    async def _wait_for_renewal(self, began: float) -> None:
        """Until the share must be renewed, or something has happened."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(RENEW_SECONDS):
                await self._wake.wait()
        if self._urgent == self._urgent_reported and (rest := began + MIN_SECONDS - time.monotonic()) > 0:
            await asyncio.sleep(rest)

    async def _exchange(self) -> None:
        urgent, sent_at = self._urgent, time.monotonic()
        share = await self.store.exchange(self._usage_report())
        self._urgent_reported = urgent
        self._share, self._valid_until = share, sent_at + LEASE_SECONDS
        self._requests += share.requests
        self._tokens += share.tokens
        if share.is_down:
            self._fail_waiters(ProviderDown(self.provider))
        elif share.may_probe:
            self._probe()
        self._grant_waiting()

    def _probe(self) -> None:
        """Grant the first waiter a permit although the breaker is open, or report that none waits any more."""
        if (waiter := self._next_waiter()) is not None:
            waiter.permit.set_result(self._grant(waiter.tokens, is_probe=True))
            return
        self._report.probe = "lost"
        self._urgent += 1
        self._wake.set()

    def _usage_report(self) -> UsageReport:
        """What happened since the last exchange, and what is wanted until the next."""
        report = self._report
        report.limits, report.under_way, report.peak = self.limits, self._under_way, self._peak
        report.waiting = sum(1 for waiter in self._waiters if not waiter.permit.done())
        report.held = max(self._under_way, self._share.permits if self._share else 0)
        report.epoch = self._share.epoch if self._share else 0
        room = max(1, report.held - self._under_way)
        limits = self._share.limits if self._share else self.limits
        if limits.requests_per_minute is not None:
            report.requests = max(2 * self._requests_used, min(report.waiting, room)) - self._requests
            self._requests += min(0, report.requests)
        if limits.tokens_per_minute is not None:
            tokens_waited_for = [waiter.tokens for waiter in self._waiters]
            report.tokens = max(2 * self._tokens_used, sum(tokens_waited_for[:room])) - self._tokens
            self._tokens += min(0.0, report.tokens)
        self._peak, self._requests_used, self._tokens_used = self._under_way, 0, 0.0
        self._report = UsageReport(self.worker, self.limits)
        return report
