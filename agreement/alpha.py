"""Krippendorff's alpha over sparse ratings.

Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), sections C to E.
Alpha = 1 - D_o / D_e, from values grouped by item. Raters do not appear: cost grows with ratings.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.crossed import CountedRatings, what_is_left
from agreement.figures import NO_PAIRABLE_VALUES, NO_VARIATION, Figure
from agreement.inference import with_interval
from agreement.statistics import Scale, on_scale, sums_of_rows
from agreement.wide_scales import MANY_VALUES, Moments, alpha_of_moments

LEVELS = ("nominal", "ordinal", "interval", "ratio")

_CELLS_AT_MOST = 20_000_000  # of an item-by-value table; beyond it pairs are sorted instead


def alpha(items: ArrayLike, values: ArrayLike, level: str = "ordinal", decimals: int | None = None) -> Figure:
    """Krippendorff's alpha of single ratings.

    items     which item each rating is of, integers, shape (N,), in any order.
    values    the rating, shape (N,); numbers, or for the nominal level anything numpy can sort.
    level     "nominal", "ordinal", "interval" or "ratio".
    decimals  round values first. Sums of decimal weights differ in the last bit by the order of addition
              (0.1 + 0.1 + 0.1 != 0.3), and the nominal and ordinal levels take what differs for two values.

    With u an item rated m_u >= 2 times (others are ignored), n = sum of m_u and d the level's difference:
        D_o = 1/n * sum_u sum_{i != j in u} d(x_i, x_j) / (m_u - 1)
        D_e = 1/(n (n - 1)) * sum_{i != j} d(x_i, x_j)
    nominal d = [c != k]; interval d = (c - k)^2; ratio d = ((c - k) / (c + k))^2; ordinal
    d = (sum_{g=c..k} n_g - (n_c + n_k) / 2)^2, which is the interval difference of mid-ranks.

    Returns a figure with n = number of pairable ratings. Undefined: "no pairable values" when no item has
    two ratings, "no variation" when all pairable ratings are alike.
    Raises ValueError for an unknown level, lengths that differ, or numbers that are not finite.
    """
    items, values = np.asarray(items), np.asarray(values)
    if items.shape != values.shape or items.ndim != 1:
        raise ValueError("items and values are two lists of the same length")
    if values.dtype.kind == "f" and decimals is not None:
        values = np.round(values, decimals)
    domain, codes = _coded(values)
    return _alpha(_coded(items)[1], codes, np.ones(len(codes), dtype=np.int64), domain, level)


def alpha_from_counts(value_counts: ArrayLike, domain: ArrayLike | None = None, level: str = "ordinal") -> Figure:
    """Krippendorff's alpha of ratings already counted per item.

    value_counts  how often each item got each value, integers, shape (items, V).
    domain        the values in order, shape (V,); 0..V-1 by default.
    level, figure and errors as for `alpha`.
    """
    table = np.asarray(value_counts)
    values = np.arange(table.shape[1]) if domain is None else np.asarray(domain)
    if table.ndim != 2 or len(values) != table.shape[1]:
        raise ValueError("value_counts has one row per item and one column per value")
    if np.any(table < 0):
        raise ValueError("a count is not negative")
    # Cells in order of their flat index: np.nonzero of a flat array is several times faster than of a table.
    filled = np.flatnonzero(table)
    items, codes = np.divmod(filled, max(1, len(values)))
    return _alpha(items, codes, table.ravel()[filled].astype(np.int64), values, level)


def _coded(values: NDArray) -> tuple[NDArray, NDArray[np.int64]]:
    """Distinct values in ascending order (for integers: a range that covers them) and each one's index."""
    if values.dtype.kind in "iub" and values.size:
        low, high = int(values.min()), int(values.max())
        if high - low <= 4 * values.size:  # a table is faster than a sort while it stays this small
            return np.arange(low, high + 1), values.astype(np.int64) - low
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError("a rating is a finite number; leave out what is missing")
    return np.unique(values, return_inverse=True)


