"""People's disagreement as data: how near a judge comes to the share of people who gave each grade.

A judge that says 4 where six people said 4 and four said 2 is right by the majority and blind to the four. Here it is
measured against all of them. Everything is a mean over items of one number per item, so intervals come from
`inference.mean` or, for correlations and groups, from statistics of sums.

Sources: J. Lin, IEEE Transactions on Information Theory 37 (1991), 145-151 (Jensen-Shannon); G. W. Brier, Monthly
Weather Review 78 (1950), 1-3; A. Uma et al., Learning from Disagreement, JAIR 72 (2021), 1385-1470, section 5 (soft
evaluation); groups of raters: V. Prabhakaran et al., GRASP, NAACL 2024 (agreement within and across groups).
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.correlation import correlation_of_sums
from agreement.figures import NO_ITEMS, NO_PAIRABLE_VALUES, NO_VARIATION, Figure
from agreement.inference import mean
from agreement.numbering import all_differ
from agreement.statistics import Statistic, added_up, of_columns, rate_of_sums

#: What a judge that names one grade leaves for all others together, so that its cross-entropy is finite.
LEFT_FOR_OTHERS = 0.05
DISTANCES = ("differ", "absolute", "squared")

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def shares(value_counts: ArrayLike) -> Floats:
    """Share of the raters who gave each value, shape (items, V); NaN rows for items nobody rated."""
    table = np.asarray(value_counts, dtype=float)
    if table.ndim != 2 or (table < 0).any():
        raise ValueError("value_counts has one row per item and one column per value, none negative")
    total = table.sum(axis=1, keepdims=True)
    return np.divide(table, total, out=np.full(table.shape, np.nan), where=total > 0)


def as_probabilities(grades: ArrayLike, domain: ArrayLike, left_for_others: float = 0.0) -> Floats:
    """A judge's single grades as probabilities, shape (items, V): 1 - e for its grade, e / (V - 1) for each other.

    grades  shape (items,), each one of `domain`, or NaN for none (a row of NaN). Raises ValueError for others.
    """
    given, values = np.asarray(grades, dtype=float), np.asarray(domain, dtype=float)
    known = ~np.isnan(given)
    if not np.isin(given[known], values).all():
        raise ValueError("a grade is one of the scale's")
    if not 0 <= left_for_others < 1:
        raise ValueError("a share lies between 0 and 1")
    hit = given[:, None] == values[None, :]
    rest = left_for_others / max(1, len(values) - 1)
    return np.where(known[:, None], np.where(hit, 1 - rest * (len(values) - 1), rest), np.nan)


def _checked(people: ArrayLike, judge: ArrayLike) -> tuple[Floats, Floats]:
    p, q = np.asarray(people, dtype=float), np.asarray(judge, dtype=float)
    if p.shape != q.shape or p.ndim != 2:
        raise ValueError("people and judge have probabilities of the same values of the same items")
    for side in (p, q):
        total = added_up(side[:, None])
        known = ~np.isnan(total)
        if ((side < 0).any(axis=1) & known).any() or (np.abs(total[known] - 1) > 1e-6).any():
            raise ValueError("probabilities are not negative and add up to 1; a row of NaN is an item without any")
    return p, q


def jensen_shannon(people: ArrayLike, judge: ArrayLike) -> Floats:
    """Divergence of each item in bits, 0 for the same shares to 1 for nothing in common; shape (items,).

    (KL(p, m) + KL(q, m)) / 2 with m = (p + q) / 2, logarithms of base 2. NaN where either side has none.
    Raises ValueError for other shapes or rows that are no probabilities.
    """
    p, q = _checked(people, judge)
    middle = (p + q) / 2
    apart = scipy.special.rel_entr(p, middle) + scipy.special.rel_entr(q, middle)
    return added_up(apart[:, None]) / 2 / np.log(2)


def cross_entropy(people: ArrayLike, judge: ArrayLike) -> Floats:
    """- sum_k p_k ln q_k of each item in nats, shape (items,): inf where the judge gave no chance to what someone said
    (see `as_probabilities`). Its least is the people's own entropy. NaN and errors as `jensen_shannon`."""
    p, q = _checked(people, judge)
    return -scipy.special.xlogy(p, q).sum(axis=1)


def brier(people: ArrayLike, judge: ArrayLike, raters: ArrayLike | None = None) -> Floats:
    """sum_k (p_k - q_k)^2 of each item, 0 to 2, shape (items,).

    raters  how many people each share rests on, shape (items,). Given, what their small number alone would add is
            taken off, sum_k p_k (1 - p_k) / (m - 1), so that the mean estimates the distance to the share of all people
            who might have been asked; it may be below 0, and is NaN for one rater.
    NaN and errors as `jensen_shannon`.
    """
    p, q = _checked(people, judge)
    distance = added_up(((p - q) ** 2)[:, None])
    if raters is None:
        return distance
    m = np.asarray(raters, dtype=float)
    if m.shape != distance.shape:
        raise ValueError("every item has its number of raters")
    by_chance = (p * (1 - p)).sum(axis=1)
    return distance - np.divide(by_chance, m - 1, out=np.full(len(m), np.nan), where=m > 1)


