"""What leaving out prompts and leaving out raters both count: it is taken off once.

How much a figure of people varies with prompts and with raters is found by leaving out one prompt, and one rater, at a
time. The sum of the two counts twice whatever lies in single answers. It also counts twice how prompts differ, where
each rater met some of them alone: other prompts, and other raters with their prompts, then mean the same. Where two of
thirty people answered each prompt, the sum is up to three times the variance, and intervals of 95 % hold 99 to 100 %.

With d the change of the figure without one rater's answers to one prompt, n such cells, and d = g + a(prompt) +
b(rater) + c by least squares, the part that is counted twice is

    sum over cells of (1 - r/P) a^2 + (1 - p/R) b^2,   r the prompts of the cell's rater, p the raters of its prompt
    + s^2 (n - sum of (1 - r/P) / p - sum of (1 - p/R) / r),   s^2 = sum of c^2 / (n - P - R + 1)

Where all answered everything the first line is 0, and of the second the interaction remains; where each answered little
it is the variance of the cells themselves.

Source: A. C. Cameron, J. B. Gelbach and D. L. Miller, Journal of Business and Economic Statistics 29 (2011), 238-249
(V of prompts + V of raters - V of their intersections). The weights are ours: without them a third of the variance
between prompts would be lost where three people answered everything.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.numbering import numbered

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Of raters with fewer prompts each it cannot be told how prompts differ and how raters do: nothing is taken off.
PROMPTS_OF_A_RATER = 4
_ROUNDS, _CLOSE = 20, 1e-2


class Cells:
    """Which answers are of one rater to one prompt: figures of the same answers share it.

    prompt, rater  of each answer, any labels, shape (A,).
    """

    def __init__(self, prompt: ArrayLike, rater: ArrayLike):
        of_prompt, self._prompts = numbered(prompt)
        of_rater, self._raters = numbered(rater)
        cells, self._cell = np.unique(of_prompt * self._raters + of_rater, return_inverse=True)
        self._prompt, self._rater = np.divmod(cells, self._raters)
        self._per_prompt, self._per_rater = np.bincount(self._prompt), np.bincount(self._rater)
        n = len(cells)
        self._spare = n - self._prompts - self._raters + 1
        self._tells = n >= PROMPTS_OF_A_RATER * self._raters and self._spare >= 1
        if not self._tells:
            return
        self._twice_prompt = 1 - self._per_rater[self._rater] / self._prompts
        self._twice_rater = 1 - self._per_prompt[self._prompt] / self._raters
        in_prompts = (self._twice_prompt / self._per_prompt[self._prompt]).sum()
        in_raters = (self._twice_rater / self._per_rater[self._rater]).sum()
        self._left = n - in_prompts - in_raters

    def counted_twice(self, change: Floats, *, with_single: bool) -> float:
        """The variance that both ways of leaving out hold.

        change       of the figure without each answer, shape (A,).
        with_single  whether what lies in single answers is taken off as well: the second line above.
        """
        is_whole = self._tells and not self._twice_prompt.any()
        if not self._tells or np.isnan(change).any() or (is_whole and not with_single):
            return 0.0
        d = np.bincount(self._cell, change)
        a, b, c = _taken_apart(d - d.mean(), self._prompt, self._rater, self._per_prompt, self._per_rater)
        # No products of vectors by @: the threads behind it cost more than all of this.
        shared = (self._twice_prompt * a[self._prompt] ** 2 + self._twice_rater * b[self._rater] ** 2).sum()
        if with_single:
            shared += (c**2).sum() / self._spare * self._left
        return float(shared)


@dataclass(frozen=True, eq=False)
class Answers:
    """Single answers of raters, and what a figure's sums lose without one.

    lost  of each kind of answers, shape (S, k), an array or sparse. kind  of each answer, shape (A,). cells  of them.
    """

    lost: Any
    kind: Integers
    cells: Cells

    @classmethod
    def of_pairs(cls, columns: Any, first: ArrayLike, second: ArrayLike, prompt: ArrayLike) -> "Answers":
        """Of columns of pairs of raters, shape (P, k): without an answer all pairs are gone that it is in."""
        raters = np.concatenate((np.asarray(first), np.asarray(second)))
        return cls(columns, np.tile(np.arange(columns.shape[0]), 2), Cells(np.tile(prompt, 2), raters))

    def counted_twice(self, change: Floats, *, with_single: bool) -> float:
        """As of the cells; change  of the figure without one answer of each kind, shape (S,)."""
        return self.cells.counted_twice(change[self.kind], with_single=with_single)


def _taken_apart(
    d: Floats, prompt: Integers, rater: Integers, per_prompt: Integers, per_rater: Integers
) -> tuple[Floats, Floats, Floats]:
    """What is each prompt's, what is each rater's, and the rest, by least squares, one after the other."""
    a, b = np.zeros(len(per_prompt)), np.zeros(len(per_rater))
    for _round in range(_ROUNDS):
        a = np.bincount(prompt, d - b[rater]) / per_prompt
        before, b = b, np.bincount(rater, d - a[prompt]) / per_rater
        if np.abs(b - before).max() <= _CLOSE * np.abs(b).max():
            break
    return a, b, d - a[prompt] - b[rater]
