"""Generated judges whose mean absolute and mean signed errors are known: they slip from the reference just as often."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

# A positive criterion that failed and an error that is present speak against a response.
AGAINST = {"fail": "pass", "present": "absent"}
FOR = {"pass": "fail", "absent": "present"}
# What a response says without words is misjudged so much more often than what it says in so many.
IMPLICIT = 1.5
# Halvings of an interval that a rate is searched in: beyond these no verdict changes any more.
HALVINGS = 24

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class GeneratedJudge:
    """Errors are percentage points: `signed_error` over all that it judges, `mad` the mean absolute one by scope of the
    prompt. `declined` is how many responses of `declines` it refuses."""

    model: str
    laboratory: str
    signed_error: float
    mad: Mapping[str, float]
    declined: int = 0
    declines: str = ""


@dataclass(frozen=True)
class Reference:
    """The first grading of one response: weight and verdict by criterion key, and which criteria are implicit."""

    weights: Mapping[str, int]
    verdicts: Mapping[str, str]
    implicit: frozenset[str] = frozenset()

    @property
    def maximum(self) -> int:
        return sum(weight for weight in self.weights.values() if weight > 0)


class Slips:
    """What may go wrong in grading some responses, and what does at a given rate; each chance is drawn once, so that
    a higher rate makes the same slips and some more."""

    def __init__(self, rng: Random, references: Mapping[str, Reference]) -> None:
        self.places = [(item, key) for item, reference in references.items() for key in reference.verdicts]
        rows = [references[item] for item, _key in self.places]
        keys = [key for _item, key in self.places]
        self.items = len(references)
        numbers = {item: number for number, item in enumerate(references)}
        self.item = np.array([numbers[item] for item, _key in self.places])
        self.favours = np.array([row.verdicts[key] in AGAINST for row, key in zip(rows, keys, strict=True)])
        points = np.array([100 * abs(row.weights[key]) / row.maximum for row, key in zip(rows, keys, strict=True)])
        self.points: Floats = np.where(self.favours, points, -points)
        self.easier = np.array([IMPLICIT if key in row.implicit else 1.0 for row, key in zip(rows, keys, strict=True)])
        self.chance = np.array([rng.random() for _place in self.places])

    def made(self, rate: float, tilt: float) -> NDArray[np.bool_]:
        """`tilt` runs from -1, where every slip goes against a response, to 1, where every slip is in its favour."""
        return self.chance < rate * self.easier * np.where(self.favours, 1 + tilt, 1 - tilt)

    def errors(self, rate: float, tilt: float) -> Floats:
        """By response, in percentage points."""
        points = np.where(self.made(rate, tilt), self.points, 0.0)
        return np.bincount(self.item, points, self.items).astype(np.float64)

    def rate_for(self, mad: float, tilt: float) -> float:
        return halved(lambda rate: float(np.abs(self.errors(rate, tilt)).mean()), mad, 0.0, 1.0)


def halved(value: Callable[[float], float], wanted: float, low: float, high: float) -> float:
    """Where a value that grows from low to high comes nearest to the one that is wanted."""
    for _step in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) < wanted else (low, middle)
    return (low + high) / 2


def slipped(
    rng: Random, cells: Sequence[Mapping[str, Reference]], mads: Sequence[float], signed_error: float
) -> dict[str, dict[str, str]]:
    """The verdicts of a judge on responses in cells, by response and criterion key.

    In each cell its mean absolute error is the one asked for, over all cells its mean signed error is, both in these
    very verdicts and as near as whole slips come to them.
    """
    slips = [Slips(rng, cell) for cell in cells]

    def rates(tilt: float) -> list[float]:
        return [of_cell.rate_for(mad, tilt) for of_cell, mad in zip(slips, mads, strict=True)]

    def signed(tilt: float) -> float:
        found = [of_cell.errors(rate, tilt) for of_cell, rate in zip(slips, rates(tilt), strict=True)]
        return float(np.concatenate(found).mean())

    tilt = halved(signed, signed_error, -1.0, 1.0)
    verdicts = {item: dict(reference.verdicts) for cell in cells for item, reference in cell.items()}
    for of_cell, rate in zip(slips, rates(tilt), strict=True):
        for number in np.flatnonzero(of_cell.made(rate, tilt)):
            item, key = of_cell.places[number]
            verdicts[item][key] = (AGAINST | FOR)[verdicts[item][key]]
    return verdicts
