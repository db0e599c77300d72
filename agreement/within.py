"""Agreement within a distance: how often two raters of the same item differ by at most one grade."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.figures import NO_PAIRABLE_VALUES, Figure
from agreement.statistics import share_of_sums

Floats = NDArray[np.float64]


def pair_columns(value_counts: ArrayLike, domain: ArrayLike | None = None, distance: float = 1) -> Floats:
    """Pairs of ratings that differ by at most `distance`, and all pairs, of each item, shape (items, 2).

    From counts, so that cost grows with items and values and not with pairs:
        within_u = sum_c n_uc (n_uc - 1) / 2 + sum_{c < k, k - c <= distance} n_uc n_uk
        all_u    = m_u (m_u - 1) / 2

    value_counts  how often each item got each value, shape (items, V).
    domain        the values in order, shape (V,); 0..V-1 by default.
    Raises ValueError for other shapes or a negative distance.
    """
    table = np.asarray(value_counts, dtype=float)
    values = np.arange(table.shape[-1]) if domain is None else np.asarray(domain, dtype=float)
    if table.ndim != 2 or values.shape != table.shape[1:]:
        raise ValueError("value_counts has one row per item and one column per value")
    if distance < 0:
        raise ValueError("a distance is not negative")
    near = (np.abs(values[:, None] - values[None, :]) <= distance).astype(float)
    ratings = table.sum(axis=1)
    # Ordered pairs of a rating with itself are in both sums, m_u of them.
    within = ((table @ near) * table).sum(axis=1) - ratings
    return np.column_stack((within, ratings * (ratings - 1))) / 2


def agreement_within(
    value_counts: ArrayLike,
    domain: ArrayLike | None = None,
    distance: float = 1,
    *,
    interval: bool = True,
    **options: Any,
) -> Figure:
    """Share of unordered rating pairs on the same item that differ by at most `distance`, items drawn together.

    value_counts, domain, distance as for `pair_columns`; options as for `inference.with_interval` (`cluster` draws,
    say, prompts). n = pairs, so that an item with many ratings weighs more; detail: items with at least one pair.
    Undefined: "no pairable values". Raises ValueError as `pair_columns`.
    """
    columns = pair_columns(value_counts, domain, distance)
    within, pairs = columns.sum(axis=0)
    detail: dict[str, Any] = {"distance": distance, "items": int(np.count_nonzero(columns[:, 1]))}
    if pairs == 0:
        return Figure.without_value(NO_PAIRABLE_VALUES, **detail)
    figure = Figure(float(within / pairs), int(pairs), detail=detail)
    return inference.with_interval(figure, columns, share_of_sums, **options) if interval else figure