@dataclass(frozen=True)
class Distances:
    """Means over items, each with its interval; n = items with both sides."""

    jensen_shannon: Figure
    cross_entropy: Figure
    brier: Figure


def distances(people: ArrayLike, judge: ArrayLike, **options: Any) -> Distances:
    """All three of a judge's probabilities from the shares of people, both shape (items, V).

    Cross-entropy is undefined ("the judge gave no chance to a grade that was given") where it is infinite on any item.
    Options as for `inference.mean` (`cluster` draws, say, prompts). Undefined: "no items".
    """
    entropy = cross_entropy(people, judge)
    infinite = int(np.isinf(entropy).sum())
    reason = "the judge gave no chance to a grade that was given"
    crossed = Figure.without_value(reason, infinite) if infinite else mean(entropy, **options)
    return Distances(mean(jensen_shannon(people, judge), **options), crossed, mean(brier(people, judge), **options))


def of_the_others(
    items: ArrayLike, raters: ArrayLike, codes: ArrayLike, n_values: int
) -> tuple[Integers, Integers, Floats]:
    """For every rating, the shares of the OTHER raters of its item: what a person is measured against.

    items, raters  shape (N,). codes  the value's place in the scale, 0..V-1, shape (N,).
    Returns items, codes and shares (M, V) of the ratings that have others. With `as_probabilities` of a person's
    grades this gives people the same footing as a judge, whose figure against all of them is not: a judge is
    compared on equal terms by dropping the same rater from the shares it is measured against.
    """
    _, item = np.unique(np.asarray(items), return_inverse=True)
    code, who = np.asarray(codes, dtype=np.int64), np.asarray(raters)
    if not item.shape == code.shape == who.shape:
        raise ValueError("every rating has its item and rater")
    if len(code) and (code.min() < 0 or code.max() >= n_values):
        raise ValueError("a code is a place in the scale")
    if not all_differ(item, who):
        raise ValueError("a rater rates an item once")
    n_items = int(item.max(initial=-1)) + 1
    counts = np.bincount(item * n_values + code, minlength=n_values * n_items)
    rest = counts.reshape(n_items, n_values)[item] - np.eye(n_values, dtype=np.int64)[code]
    kept = rest.sum(axis=1) > 0
    return np.asarray(items)[kept], code[kept], shares(rest[kept])


def group_columns(
    items: ArrayLike, groups: ArrayLike, values: ArrayLike, n_groups: int, distance: str = "differ"
) -> Floats:
    """Per item and unordered pair of groups, summed distance of pairs of ratings and pairs; (I, G (G + 1) / 2, 2).

    items   which item each rating is of, shape (N,); rows of the result are its distinct values, ascending.
    groups  of the rating's rater, indices in [0, n_groups), below 0 for none (left out), shape (N,).
    values  shape (N,). distance  "differ" [x != y], "absolute" |x - y| or "squared" (x - y)^2.
    Pairs of groups in the order of `itertools.combinations_with_replacement`. Raises ValueError for other shapes.
    """
    if distance not in DISTANCES:
        raise ValueError(f"distance must be one of {DISTANCES}, not {distance!r}")
    group, value = np.asarray(groups, dtype=np.int64), np.asarray(values, dtype=float)
    ids, item = np.unique(np.asarray(items), return_inverse=True)
    if not item.shape == group.shape == value.shape or (group >= n_groups).any():
        raise ValueError("every rating has its item and the group of its rater, an index below n_groups")
    domain, code = np.unique(value, return_inverse=True)
    apart = np.abs(np.subtract.outer(domain, domain))
    cost = {"differ": (apart > 0).astype(float), "absolute": apart, "squared": apart**2}[distance]
    counts = np.zeros((n_groups, len(ids), len(domain)))
    np.add.at(counts, (group[group >= 0], item[group >= 0], code[group >= 0]), 1)
    raters = counts.sum(axis=2)
    columns = []
    for one, other in combinations_with_replacement(range(n_groups), 2):
        total = ((counts[one] @ cost) * counts[other]).sum(axis=1)
        pairs = raters[one] * raters[other]
        if one == other:  # a rating is no pair with itself, and no pair counts twice
            total, pairs = total / 2, raters[one] * (raters[one] - 1) / 2
        columns.append(np.column_stack((total, pairs)))
    return np.stack(columns, axis=1) if columns else np.zeros((len(ids), 0, 2))


@dataclass(frozen=True)
class GroupDisagreement:
    """Mean distance of two ratings of an item, by the groups of the two raters; n = pairs.

    within  of each group. between  of each pair of groups, keys (g, h) with g < h.
    excess  of each pair: between less the mean of the two within, so above 0 where the groups differ more from each
            other than among themselves. Undefined where any of the three is.
    """

    within: tuple[Figure, ...]
    between: dict[tuple[int, int], Figure]
    excess: dict[tuple[int, int], Figure]


