"""Which of two responses is better: said outright or inferred from two grades, and how often a judge says the same.

A preference is 1 where the first response of the pair wins, 0 for a tie, -1 where it loses, NaN where there is none:
a verdict that could not be read, or a grade that is missing.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.figures import NO_ITEMS, Figure
from agreement.statistics import Statistic, mean_columns, of_columns, ratio_of_sums, share_of_sums

LOSS, TIE, WIN = -1.0, 0.0, 1.0
TIES = ("class", "strict", "half credit")
POLICIES = ("excluded", "wrong", "tie")

Floats = NDArray[np.float64]


def inferred(first: ArrayLike, second: ArrayLike) -> Floats:
    """sign(first - second) of the two grades of each pair, shape as given; NaN where either grade is NaN."""
    return np.sign(np.asarray(first, dtype=float) - np.asarray(second, dtype=float))


def as_classes(preferences: ArrayLike, unparseable: str = "excluded") -> NDArray[np.int64]:
    """Classes for `classes`, in the order loss, tie, win: 0, 1, 2; a NaN is `classes.UNPARSEABLE`, or by the policy
    "tie" a 1. Raises ValueError as `accuracy_columns`."""
    values = _checked(preferences, "a preference")
    _known(unparseable, POLICIES, "unparseable")
    return np.where(np.isnan(values), 1 if unparseable == "tie" else -1, values + 1).astype(np.int64)


def accuracy_columns(
    truth: ArrayLike, predicted: ArrayLike, ties: str = "class", unparseable: str = "excluded"
) -> Floats:
    """Credit and 1 of each pair, shape (N, 2), for `statistics.ratio_of_sums`; zeros where it is left out.

    truth, predicted  preferences of people and judge, shape (N,). A NaN in `truth` leaves the pair out.
    ties         "class": win, tie and loss are three classes, and the credit is 1 for the right one.
                 "strict": a tie is wrong, whoever says it: the credit is for the side that people prefer, and a pair
                 that people tied gives none to anybody.
                 "half credit": 1 - |truth - predicted| / 2, so a tie on one side alone is worth a half.
    unparseable  what a NaN in `predicted` counts as: "excluded" (default), "wrong" (credit 0), or "tie".

    Raises ValueError for an unknown option, lengths that differ, or a preference that is none of the three.
    """
    _known(ties, TIES, "ties")
    _known(unparseable, POLICIES, "unparseable")
    truth, predicted = _checked(truth, "the truth"), _checked(predicted, "a prediction")
    if truth.shape != predicted.shape or truth.ndim != 1:
        raise ValueError("every pair has its truth and its prediction")
    unread = np.isnan(predicted)
    verdict = np.where(unread, TIE, predicted)
    credit = {
        "class": verdict == truth,
        "strict": (verdict == truth) & (verdict != TIE),
        "half credit": 1 - np.abs(truth - verdict) / 2,
    }[ties].astype(float)
    if unparseable != "tie":
        credit[unread] = 0
    counted = ~np.isnan(truth)
    if unparseable == "excluded":
        counted &= ~unread
    return np.column_stack((np.where(counted, credit, 0.0), counted))


def accuracy(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    ties: str = "class",
    unparseable: str = "excluded",
    interval: bool = True,
    **options: Any,
) -> Figure:
    """Preference accuracy: mean credit, with its interval over pairs.

    Arguments as for `accuracy_columns`, options as for `inference.with_interval`. n = pairs that count; detail names
    ties and policy, and counts what was unparseable and the ties of either side. Undefined: "no items".
    """
    columns = accuracy_columns(truth, predicted, ties, unparseable)
    credit, n = columns.sum(axis=0)
    known = ~np.isnan(np.asarray(truth, dtype=float))
    said = np.asarray(predicted, dtype=float)[known]
    detail: dict[str, Any] = {
        "ties": ties,
        "policy": unparseable,
        "unparseable": int(np.isnan(said).sum()),
        "tied_truth": int((np.asarray(truth)[known] == TIE).sum()),
        "tied_predictions": int((said == TIE).sum()),
    }
    if n == 0:
        return Figure.without_value(NO_ITEMS, **detail)
    figure = Figure(float(credit / n), int(n), detail=detail)
    return inference.with_interval(figure, columns, share_of_sums, **options) if interval else figure


def accuracy_compared(
    truth: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    ties: str = "class",
    unparseable: str = "excluded",
    **options: Any,
) -> Figure:
    """Preference accuracy of the first setup less that of the second, on pairs that both count, with p-value.

    Arguments as for `accuracy_columns`, options and errors as for `inference.paired_difference`; detail["left_out"]
    counts pairs that either left out. n = pairs compared.
    """
    sides = [accuracy_columns(truth, side, ties, unparseable) for side in (first, second)]
    kept = (sides[0][:, 1] > 0) & (sides[1][:, 1] > 0)
    if options.get("cluster") is not None:
        options["cluster"] = np.asarray(options["cluster"])[kept]
    difference = inference.paired_difference(sides[0][kept], sides[1][kept], share_of_sums, **options)
    return difference.with_detail(ties=ties, policy=unparseable, left_out=int((~kept).sum()))


def rates(preferences: ArrayLike, *, interval: bool = True, **options: Any) -> dict[str, Figure]:
    """Share of wins, ties and losses of the first of two target models: keys "win", "tie", "loss".

    preferences  shape (N,), each pair turned so that the same model is the first; NaN is left out and counted in
                 the detail. One per pair, or one per answer with `cluster` the pair.
    n = preferences that count. Options as for `inference.with_intervals`. Undefined: "no items".
    Raises ValueError for a preference that is none of the three.
    """
    values = _checked(preferences, "a preference")
    present = ~np.isnan(values)
    names = {"win": WIN, "tie": TIE, "loss": LOSS}
    columns = np.column_stack([*(values == value for value in names.values()), present]).astype(float)
    total, detail = columns.sum(axis=0), {"without_value": int((~present).sum())}
    n = int(total[-1])
    if not n:
        return {name: Figure.without_value(NO_ITEMS, **detail) for name in names}
    points = [Figure(float(part / n), n, detail=detail) for part in total[:-1]]
    if interval:
        statistics = [_share_of(place) for place in range(len(names))]
        points = inference.with_intervals(points, columns, statistics, **options)
    return dict(zip(names, points, strict=True))


def _share_of(place: int) -> Statistic:
    return of_columns(share_of_sums, [place, -1])


def mean_difference(first: ArrayLike, second: ArrayLike, **options: Any) -> Figure:
    """Mean of first - second over pairs, in grades, with interval; NaN in either leaves the pair out.

    first, second  grades of the two target models, shape (N,). n, options and reasons as for `inference.mean`.
    """
    return inference.mean(np.asarray(first, dtype=float) - np.asarray(second, dtype=float), **options)


def overstatement(judge: ArrayLike, people: ArrayLike, **options: Any) -> Figure:
    """How far a judge overstates the difference between two target models: mean(judge - people) over pairs.

    judge, people  difference between first and second as each sees it, shape (N,): of grades, or preferences (then
                   it is win rate less loss rate). NaN on either side leaves the pair out, so that both speak of the
                   same pairs; detail["left_out"] counts them.

    > 0: the judge favours the first model more than people do. Both see the same draws. detail: `judge` and `people`,
    the two means, and "p". n = pairs. Options, p-value, reasons and errors as for `inference.paired_difference`.
    """
    judge, people = np.asarray(judge, dtype=float), np.asarray(people, dtype=float)
    if judge.shape != people.shape or judge.ndim != 1:
        raise ValueError("judge and people see the same pairs")
    kept = ~np.isnan(judge) & ~np.isnan(people)
    if options.get("cluster") is not None:
        options["cluster"] = np.asarray(options["cluster"])[kept]
    columns = [mean_columns(side[kept]) for side in (judge, people)]
    difference = inference.paired_difference(columns[0], columns[1], ratio_of_sums, **options)
    means = {"judge": float(judge[kept].mean()), "people": float(people[kept].mean())} if kept.any() else {}
    return difference.with_detail(**means, left_out=int((~kept).sum()))


def _checked(preferences: ArrayLike, what: str) -> Floats:
    values = np.asarray(preferences, dtype=float)
    if not ((values == LOSS) | (values == TIE) | (values == WIN) | np.isnan(values)).all():
        raise ValueError(f"{what} is -1, 0, 1 or NaN")
    return values


def _known(option: str, options: tuple[str, ...], name: str) -> None:
    if option not in options:
        raise ValueError(f"{name} must be one of {options}, not {option!r}")
