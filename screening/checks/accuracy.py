"""How well a rater does on the latest checks. Pure arithmetic."""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement.figures import NO_ITEMS, Figure
from agreement.validation import wilson_interval


def rolling_accuracy(results: Sequence[bool], window: int) -> Figure:
    """Share of right answers among the latest `window` of `results` (oldest first), with its 95 % Wilson interval.

    n = the checks that counted. Undefined: "no items". Raises ValueError for a window below 1.
    """
    if window < 1:
        raise ValueError("a window holds at least one check")
    latest = results[-window:]
    if not latest:
        return Figure.without_value(NO_ITEMS)
    right = sum(latest)
    low, high = wilson_interval(right, len(latest))
    detail = {"right": right, "window": window, "interval": "Wilson", "confidence": 0.95}
    return Figure(right / len(latest), len(latest), low, high, detail=detail)


@dataclass(frozen=True, slots=True)
class Rule:
    """Paused below `mark` percent of the latest `window` checks, once there are `least` of them."""

    window: int
    least: int
    mark: int

    def pauses(self, results: Sequence[bool]) -> bool:
        """Whether results (oldest first) call for a pause. Whole numbers are compared: 70 % is not below 70 %."""
        latest = results[-self.window :]
        return len(latest) >= self.least and sum(latest) * 100 < self.mark * len(latest)