def disagreement_by_group(
    items: ArrayLike, groups: ArrayLike, values: ArrayLike, n_groups: int, distance: str = "differ", **options: Any
) -> GroupDisagreement:
    """Do raters of one group (a community, an age) differ from another's more than among themselves?

    Arguments as `group_columns`; options as `inference.with_intervals`, where `cluster` is of the distinct items,
    ascending. Undefined: "no pairable values".
    """
    columns = group_columns(items, groups, values, n_groups, distance)
    flat = columns.reshape(len(columns), -1)
    total = flat.sum(axis=0)
    keys = list(combinations_with_replacement(range(n_groups), 2))
    at = {key: place for place, key in enumerate(keys)}

    def ratio(place: int) -> Statistic:
        return of_columns(rate_of_sums, slice(2 * place, 2 * place + 2))

    def excess(key: tuple[int, int]) -> Statistic:
        parts = [ratio(at[pair]) for pair in (key, (key[0], key[0]), (key[1], key[1]))]
        return lambda sums: parts[0](sums) - (parts[1](sums) + parts[2](sums)) / 2

    across = [key for key in keys if key[0] != key[1]]
    statistics = [*(ratio(at[key]) for key in keys), *(excess(key) for key in across)]
    pairs = [int(total[2 * at[key] + 1]) for key in (*keys, *across)]
    figures = []
    for statistic, n in zip(statistics, pairs, strict=True):
        value = float(statistic(total))
        figures.append(Figure.without_value(NO_PAIRABLE_VALUES, n) if np.isnan(value) else Figure(value, n))
    if figures:
        figures = inference.with_intervals(figures, flat, statistics, **options)
    of = dict(zip(keys, figures, strict=False))
    return GroupDisagreement(
        tuple(of[group, group] for group in range(n_groups)),
        {key: of[key] for key in across},
        dict(zip(across, figures[len(keys) :], strict=True)),
    )


def soft_labels(
    lengths: ArrayLike, text_of_answer: ArrayLike, answer: ArrayLike, start: ArrayLike, end: ArrayLike
) -> list[Floats]:
    """Share of the raters of each text who marked each of its positions, one array per text, shape (length,) each.

    lengths         of each text, in characters or in words, shape (T,).
    text_of_answer  which text each answer (a rater's work on it, also an empty one) is about, shape (A,).
    answer, start, end  of each span, half open, in the same positions, shape (S,): `Spans.start` and `end`, or `first`
                    and `last`. Overlapping spans of one answer count once. All NaN for a text without answers.
    Raises ValueError where a span leaves its text.
    """
    sizes, texts = np.asarray(lengths, dtype=np.int64), np.asarray(text_of_answer, dtype=np.int64)
    of, begin, stop = (np.asarray(column, dtype=np.int64) for column in (answer, start, end))
    if ((begin < 0) | (stop < begin) | (stop > sizes[texts[of]])).any():
        raise ValueError("a span leaves its text or ends before it starts")
    raters = np.bincount(texts, minlength=len(sizes))
    marks = [np.zeros(size) for size in sizes.tolist()]
    order = np.argsort(of, kind="stable")
    cuts = np.flatnonzero(np.diff(of[order])) + 1
    for mine in np.split(order, cuts) if len(order) else []:
        text = int(texts[of[mine[0]]])
        marked = np.zeros(sizes[text], dtype=bool)
        for at in mine.tolist():
            marked[begin[at] : stop[at]] = True
        marks[text] += marked
    return [mark / n if n else np.full(len(mark), np.nan) for mark, n in zip(marks, raters.tolist(), strict=True)]


def soft_label_columns(people: list[Floats], judge: list[Floats]) -> Floats:
    """n, sum x, sum y, sum x^2, sum y^2, sum xy of each text's positions, shape (T, 6); zeros where either has none."""
    if [len(one) for one in people] != [len(other) for other in judge]:
        raise ValueError("both sides are over the same texts")
    rows = np.zeros((len(people), 6))
    for row, x, y in zip(rows, people, judge, strict=True):
        if not (np.isnan(x).any() or np.isnan(y).any()):
            row[:] = len(x), x.sum(), y.sum(), (x**2).sum(), (y**2).sum(), (x * y).sum()
    return rows


def soft_label_correlation(people: list[Floats], judge: list[Floats], **options: Any) -> Figure:
    """Pearson's correlation over all positions of all texts of two sides' `soft_labels`, with its interval over texts.

    n = texts with both. Undefined: "no items", "no variation" where a side marked nothing, or all, throughout.
    Options as for `inference.with_interval`.
    """
    return correlation_of_columns(soft_label_columns(people, judge), **options)


def correlation_of_columns(columns: Floats, **options: Any) -> Figure:
    """`soft_label_correlation` from `soft_label_columns`, a row for each text; a row of zeros is none."""
    n = int((columns[:, 0] > 0).sum())
    if n == 0:
        return Figure.without_value(NO_ITEMS)
    total = columns.sum(axis=0)
    value = float(correlation_of_sums(total))
    detail = {"positions": int(total[0])}
    if np.isnan(value):
        return Figure.without_value(NO_VARIATION, n, **detail)
    return inference.with_interval(Figure(value, n, detail=detail), columns, correlation_of_sums, **options)
