"""Gwet's AC1 and AC2: agreement beyond chance, which stays meaningful where nearly all ratings are alike.

Alpha and kappa expect much agreement by chance where one value prevails, and then fall towards 0 although raters hardly
ever differ. AC expects agreement only of ratings given at random, and that they are is less probable the more one
value prevails. Both are right about different questions, so AC stands beside alpha and never in its place.

Sources: K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008), 29-48 (AC1); Handbook of
Inter-Rater Reliability, 4th edition (2014), chapters 2 to 4 (AC2, weights, missing ratings).
"""

from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.figures import NO_PAIRABLE_VALUES, NO_VARIATION, Figure
from agreement.statistics import Scale, Statistic, on_scale, ratio_of_sums

WEIGHTS = ("unweighted", "linear", "quadratic", "ordinal")
ONE_VALUE = "a scale of one value"

Floats = NDArray[np.float64]


def weights_of(domain: ArrayLike, weights: str = "unweighted") -> Floats:
    """What two ratings agree, 1 for the same value and 0 for the two ends of the scale; shape (V, V).

    domain  all values of the scale in order, also those that nobody gave, shape (V,).
    With x the values, d = |x_k - x_l| and s the range: unweighted [k = l]; linear 1 - d / s; quadratic 1 - (d / s)^2;
    ordinal 1 - C(|k - l| + 1, 2) / C(V, 2) by places k and l alone, the share of pairs of values not between the two.
    Raises ValueError for an unknown name or values that do not rise.
    """
    if weights not in WEIGHTS:
        raise ValueError(f"weights must be one of {WEIGHTS}, not {weights!r}")
    values = np.asarray(domain, dtype=float)
    if values.ndim != 1 or (np.diff(values) <= 0).any():
        raise ValueError("a scale's values rise")
    n = len(values)
    if weights == "unweighted" or n < 2:
        return np.eye(n)
    if weights == "ordinal":
        apart = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
        return 1 - scipy.special.comb(apart + 1, 2) / scipy.special.comb(n, 2)
    far = np.abs(np.subtract.outer(values, values)) / (values[-1] - values[0])
    return 1 - far if weights == "linear" else 1 - far**2


def ac_columns(value_counts: ArrayLike, domain: ArrayLike | None = None, weights: str = "unweighted") -> Floats:
    """Per item: agreement of its pairs, whether it has any, shares of its values, whether it is rated; (items, V + 3).

    With n_uk ratings of value k on item u, m_u in all and w the weights:
        agreement_u = sum_k n_uk (sum_l w_kl n_ul - 1) / (m_u (m_u - 1)),   share_uk = n_uk / m_u
    value_counts  shape (items, V), as for `alpha.alpha_from_counts`. Raises ValueError for other shapes.
    """
    table = np.asarray(value_counts, dtype=float)
    values = np.arange(table.shape[-1]) if domain is None else np.asarray(domain)
    if table.ndim != 2 or values.shape != table.shape[1:] or (table < 0).any():
        raise ValueError("value_counts has one row per item and one column per value, none negative")
    ratings = table.sum(axis=1)
    agreeing = (table * (table @ weights_of(values, weights) - 1)).sum(axis=1)
    paired = ratings >= 2
    agreement = np.divide(agreeing, ratings * (ratings - 1), out=np.zeros(len(table)), where=paired)
    shares = table / np.maximum(ratings, 1)[:, None]
    return np.column_stack((agreement, paired, shares, ratings > 0)).astype(float)


def share_of_even_scale(n_values: int, weights: str) -> float:
    """Sum of `weights_of` a scale of so many evenly spaced values over V (V - 1), "unweighted" or "quadratic": what AC
    expects by chance for each pi_k (1 - pi_k), without a table of V x V. NaN below two values."""
    n = float(n_values)
    if n < 2:
        return float("nan")
    total = {"unweighted": n, "quadratic": n**2 - n**2 * (n + 1) / (6 * (n - 1))}[weights]
    return total / (n * (n - 1))


def ac_statistic(domain: ArrayLike, weights: str = "unweighted", n_values: int | None = None) -> Statistic:
    """AC as a statistic of sums of `ac_columns`, (..., V + 3) to (...).

        p_a = mean agreement over items with pairs,   pi_k = mean share over all rated items,
        p_e = sum_kl w_kl / (V (V - 1)) * sum_k pi_k (1 - pi_k),   AC = (p_a - p_e) / (1 - p_e)
    NaN without a pair. p_e is at most 1/V unweighted, so AC is defined also where all ratings are alike (1).
    n_values  V, where `domain` has only the ends of an evenly spaced scale and the values that were given (those that
    nobody gave add nothing to the sum of pi_k (1 - pi_k)).
    """
    if n_values is None:
        table = weights_of(domain, weights)
        factor = table.sum() / (len(table) * (len(table) - 1)) if len(table) > 1 else np.nan
    else:
        factor = share_of_even_scale(n_values, weights)

    @on_scale(Scale.COEFFICIENT)
    def ac(sums: Floats) -> Floats:
        sums = np.asarray(sums, dtype=float)
        observed = ratio_of_sums(sums[..., :2])
        rated = sums[..., -1:]
        shares = np.divide(sums[..., 2:-1], rated, out=np.zeros(sums[..., 2:-1].shape), where=rated > 0)
        expected = factor * (shares * (1 - shares)).sum(axis=-1)
        left = 1 - expected
        return np.divide(observed - expected, left, out=np.full(np.shape(left), np.nan), where=left > 1e-12)

    return ac


def gwet_ac(
    value_counts: ArrayLike,
    domain: ArrayLike | None = None,
    weights: str = "unweighted",
    *,
    interval: bool = True,
    **options: Any,
) -> Figure:
    """Gwet's AC1 ("unweighted") or AC2 (any other weights) of any number of raters, with its interval over items.

    value_counts  how often each item got each value, shape (items, V). domain  all values of the scale, shape (V,);
    0..V-1 by default. A value that nobody gave counts: AC depends on how many values there are to choose from.
    n = items with two ratings at least. Options as for `inference.with_interval` (`cluster` draws, say, prompts).
    Undefined: "no pairable values"; "a scale of one value"; "no variation" where weights grant agreement to
    everything that was to be expected. Raises ValueError as `ac_columns` and `weights_of`.
    """
    table = np.asarray(value_counts)
    values = np.arange(table.shape[-1]) if domain is None else np.asarray(domain)
    columns = ac_columns(table, values, weights)
    total = columns.sum(axis=0)
    detail: dict[str, Any] = {"weights": weights, "values": len(values), "rated": int(total[-1])}
    n = int(total[1])
    if n == 0:
        return Figure.without_value(NO_PAIRABLE_VALUES, **detail)
    if len(values) < 2:
        return Figure.without_value(ONE_VALUE, n, **detail)
    statistic = ac_statistic(values, weights)
    value = float(statistic(total))
    if np.isnan(value):
        return Figure.without_value(NO_VARIATION, n, **detail)
    observed = float(total[0] / total[1])
    expected = (observed - value) / (1 - value) if value != 1 else None
    figure = Figure(value, n, detail={**detail, "observed_agreement": observed, "expected_agreement": expected})
    return inference.with_interval(figure, columns, statistic, **options) if interval else figure
