"""Criterion by criterion: where a judge's verdict is the person's, and which penalties it fails to see.

A criterion counts where it is passed (positive) or its error is present (negative). Counts of four cells per class
of criteria (polarity x explicitness x objectivity, or failure type) add up over responses, so that `inference` can
leave out prompts.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, Figure, share
from agreement.kappa import cohen_kappa
from agreement.statistics import Scale, on_scale, ratio_of_sums

NOTHING_PRESENT = "no criterion counts for the person"

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

#: Cells: both say that it counts, the person alone does, the judge alone does, neither does.
BOTH, PERSON_ONLY, JUDGE_ONLY, NEITHER = range(4)


def confusion_counts(
    response: ArrayLike, criterion_class: ArrayLike, human: ArrayLike, judge: ArrayLike, shape: tuple[int, int]
) -> Integers:
    """Verdicts by response, class and cell: integers, shape (R, C, 4).

    response, criterion_class  indices of the response and the class of each verdict, shape (V,); a class below 0
                               is left out.
    human, judge               whether the criterion counts for each, shape (V,).
    shape                      (R, C). Raises ValueError for lengths that differ or an index out of range.
    """
    rows, classes = np.asarray(response, dtype=np.int64), np.asarray(criterion_class, dtype=np.int64)
    person, other = np.asarray(human, dtype=bool), np.asarray(judge, dtype=bool)
    if not rows.shape == classes.shape == person.shape == other.shape:
        raise ValueError("every verdict has a response, a class and both sides")
    kept = classes >= 0
    rows, classes, cell = rows[kept], classes[kept], (2 * ~person + ~other)[kept]
    if rows.size and not (rows.min() >= 0 and rows.max() < shape[0] and classes.max() < shape[1]):
        raise ValueError("an index is out of range")
    # 2 * ~person + ~other: 0 both, 1 person alone, 2 judge alone, 3 neither.
    place = (rows * shape[1] + classes) * 4 + cell
    return np.bincount(place, minlength=shape[0] * shape[1] * 4).reshape(*shape, 4)


@on_scale(Scale.SHARE)
def same(sums: Floats) -> Floats:
    """Share of criteria with the same verdict, from sums of cells (..., 4); NaN without criteria."""
    sums = np.asarray(sums, dtype=float)
    alike = sums[..., BOTH] + sums[..., NEITHER]
    return ratio_of_sums(np.stack((alike, sums.sum(axis=-1)), axis=-1))


@on_scale(Scale.SHARE)
def recall(sums: Floats) -> Floats:
    """Of the criteria that count for the person the share that count for the judge; NaN where none does.

    For negative criteria: the errors a person recorded that the judge sees too. A lenient judge has a low one.
    """
    sums = np.asarray(sums, dtype=float)
    there = sums[..., BOTH] + sums[..., PERSON_ONLY]
    return ratio_of_sums(np.stack((sums[..., BOTH], there), axis=-1))


def same_figure(cells: ArrayLike) -> Figure:
    """Share with the same verdict of summed cells (4,); n = criteria. Undefined: "no items"."""
    both, person, judge, neither = (int(cell) for cell in np.asarray(cells))
    counts = {"both": both, "person_only": person, "judge_only": judge, "neither": neither}
    return share(both + neither, both + person + judge + neither, NO_ITEMS, **counts)


def recall_figure(cells: ArrayLike) -> Figure:
    """Recall of summed cells (4,); n = criteria that count for the person. Undefined: none does."""
    both, person, _, _ = (int(cell) for cell in np.asarray(cells))
    return share(both, both + person, NOTHING_PRESENT, both=both, person_only=person)


def kappa_figure(cells: ArrayLike) -> Figure:
    """Cohen's kappa of summed cells (4,); n = criteria.

    Undefined: "no items"; "no variation" where the person gave one and the same verdict throughout, as on negative
    criteria, each of which is an error that the person recorded: kappa would be 0 whatever the judge says.
    """
    table = np.asarray(cells, dtype=np.int64).reshape(2, 2)
    if table.sum() and not table.sum(axis=1).all():
        return Figure.without_value(NO_VARIATION, int(table.sum()))
    return cohen_kappa(table)