def _alpha(items: NDArray, codes: NDArray, counts: NDArray, domain: NDArray, level: str) -> Figure:
    """Alpha of (item, value, how often) triplets; the same pair may occur in several of them."""
    if level not in LEVELS:
        raise ValueError(f"level must be one of {LEVELS}, not {level!r}")
    per_item = np.bincount(items, counts)
    pairable = per_item >= 2
    n_items = int(pairable.sum())
    if not n_items:
        return Figure.without_value(NO_PAIRABLE_VALUES, level=level, items=0)
    if n_items < len(per_item):
        kept = pairable[items]
        items, codes, counts = items[kept], codes[kept], counts[kept]
    per_value = np.bincount(codes, counts, minlength=len(domain))
    n = per_item[pairable].sum()
    detail: dict[str, Any] = {"level": level, "items": n_items, "values": int(np.count_nonzero(per_value))}
    if detail["values"] < 2:
        return Figure.without_value(NO_VARIATION, int(n), **detail)
    if level == "nominal":
        observed, expected = _nominal(items, codes, counts, per_item, per_value, n)
    elif level == "ratio":
        observed, expected = _ratio(items, codes, counts, per_item, per_value, np.asarray(domain, float), n)
    else:
        scores = np.cumsum(per_value) - per_value / 2 if level == "ordinal" else np.asarray(domain, dtype=float)
        observed, expected = _squared(items, scores[codes], counts, per_item, n)
    if expected <= 0:  # a ratio scale of one value and its rounding, say
        return Figure.without_value(NO_VARIATION, int(n), **detail)
    detail |= {"observed_disagreement": float(observed / n), "expected_disagreement": float(expected / n)}
    return Figure(float(1 - observed / expected), int(n), detail=detail)


def _squared(items: NDArray, scores: NDArray, counts: NDArray, per_item: NDArray, n: float) -> tuple[float, float]:
    """n D_o and n D_e for d = (c - k)^2: sums of squares within items and overall.

    sum_{i != j} (x_i - x_j)^2 = 2 m sum_i (x_i - mean)^2. Deviations are taken before squaring, so large
    values with small differences lose no digits.
    """
    sums = np.bincount(items, counts * scores, minlength=len(per_item))
    means = sums / np.maximum(per_item, 1)
    within = np.bincount(items, counts * (scores - means[items]) ** 2, minlength=len(per_item))
    observed = (2 * per_item * within / np.maximum(per_item - 1, 1)).sum()
    expected = 2 * n * (counts * (scores - (counts * scores).sum() / n) ** 2).sum() / (n - 1)
    return observed, expected


