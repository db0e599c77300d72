"""What a rater says where each grade is true, in three numbers with intervals: right, lower, higher.

By Dawid and Skene's model (`annotator_models`), whose truths are chances of each grade. An interval leaves out one
prompt after the other with the truths as they were fitted: it says how far the rater's own shares would move on other
prompts, not what another fit would make of the truths.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.annotator_models import DIAGONAL, SMOOTHING, Annotated, Floats, Integers
from agreement.figures import TOO_FEW_SHARED, Figure
from agreement.statistics import Scale, Statistic, on_scale

#: Scales of more grades have no intervals: a column for every two grades would cost more than all else.
GRADES_AT_MOST = 20


def says_right_lower_higher(
    model: Annotated, items: ArrayLike, raters: ArrayLike, codes: ArrayLike, prompts: ArrayLike
) -> dict[int, tuple[Figure, Figure, Figure]]:
    """By rater: chance of saying the true grade, a lower one, a higher one, by how common each is; n = ratings.

    model     of `annotator_models.dawid_skene` of these ratings. items, raters, codes  as that was given, shape (N,).
    prompts   of each rating, shape (N,).
    The three add up to 1. Undefined: "too few shared items" of a rater who shares no item with anybody.
    """
    item = np.searchsorted(model.items, np.asarray(items))
    who, code, prompt = np.asarray(raters), np.asarray(codes, dtype=np.int64), np.asarray(prompts)
    found = {}
    for place, one in enumerate(model.raters.tolist()):
        own = np.flatnonzero(who == one)
        if model.competence[place].value is None:
            nothing = Figure.without_value(TOO_FEW_SHARED, len(own))
            found[one] = (nothing, nothing, nothing)
        else:
            found[one] = _shares(model.prior, model.posterior[item[own]], code[own], prompt[own])
    return found


def _shares(prior: Floats, truth: Floats, code: Integers, prompt: Integers) -> tuple[Figure, Figure, Figure]:
    n_values = len(prior)
    columns = (truth[:, :, None] * (code[:, None, None] == np.arange(n_values))).reshape(len(code), -1)
    total = columns.sum(axis=0)
    said, true = np.arange(n_values)[None, :], np.arange(n_values)[:, None]
    statistics = [_share_of(prior, chosen) for chosen in (said == true, said < true, said > true)]
    figures = [Figure(float(statistic(total)), len(code)) for statistic in statistics]
    if n_values <= GRADES_AT_MOST:
        figures = inference.with_intervals(figures, columns, statistics, cluster=prompt)
    right, lower, higher = figures
    return right, lower, higher


def _share_of(prior: Floats, chosen: NDArray[np.bool_]) -> Statistic:
    """Chance of the chosen cells (true, said) of a rater's smoothed confusion, the true ones weighed by the prior."""
    n = len(prior)
    pseudo = SMOOTHING + DIAGONAL * np.eye(n)

    @on_scale(Scale.SHARE)
    def share(sums: Floats) -> Floats:
        counts = np.asarray(sums, dtype=float).reshape(*np.shape(sums)[:-1], n, n) + pseudo
        confusion = counts / counts.sum(axis=-1, keepdims=True)
        return np.clip(np.einsum("k,...kl,kl->...", prior, confusion, chosen.astype(float)), 0, 1)

    return share
