"""How much may be sent in a minute: a token bucket whose worst minute is within the limit. Pure; in seconds."""

from dataclasses import dataclass

MINUTE = 60.0
# What an unused bucket holds beyond one permit, in seconds of its rate.
BURST_SECONDS = 1.0
# At most so long after it was taken is a permit used; the minute that it falls into can be the next one.
HELD_SECONDS = 1.0
ROUNDING = 1e-9


def capacity(per_minute: float) -> float:
    return 1 + per_minute * BURST_SECONDS / MINUTE


def rate(per_minute: float) -> float:
    """A second's refill. In any minute no more is used than the capacity and a minute's refill: at most the limit."""
    return (per_minute + 1 - capacity(per_minute)) / (MINUTE + HELD_SECONDS)


@dataclass(slots=True)
class Bucket:
    """Its `level` at the time `at`; below zero where more was used than had been expected."""

    level: float
    at: float

    def refill(self, per_minute: float, now: float, part: float = 1.0) -> None:
        """`part` is the share of the rate that is this bucket's, where several hold the same limit apart."""
        passed = max(0.0, now - self.at)
        self.level = min(capacity(per_minute), self.level + rate(per_minute) * part * passed)
        self.at = now

    def take(self, requested: float, claimants: int) -> float:
        """What of `wanted` is had: a fair part of what is there. A negative `wanted` is what somebody gives back."""
        granted = min(requested, self.level / claimants) if requested > 0 else requested
        granted = max(granted, 0.0) if requested > 0 else granted
        self.level -= granted
        return granted

    def take_whole(self, requested: int, claimants: int) -> int:
        """As `take`, in whole permits; the last one goes to the first worker that asks."""
        granted = requested
        if requested > 0:
            level = self.level + ROUNDING
            granted = min(requested, max(int(level / claimants), 1 if level >= 1 else 0))
        self.level -= granted
        return granted
