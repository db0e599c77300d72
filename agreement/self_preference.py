"""How far a judge prefers what its own laboratory's models write to what others write.

Whether a judge favours its own is seen only beside people: a laboratory may have the better models. So the difference
is taken twice, of what the judge says and of its error (judge less people). The difference of errors is what L. Zheng
et al., Judging LLM-as-a-Judge (NeurIPS 2023), section 3.3, look at as self-enhancement: what a judge says of its own
beyond what people say of the same.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure
from agreement.inference import ONE_SIDE, with_interval
from agreement.statistics import mean_columns, ratio_of_sums

Floats = NDArray[np.float64]


def own_less_others(values: ArrayLike, is_own: ArrayLike, cluster: ArrayLike) -> Figure:
    """Mean of the values about the own laboratory's models less the mean of those about others.

    values   what the judge says, or its error, in their units; NaN where there is none. is_own  whether the value is
             about a model of the judge's laboratory; cluster  the prompt of each; shape (N,).

    n = values that count; detail: `own` and `others`, how many of either, and `units` (prompts).
    Undefined: "no items"; "undefined on one side" where there are none of the one kind. The interval leaves out one
    prompt at a time, with what was said of both kinds on it.
    """
    said, own = np.asarray(values, dtype=float), np.asarray(is_own, dtype=bool)
    columns = np.hstack((mean_columns(np.where(own, said, np.nan)), mean_columns(np.where(own, np.nan, said))))
    total = columns.sum(axis=0)
    detail = {"own": int(total[1]), "others": int(total[3])}
    n = detail["own"] + detail["others"]
    if not n:
        return Figure.without_value(NO_ITEMS, **detail)
    if not detail["own"] or not detail["others"]:
        return Figure.without_value(ONE_SIDE, n, **detail)
    point = Figure(float(_difference(total)), n, detail=detail)
    return with_interval(point, columns, _difference, cluster=cluster)


def _difference(sums: Floats) -> Floats:
    return ratio_of_sums(sums[..., :2]) - ratio_of_sums(sums[..., 2:])
