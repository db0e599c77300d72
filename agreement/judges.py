"""Judges against people on penalty rubrics: one judge's figures, one target's figures, and what a domain adds.

Rows are responses. A judge that did not grade a response (its own laboratory's, or declined) has NaN there: it is
left out of every mean, and whoever calls counts it beside. Source: Perle (arXiv 2607.00139), equations 4 to 6 and
table 7. Every figure here is a statistic of sums of columns, so that `inference` can leave out prompts.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.deviation import Deviation, deviation
from agreement.figures import NO_ITEMS, Figure
from agreement.statistics import Scale, on_scale, ratio_of_sums

Floats = NDArray[np.float64]


def errors_of(score: ArrayLike, reference: ArrayLike) -> Floats:
    """P(r, j) - P_human(r) in percentage points, shape (R, J); NaN where either is missing.

    score      P of each response by each judge, shape (R, J), NaN where the judge has none.
    reference  P of each response by the person it is compared with, shape (R,), NaN where nobody graded it.
    Raises ValueError for other shapes.
    """
    score, reference = np.asarray(score, dtype=float), np.asarray(reference, dtype=float)
    if score.ndim != 2 or reference.shape != score.shape[:1]:
        raise ValueError("a row per response, a column per judge, and a reference per response")
    return score - reference[:, None]


def error_columns(errors: ArrayLike) -> Floats:
    """|e|, e and 1 of every error, zeros where it is NaN; shape (..., 3). What `mad` and `signed_error` add up."""
    errors = np.asarray(errors, dtype=float)
    present = ~np.isnan(errors)
    known = np.where(present, errors, 0.0)
    return np.stack((np.abs(known), known, present.astype(float)), axis=-1)


@on_scale(Scale.POSITIVE)
def mad(sums: Floats) -> Floats:
    """Mean absolute deviation from sums of `error_columns`, shape (..., 3) to (...).

    Of one judge over its responses it is MAD_j (equation 4); of one target over all its (response, judge) pairs
    it is the target-axis MAD (equation 5).
    """
    return ratio_of_sums(np.asarray(sums)[..., [0, 2]])


def signed_error(sums: Floats) -> Floats:
    """Mean error from sums of `error_columns`, shape (..., 3) to (...): > 0 lenient, < 0 conservative (equation 6)."""
    return ratio_of_sums(np.asarray(sums)[..., [1, 2]])


def judge_axis(score: ArrayLike, reference: ArrayLike) -> list[Deviation]:
    """Deviation of each judge over the responses it graded, J of them, in percentage points; n = responses.

    score, reference and errors as for `errors_of`. Undefined: "no items".
    """
    score, reference = np.asarray(score, dtype=float), np.asarray(reference, dtype=float)
    known = ~np.isnan(errors_of(score, reference))
    return [deviation(score[rows, judge], reference[rows]) for judge, rows in enumerate(known.T)]


def target_axis(score: ArrayLike, reference: ArrayLike, target: ArrayLike, n_targets: int) -> list[Deviation]:
    """Deviation over all (response, judge) pairs of each target's responses; n = pairs.

    target  which target wrote each response, indices in [0, n_targets), shape (R,). Others as for `errors_of`.
    """
    score, reference = np.asarray(score, dtype=float), np.asarray(reference, dtype=float)
    known = ~np.isnan(errors_of(score, reference))
    wrote = np.asarray(target)
    every = np.broadcast_to(reference[:, None], score.shape)
    return [
        deviation(score[chosen], every[chosen])
        for one in range(n_targets)
        for chosen in [known & (wrote == one)[:, None]]
    ]


def domain_columns(errors: ArrayLike, linguistics: ArrayLike, cultural: ArrayLike) -> Floats:
    """|e| and 1 where the response is linguistic, then where it is cultural; shape (R, 4), for `domain_gap`.

    errors  of one judge, shape (R,). linguistics, cultural  which domain each response is of, shape (R,).
    """
    columns = error_columns(errors)[:, [0, 2]]
    return np.hstack([columns * np.asarray(domain, dtype=float)[:, None] for domain in (linguistics, cultural)])


def domain_gap(sums: Floats) -> Floats:
    """MAD(linguistics) - MAD(cultural) from sums of `domain_columns`, (..., 4) to (...): < 0 where culture is harder.

    NaN where a judge graded nothing in one of the two.
    """
    sums = np.asarray(sums)
    return ratio_of_sums(sums[..., :2]) - ratio_of_sums(sums[..., 2:])


def domain_gap_figure(columns: Floats) -> Figure:
    """The gap of one judge in percentage points; n = responses. Undefined: "no items" in one of the two domains."""
    sums = np.asarray(columns, dtype=float).sum(axis=0)
    n = int(sums[1] + sums[3])
    value = float(domain_gap(sums))
    if np.isnan(value):
        return Figure.without_value(NO_ITEMS, n, linguistics=int(sums[1]), cultural=int(sums[3]))
    return Figure(value, n, detail={"linguistics": int(sums[1]), "cultural": int(sums[3])})


def contributions(weight: ArrayLike, judge: ArrayLike, human: ArrayLike, maximum: ArrayLike) -> Floats:
    """What each criterion adds to the error of its response, in percentage points, shape (V,).

    100 * w * (v_judge - v_human) / S_max with v = 1 where the criterion counts (PASS, or Error Present) and else 0.
    Summed over the criteria of a response it is the response's whole error; summed over a class of criteria it is
    the part of the error that this class makes, by which MAD and signed error are split.

    weight    of the criterion, shape (V,), negative for penalties. maximum  S_max of its rubric, shape (V,).
    judge, human  whether each says that it counts, shape (V,).
    """
    said = np.asarray(judge, dtype=float) - np.asarray(human, dtype=float)
    return 100 * np.asarray(weight, dtype=float) * said / np.asarray(maximum, dtype=float)
