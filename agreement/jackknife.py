"""Intervals and p-values of statistics of sums, by leaving out one prompt after the other.

A bootstrap of 5,000 resamples has no p-value below 0.0004, which a correction for many judges and habits uses up. The
jackknife over clusters has none of that grain, costs one statistic per prompt, and is on the cautious side where
prompts are few or weigh unequally.

Sources: B. Efron and C. Stein, Annals of Statistics 9 (1981), 586-596; for regressions R. M. Bell and
D. F. McCaffrey, Survey Methodology 28 (2002), 169-181, and J. G. MacKinnon, M. Oe. Nielsen and M. D. Webb, Journal of
Econometrics 232 (2023), 272-299 (their CV3, with t quantiles of C - 1 degrees of freedom).
"""

from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from agreement.bootstrap import CONFIDENCE, Statistic
from agreement.figures import NO_ITEMS, Figure

#: With fewer prompts a t quantile stands for nothing that was seen.
CLUSTERS_AT_LEAST = 10
TOO_FEW_PROMPTS = "too few prompts"
METHOD = "leaving out one prompt at a time, t"


def estimate(columns: ArrayLike, statistic: Statistic, cluster: ArrayLike, **detail: Any) -> Figure:
    """The statistic of the columns' sums, with a 95 % interval and, in the detail, the p-value of its being 0.

    columns    per-item, shape (N, k); an item whose columns are all 0 says nothing and is left out.
    statistic  of their sums, as for `bootstrap`: 0 where there is no effect.
    cluster    which prompt each item is of, shape (N,).

    With C prompts and the statistic t without all of them in turn: se^2 = (C - 1) / C * sum (t_(c) - t)^2, and a t
    distribution of C - 1 degrees of freedom. p is never below 2^(1 - C), the smallest that flipping the signs of C
    prompts could give: so a judge that errs alike on every prompt, whose standard error is 0, is as certain as its
    prompts are many. n = items; detail: p, prompts, the kind of interval, and `detail`.

    Undefined: "no items"; "too few prompts" for fewer than 10, or where the statistic hangs on a single one.
    Raises ValueError for other shapes.
    """
    rows, prompt = np.asarray(columns, dtype=float), np.asarray(cluster)
    if rows.ndim != 2 or prompt.shape != rows.shape[:1]:
        raise ValueError("every item has a row of columns and a prompt")
    telling = (rows != 0).any(axis=1)
    rows, prompt = rows[telling], prompt[telling]
    n = len(rows)
    if not n:
        return Figure.without_value(NO_ITEMS, **detail)
    _, at = np.unique(prompt, return_inverse=True)
    units = np.column_stack([np.bincount(at.reshape(-1), column) for column in rows.T])
    count = len(units)
    detail |= {"prompts": count}
    if count < CLUSTERS_AT_LEAST:
        return Figure.without_value(TOO_FEW_PROMPTS, n, **detail)
    total = units.sum(axis=0)
    value = float(statistic(total))
    without = np.asarray(statistic(total - units), dtype=float)
    if np.isnan(value) or np.isnan(without).any():
        return Figure.without_value(TOO_FEW_PROMPTS, n, **detail)
    error = float(np.sqrt((count - 1) / count * ((without - value) ** 2).sum()))
    half = float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, count - 1)) * error
    least = 2.0 ** (1 - count)
    p = 1.0 if value == 0 else least if error == 0 else 2 * float(scipy.stats.t.sf(abs(value) / error, count - 1))
    detail |= {"p": min(1.0, max(p, least)), "interval": METHOD, "confidence": CONFIDENCE}
    return Figure(value, n, value - half, value + half, detail=detail)
