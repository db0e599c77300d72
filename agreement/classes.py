"""A judge's classes against gold: confusion, accuracy, F1 per class and macro, kappa, alpha, from one table.

Everything here is a statistic of the confusion table, and the table is a sum over items. So one set of draws serves
every figure of a judge, and the paired comparison of two (`inference.paired_differences`).

F1 and its averages are scikit-learn's with `zero_division=0` (Pedregosa et al., JMLR 12 (2011), 2825-2830).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.alpha import LEVELS, alpha_of_coincidences
from agreement.correlation import spearman_of_tables
from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.kappa import kappa_of_tables
from agreement.statistics import Scale, Statistic, added_up, on_scale, sums_of_columns, sums_of_rows

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

UNPARSEABLE = -1
POLICIES = ("excluded", "wrong")
LABELS = ("scale", "present")


def confusion_columns(truth: ArrayLike, predicted: ArrayLike, n_classes: int, unparseable: str = "excluded") -> Floats:
    """The confusion table of each item, flattened: shape (N, C * (C + 1)), a single 1 in a row.

    truth, predicted  classes as indices in [0, C), shape (N,); `UNPARSEABLE` (-1) in `predicted` is a verdict that
                      could not be read. Rows of a table are the truth; its last column is what could not be read.
    unparseable       "excluded": such an item's row is all zeros. "wrong": it stands in the last column, which no
                      truth matches: the class it should have had misses it, and no class is charged with it.

    Raises ValueError for an unknown policy, lengths that differ or a class out of range.
    """
    if unparseable not in POLICIES:
        raise ValueError(f"unparseable must be one of {POLICIES}, not {unparseable!r}")
    truth, predicted = np.asarray(truth, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    if truth.shape != predicted.shape or truth.ndim != 1:
        raise ValueError("every item has its truth and its prediction")
    if truth.size and not (0 <= truth.min() <= truth.max() < n_classes and predicted.min() >= -1):
        raise ValueError("a class is an index below n_classes")
    if truth.size and predicted.max() >= n_classes:
        raise ValueError("a class is an index below n_classes")
    unread = predicted == UNPARSEABLE
    columns = np.zeros((len(truth), n_classes * (n_classes + 1)))
    columns[np.arange(len(truth)), truth * (n_classes + 1) + np.where(unread, n_classes, predicted)] = 1
    if unparseable == "excluded":
        columns[unread] = 0
    return columns


def tables(sums: ArrayLike) -> Floats:
    """Sums of `confusion_columns`, shape (..., C * (C + 1)), as tables of shape (..., C, C + 1)."""
    sums = np.asarray(sums, dtype=float)
    n_classes = int((np.sqrt(4 * sums.shape[-1] + 1) - 1) / 2)
    return sums.reshape(*sums.shape[:-1], n_classes, n_classes + 1)


@on_scale(Scale.SHARE)
def accuracy(sums: Floats) -> Floats:
    """Share of items whose class is the truth, from sums of `confusion_columns` to (...); NaN without items."""
    table = tables(sums)
    return _ratio(np.einsum("...cc->...", table[..., :-1]), added_up(table), np.nan)


def precision_of_classes(sums: Floats) -> Floats:
    """tp_c / predicted_c of each class, shape (..., C); 0 for a class that was never predicted."""
    table = tables(sums)
    return _ratio(_hits(table), sums_of_columns(table[..., :-1]))


def recall_of_classes(sums: Floats) -> Floats:
    """tp_c / truth_c of each class, shape (..., C); 0 for a class that is never the truth."""
    table = tables(sums)
    return _ratio(_hits(table), sums_of_rows(table))


def f1_of_classes(sums: Floats) -> Floats:
    """2 tp_c / (predicted_c + truth_c) of each class, shape (..., C); 0 for a class that does not occur."""
    table = tables(sums)
    return _ratio(2 * _hits(table), sums_of_columns(table[..., :-1]) + sums_of_rows(table))


def macro(of_classes: Statistic, labels: str = "scale") -> Statistic:
    """Mean over classes of `precision_of_classes`, `recall_of_classes` or `f1_of_classes`; NaN without items.

    labels  "scale": over all classes of the scale, so that figures of different data compare; one that does not
            occur is worth 0. "present": over those in the truth or among the predictions, scikit-learn's default.
    Raises ValueError for other labels.
    """
    if labels not in LABELS:
        raise ValueError(f"labels must be one of {LABELS}, not {labels!r}")

    @on_scale(Scale.SHARE)
    def statistic(sums: Floats) -> Floats:
        values, table = of_classes(sums), tables(sums)
        if labels == "scale":  # a class that does not occur is worth 0
            counted = np.where(added_up(table) > 0, values.shape[-1], 0)
            return _ratio(np.einsum("...c->...", values), counted, np.nan)
        occurs = sums_of_columns(table[..., :-1]) + sums_of_rows(table) > 0
        return _ratio((values * occurs).sum(axis=-1), occurs.sum(axis=-1), np.nan)

    return statistic


@on_scale(Scale.SHARE)
def macro_f1(sums: Floats) -> Floats:
    """Mean F1 over the classes of the scale, (...); NaN without items."""
    return macro(f1_of_classes)(sums)


@on_scale(Scale.CORRELATION)
def quadratic_kappa(sums: Floats) -> Floats:
    """Quadratic-weighted kappa of gold and judge, (...); NaN without variation. See `kappa.kappa_of_tables`."""
    return kappa_of_tables(tables(sums), "quadratic")


@on_scale(Scale.CORRELATION)
def unweighted_kappa(sums: Floats) -> Floats:
    """Cohen's kappa of gold and judge, (...); NaN without variation."""
    return kappa_of_tables(tables(sums), "unweighted")


