"""Systems (the models under evaluation) ranked by people and by a judge: do both put them in the same order?

Scores are tables of shape (Q, n), questions in rows and systems in columns, NaN where there is none, as in `ranks`;
`score_table` makes one from parallel arrays. Whatever compares two sides looks at cells that both have scored.
Every figure is a function of sums over questions, so that one layer puts the intervals. Where an order turns on a
near tie it jumps rather than bends; the soft pairwise accuracy, which weighs by how sure an order is, has steadier
intervals than Kendall's tau.

Sources: M. G. Kendall, Biometrika 33 (1945), 239-251 (tau-b); T. Kocmi et al., To Ship or Not to Ship, WMT 2021
(pairwise accuracy); D. Deutsch, G. Foster and M. Freitag, Ties Matter, EMNLP 2023, sections 3 and 4 (accuracy and tau
that give credit for ties; section 5, calibration of ties, is `ties`); B. Thompson et al., Improving Statistical
Significance in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy, WMT 2024, section 4.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.figures import NO_ITEMS, NO_VARIATION, TOO_FEW, Figure
from agreement.ranks import units_of
from agreement.statistics import Scale, Statistic, of_columns, on_scale, ratio_of_sums, share_of_sums

NO_SMOOTH = "an order of means"
TOO_FEW_SYSTEMS = "fewer than two systems"
NO_BASELINE = "the baseline's mean is 0"

#: Columns of every table of pair counts: same order, opposite order, tied by people alone, by the judge alone, by both.
SAME, OPPOSITE, TIED_BY_PEOPLE, TIED_BY_JUDGE, TIED_BY_BOTH = range(5)
#: Means of the same grades added up in another order differ by rounding, which is no order.
_ROUNDING = 1e-9
_VALUES_AT_ONCE = 1_000_000  # bounds memory, whatever the number of systems and judges

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def score_table(rows: ArrayLike, systems: ArrayLike, scores: ArrayLike) -> tuple[Integers, Integers, Floats]:
    """Ids of the rows (prompts, or prompts by question type), ids of the systems, both ascending, and their table.

    rows, systems, scores  parallel, shape (N,); NaN scores are left out, several of a cell are averaged.
    Raises ValueError for lengths that differ.
    """
    rows, systems, scores = np.asarray(rows), np.asarray(systems), np.asarray(scores, dtype=float)
    if not rows.shape == systems.shape == scores.shape or scores.ndim != 1:
        raise ValueError("every score has its row and its system")
    row_ids, row = np.unique(rows, return_inverse=True)
    system_ids, system = np.unique(systems, return_inverse=True)
    shape, known = (len(row_ids), len(system_ids)), ~np.isnan(scores)
    cell = row[known] * shape[1] + system[known]
    count = np.bincount(cell, minlength=shape[0] * shape[1])
    sums = np.bincount(cell, scores[known], minlength=len(count))
    table = np.divide(sums, count, out=np.full(len(count), np.nan), where=count > 0)
    return row_ids, system_ids, table.reshape(shape)


def pair_counts(people: ArrayLike, judge: ArrayLike, tie: float = 0.0) -> Integers:
    """Pairs of systems on each question by how both sides order them, shape (Q, 5), columns as named above.

    people, judge  shape (Q, n). tie  differences of the judge up to it count as ties (`tie_threshold` finds one).
    Raises ValueError for other shapes or a negative tie.
    """
    one, other = scored_by_both(people, judge)
    if tie < 0:
        raise ValueError("a difference that counts as a tie is not negative")
    counts = np.zeros((len(one), 5), dtype=np.int64)
    for first, second in pairs_of(one.shape[1]):
        of_people, of_judge = one[:, first] - one[:, second], other[:, first] - other[:, second]
        _add(counts, np.arange(len(one)), of_people, of_judge, tie)
    return counts


def _add(counts: Integers, row: Integers, of_people: Floats, of_judge: Floats, tie: float) -> None:
    known = ~np.isnan(of_people) & ~np.isnan(of_judge)
    row, of_people, of_judge = row[known], of_people[known], of_judge[known]
    tied, judge_tied = np.abs(of_people) <= _ROUNDING, np.abs(of_judge) <= tie + _ROUNDING
    same = np.sign(of_people) == np.sign(of_judge)
    column = np.select(
        [tied & judge_tied, tied, judge_tied, same], [TIED_BY_BOTH, TIED_BY_PEOPLE, TIED_BY_JUDGE, SAME], OPPOSITE
    )
    counts += np.bincount(row * 5 + column, minlength=counts.size).reshape(counts.shape)


@on_scale(Scale.SHARE)
def accuracy_with_ties(sums: ArrayLike) -> Floats:
    """(same + tied by both) / all pairs, over summed pair counts (..., 5); NaN without a pair: acc_eq of
    Deutsch et al."""
    counts = np.asarray(sums, dtype=float)
    right = counts[..., SAME] + counts[..., TIED_BY_BOTH]
    return ratio_of_sums(np.stack((right, counts.sum(axis=-1)), axis=-1))


@on_scale(Scale.CORRELATION)
def tau_with_ties(sums: ArrayLike) -> Floats:
    """(right - wrong) / all pairs = 2 acc_eq - 1, over summed pair counts (..., 5). Deutsch et al.'s tau_eq."""
    return 2 * accuracy_with_ties(sums) - 1


