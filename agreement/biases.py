"""What a judge does again and again, as figures that are 0 for a judge without the bias, and the rule that names it.

A bias is named where three things hold: its figure differs from 0 beyond chance, after Holm's correction for all
judges and biases looked at together, at 5 % (so that among honest judges one is named falsely in one project of
twenty at most); it is of a practical size, `least`, which is named with it; and it is greater than what people do in
the same direction, where that is known. Too little data is a state of its own.

Source of the correction: S. Holm, Scandinavian Journal of Statistics 6 (1979), 65-70. Of the biases: L. Zheng et al.,
NeurIPS 2023 (arXiv 2306.05685), section 3.3, for position and length; Perle (arXiv 2607.00139) for leniency and for
implicit criteria.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.inference import estimate, mean
from agreement.multiplicity import holm
from agreement.statistics import mean_columns, ratio_of_sums, share_of_sums

LEVEL = 0.05
#: States of a bias: named for what is above 0 or below it, or why it is not named.
MORE, LESS, SMALL, AS_PEOPLE, CHANCE, UNKNOWN = "more", "less", "small", "as people", "chance", "unknown"
NAMED = (MORE, LESS)
ONE_ORDER = "asked in one order"
ALIKE_LENGTHS = "lengths hardly differ"
#: In doublings, between the tenths at either end.
SPREAD = 0.5
#: A scale's grade that people give more seldom than this is not missed.
RARE = 0.05

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Finding:
    """A bias's figure, its p-value after Holm's correction (None without one), and its state."""

    figure: Figure
    p: float | None
    state: str

    @property
    def is_named(self) -> bool:
        return self.state in NAMED


def findings(figures: Mapping[K, Figure]) -> dict[K, Finding]:
    """The state of each figure, by the same keys; the correction is for all that have a p-value.

    A figure's detail holds `p`, `least`, and, where known, `people`: what people do in the same measure.
    """
    tested = [key for key, figure in figures.items() if figure.value is not None]
    corrected = dict(zip(tested, holm([figures[key].detail["p"] for key in tested]).tolist(), strict=True))
    return {key: _finding(figure, corrected.get(key)) for key, figure in figures.items()}


def _finding(figure: Figure, p: float | None) -> Finding:
    if figure.value is None or p is None:
        return Finding(figure, None, UNKNOWN)
    if p > LEVEL:
        return Finding(figure, p, CHANCE)
    # Rounded, so that five points on every response are not four point nine nine nine.
    if round(abs(figure.value), 9) < figure.detail["least"]:
        return Finding(figure, p, SMALL)
    people = figure.detail.get("people")
    if people is not None and abs(figure.value) <= people * np.sign(figure.value):
        return Finding(figure, p, AS_PEOPLE)
    return Finding(figure, p, MORE if figure.value > 0 else LESS)


def mean_error(errors: ArrayLike, cluster: ArrayLike, least: float) -> Figure:
    """Leniency: mean of judge less person, in the units of the scores; > 0 lenient. NaN is left out.

    errors, cluster  shape (N,). `least` in the same units. Undefined as `inference.estimate`.
    """
    return estimate(mean_columns(errors), ratio_of_sums, cluster, least=least)


def length_slope(
    errors: ArrayLike, references: ArrayLike, lengths: ArrayLike, cluster: ArrayLike, least: float
) -> Figure:
    """How many points or grades more for twice the length: b of the regression error = a + b log2(length) + rest,
    and of the same with c reference in it, whichever is nearer 0. > 0 prefers what is longer.

    errors, references, lengths  judge less person, person's score, length in characters; shape (N,). NaN and lengths
    below 1 are left out. `least` in the units of the scores.

    Both have to show the bias, the p-value is the greater of the two, and 1 where they point apart. For either alone
    blames honest judges where long responses are the better ones: without the reference one whose scale is narrower
    than people's; with it one that is surer than people, whose own error then passes for the judge's (the reference is
    a regressor measured with error).
    Undefined: as `inference.estimate`; "lengths hardly differ" where eight in ten lie within a factor of sqrt 2, so
    that twice the length is beyond what was seen; "no variation" where lengths follow the references exactly.
    """
    error, reference, length = (np.asarray(one, dtype=float) for one in (errors, references, lengths))
    kept = np.isfinite(error) & np.isfinite(reference) & (length >= 1)
    error, reference, doublings = error[kept], reference[kept], np.log2(length[kept])
    if not len(error):
        return Figure.without_value(NO_ITEMS, least=least)
    low, high = np.quantile(doublings, (0.1, 0.9))
    if high - low < SPREAD:
        return Figure.without_value(ALIKE_LENGTHS, len(error), least=least)
    # Centred: the sums of squares of whole percents would leave no digits to what varies.
    doublings, reference = doublings - doublings.mean(), reference - reference.mean()
    if np.ptp(reference) and abs(np.corrcoef(doublings, reference)[0, 1]) > 1 - 1e-9:
        return Figure.without_value(NO_VARIATION, len(error), least=least)
    given = [np.ones(len(error)), doublings, *([reference] if np.ptp(reference) else [])]
    prompts = np.asarray(cluster)[kept]
    fits = [_regressed(error, np.column_stack(given[:width]), prompts, least) for width in {2, len(given)}]
    weaker = min(fits, key=lambda figure: abs(figure.value or 0.0))
    if any(figure.value is None for figure in fits):
        return next(figure for figure in fits if figure.value is None)
    apart = min(figure.number for figure in fits) < 0 < max(figure.number for figure in fits)
    return weaker.with_detail(p=1.0 if apart else max(figure.detail["p"] for figure in fits))


def _regressed(error: Floats, given: Floats, cluster: NDArray, least: float) -> Figure:
    """The coefficient of the second column of `given`, shape (N, k)."""
    n, width = given.shape
    products = (given[:, :, None] * given[:, None, :]).reshape(n, width**2)

    def slope(sums: Floats) -> Floats:
        """From sums of products (..., k^2) and of products with the error (..., k); NaN where not determined."""
        squares = sums[..., :-width].reshape(*sums.shape[:-1], width, width)
        known = np.linalg.cond(squares) < 1e12
        solved = np.linalg.solve(np.where(known[..., None, None], squares, np.eye(width)), sums[..., -width:, None])
        return np.where(known, solved[..., 1, 0], np.nan)

    return estimate(np.column_stack((products, given * error[:, None])), slope, cluster, least=least)


def longer_preferred(
    verdicts: ArrayLike, golds: ArrayLike, longer: ArrayLike, cluster: ArrayLike, least: float
) -> Figure:
    """Of judges that give preferences alone: how much more often than people they prefer the longer of two.

    verdicts, golds  1 where the first response wins, 0 a tie, -1 where it loses; NaN is left out.
    longer           1 where the first is longer, -1 where the second is, 0 (left out) where they are alike.
    Mean of (win of the longer by the judge less win by people), a tie being half a win; between -1 and 1.
    """
    said, gold, side = (np.asarray(one, dtype=float) for one in (verdicts, golds, longer))
    beyond = np.where(side == 0, np.nan, (said - gold) * side / 2)
    return estimate(mean_columns(beyond), ratio_of_sums, cluster, least=least)


def position(shifts: ArrayLike, cluster: ArrayLike, least: float) -> Figure:
    """How many more of all pairs judged in both orders go by the order to the response shown first than to the second.

    shifts  verdict on the pair's first response when it was shown first less that when it was shown second, of shape
            (N,); 0 where the orders agree, NaN (left out) where one could not be read.
    Between -1 and 1; detail: `pairs`, `disagree` (share of pairs), `first` (of those that disagree, share for the
    first; absent where none does). Undefined: "asked in one order"; else as `inference.estimate`.
    """
    shift = np.asarray(shifts, dtype=float)
    known = ~np.isnan(shift)
    pairs, to_first, to_second = int(known.sum()), int((shift > 0).sum()), int((shift < 0).sum())
    if not pairs:
        return Figure.without_value(ONE_ORDER, least=least)
    detail: dict[str, Any] = {"pairs": pairs, "disagree": (to_first + to_second) / pairs}
    if to_first + to_second:
        detail["first"] = to_first / (to_first + to_second)
    return estimate(mean_columns(np.sign(shift)), ratio_of_sums, cluster, least=least, **detail)


def recall_gap(
    seen: ArrayLike, there: ArrayLike, cluster: ArrayLike, least: float, people: float | None = None
) -> Figure:
    """What a judge sees of one kind of things less what it sees of another: a difference of two recalls.

    seen, there  per item and kind, how many of those that people found the judge found too, and how many there are;
                 shape (N, 2), such as faults against explicit and against implicit criteria.
    people       the same difference between people, where it is known.
    > 0: it misses the second kind. detail: `recalls` of either kind, `there` of either kind.
    Undefined: "no items" where one kind is missing; else as `inference.estimate`.
    """
    found_counts, every = np.asarray(seen, dtype=float), np.asarray(there, dtype=float)
    totals = every.sum(axis=0)
    detail: dict = {"least": least} | ({} if people is None else {"people": people})
    if not totals.all():
        return Figure.without_value(NO_ITEMS, int(totals.sum()), **detail)
    detail |= {"recalls": (found_counts.sum(axis=0) / totals).tolist(), "there": totals.astype(int).tolist()}
    columns = np.hstack((found_counts, every))
    return estimate(columns, _gap, cluster, **detail)


def _gap(sums: Floats) -> Floats:
    return ratio_of_sums(sums[..., [0, 2]]) - ratio_of_sums(sums[..., [1, 3]])


def unused_grade(said: ArrayLike, truth: ArrayLike, cluster: ArrayLike, n_classes: int) -> Figure:
    """The share that people give of the grade they give most often among those that the judge never gives; 0 where
    it gives every grade that people give.

    said, truth  classes from 0, shape (N,); below 0 is unread and left out.
    p = n_classes * (1 - share)^C, C the prompts: the chance that a judge which gave the grade on as many prompts as
    people do would never give it, for whichever of the grades. detail: `grade` (class, absent where all are used).
    Undefined: "no items"; "too few prompts" for fewer than 10.
    """
    judge, person = np.asarray(said, dtype=np.int64), np.asarray(truth, dtype=np.int64)
    read = (judge >= 0) & (person >= 0)
    ones = mean_columns(np.where(read, 1.0, np.nan))
    share_unused = estimate(ones, ratio_of_sums, cluster, least=RARE)
    if share_unused.value is None:
        return share_unused
    shares = np.bincount(person[read], minlength=n_classes) / read.sum()
    shares[np.unique(judge[read])] = 0
    grade = int(shares.argmax())
    share = float(shares[grade])
    prompts = share_unused.detail["prompts"]
    p = min(1.0, n_classes * (1 - share) ** prompts)
    detail = {"p": p, "prompts": prompts, "least": RARE} | ({"grade": grade} if share else {})
    return Figure(share, share_unused.n, detail=detail)


def share_beyond(happened: ArrayLike, cluster: ArrayLike, usual: float, least: float) -> Figure:
    """The share of answers to which something happened (1, else 0); its p-value is of its being `usual` or less.

    least  the share from which it is much; above `usual`. detail: `usual`. The interval is that of a share, so what
    never happened on twelve prompts may happen on the next. Undefined as `inference.estimate`.
    """
    values = np.asarray(happened, dtype=float)
    rate = estimate(mean_columns(values - usual), ratio_of_sums, cluster, least=least, usual=usual)
    if rate.value is None:
        return rate
    share = mean(values, statistic=share_of_sums, cluster=cluster)
    # Far from what is usual on the side that is no fault is no evidence.
    detail = {**rate.detail, "p": rate.detail["p"] / 2 if rate.value > 0 else 1.0}
    return replace(rate, value=share.value, low=share.low, high=share.high, detail=detail)