def alpha(level: str = "ordinal") -> Statistic:
    """Krippendorff's alpha of gold and judge as two raters of equally spaced classes; what could not be read is left
    out. NaN without variation. Raises ValueError for an unknown level."""

    if level not in LEVELS:
        raise ValueError(f"level must be one of {LEVELS}, not {level!r}")

    @on_scale(Scale.CORRELATION)
    def statistic(sums: Floats) -> Floats:
        table = tables(sums)[..., :-1]
        coincidences = table + np.swapaxes(table, -1, -2)
        flat = coincidences.reshape(*coincidences.shape[:-2], -1)
        return alpha_of_coincidences(np.arange(table.shape[-1]), level)(flat)

    return statistic


@on_scale(Scale.CORRELATION)
def spearman(sums: Floats) -> Floats:
    """Spearman's correlation of gold and judge over what could be read, (...); NaN without variation."""
    return spearman_of_tables(tables(sums)[..., :-1])


@on_scale(Scale.POSITIVE)
def mad(sums: Floats) -> Floats:
    """Mean |class - truth| in steps of the scale over what could be read, (...); NaN without items."""
    return _mean_step(sums, np.abs)


def signed_error(sums: Floats) -> Floats:
    """Mean class - truth in steps of the scale over what could be read, (...); > 0 lenient. NaN without items."""
    return _mean_step(sums, lambda step: step)


def _mean_step(sums: Floats, worth: Callable[[Integers], Integers]) -> Floats:
    table = tables(sums)[..., :-1]
    classes = np.arange(table.shape[-1])
    steps = worth(classes[None, :] - classes[:, None])
    return _ratio(np.einsum("...ij,ij->...", table, steps.astype(float)), added_up(table), np.nan)


def _hits(table: Floats) -> Floats:
    return np.diagonal(table, axis1=-2, axis2=-1)


def _ratio(part: ArrayLike, whole: ArrayLike, otherwise: float = 0.0) -> Floats:
    part, whole = np.asarray(part, dtype=float), np.asarray(whole, dtype=float)
    return np.divide(part, whole, out=np.full(np.shape(part), otherwise), where=whole != 0)


#: What a judge's table is asked for, each with the reason it may lack a value: "macro_f1" and so on by name.
STATISTICS: dict[str, Statistic] = {
    "accuracy": accuracy,
    "macro_f1": macro_f1,
    "macro_f1_of_present": macro(f1_of_classes, "present"),
    "macro_precision": macro(precision_of_classes),
    "macro_recall": macro(recall_of_classes),
    "quadratic_kappa": quadratic_kappa,
    "unweighted_kappa": unweighted_kappa,
    "alpha": alpha(),
    "spearman": spearman,
    "mad": mad,
    "signed_error": signed_error,
}
_ASK_FOR_VARIATION = {"quadratic_kappa", "unweighted_kappa", "alpha", "spearman"}


@dataclass(frozen=True, eq=False)
class ClassFigures:
    """One class: precision with n = items called that, recall with n = items that are that, F1 with n = both together.

    Undefined ("no items") where n is 0, though the macro average takes 0 there.
    """

    precision: Figure
    recall: Figure
    f1: Figure


