"""Do two groups of raters see it differently, or do people simply differ? Two raters of different groups against two of
the same, on the items they share.

`distributions.group_columns` for every pair of groups that meets on any item; of many groups (communities) most never
do. The excess is tested, so that several pairs can be corrected together (`multiplicity.corrected`).

Source: V. Prabhakaran et al., GRASP, NAACL 2024 (agreement within and across groups of raters).
"""

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from agreement import inference
from agreement.distributions import group_columns
from agreement.figures import NO_PAIRABLE_VALUES, Figure
from agreement.statistics import Floats, of_columns, rate_of_sums

#: Columns of one pair of groups: within the first, between, within the second; distance and pairs each.
_FIRST, _BETWEEN, _SECOND = (of_columns(rate_of_sums, slice(2 * at, 2 * at + 2)) for at in range(3))


class GroupPair(NamedTuple):
    """Mean distance of two ratings of an item, n = pairs of ratings: of two raters of the first group, of the second,
    of one of each; and between less the mean of the two within (excess), n = items, with `p` in its detail.

    Intervals are over prompts: these raters on other prompts. Undefined: "no pairable values" where no two raters of a
    group share an item; the excess also "too few prompts" below ten.
    """

    first: Figure
    second: Figure
    between: Figure
    excess: Figure


def pairs_of_groups(
    items: ArrayLike, groups: ArrayLike, values: ArrayLike, prompts: ArrayLike, distance: str = "absolute"
) -> dict[tuple[int, int], GroupPair]:
    """By pair of groups (labels, the lower first) that share an item.

    items, prompts  labels of each rating, shape (N,). groups  of its rater, any integers; below 0 for none.
    values, distance  as for `distributions.group_columns`.
    """
    group, value = np.asarray(groups, dtype=np.int64), np.asarray(values, dtype=float)
    kept = group >= 0
    item, group, value, prompt = np.asarray(items)[kept], group[kept], value[kept], np.asarray(prompts)[kept]
    names, code = np.unique(group, return_inverse=True)
    _, place = np.unique(item, return_inverse=True)
    shape = (int(place.max(initial=-1)) + 1, len(names))
    there = scipy.sparse.csr_array((np.ones(len(code)), (place, code)), shape=shape)
    there.data[:] = 1
    meet = (there.T @ there).toarray()
    found = {}
    for one, other in zip(*np.nonzero(np.triu(meet, 1)), strict=True):
        of_pair = (code == one) | (code == other)
        sides = np.where(code[of_pair] == one, 0, 1)
        columns = group_columns(item[of_pair], sides, value[of_pair], 2, distance).reshape(-1, 6)
        _, first_of = np.unique(item[of_pair], return_index=True)
        found[int(names[one]), int(names[other])] = _pair(columns, prompt[of_pair][first_of])
    return found


def _pair(columns: Floats, prompt: Floats) -> GroupPair:
    total = columns.sum(axis=0)
    statistics = (_FIRST, _SECOND, _BETWEEN)
    figures = []
    for statistic, at in zip(statistics, (0, 2, 1), strict=True):
        value, n = float(statistic(total)), int(total[2 * at + 1])
        figures.append(Figure.without_value(NO_PAIRABLE_VALUES, n) if np.isnan(value) else Figure(value, n))
    first, second, between = inference.with_intervals(figures, columns, statistics, cluster=prompt)
    if None in (first.value, second.value, between.value):
        excess = Figure.without_value(NO_PAIRABLE_VALUES, between.n)
    else:
        excess = inference.estimate(columns, _excess, prompt)
    return GroupPair(first, second, between, excess)


def _excess(sums: Floats) -> Floats:
    return _BETWEEN(sums) - (_FIRST(sums) + _SECOND(sums)) / 2
