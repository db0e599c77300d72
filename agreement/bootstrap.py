"""Bootstrap over items: intervals, and paired differences with a p-value.

Statistics are functions of sums over items, so per-item columns are computed once and a resample only adds up
drawn rows of them. Source: A. C. Davison and D. V. Hinkley, Bootstrap Methods and their
Application (1997), sections 2.4, 4.2 and 5.3.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, TOO_FEW, Figure

RESAMPLES = 5_000
CONFIDENCE = 0.95

Floats = NDArray[np.float64]
#: Takes sums of the columns, shape (..., k), gives values, shape (...); NaN marks an undefined value.
Statistic = Callable[[Floats], Floats]

_DRAWS_AT_ONCE = 100_000  # fits a processor's cache, and bounds memory whatever the number of resamples
_LOOKED_UP_AT_MOST = 4  # columns, measured: beyond it weights are faster
# With so few distinct items for each item, measured: beyond the first, counting patterns pays; beyond the second, so
# does drawing the counts themselves.
_ITEMS_PER_PATTERN, _ITEMS_PER_COUNTED_PATTERN = 4, 32


def resampled_sums(
    columns: ArrayLike, resamples: int = RESAMPLES, seed: int = 0, cluster: ArrayLike | None = None
) -> Floats:
    """Sums of the columns over items drawn with replacement, shape (resamples, k).

    columns  per-item statistics, shape (N, k).
    cluster  which cluster (say, the prompt) each item belongs to, integers, shape (N,): whole clusters are
             then drawn, as many as there are, because the responses to one prompt are not independent.
    seed     of numpy's default generator; the same seed and columns give the same sums.

    Raises ValueError without items, or where cluster has another length than columns.
    """
    units = _units(columns, cluster)
    if len(units) == 0:
        raise ValueError("nothing to draw from")
    sums = np.empty((resamples, units.shape[1]))
    for begin, piece in _resampled(units, resamples, seed):
        sums[begin : begin + len(piece)] = piece
    return sums


def _resampled(units: Floats, resamples: int, seed: int) -> Iterator[tuple[int, Floats]]:
    """The sums of `resampled_sums` piece by piece, and where each piece begins: for columns of which all sums at once
    would fill the memory."""
    n = len(units)
    # What is the same for every item (the 1 beside each value of a mean) adds up to the same in every draw.
    same = (units == units[0]).all(axis=0)
    if same.all():
        yield 0, np.tile(units[0] * n, (resamples, 1))
        return
    varying = np.ascontiguousarray(units[:, ~same].T)
    for begin, weighed in _drawn(varying, n, resamples, np.random.default_rng(seed)):
        piece = np.empty((len(weighed), units.shape[1]))
        piece[:, same] = units[0, same] * n
        piece[:, ~same] = weighed
        yield begin, piece


def _drawn(columns: Floats, n: int, resamples: int, generator: np.random.Generator) -> Iterator[tuple[int, Floats]]:
    """Where each piece of the resamples begins, and its sums, shape (rows, k); columns have shape (k, n).

    Items with classes or counts are alike by the hundred: a table of two judges on five classes has at most 150
    distinct items. How often each of P patterns is drawn is multinomial, so where they are few enough those counts are
    drawn, which costs P for each resample instead of n.
    """
    distinct, pattern, count = _patterns(columns)
    if len(count) * _ITEMS_PER_COUNTED_PATTERN <= n:
        rows = max(1, min(resamples, _DRAWS_AT_ONCE // len(count)))
        for begin in range(0, resamples, rows):
            weights = generator.multinomial(n, count / n, min(rows, resamples - begin)).astype(np.float64)
            yield begin, np.einsum("rn,kn->rk", weights, distinct)
        return
    few = len(count) * _ITEMS_PER_PATTERN <= n and len(columns) > _LOOKED_UP_AT_MOST
    rows = max(1, min(resamples, _DRAWS_AT_ONCE // n))
    for begin in range(0, resamples, rows):
        drawn = generator.integers(0, n, (min(rows, resamples - begin), n))
        yield begin, _sums_of_drawn(distinct, drawn, pattern) if few else _sums_of_drawn(columns, drawn)


def _patterns(columns: Floats) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """The distinct items, which of them each item is, and how often each occurs; the items themselves where a look at
    one column shows that there are too many to gain by it."""
    n = columns.shape[1]
    if len(np.unique(columns[0])) * _ITEMS_PER_PATTERN > n:
        return columns, np.arange(n), np.ones(n, dtype=np.int64)
    distinct, pattern, count = np.unique(columns, axis=1, return_inverse=True, return_counts=True)
    return distinct, pattern.reshape(-1), count


def _sums_of_drawn(columns: Floats, drawn: NDArray[np.int64], pattern: NDArray[np.int64] | None = None) -> Floats:
    """Sums of the drawn items' columns, shape (rows of draws, k); columns have shape (k, n), or (k, P) of patterns.

    Few columns are looked up draw by draw. For many it is cheaper to count once how often each item, or each pattern,
    was drawn and to weigh every column with that; by einsum, whose single thread does not collide with other workers
    on the same processor as a threaded matrix product does.
    """
    if len(columns) <= _LOOKED_UP_AT_MOST:
        return np.column_stack([column.take(drawn).sum(axis=1) for column in columns])
    rows, n = len(drawn), columns.shape[1]
    place = (drawn if pattern is None else pattern.take(drawn)) + (np.arange(rows) * n)[:, None]
    weights = np.bincount(place.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)
    return np.einsum("rn,kn->rk", weights, columns)


def _units(columns: ArrayLike, cluster: ArrayLike | None) -> Floats:
    """What is drawn: the items, or the sums of each cluster."""
    columns = np.asarray(columns, dtype=np.float64)
    if columns.ndim != 2:
        raise ValueError("columns has one row per item")
    if cluster is None:
        return columns
    cluster = np.asarray(cluster)
    if cluster.shape != columns.shape[:1]:
        raise ValueError("every item has a cluster")
    _, index = np.unique(cluster, return_inverse=True)
    sums = np.zeros((int(index.max(initial=-1)) + 1, columns.shape[1]))
    np.add.at(sums, index, columns)
    return sums


def with_interval(
    figure: Figure,
    columns: ArrayLike,
    statistic: Statistic,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    cluster: ArrayLike | None = None,
    confidence: float = CONFIDENCE,
) -> Figure:
    """The same figure with its percentile interval.

    figure     the value, e.g. `spans.figure(counts, spans.f1)`; returned unchanged where it has none.
    columns    per-item statistics, shape (N, k), e.g. the match counts.
    statistic  of their sums, e.g. `spans.f1`.

    Bounds are the (1 - confidence) / 2 and (1 + confidence) / 2 quantiles of the resampled statistic, with
    linear interpolation. Resamples on which it is undefined are left out and counted in the detail. With
    fewer than two units to draw, or with one alone that the value rests on, there is no interval, and the detail says
    so: a width of 0 would be certainty about a single observation.
    Raises ValueError as `resampled_sums`.
    """
    options: dict[str, Any] = {"resamples": resamples, "seed": seed, "cluster": cluster, "confidence": confidence}
    return with_intervals([figure], columns, [statistic], **options)[0]


def with_intervals(
    figures: Sequence[Figure],
    columns: ArrayLike,
    statistics: Sequence[Statistic],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    cluster: ArrayLike | None = None,
    confidence: float = CONFIDENCE,
) -> list[Figure]:
    """As `with_interval` for several figures of the same columns, which cost one set of draws together."""
    if all(figure.value is None for figure in figures):
        return list(figures)
    units = _units(columns, cluster)
    if len(units) < 2:
        return [_without_interval(figure) for figure in figures]
    sums = resampled_sums(units, resamples, seed)
    with_bounds = []
    for figure, statistic in zip(figures, statistics, strict=True):
        if figure.value is not None:
            low, high, detail = _percentiles(statistic(sums), confidence)
            if low == high and detail["undefined_resamples"] and _rests_on_one_unit(units, statistic):
                figure = _without_interval(figure)
            else:
                figure = replace(figure, low=low, high=high, detail={**figure.detail, **detail, "units": len(units)})
        with_bounds.append(figure)
    return with_bounds


def _rests_on_one_unit(units: Floats, statistic: Statistic) -> bool:
    """Whether the value is gone where some one unit is left out: it is then that unit's alone, and every resample that
    has it gives the same. Units have shape (n, k)."""
    return bool(np.isnan(statistic(units.sum(axis=0) - units)).any())


def _without_interval(figure: Figure) -> Figure:
    return figure if figure.value is None else replace(figure, detail={**figure.detail, "interval": TOO_FEW})


def _percentiles(values: Floats, confidence: float) -> tuple[float | None, float | None, dict[str, Any]]:
    usable = values[~np.isnan(values)]
    detail: dict[str, Any] = {
        "interval": "percentile bootstrap",
        "confidence": confidence,
        "resamples": len(values),
        "undefined_resamples": len(values) - len(usable),
    }
    if not len(usable):
        return None, None, detail
    tail = (1 - confidence) / 2
    low, high = np.quantile(usable, (tail, 1 - tail))
    return float(low), float(high), detail


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    statistic: Statistic,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    cluster: ArrayLike | None = None,
    confidence: float = CONFIDENCE,
) -> Figure:
    """statistic(first) - statistic(second), both over the same items, with interval and p-value.

    first, second  per-item columns of the two sides, shape (N, k), row by row the same item.

    Both sides see the same draws. detail["p"] is two-sided,
        p = min(1, 2 (1 + min(#{d* <= 0}, #{d* >= 0})) / (resamples + 1)),
    so it is never 0 and is 1 when both sides are alike everywhere.
    n = number of items; detail["units"] is what was drawn. Undefined: "no items", "n < 2", or "undefined on
    one side". Raises ValueError where the two tables have different shapes.
    """
    options: dict[str, Any] = {"resamples": resamples, "seed": seed, "cluster": cluster, "confidence": confidence}
    return paired_differences(first, second, [statistic], **options)[0]


def paired_differences(
    first: ArrayLike,
    second: ArrayLike,
    statistics: Sequence[Statistic],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    cluster: ArrayLike | None = None,
    confidence: float = CONFIDENCE,
) -> list[Figure]:
    """As `paired_difference` for several statistics of the same columns, which cost one set of draws together."""
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if a.shape != b.shape or a.ndim != 2:
        raise ValueError("a paired comparison needs the same items and columns on both sides")
    n, k = a.shape
    if n == 0:
        return [Figure.without_value(NO_ITEMS) for _ in statistics]
    units = _units(np.hstack((a, b)), cluster)
    if len(units) < 2:
        return [Figure.without_value(TOO_FEW, n) for _ in statistics]
    total = units.sum(axis=0)
    values = [float(statistic(total[:k]) - statistic(total[k:])) for statistic in statistics]
    of_draws = np.full((len(statistics), resamples), np.nan)
    for begin, sums in _resampled(units, resamples, seed):
        for place, (statistic, value) in enumerate(zip(statistics, values, strict=True)):
            if not np.isnan(value):
                of_draws[place, begin : begin + len(sums)] = statistic(sums[:, :k]) - statistic(sums[:, k:])
    figures = []
    for value, differences in zip(values, of_draws, strict=True):
        if np.isnan(value):
            figures.append(Figure.without_value("undefined on one side", n))
            continue
        low, high, detail = _percentiles(differences, confidence)
        detail |= {"p": _two_sided(differences), "units": len(units)}
        figures.append(Figure(value, n, low, high, detail=detail))
    return figures


def _two_sided(differences: Floats) -> float:
    """The p-value of `paired_difference`; resamples without a value count on neither side."""
    used = len(differences) - np.isnan(differences).sum()
    rarer = min((differences <= 0).sum(), (differences >= 0).sum())
    return float(min(1.0, 2 * (1 + rarer) / (used + 1)))


def mean_columns(values: ArrayLike) -> Floats:
    """Columns of a mean: each value beside a 1, shape (N, 2). A NaN value is an item that has none."""
    values = np.asarray(values, dtype=np.float64)
    present = ~np.isnan(values)
    return np.column_stack((np.where(present, values, 0.0), present))


def ratio_of_sums(sums: Floats) -> Floats:
    """First column over second, shape (...); NaN where the second is 0. The mean of `mean_columns`."""
    sums = np.asarray(sums, dtype=float)
    part, whole = sums[..., 0], sums[..., 1]
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole != 0)


def mean(values: ArrayLike, **options: Any) -> Figure:
    """Mean with its bootstrap interval; options as for `with_interval`.

    values  shape (N,); NaN is an item without a value: left out and counted in the detail.
    n = values that count. Undefined: "no items".
    """
    columns = mean_columns(values)
    total = columns.sum(axis=0)
    detail = {"without_value": int(len(columns) - total[1])}
    if total[1] == 0:
        return Figure.without_value(NO_ITEMS, **detail)
    point = Figure(float(total[0] / total[1]), int(total[1]), detail=detail)
    return with_interval(point, columns, ratio_of_sums, **options)