@on_scale(Scale.CORRELATION)
def tau_b(sums: ArrayLike) -> Floats:
    """(C - D) / root((C + D + T_people) (C + D + T_judge)) over summed pair counts (..., 5): Kendall's tau-b where
    they are of one ranking. NaN where a side ties everything."""
    counts = np.asarray(sums, dtype=float)
    ordered = counts[..., SAME] + counts[..., OPPOSITE]
    scale = np.sqrt((ordered + counts[..., TIED_BY_PEOPLE]) * (ordered + counts[..., TIED_BY_JUDGE]))
    return ratio_of_sums(np.stack((counts[..., SAME] - counts[..., OPPOSITE], scale), axis=-1))


def pair_figure(counts: ArrayLike, statistic: Callable[[ArrayLike], Floats], **options: Any) -> Figure:
    """`accuracy_with_ties`, `tau_with_ties` or `tau_b` of pair counts pooled over questions, with its interval.

    n = pairs. Undefined: "no items" without a pair, "no variation" where a side ties everything (tau-b).
    Options as for `inference.with_interval`. On complete tables of equally many systems the pooled accuracy is the
    mean over questions of Deutsch et al.'s accuracy within each.
    """
    table = np.asarray(counts)
    total = table.sum(axis=0)
    names = ("same", "opposite", "tied_by_people", "tied_by_judge", "tied_by_both")
    detail = {name: int(total[column]) for column, name in enumerate(names)}
    if not total.sum():
        return Figure.without_value(NO_ITEMS, **detail)
    value = float(statistic(total))
    if np.isnan(value):
        return Figure.without_value(NO_VARIATION, int(total.sum()), **detail)
    figure = Figure(value, int(total.sum()), detail=detail)
    return inference.with_interval(figure, table, statistic, **options)


@dataclass(frozen=True)
class SystemAgreement:
    """How alike a judge and people rank n systems by their mean scores; every figure has n = systems.

    tau_b     Kendall's, between the two sides' means.
    accuracy  of pairs of systems that both order alike (or tie alike): pairwise accuracy with ties.
    soft      soft pairwise accuracy: 1 - mean |p_people - p_judge| over pairs of systems.
    """

    tau_b: Figure
    accuracy: Figure
    soft: Figure


def system_agreement(
    people: ArrayLike, judge: ArrayLike, cluster: ArrayLike | None = None, **options: Any
) -> SystemAgreement:
    """Rank agreement of mean scores; the soft accuracy with an interval over units (questions, or clusters of them).

    Tau and accuracy count which of two means is higher: they jump where one unit turns an order, and between such jumps
    leaving out a unit changes nothing, so no interval of theirs covers as often as it says. The soft accuracy has one.

    people, judge  shape (Q, n). cluster  of each question, say the prompt, shape (Q,).

    Means are over the questions that both sides scored for that system. For the soft accuracy, with D_u the sum of
    a pair's differences over unit u on one side, T = sum D_u / root of sum D_u^2 and p = Phi(-T), the normal form of
    the paired permutation test that the paper draws at random: its variance under sign flips is exactly sum D_u^2.
    p = 1/2 where a side never tells the two apart. So an order that chance alone made counts little, on either side.

    Undefined: "no items", "fewer than two systems" (with a score from both sides), "no variation" for tau-b where a
    side ties all means. Options as for `inference.with_bounds`.
    """
    return system_agreements(people, [judge], cluster, **options)[0]