def _nominal(
    items: NDArray, codes: NDArray, counts: NDArray, per_item: NDArray, per_value: NDArray, n: float
) -> tuple[float, float]:
    """n D_o and n D_e for d = [c != k]: what is left when equal pairs are taken from all pairs."""
    cells = items * len(per_value) + codes
    if len(per_item) * len(per_value) <= _CELLS_AT_MOST:
        cell_counts = np.bincount(cells, counts)
        alike = np.bincount(np.arange(len(cell_counts)) // len(per_value), cell_counts**2, minlength=len(per_item))
    else:
        distinct, index = np.unique(cells, return_inverse=True)
        alike = np.bincount(distinct // len(per_value), np.bincount(index, counts) ** 2, minlength=len(per_item))
    rated = per_item >= 2
    observed = ((per_item[rated] ** 2 - alike[rated]) / (per_item[rated] - 1)).sum()
    return observed, (n**2 - (per_value**2).sum()) / (n - 1)


def _ratio(
    items: NDArray, codes: NDArray, counts: NDArray, per_item: NDArray, per_value: NDArray, domain: NDArray, n: float
) -> tuple[float, float]:
    """n D_o and n D_e for d = ((c - k) / (c + k))^2, over the matrix of coincident values."""
    shape = (len(per_item), len(domain))
    table = scipy.sparse.csr_array((counts.astype(float), (items, codes)), shape=shape)
    weights = scipy.sparse.diags_array(1 / np.maximum(per_item - 1, 1))
    coincidences = (table.T @ weights @ table).toarray()
    sums = domain[:, None] + domain[None, :]
    difference = domain[:, None] - domain[None, :]
    ratio = np.divide(difference, sums, out=np.zeros_like(sums), where=sums != 0) ** 2
    # A value differs from itself by nothing, so the self pairs on both diagonals need no correction.
    return (coincidences * ratio).sum(), (np.outer(per_value, per_value) * ratio).sum() / (n - 1)


def alpha_with_interval(
    items: ArrayLike, values: ArrayLike, raters: ArrayLike, cluster: ArrayLike, level: str = "ordinal"
) -> Figure:
    """`alpha` with an interval over prompts and raters, see `inference.with_intervals`.

    raters   who gave each rating, any labels, shape (N,); a rater rates an item once.
    cluster  which prompt each rating is of, shape (N,).
    """
    figure = alpha(items, values, level)
    if figure.value is None:
        return figure
    distinct, first, place = np.unique(np.asarray(items), return_index=True, return_inverse=True)
    domain, codes = np.unique(np.asarray(values), return_inverse=True)
    who, rater = np.unique(np.asarray(raters), return_inverse=True)
    prompts = np.asarray(cluster)[first]
    if level == "interval" and len(domain) > MANY_VALUES:
        moments = Moments(place, values)
        left = what_is_left(moments.columns, moments.lost(rater, len(who)))
        return with_interval(figure, moments.columns, alpha_of_moments, cluster=prompts, without_rater=left)
    table = np.zeros((len(distinct), len(domain)), dtype=np.int64)
    np.add.at(table, (place, codes), 1)
    columns = coincidence_columns(table)
    ratings = CountedRatings(table, place, codes, rater, len(who))
    ranked = domain if domain.dtype.kind in "iuf" else np.arange(len(domain))
    return with_interval(
        figure,
        columns,
        alpha_of_coincidences(ranked, level),
        cluster=prompts,
        without_rater=what_is_left(columns, ratings.lost(coincidence_columns)),
        answers=ratings.answers(coincidence_columns, ratings.cells(prompts)),
    )


def coincidence_columns(value_counts: ArrayLike) -> "scipy.sparse.csr_array":
    """Coincidences of values per item, sparse, shape (items, V * V): what an interval over items adds up.

    o_uck = (n_uc n_uk - [c = k] n_uc) / (m_u - 1), 0 for items with fewer than two ratings; their sum over
    items is Krippendorff's coincidence matrix.
    value_counts  as for `alpha_from_counts`. Memory and time grow with the pairs of values that items got, which of a
                  wide scale are few: never with items x V * V.
    """
    table = np.asarray(value_counts, dtype=float)
    n_items, n_values = table.shape
    ratings = table.sum(axis=1)
    filled = np.flatnonzero(table * (ratings >= 2)[:, None])
    item, value = np.divmod(filled, max(1, n_values))
    count = table.ravel()[filled]
    # Every value of an item with each of its values: `one` and `other` are places among the filled cells.
    per_item = np.bincount(item, minlength=n_items)
    begin = np.cumsum(per_item) - per_item
    times = per_item[item]
    one = np.repeat(np.arange(len(filled)), times)
    other = np.arange(len(one)) - np.repeat(np.cumsum(times) - times, times) + begin[item[one]]
    products = count[one] * count[other] - np.where(one == other, count[one], 0)
    weights = products * (1 / (ratings[item[one]] - 1))
    places = (item[one], value[one] * n_values + value[other])
    columns = scipy.sparse.csr_array((weights, places), shape=(n_items, n_values**2))
    columns.eliminate_zeros()
    return columns


def dense_coincidences(value_counts: ArrayLike) -> NDArray:
    """`coincidence_columns` of a scale of few values as an array: of a hundred items they are there in a tenth of the
    time. Memory grows with items x V * V."""
    table = np.asarray(value_counts, dtype=float)
    n_items, n_values = table.shape
    ratings = table.sum(axis=1)
    products = table[:, :, None] * table[:, None, :]
    products[:, np.arange(n_values), np.arange(n_values)] -= table
    weights = np.divide(1.0, ratings - 1, out=np.zeros(n_items), where=ratings >= 2)
    return (products * weights[:, None, None]).reshape(n_items, n_values**2)


def alpha_of_coincidences(domain: ArrayLike, level: str = "ordinal") -> Callable[[NDArray], NDArray]:
    """The statistic that belongs to `coincidence_columns`: sums of shape (..., V * V) to alpha, shape (...).

    domain  the values in order, shape (V,). Use: `inference.with_interval(alpha_from_counts(counts, domain),
    coincidence_columns(counts).toarray(), alpha_of_coincidences(domain))`. NaN where all values are alike.
    Raises ValueError for an unknown level.
    """
    if level not in LEVELS:
        raise ValueError(f"level must be one of {LEVELS}, not {level!r}")
    values = np.asarray(domain)

    @on_scale(Scale.COEFFICIENT)
    def statistic(sums: NDArray) -> NDArray:
        observed = np.asarray(sums, dtype=float).reshape(*np.shape(sums)[:-1], len(values), len(values))
        per_value = sums_of_rows(observed)
        n = per_value.sum(axis=-1)
        difference = _differences(values, per_value, level)
        expected = np.einsum("...c,...k,...ck->...", per_value, per_value, difference)
        ratio = np.divide(
            (n - 1) * np.einsum("...ck,...ck->...", observed, difference),
            expected,
            out=np.full(np.shape(n), np.nan),
            where=expected > 0,
        )
        return 1 - ratio

    return statistic


def _differences(values: NDArray, per_value: NDArray, level: str) -> NDArray:
    """d(c, k) of all values, shape (V, V), or (..., V, V) for the ordinal level: ranks are sampled."""
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    scores = np.cumsum(per_value, axis=-1) - per_value / 2 if level == "ordinal" else values.astype(float)
    squared = (scores[..., :, None] - scores[..., None, :]) ** 2
    if level == "ratio":
        sums = scores[:, None] + scores[None, :]
        return np.divide(squared, sums**2, out=np.zeros_like(squared), where=sums != 0)
    return squared
