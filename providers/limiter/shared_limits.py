"""A provider's limits, shared between worker processes. Pure; seconds throughout.

Each worker sends a `UsageReport` now and then and gets its `Share` of the limits. The state between them is
`SharedLimits`: in memory where one process is alone, else in Redis (stores.py).
"""

from dataclasses import dataclass, field
from typing import Any, Self

import orjson

from providers.limiter.circuit_breaker import Breaker
from providers.limiter.pace import Pace
from providers.limiter.token_buckets import Bucket, capacity

# A worker without a report for so long has ended: its calls are no longer counted.
LEASE_SECONDS = 3.0
# Where there are fewer permits than workers that want one, they take turns.
TURN_SECONDS = 1.0
# What comes on top of an attempt's timeout before a probe counts as lost.
PROBE_GRACE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Limits:
    """As the provider's row had them at the time `read_at`; the youngest hold for all workers."""

    concurrency: int
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    timeout_seconds: float = 120.0
    read_at: float = 0.0


@dataclass(slots=True)
class Member:
    """A worker: permits it holds, most calls in flight at once since its last report, calls it wants in flight, and
    the time at which its lease ends."""

    held: int
    peak: int
    wanted: int
    until: float


@dataclass(slots=True)
class UsageReport:
    """What a worker reports. `requests` and `tokens` are wanted, or given back where negative."""

    worker: str
    limits: Limits
    held: int = 0
    under_way: int = 0
    peak: int = 0
    waiting: int = 0
    requests: int = 0
    tokens: float = 0.0
    # Used beyond what had been taken; negative where less was used.
    tokens_beyond: float = 0.0
    is_answered: bool = False
    # Failures in a row, after an answer where there was one; answers to calls of the epoch.
    failures: int = 0
    epoch: int = 0
    answers: int = 0
    is_refused: bool = False
    retry_after: float | None = None
    # "failed" or "lost", of a probe that this worker sent.
    probe: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """What a worker may do until its next report. Times are those of the store's clock; 0 is none."""

    permits: int
    requests: int
    tokens: float
    limits: Limits
    epoch: int
    hold_until: float
    open_until: float
    may_probe: bool
    is_down: bool


