"""The errors that most members of a panel mark: which of their spans are one error, and where it lies."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.panels import is_half, is_more_than_half, share_of
from agreement.spans import THRESHOLD, Spans, word_iou

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Issue:
    """One error as several members mark it.

    centre  index of the span that all others match; spans  indices of one span a member, the centre among them,
    in the order of their members; share  of the weight of all members that answered, in (0, 1].
    """

    centre: int
    spans: tuple[int, ...]
    share: float

    @property
    def is_of_most(self) -> bool:
        return is_more_than_half(self.share)

    @property
    def is_of_half(self) -> bool:
        return is_half(self.share)


def overlaps(spans: Spans) -> Floats:
    """IoU of the words of every two spans of one response, shape (S, S)."""
    n = len(spans)
    one, other = np.divmod(np.arange(n * n), max(1, n))
    return word_iou(spans.taken(one), spans.taken(other)).reshape(n, n)


def issues(iou: ArrayLike, owner: Sequence[int], weights: Sequence[float], threshold: float = THRESHOLD) -> list[Issue]:
    """The errors of one response on which half of the members or more are agreed, the most agreed first.

    iou      how well every two spans match, shape (S, S), in [0, 1].
    owner    which member marked each span, indices into `weights`, length S.
    weights  of every member that answered, those included who marked nothing.

    Each span is tried as a centre: with it go, of every other member, the span that matches it best with an IoU
    strictly above the threshold. The centre with the most weight is one error (equal ones: the largest sum of IoU,
    then the first); its spans are taken out, and so on. All spans of an error so match one and the same span, and
    no chain of overlaps makes one error of two that lie apart. Raises ValueError where nobody's vote weighs anything.
    """
    iou, owners = np.asarray(iou, dtype=float), np.asarray(owner, dtype=np.int64)
    total = float(sum(weights))
    share_of(0.0, total)
    free = np.ones(len(owners), dtype=bool)
    errors: list[Issue] = []
    while free.any():
        issue, _closeness = max(
            (_around(centre, iou, owners, weights, total, free, threshold) for centre in np.flatnonzero(free).tolist()),
            key=lambda tried: (round(tried[0].share, 9), round(tried[1], 9), -tried[0].centre),
        )
        if not issue.is_of_most and not issue.is_of_half:
            return errors
        errors.append(issue)
        free[list(issue.spans)] = False
    return errors


def _around(
    centre: int,
    iou: Floats,
    owners: Integers,
    weights: Sequence[float],
    total: float,
    free: NDArray[np.bool_],
    threshold: float,
) -> tuple[Issue, float]:
    matching = np.flatnonzero(free & (iou[centre] > threshold) & (owners != owners[centre]))
    best: dict[int, int] = {int(owners[centre]): centre}
    for span in matching.tolist():
        mine = best.get(int(owners[span]))
        if mine is None or iou[centre, span] > iou[centre, mine]:
            best[int(owners[span])] = span
    weight = sum(weights[member] for member in best)
    closeness = sum(iou[centre, span] for span in best.values() if span != centre)
    return Issue(centre, tuple(best[member] for member in sorted(best)), share_of(weight, total)), float(closeness)


def words_of_most(
    first: Sequence[int], last: Sequence[int], weights: Sequence[float], centre: tuple[int, int]
) -> tuple[int, int]:
    """The words [first, last) that more than half of the weight covers; the longest run of them, the first of equals.

    first, last  the words each span owns, half open; weights  as long; centre  the words of the span that the others
    match, which are the answer where no word is covered by more than half.
    """
    runs = runs_of_most([range(*words) for words in zip(first, last, strict=True)], weights)
    return max(runs, key=lambda run: run[1] - run[0], default=centre)


def runs_of_most(words: Sequence[Collection[int]], weights: Sequence[float]) -> list[tuple[int, int]]:
    """Runs [first, last) of the words that more than half of the weight covers, in order.

    words  those of each span, of all its parts where it lies in several places; weights  as long.
    """
    total = sum(weights)
    runs: list[tuple[int, int]] = []
    for word in sorted(frozenset().union(*words)):
        covered = sum(weight for of_span, weight in zip(words, weights, strict=True) if word in of_span)
        if not is_more_than_half(share_of(covered, total)):
            continue
        if runs and runs[-1][1] == word:
            runs[-1] = runs[-1][0], word + 1
        else:
            runs.append((word, word + 1))
    return runs