def system_agreements(
    people: ArrayLike, judges: Sequence[ArrayLike], cluster: ArrayLike | None = None, **options: Any
) -> list[SystemAgreement]:
    """`system_agreement` of each judge, shape (Q, n) each. Judges that share the systems they scored are worked out
    together: of a few models and many varieties, the calls for each would take most of the time."""
    sides = [scored_by_both(people, judge) for judge in judges]
    alike: dict[tuple[int, ...], list[int]] = {}
    for place, (one, _other) in enumerate(sides):
        alike.setdefault(tuple(np.flatnonzero((~np.isnan(one)).any(axis=0)).tolist()), []).append(place)
    made: dict[int, SystemAgreement] = {}
    for scored, places in alike.items():
        n = len(scored)
        if n < 2:
            none = Figure.without_value(NO_ITEMS if n == 0 else TOO_FEW_SYSTEMS, n)
            made |= dict.fromkeys(places, SystemAgreement(none, none, none))
            continue
        width = 3 * n + 2 * n * (n - 1)
        at_once = max(1, _VALUES_AT_ONCE // max(1, len(sides[places[0]][0]) * width))
        for begin in range(0, len(places), at_once):
            here = places[begin : begin + at_once]
            one, other = (np.stack([sides[place][side][:, list(scored)] for place in here]) for side in (0, 1))
            made |= dict(zip(here, _agreements(one, other, cluster, options), strict=True))
    return [made[place] for place in range(len(sides))]


def _agreements(
    one: Floats, other: Floats, cluster: ArrayLike | None, options: dict[str, Any]
) -> Iterator[SystemAgreement]:
    """Of judges beside each other: one, other  shape (J, Q, n)."""
    n = one.shape[-1]
    columns, statistics = system_columns(one, other, cluster)
    total = columns.sum(axis=0)
    values = [statistic(total) for statistic in statistics]
    without, tells = statistics[-1](total - columns), (columns != 0).any(axis=-1)
    for judge, items in enumerate((~np.isnan(one)).sum(axis=(1, 2)).tolist()):
        detail = {"pairs": n * (n - 1) // 2, "items": items}
        tau, accuracy, soft = (
            Figure.without_value(NO_VARIATION, n, **detail)
            if np.isnan(value[judge])
            else Figure(float(value[judge]), n, detail=detail)
            for value in values
        )
        # Every unit has a soft accuracy of its own.
        rest = without[tells[:, judge], judge]
        soft = inference.with_bounds(soft, rest, Scale.SHARE, telling=len(rest), **options)
        yield SystemAgreement(tau.with_detail(interval=NO_SMOOTH), accuracy.with_detail(interval=NO_SMOOTH), soft)


def system_columns(
    people: Floats, judges: Floats, cluster: ArrayLike | None = None
) -> tuple[Floats, tuple[Statistic, Statistic, Statistic]]:
    """Columns per unit and judge, shape (U, J, 3 n + 2 n (n - 1)), and the statistics of their sums: tau-b, accuracy,
    soft accuracy. people, judges  shape (J, Q, n), NaN in both where either has no score.

    Rows are units, not questions, because the soft accuracy takes squares of a unit's sums.
    """
    n_judges, n_questions, n = people.shape
    units, pairs = units_of(n_questions, cluster), pairs_of(n)
    present, many = ~np.isnan(people), len(pairs)
    first, second = pairs.T
    both = present[..., first] & present[..., second]
    sides = [np.where(present, side, 0.0) for side in (people, judges)]
    differences = [np.where(both, side[..., first] - side[..., second], 0.0) for side in sides]
    cells = np.concatenate((*sides, present, *differences), axis=-1)
    width = cells.shape[-1]
    row = units.index[None, :] * n_judges + np.arange(n_judges)[:, None]
    place = row[..., None] * width + np.arange(width)
    cells_of_units = np.bincount(place.ravel(), cells.ravel(), minlength=units.count * n_judges * width)
    sums = cells_of_units.astype(np.float64).reshape(units.count, n_judges, width)
    of_people, of_judges = sums[..., 3 * n : 3 * n + many], sums[..., 3 * n + many :]
    columns = np.concatenate((sums[..., : 3 * n], of_people, of_people**2, of_judges, of_judges**2), axis=-1)

    def means_counted(sums: Floats) -> Floats:
        people_means, judge_means = _means(sums, n)
        return _counts_of_means(people_means, judge_means, pairs)

    @on_scale(Scale.SHARE)
    def soft(sums: Floats) -> Floats:
        pieces = np.split(np.asarray(sums)[..., 3 * n :], [many, 2 * many, 3 * many], axis=-1)
        people_p, judge_p = _chance(pieces[0], pieces[1]), _chance(pieces[2], pieces[3])
        return 1 - np.abs(people_p - judge_p).mean(axis=-1)

    statistics = (lambda sums: tau_b(means_counted(sums)), lambda sums: accuracy_with_ties(means_counted(sums)), soft)
    return columns, statistics


def _chance(total: Floats, squares: Floats) -> Floats:
    scale = np.sqrt(np.maximum(squares, 0.0))
    alike = scale <= _ROUNDING * (1 + np.abs(total))
    return scipy.special.ndtr(-np.where(alike, 0.0, total / np.where(alike, 1.0, scale)))


def _means(sums: Floats, n: int) -> tuple[Floats, Floats]:
    table = np.asarray(sums, dtype=float)
    count = table[..., 2 * n : 3 * n]
    blank = np.full(count.shape, np.nan)
    one = np.divide(table[..., :n], count, out=blank.copy(), where=count > 0)
    return one, np.divide(table[..., n : 2 * n], count, out=blank, where=count > 0)


def _counts_of_means(people: Floats, judge: Floats, pairs: Integers) -> Floats:
    first, second = pairs.T
    of_people, of_judge = people[..., first] - people[..., second], judge[..., first] - judge[..., second]
    counts = np.zeros((int(np.prod(of_people.shape[:-1], dtype=np.int64)), 5), dtype=np.int64)
    row = np.repeat(np.arange(len(counts)), len(pairs))
    _add(counts, row, of_people.ravel(), of_judge.ravel(), 0.0)
    return counts.reshape(*of_people.shape[:-1], 5).astype(float)


def win_rates(scores: ArrayLike, **options: Any) -> list[Figure]:
    """Each system against every other on the same question: a win 1, a tie 1/2; mean over all it met, shape (Q, n).

    n = comparisons. Undefined: "no items" for a system that met nobody. Options as for `inference.with_intervals`.
    """
    table = _table(scores)
    n = table.shape[1]
    credit, met = np.zeros(table.shape), np.zeros(table.shape)
    for other in range(n):
        difference = table - table[:, [other]]
        known = ~np.isnan(difference)
        known[:, other] = False
        tied = np.abs(difference) <= _ROUNDING
        credit += np.where(known, np.where(tied, 0.5, difference > 0), 0.0)
        met += known
    columns, total = np.hstack((credit, met)), met.sum(axis=0)
    values = credit.sum(axis=0)
    figures = [
        Figure(float(value / count), int(count)) if count else Figure.without_value(NO_ITEMS)
        for value, count in zip(values, total, strict=True)
    ]
    statistics = [of_columns(share_of_sums, [at, n + at]) for at in range(n)]
    return inference.with_intervals(figures, columns, statistics, **options)


def improvements(scores: ArrayLike, baseline: int, lowest: float = 0.0, **options: Any) -> list[Figure]:
    """By how many per cent each system's mean exceeds the baseline's, on the questions that both have.

    scores  shape (Q, n). baseline  its column. lowest  where the scale begins: per cent of a 1 to 5 scale are of what
    lies above 1 if it is given, and of the bare numbers, as most papers have it, if not.

        100 (mean - mean of baseline) / (mean of baseline - lowest)
    n = questions that both have; the baseline itself is 0. Undefined: "no items", "n < 2" (no improvement is said of
    one question), "the baseline's mean is 0" (or at the lowest). Options as for `inference.with_interval`.
    """
    table = _table(scores) - lowest

    def per_cent(sums: Floats) -> Floats:
        return 100 * (ratio_of_sums(np.asarray(sums)) - 1)

    figures = []
    for column in table.T:
        known = ~np.isnan(column) & ~np.isnan(table[:, baseline])
        rows = np.where(known[:, None], np.column_stack((column, table[:, baseline])), 0.0)
        total, n = rows.sum(axis=0), int(known.sum())
        if n < 2:
            figures.append(Figure.without_value(TOO_FEW if n else NO_ITEMS, n))
        elif abs(total[1]) <= _ROUNDING:
            figures.append(Figure.without_value(NO_BASELINE, n))
        else:
            figures.append(inference.with_interval(Figure(float(per_cent(total)), n), rows, per_cent, **options))
    return figures


def scored_by_both(people: ArrayLike, judge: ArrayLike) -> tuple[Floats, Floats]:
    """Both tables, NaN where either has no score."""
    one, other = _table(people), _table(judge)
    if one.shape != other.shape:
        raise ValueError("people and judge score the same questions and systems")
    missing = np.isnan(one) | np.isnan(other)
    return np.where(missing, np.nan, one), np.where(missing, np.nan, other)


def _table(scores: ArrayLike) -> Floats:
    table = np.asarray(scores, dtype=float)
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError("scores have one row per question and one column per system, finite or NaN")
    return table


def pairs_of(n: int) -> Integers:
    return np.column_stack(np.triu_indices(n, 1))
