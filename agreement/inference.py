"""How sure a figure is: one layer under every interval and every p-value of a difference.

What is drawn are prompts, with all that belongs to one: several responses to a prompt are not independent. Where a
figure speaks of raters in general (how far people agree), raters are drawn too. Every figure is a statistic of sums
over what is drawn, so its value without one prompt, or without one rater, costs one subtraction: the spread of these
values is the variance (the jackknife), and Student's t stands for how few there are. The interval is taken on a scale
on which the figure is nearly symmetric, and never leaves the figure's range.

Nothing is random, so the same answers give the same interval. Where there are too few prompts or raters there is none,
and the detail says why: a percentile interval of three prompts covers half as often as it says.

Sources: B. Efron and C. Stein, Annals of Statistics 9 (1981), 586-596 (jackknife); J. G. MacKinnon, M. Oe. Nielsen and
M. D. Webb, Journal of Econometrics 232 (2023), 272-299 (leaving out clusters, t of C - 1 degrees of freedom);
N. Dean and M. Pagano, Survey Statistics and Methodology 3 (2015), 484-503 (Wilson's interval of clustered shares);
F. E. Satterthwaite, Biometrics Bulletin 2 (1946), 110-114 (degrees of freedom of a sum of variances). How often
intervals cover is printed by `make bench ARGS=coverage`.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, TOO_FEW, Figure
from agreement.intersection import Answers
from agreement.numbering import Clusters
from agreement.spread import CONFIDENCE, Spread, bounds, p_of_zero, spread, t_quantile
from agreement.statistics import Scale, Statistic, mean_columns, ratio_of_sums, scale_of
from agreement.units import WIDE, units_of, values_at

Floats = NDArray[np.float64]

#: With fewer prompts there is no interval. Shares and coefficients of a handful are too uneven for any formula.
PROMPTS_AT_LEAST = {scale: 5 if scale in (Scale.PLAIN, Scale.POSITIVE) else 10 for scale in Scale}
#: What is tested beside others (biases) asks for more: with fewer, a t quantile stands for nothing that was seen.
TESTED_PROMPTS_AT_LEAST = 10
#: Two people are one pair, which says nothing about other people.
RATERS_AT_LEAST = 3
#: Shares and coefficients that speak of other people as well: of fewer prompts the interval holds the truth less often
#: than it says (ten prompts, ten raters) or is wider than it need be, the more so the fewer the raters.
CROSSED_PROMPTS_AT_LEAST, CROSSED_PROMPTS_OF_FEW, FEW_RATERS = 20, 50, 4
TOO_FEW_PROMPTS, TOO_FEW_RATERS = "too few prompts", "too few raters"
ONE_SIDE = "undefined on one side"
METHOD = "leaving out one prompt at a time, t"
CROSSED = "leaving out one prompt and one rater at a time, t"

_ROUNDING = 1e-12


# --- From values without one unit to an interval ------------------------------------------------------


def with_bounds(
    figure: Figure,
    without: Floats,
    scale: Scale,
    *,
    without_rater: Floats | None = None,
    raters_at_least: int = RATERS_AT_LEAST,
    counted_twice: float = 0.0,
    telling: int | None = None,
    confidence: float = CONFIDENCE,
) -> Figure:
    """The figure with its interval, or with the reason why there is none in detail["interval"].

    without        the value without each prompt that says anything, shape (C,); NaN where it then has none.
    without_rater  the value without each rater, shape (R,), where raters are drawn as well; raters_at_least  how many
                   there must be. counted_twice  the variance that both hold (see `intersection`).
    telling        how many prompts have a value of their own: those with any span that could be matched, say.

    detail: `units` (prompts), `raters` where they are drawn, `confidence`, `interval`: how it was made, or "n < 2",
    "too few prompts", "too few raters", "no variation". Where raters are drawn, and they or the prompts are too few for
    that, detail["of_these_raters"] has the bounds for these raters alone.
    """
    value = figure.value
    if value is None:
        return figure
    count = len(without) if telling is None else telling
    of_prompts = None if count < 2 or np.isnan(without).any() else spread(value, without, count)
    return _with_spread(figure, of_prompts, count, scale, without_rater, raters_at_least, confidence, counted_twice)


def _with_spread(
    figure: Figure,
    of_prompts: Spread | None,
    count: int,
    scale: Scale,
    without_rater: Floats | None,
    raters_at_least: int,
    confidence: float,
    counted_twice: float = 0.0,
) -> Figure:
    """`with_bounds`, from the spread over so many prompts; None where there is none."""
    value = figure.number
    detail: dict[str, Any] = {"units": count}
    if of_prompts is None:
        return figure.with_detail(**detail, interval=TOO_FEW)
    if count < PROMPTS_AT_LEAST[scale]:
        return figure.with_detail(**detail, interval=TOO_FEW_PROMPTS)
    low, high = bounds(value, of_prompts, scale, count, confidence)
    if math.isnan(low):
        return figure.with_detail(**detail, interval=NO_VARIATION)
    detail |= {"interval": METHOD, "confidence": confidence}
    if without_rater is not None:
        detail["raters"] = len(without_rater)
        if len(without_rater) < raters_at_least or np.isnan(without_rater).any():
            return figure.with_detail(**detail | {"interval": TOO_FEW_RATERS, "of_these_raters": [low, high]})
        if count < _prompts_beside(len(without_rater), scale):
            return figure.with_detail(**detail | {"interval": TOO_FEW_PROMPTS, "of_these_raters": [low, high]})
        detail["interval"] = CROSSED
        both = (of_prompts + spread(value, without_rater)).less(counted_twice, at_least=of_prompts.variance)
        low, high = bounds(value, both, scale, count, confidence)
    return Figure(value, figure.n, low, high, detail={**figure.detail, **detail})


def _prompts_beside(raters: int, scale: Scale) -> int:
    """Least prompts where so many raters are drawn as well."""
    if scale in (Scale.PLAIN, Scale.POSITIVE):
        return PROMPTS_AT_LEAST[scale]
    return CROSSED_PROMPTS_OF_FEW if raters <= FEW_RATERS else CROSSED_PROMPTS_AT_LEAST


# --- Figures of columns -------------------------------------------------------------------------------


def with_interval(figure: Figure, columns: Any, statistic: Statistic, **options: Any) -> Figure:
    """As `with_intervals` for one figure."""
    return with_intervals([figure], columns, [statistic], **options)[0]


def with_intervals(
    figures: Sequence[Figure],
    columns: Any,
    statistics: Sequence[Statistic],
    *,
    cluster: ArrayLike | Clusters | None = None,
    without_rater: Any = None,
    raters_at_least: int = RATERS_AT_LEAST,
    answers: Answers | None = None,
    confidence: float = CONFIDENCE,
) -> list[Figure]:
    """The same figures with their intervals.

    figures        the values, e.g. `spans.figure(counts, spans.f1)`; those without a value stay as they are.
    columns        per item, shape (N, k), e.g. match counts; an array or sparse.
    statistics     of their sums, e.g. `spans.f1`, in the order of the figures.
    cluster        which prompt each item is of, shape (N,); each item is a prompt of its own by default.
    without_rater  sums of the columns without each rater in turn, shape (R, k), where raters are drawn too (see
                   `crossed`); raters_at_least  how many there must be.
    answers        what the sums lose without single answers, where raters are drawn too: what prompts and raters both
                   count is taken off (see `intersection`). Of coefficients what lies in single answers stays: they bend
                   in their sums, and leaving out says too little of that by about as much. Of scales of more than
                   twenty grades nothing is taken off, for the sake of time.

    detail as for `with_bounds`. Raises ValueError as `units_of`.
    """
    if all(figure.value is None for figure in figures):
        return list(figures)
    units = units_of(columns, cluster)
    total = np.asarray(units.sum(axis=0), dtype=np.float64).reshape(-1)
    values = values_at(units, statistics, total)
    of_raters = [None] * len(figures) if without_rater is None else list(values_at(without_rater, statistics))
    twice = _counted_twice(answers, total, figures, statistics)
    numbers = np.array([np.nan if figure.value is None else figure.value for figure in figures])
    apart = values - numbers[:, None]
    n = values.shape[1]
    variances: list[float] = ((n - 1) / max(1, n) * (apart**2).sum(axis=1)).tolist()
    counts = _telling(units, statistics, apart)
    made = []
    for at, (figure, statistic) in enumerate(zip(figures, statistics, strict=True)):
        if figure.value is None:
            made.append(figure)
            continue
        is_unknown = counts[at] < 2 or math.isnan(variances[at])  # without one of them it has no value
        of_prompts = None if is_unknown else Spread(variances[at], counts[at] - 1)
        options = (scale_of(statistic), of_raters[at], raters_at_least, confidence, twice[at])
        made.append(_with_spread(figure, of_prompts, counts[at], *options))
    return made


def _counted_twice(
    answers: Answers | None, total: Floats, figures: Sequence[Figure], statistics: Sequence[Statistic]
) -> list[float]:
    if answers is None or answers.lost.shape[1] > WIDE:
        return [0.0] * len(figures)
    changes = values_at(answers.lost, statistics, total)
    return [
        0.0
        if figure.value is None
        else answers.counted_twice(changes[at] - figure.value, with_single=scale_of(statistic) is not Scale.COEFFICIENT)
        for at, (figure, statistic) in enumerate(zip(figures, statistics, strict=True))
    ]


def _telling(units: Any, statistics: Sequence[Statistic], apart: Floats) -> list[int]:
    """How many prompts each figure rests on. A share rests on those that have one of their own or change it: of 100
    prompts of which three have a predicted span, precision rests on three. Others rest on all: a prompt alone has no
    alpha. apart  the values without each prompt, less the value, (statistics, C)."""
    counts = [apart.shape[1]] * len(statistics)
    shares = [at for at, statistic in enumerate(statistics) if scale_of(statistic) is Scale.SHARE]
    if shares:
        own = values_at(units, [statistics[at] for at in shares])
        says = (~np.isnan(own) | (np.abs(apart[shares]) > _ROUNDING)).sum(axis=1).tolist()
        for at, count in zip(shares, says, strict=True):
            counts[at] = count
    return counts


def estimate(
    columns: ArrayLike,
    statistic: Statistic,
    cluster: ArrayLike | Clusters | None = None,
    *,
    at_least: int = TESTED_PROMPTS_AT_LEAST,
    confidence: float = CONFIDENCE,
    **detail: Any,
) -> Figure:
    """The statistic of the columns' sums, with an interval and, in the detail, the p-value of its being 0.

    columns, cluster  as for `with_intervals`; an item whose columns are all 0 says nothing and is left out.
    statistic         of their sums: 0 where there is no effect. Its interval is PLAIN.
    at_least          prompts, below which it is undefined.

    p is that of Student's t with C - 1 degrees of freedom, and never below 2^(1 - C), the smallest that flipping the
    signs of C prompts could give: so a judge that errs alike on every prompt, whose standard error is 0, is as certain
    as its prompts are many; it has no interval ("no variation"). n = items; detail: `p`, `prompts`, the kind of
    interval, and `detail`.

    Undefined: "no items"; "too few prompts", also where the statistic hangs on a single one.
    Raises ValueError as `units_of`.
    """
    return estimates(columns, [statistic], cluster, at_least=at_least, confidence=confidence, details=[detail])[0]


def estimates(
    columns: ArrayLike,
    statistics: Sequence[Statistic],
    cluster: ArrayLike | Clusters | None = None,
    *,
    at_least: int = TESTED_PROMPTS_AT_LEAST,
    confidence: float = CONFIDENCE,
    details: Sequence[dict[str, Any]],
) -> list[Figure]:
    """As `estimate` for several statistics of the same columns, each with its detail."""
    rows = np.asarray(columns, dtype=float)
    n = int((rows != 0).any(axis=1).sum()) if rows.ndim == 2 else 0
    units = units_of(rows, cluster)
    count = len(units)
    if not n:
        return [Figure.without_value(NO_ITEMS, **detail) for detail in details]
    if count < at_least:
        return [Figure.without_value(TOO_FEW_PROMPTS, n, **detail, prompts=count) for detail in details]
    total = units.sum(axis=0)
    values = [float(statistic(total)) for statistic in statistics]
    options: dict[str, Any] = {"at_least": at_least, "confidence": confidence}
    figures = []
    for value, without, detail in zip(values, values_at(units, statistics, total), details, strict=True):
        of_prompts = None if np.isnan(without).any() else spread(value, without)
        figures.append(estimate_of_spread(value, n, of_prompts, count, detail=detail, **options))
    return figures


def estimate_of_spread(
    value: float,
    n: int,
    of_prompts: Spread | None,
    count: int,
    *,
    at_least: int = TESTED_PROMPTS_AT_LEAST,
    confidence: float = CONFIDENCE,
    detail: dict[str, Any] | None = None,
) -> Figure:
    """`estimate` from the value over n items and its spread over so many prompts; None where it has none without one
    of them."""
    detail = (detail or {}) | {"prompts": count}
    if not n:
        return Figure.without_value(NO_ITEMS)
    if count < at_least or math.isnan(value) or of_prompts is None:
        return Figure.without_value(TOO_FEW_PROMPTS, n, **detail)
    half = t_quantile(of_prompts.freedom, confidence) * math.sqrt(of_prompts.variance)
    detail |= {"p": p_of_zero(value, of_prompts)}
    if half <= _ROUNDING * max(1.0, abs(value)):  # an interval without width would say that it is sure
        return Figure(value, n, detail=detail | {"interval": NO_VARIATION})
    detail |= {"interval": METHOD, "confidence": confidence}
    return Figure(value, n, value - half, value + half, detail=detail)


def paired_difference(
    first: Any,
    second: Any,
    statistic: Statistic,
    *,
    cluster: ArrayLike | Clusters | None = None,
    confidence: float = CONFIDENCE,
) -> Figure:
    """statistic(first) - statistic(second), both over the same items, with interval and p-value.

    first, second  per-item columns of the two sides, shape (N, k), row by row the same item; arrays, or both sparse.

    n = number of items; detail: `p` as for `estimate`, `units`. Undefined: "no items", "n < 2" (one prompt), "too few
    prompts" (as many as the statistic's own interval asks for), or "undefined on one side". Where both sides differ
    alike on every prompt there is no interval ("no variation").
    Raises ValueError where the two tables have different shapes.
    """
    return paired_differences(first, second, [statistic], cluster=cluster, confidence=confidence)[0]


def paired_differences(
    first: Any,
    second: Any,
    statistics: Sequence[Statistic],
    *,
    cluster: ArrayLike | Clusters | None = None,
    confidence: float = CONFIDENCE,
) -> list[Figure]:
    """As `paired_difference` for several statistics of the same columns."""
    are_sparse = scipy.sparse.issparse(first)
    a: Any
    b: Any
    a, b = (first, second) if are_sparse else (np.asarray(first, dtype=float), np.asarray(second, dtype=float))
    if a.shape != b.shape or a.ndim != 2:
        raise ValueError("a paired comparison needs the same items and columns on both sides")
    n, k = a.shape
    if n == 0:
        return [Figure.without_value(NO_ITEMS) for _ in statistics]
    sides: Any = scipy.sparse.hstack([a, b], format="csr") if are_sparse else np.hstack((a, b))
    units = units_of(sides, cluster)
    if units.shape[0] < 2:
        return [Figure.without_value(TOO_FEW, n) for _ in statistics]
    total = np.asarray(units.sum(axis=0), dtype=np.float64).reshape(-1)
    return [_difference(units, total, k, statistic, n, confidence) for statistic in statistics]


def _difference(units: Any, total: Floats, k: int, statistic: Statistic, n: int, confidence: float) -> Figure:
    def difference(sums: Floats) -> Floats:
        return statistic(sums[..., :k]) - statistic(sums[..., k:])

    value = float(difference(total))
    if np.isnan(value):
        return Figure.without_value(ONE_SIDE, n)
    [without] = values_at(units, [difference], total)
    return difference_with_bounds(Figure(value, n), without, scale_of(statistic), confidence=confidence)


def difference_with_bounds(
    figure: Figure,
    without: Floats,
    scale: Scale,
    without_rater: Floats | None = None,
    raters_at_least: int = RATERS_AT_LEAST,
    confidence: float = CONFIDENCE,
) -> Figure:
    """A difference of two figures of this scale, with its interval and detail["p"], from its value without each prompt
    (shape (C,)) and, where it speaks of raters in general, without each rater (shape (R,)). With fewer raters than
    that there is neither."""
    count = len(without)
    is_known = count >= PROMPTS_AT_LEAST[scale] and not np.isnan(without).any()
    of_prompts = spread(figure.number, without) if is_known else None
    if without_rater is None or of_prompts is None:
        return difference_of_spread(figure, of_prompts, count, scale, confidence)
    made = _with_spread(figure, of_prompts, count, Scale.PLAIN, without_rater, raters_at_least, confidence)
    if made.low is None:
        return made
    return made.with_detail(p=p_of_zero(figure.number, of_prompts + spread(figure.number, without_rater)))


def difference_of_spread(
    figure: Figure, of_prompts: Spread | None, count: int, scale: Scale, confidence: float = CONFIDENCE
) -> Figure:
    """`difference_with_bounds` from the spread over so many prompts; None where it has none."""
    if of_prompts is None or count < PROMPTS_AT_LEAST[scale]:
        return figure.with_detail(units=count, interval=TOO_FEW_PROMPTS)
    made = _with_spread(figure, of_prompts, count, Scale.PLAIN, None, RATERS_AT_LEAST, confidence)
    return made.with_detail(p=p_of_zero(figure.number, of_prompts))


# --- Means --------------------------------------------------------------------------------------------


def mean(values: ArrayLike, *, statistic: Statistic = ratio_of_sums, **options: Any) -> Figure:
    """Mean with its interval; options as for `with_interval`.

    values     shape (N,); NaN is an item without a value: left out and counted in the detail.
    statistic  `ratio_of_sums`, or `share_of_sums` or `rate_of_sums` where the values are so.

    n = values that count. Undefined: "no items".
    """
    columns = mean_columns(values)
    total = columns.sum(axis=0)
    detail = {"without_value": int(len(columns) - total[1])}
    if total[1] == 0:
        return Figure.without_value(NO_ITEMS, **detail)
    point = Figure(float(total[0] / total[1]), int(total[1]), detail=detail)
    return with_interval(point, columns, statistic, **options)
