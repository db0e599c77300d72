"""What goes wrong in responses: errors by failure type as counts, rates per 100 pairs and shares.

A pair is a response: one prompt and one target model. Source: Perle (arXiv 2607.00139), section 5 and figures 3 to 5.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure, share
from agreement.statistics import Scale, on_scale, ratio_of_sums

NO_ERRORS = "no errors recorded"
NO_SUCH_ERRORS = "no such errors on one side"
PER = 100  # pairs

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Failure:
    """One failure type: how many errors, how many in 100 pairs, and their share of all errors (0 to 1)."""

    count: Figure
    rate: Figure
    share: Figure


def failures(counts: ArrayLike, pairs: int) -> list[Failure]:
    """Each type's figures, in the order of the counts.

    counts  errors of each type, integers, shape (F,). pairs  responses graded, whether or not they have errors.

    rate = 100 * errors / pairs: pairs, not prompts, for a prompt has as many responses as there are targets. It may
    pass 100. n of count and rate = pairs, of the share = all errors. Undefined: "no items" without pairs,
    "no errors recorded" for a share of nothing. Raises ValueError for negative numbers.
    """
    numbers = [int(count) for count in np.asarray(counts)]
    if pairs < 0 or min(numbers, default=0) < 0:
        raise ValueError("a count is not negative")
    every = sum(numbers)
    return [
        Failure(_count(number, pairs), error_rate(number, pairs), share(number, every, NO_ERRORS)) for number in numbers
    ]


def _count(number: int, pairs: int) -> Figure:
    return Figure(float(number), pairs) if pairs else Figure.without_value(NO_ITEMS)


def error_rate(errors: int, pairs: int) -> Figure:
    """100 * errors / pairs; n = pairs. Undefined: "no items" without pairs."""
    if not pairs:
        return Figure.without_value(NO_ITEMS)
    return Figure(PER * errors / pairs, pairs, detail={"errors": int(errors)})


@on_scale(Scale.POSITIVE)
def rate(sums: Floats) -> Floats:
    """The error rate from sums of errors and of pairs, shape (..., 2) to (...); NaN without pairs."""
    return PER * ratio_of_sums(sums)


@on_scale(Scale.POSITIVE)
def rate_ratio(sums: Floats) -> Floats:
    """Rate of the first community over that of the second, from sums of errors and pairs of both, (..., 4) to (...).

    NaN where the second has no such errors or either has no pairs. A type that needs no judgement to recognise (a
    hallucinated fact is wrong however strict its grader) anchors the others: where its ratio is near 1 and theirs
    are far from it, the graders' strictness may make the difference.
    """
    sums = np.asarray(sums, dtype=float)
    return ratio_of_sums(np.stack((ratio_of_sums(sums[..., :2]), ratio_of_sums(sums[..., 2:])), axis=-1))


def rate_ratio_figure(first: tuple[int, int], second: tuple[int, int]) -> Figure:
    """`rate_ratio` of (errors, pairs) of two communities; n = pairs of both.

    Undefined: "no such errors on one side".
    """
    n = first[1] + second[1]
    if not (first[1] and all(second)):
        return Figure.without_value(NO_SUCH_ERRORS, n)
    return Figure(float(rate_ratio(np.array([*first, *second], dtype=float))), n)