def figures(
    truth: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    names: Sequence[str] = tuple(STATISTICS),
    *,
    unparseable: str = "excluded",
    interval: bool = True,
    **options: Any,
) -> dict[str, Figure]:
    """The named figures of one judge, from one table.

    truth, predicted, n_classes, unparseable  as for `confusion_columns`; options as for `inference.with_intervals`.
    names  of `STATISTICS`. MAD and signed error are in steps of the scale; gold that is a mean, or expected grades,
           go to `deviation` instead.

    n = items that count (those read; under the policy "wrong" all); detail: unparseable, their number, and the
    policy. Kappa under "wrong" takes what could not be read for a disagreement as great as the scale allows; alpha,
    Spearman, MAD and signed error leave it out under either policy and have the n of what was read.
    Undefined: "no items", "no variation". Raises KeyError for an unknown name and ValueError as `confusion_columns`.
    """
    columns = confusion_columns(truth, predicted, n_classes, unparseable)
    total = columns.sum(axis=0)
    read = int(tables(total)[..., :-1].sum())
    detail: dict[str, Any] = {
        "unparseable": len(columns) - read if unparseable == "excluded" else int(total.sum()) - read
    }
    detail |= {"policy": unparseable}
    figures = []
    for name in names:
        n = read if name in {"alpha", "spearman", "mad", "signed_error"} else int(total.sum())
        value = float(STATISTICS[name](total))
        if np.isnan(value):
            reason = NO_VARIATION if n and name in _ASK_FOR_VARIATION else NO_ITEMS
            figures.append(Figure.without_value(reason, n, **detail))
        else:
            figures.append(Figure(value, n, detail=detail))
    if interval:
        figures = inference.with_intervals(figures, columns, [STATISTICS[name] for name in names], **options)
    return dict(zip(names, figures, strict=True))


def of_each_class(
    truth: ArrayLike,
    predicted: ArrayLike,
    n_classes: int,
    *,
    unparseable: str = "excluded",
    interval: bool = True,
    **options: Any,
) -> list[ClassFigures]:
    """Precision, recall and F1 of every class of the scale, in its order. Arguments as for `figures`."""
    columns = confusion_columns(truth, predicted, n_classes, unparseable)
    total = columns.sum(axis=0)
    table = tables(total)
    called, there = table[:, :-1].sum(axis=0), table.sum(axis=1)
    points, statistics = [], []
    for of_classes, whole in (
        (precision_of_classes, called),
        (recall_of_classes, there),
        (f1_of_classes, called + there),
    ):
        for number, (value, n) in enumerate(zip(of_classes(total), whole, strict=True)):
            points.append(Figure(float(value), int(n)) if n else Figure.without_value(NO_ITEMS))
            statistics.append(_one_of(of_classes, number))
    if interval:
        points = inference.with_intervals(points, columns, statistics, **options)
    thirds = (points[place : place + n_classes] for place in range(0, 3 * n_classes, n_classes))
    return [ClassFigures(*three) for three in zip(*thirds, strict=True)]


def _one_of(of_classes: Statistic, one: int) -> Statistic:
    return on_scale(Scale.SHARE)(lambda sums: of_classes(sums)[..., one])


def compared(
    truth: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    n_classes: int,
    names: Sequence[str] = ("macro_f1",),
    *,
    unparseable: str = "excluded",
    **options: Any,
) -> dict[str, Figure]:
    """Each named figure of the first setup less that of the second, on the same items, with interval and p-value.

    truth, first, second  shape (N,), row by row the same item; others as for `figures`, options as for
    `inference.paired_differences`. Under "excluded" an item that either setup left unread is left out of both, or
    the difference would be between items; detail["left_out"] counts them. n = items compared.
    Undefined and p-value as for `inference.paired_difference`. Raises as `figures`.
    """
    truth, first, second = (np.asarray(column, dtype=np.int64) for column in (truth, first, second))
    sides = [confusion_columns(truth, side, n_classes, unparseable) for side in (first, second)]
    kept = (sides[0].sum(axis=1) > 0) & (sides[1].sum(axis=1) > 0)
    statistics = [STATISTICS[name] for name in names]
    gaps = inference.paired_differences(sides[0][kept], sides[1][kept], statistics, **_clusters_kept(options, kept))
    detail = {"left_out": int((~kept).sum()), "policy": unparseable}
    return {name: figure.with_detail(**detail) for name, figure in zip(names, gaps, strict=True)}


def _clusters_kept(options: dict[str, Any], kept: NDArray[np.bool_]) -> dict[str, Any]:
    cluster = options.get("cluster")
    return options if cluster is None else options | {"cluster": np.asarray(cluster)[kept]}