@dataclass(slots=True)
class SharedLimits:
    """The shared state of one provider. Where it is lost, any worker's last copy can replace it."""

    limits: Limits | None = None
    members: dict[str, Member] = field(default_factory=dict)
    pace: Pace = field(default_factory=Pace)
    breaker: Breaker = field(default_factory=Breaker)
    requests: Bucket | None = None
    tokens: Bucket | None = None

    def dump(self) -> bytes:
        return orjson.dumps(self)

    @classmethod
    def load(cls, raw: bytes) -> Self:
        values: dict[str, Any] = orjson.loads(raw)
        return cls(
            limits=Limits(**values["limits"]) if values["limits"] else None,
            members={name: Member(**member) for name, member in values["members"].items()},
            pace=Pace(**values["pace"]),
            breaker=Breaker(**values["breaker"]),
            requests=Bucket(**values["requests"]) if values["requests"] else None,
            tokens=Bucket(**values["tokens"]) if values["tokens"] else None,
        )

    def update(self, report: UsageReport, now: float, *, is_cut_off: bool = False) -> Share:
        """Apply a worker's report at time `now` and return its share.

        A worker that is cut off from the store keeps to what was its part, as the other workers do.
        """
        limits = self._newest_limits(report.limits)
        self.pace.cap_pause(now)
        self.breaker.cap_pause(now)
        if not is_cut_off:
            self._drop_expired(now)
        self.members.setdefault(report.worker, Member(0, 0, 0, 0.0))
        self._apply(report, now, limits)
        permits = self._permits(report, now, limits)
        claimants = 1 if is_cut_off else sum(1 for member in self.members.values() if member.wanted)
        part = 1 / len(self.members) if is_cut_off else 1.0
        requests = self._take_requests(report, now, limits, claimants or 1, part)
        tokens = self._take_tokens(report, now, limits, claimants or 1, part)
        may_probe = bool(report.waiting) and self.breaker.probe(
            now, report.worker, limits.timeout_seconds + PROBE_GRACE_SECONDS
        )
        if not report.under_way and not report.waiting:
            del self.members[report.worker]
        return Share(
            permits=permits,
            requests=requests,
            tokens=tokens,
            limits=limits,
            epoch=self.pace.epoch,
            hold_until=self.pace.hold_until if self.pace.hold_until > now else 0.0,
            open_until=self.breaker.open_until,
            may_probe=may_probe,
            is_down=self.breaker.is_down(now),
        )

    def _newest_limits(self, limits: Limits) -> Limits:
        if self.limits is None or self.limits.read_at <= limits.read_at:
            self.limits = limits
        return self.limits

    def _drop_expired(self, now: float) -> None:
        """A lease that ends later than any that is given now comes from a clock that was set back."""
        leased = self.members.items()
        self.members = {name: member for name, member in leased if now < member.until <= now + 2 * LEASE_SECONDS}

    def _apply(self, report: UsageReport, now: float, limits: Limits) -> None:
        member = self.members[report.worker]
        member.peak, member.wanted, member.until = report.peak, report.under_way + report.waiting, now + LEASE_SECONDS
        if report.answers and report.epoch == self.pace.epoch:
            self.pace.record_answers(report.answers, limits.concurrency)
        if report.is_refused:
            under_way = sum(other.peak for other in self.members.values())
            self.pace.record_refusal(now, report.epoch, report.retry_after, under_way, limits.concurrency)
        if report.probe:
            self.breaker.record_probe(now, report.worker, has_failed=report.probe == "failed")
        self.breaker.record(now, is_answered=report.is_answered, failures=report.failures, at_once=limits.concurrency)

    def _permits(self, report: UsageReport, now: float, limits: Limits) -> int:
        """Calls at once for this worker. Permits that it holds beyond that count until it reports them released."""
        cap = self.pace.at_once(limits.concurrency)
        fair = self._fair_part(report.worker, cap, now)
        member = self.members[report.worker]
        free = cap - sum(other.held for name, other in self.members.items() if name != report.worker)
        holding = max(report.held, report.under_way)
        permits = min(fair, max(free, holding)) if fair > holding else fair
        member.held = max(holding, permits)
        return permits

    def _fair_part(self, worker: str, cap: int, now: float) -> int:
        """A fair part of `cap`: no worker gets more than it wants while another wants it; the rest is shared out."""
        wanting = sorted((member.wanted, name) for name, member in self.members.items() if member.wanted)
        fair, left = {}, cap
        for position, (wanted, name) in enumerate(wanting):
            fair[name] = min(wanted, left // (len(wanting) - position))
            left -= fair[name]
            if fair[name] < wanted:  # they all want more than an equal part, and get no more
                fair |= dict.fromkeys((name for _wanted, name in wanting[position:]), fair[name])
                left -= fair[name] * (len(wanting) - position - 1)
                break
        names = sorted(name for wanted, name in wanting if fair[name] < wanted) or sorted(fair)
        turn = int(now / TURN_SECONDS)
        for position, name in enumerate(names):
            fair[name] += left // len(names) + ((position + turn) % len(names) < left % len(names))
        return fair.get(worker, 0)

    def _take_requests(self, report: UsageReport, now: float, limits: Limits, claimants: int, part: float) -> int:
        if limits.requests_per_minute is None:
            self.requests = None
            return 0
        if self.requests is None:
            self.requests = Bucket(capacity(limits.requests_per_minute), now)
        self.requests.refill(limits.requests_per_minute, now, part)
        return self.requests.take_whole(report.requests, claimants)

    def _take_tokens(self, report: UsageReport, now: float, limits: Limits, claimants: int, part: float) -> float:
        if limits.tokens_per_minute is None:
            self.tokens = None
            return 0.0
        if self.tokens is None:
            self.tokens = Bucket(capacity(limits.tokens_per_minute), now)
        self.tokens.refill(limits.tokens_per_minute, now, part)
        self.tokens.level -= report.tokens_beyond
        return self.tokens.take(report.tokens, claimants)
