"""Which differences of a judge's scores are ties: chosen where its order of systems agrees best with that of people.

Source: D. Deutsch, G. Foster and M. Freitag, Ties Matter, EMNLP 2023, section 5 (calibration of ties).
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from agreement import systems
from agreement.calibration import FOLDS, folds_of
from agreement.figures import Figure

#: Means of the same grades added up in another order differ by rounding, which is no order.
_ROUNDING = 1e-9


def tie_threshold(people: ArrayLike, judge: ArrayLike) -> float:
    """The difference of the judge's scores up to which calling a tie makes `accuracy_with_ties` greatest; of several
    the least. 0 where nothing is compared. Deutsch et al., section 5.

    A judge with continuous scores ties nothing and would be wrong on every pair that people tie. Chosen on the pairs
    it is then measured on, it flatters; `calibrated_accuracy` does not.
    """
    one, other = systems.scored_by_both(people, judge)
    pairs = systems.pairs_of(one.shape[1])
    differences = [(one[:, first] - one[:, second], other[:, first] - other[:, second]) for first, second in pairs]
    if not differences:
        return 0.0
    of_people, of_judge = (np.concatenate(side) for side in zip(*differences, strict=True))
    known = ~np.isnan(of_people) & ~np.isnan(of_judge)
    of_people, of_judge = of_people[known], of_judge[known]
    # Up to the threshold a pair is right where people tie it, beyond it where both order it alike.
    tied = np.abs(of_people) <= _ROUNDING
    size = np.round(np.abs(of_judge), 9)
    gain = tied.astype(np.int64) - (~tied & (np.sign(of_people) == np.sign(of_judge)) & (size > 0))
    sizes, at = np.unique(np.concatenate(([0.0], size)), return_inverse=True)
    reached = np.cumsum(np.bincount(at[1:], gain, minlength=len(sizes)))
    return float(sizes[int(np.argmax(reached))])


def calibrated_accuracy(
    people: ArrayLike, judge: ArrayLike, prompts: ArrayLike, *, folds: int = FOLDS, seed: int = 0, **options: Any
) -> Figure:
    """`accuracy_with_ties`, where each question's tie threshold was chosen on other prompts alone.

    prompts  of each question, shape (Q,): dealt into folds as in `calibration`, and drawn together in the interval.
    detail["ties"]: the threshold of each fold. Otherwise as `pair_figure`; "too few prompts" for fewer than two in
    each fold.
    """
    one, other = systems.scored_by_both(people, judge)
    group = np.asarray(prompts)
    if group.shape != one.shape[:1]:
        raise ValueError("every question has its prompt")
    if len(np.unique(group)) < 2 * folds:
        return Figure.without_value("too few prompts", len(one))
    fold = folds_of(group, folds, seed)
    counts, ties = np.zeros((len(one), 5), dtype=np.int64), []
    for left_out in range(folds):
        mine = fold == left_out
        ties.append(tie_threshold(one[~mine], other[~mine]))
        counts[mine] = systems.pair_counts(one[mine], other[mine], ties[-1])
    return systems.pair_figure(counts, systems.accuracy_with_ties, cluster=group, **options).with_detail(ties=ties)
