"""What the workers know together of a provider, and each one's share of what it may take. Pure; seconds throughout.

Every worker says now and then what it does and heard (`News`), and is told what it may do (`Share`). What stands
between them is `Shared`: in memory where one process is alone, else in Redis (boards.py).
"""

from dataclasses import dataclass, field
from typing import Any, Self

import orjson

from providers.limiter.circuit_breaker import Breaker
from providers.limiter.pace import Pace
from providers.limiter.token_buckets import Bucket, capacity

# A worker that says nothing for so long is dead: its calls are no longer counted.
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
    """A worker: permits it holds, calls it had under way at most since it last spoke, calls it would have under way."""

    held: int
    peak: int
    wanted: int
    until: float


@dataclass(slots=True)
class News:
    """What a worker has to say. `requests` and `tokens` are wanted, or given back where negative."""

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
    """What a worker may do until it asks again. Times are those of the board; 0 is none."""

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
class Shared:
    """All that is known of one provider. Loses nothing that matters where any worker's last copy is put back."""

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
        told: dict[str, Any] = orjson.loads(raw)
        return cls(
            limits=Limits(**told["limits"]) if told["limits"] else None,
            members={name: Member(**member) for name, member in told["members"].items()},
            pace=Pace(**told["pace"]),
            breaker=Breaker(**told["breaker"]),
            requests=Bucket(**told["requests"]) if told["requests"] else None,
            tokens=Bucket(**told["tokens"]) if told["tokens"] else None,
        )

    def hear(self, news: News, now: float, *, is_cut_off: bool = False) -> Share:
        """Take in what a worker says, and answer with its share.

        A worker that is cut off from the others goes on with what was its part, and counts on theirs going on too.
        """
        limits = self._youngest(news.limits)
        self.pace.keep_time(now)
        self.breaker.keep_time(now)
        if not is_cut_off:
            self._forget_the_dead(now)
        self.members.setdefault(news.worker, Member(0, 0, 0, 0.0))
        self._take_in(news, now, limits)
        permits = self._permits(news, now, limits)
        takers = 1 if is_cut_off else sum(1 for member in self.members.values() if member.wanted)
        part = 1 / len(self.members) if is_cut_off else 1.0
        requests = self._take_requests(news, now, limits, takers or 1, part)
        tokens = self._take_tokens(news, now, limits, takers or 1, part)
        may_probe = bool(news.waiting) and self.breaker.probe(
            now, news.worker, limits.timeout_seconds + PROBE_GRACE_SECONDS
        )
        if not news.under_way and not news.waiting:
            del self.members[news.worker]
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

    def _youngest(self, limits: Limits) -> Limits:
        if self.limits is None or self.limits.read_at <= limits.read_at:
            self.limits = limits
        return self.limits

    def _forget_the_dead(self, now: float) -> None:
        """A lease that ends later than any that is given now comes from a clock that was set back."""
        living = self.members.items()
        self.members = {name: member for name, member in living if now < member.until <= now + 2 * LEASE_SECONDS}

    def _take_in(self, news: News, now: float, limits: Limits) -> None:
        member = self.members[news.worker]
        member.peak, member.wanted, member.until = news.peak, news.under_way + news.waiting, now + LEASE_SECONDS
        if news.answers and news.epoch == self.pace.epoch:
            self.pace.answer(news.answers, limits.concurrency)
        if news.is_refused:
            under_way = sum(other.peak for other in self.members.values())
            self.pace.refuse(now, news.epoch, news.retry_after, under_way, limits.concurrency)
        if news.probe:
            self.breaker.hear_of_probe(now, news.worker, has_failed=news.probe == "failed")
        self.breaker.hear(now, is_answered=news.is_answered, failures=news.failures, at_once=limits.concurrency)

    def _permits(self, news: News, now: float, limits: Limits) -> int:
        """Calls at once for this worker. What it holds beyond that stays its own until it says that it let go."""
        cap = self.pace.at_once(limits.concurrency)
        due = self._due(news.worker, cap, now)
        member = self.members[news.worker]
        free = cap - sum(other.held for name, other in self.members.items() if name != news.worker)
        holding = max(news.held, news.under_way)
        permits = min(due, max(free, holding)) if due > holding else due
        member.held = max(holding, permits)
        return permits

    def _due(self, worker: str, cap: int, now: float) -> int:
        """A fair part of `cap`: nobody gets more than they want while another wants it; the rest is shared out."""
        wanting = sorted((member.wanted, name) for name, member in self.members.items() if member.wanted)
        due, left = {}, cap
        for position, (wanted, name) in enumerate(wanting):
            due[name] = min(wanted, left // (len(wanting) - position))
            left -= due[name]
            if due[name] < wanted:  # they all want more than an equal part, and get no more
                due |= dict.fromkeys((name for _wanted, name in wanting[position:]), due[name])
                left -= due[name] * (len(wanting) - position - 1)
                break
        names = sorted(name for wanted, name in wanting if due[name] < wanted) or sorted(due)
        turn = int(now / TURN_SECONDS)
        for position, name in enumerate(names):
            due[name] += left // len(names) + ((position + turn) % len(names) < left % len(names))
        return due.get(worker, 0)

    def _take_requests(self, news: News, now: float, limits: Limits, takers: int, part: float) -> int:
        if limits.requests_per_minute is None:
            self.requests = None
            return 0
        if self.requests is None:
            self.requests = Bucket(capacity(limits.requests_per_minute), now)
        self.requests.refill(limits.requests_per_minute, now, part)
        return self.requests.take_whole(news.requests, takers)

    def _take_tokens(self, news: News, now: float, limits: Limits, takers: int, part: float) -> float:
        if limits.tokens_per_minute is None:
            self.tokens = None
            return 0.0
        if self.tokens is None:
            self.tokens = Bucket(capacity(limits.tokens_per_minute), now)
        self.tokens.refill(limits.tokens_per_minute, now, part)
        self.tokens.level -= news.tokens_beyond
        return self.tokens.take(news.tokens, takers)
