"""What the order on the screen or in the prompt does to a verdict.

Verdicts are preferences as in `preferences` (1, 0, -1, NaN), always of the pair's first response against its second,
whichever was shown first: what a judge said of the swapped order is already swapped back.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.figures import NO_ITEMS, Figure
from agreement.preferences import POLICIES, TIE, WIN
from agreement.statistics import share_of_sums

NOTHING_DECIDED = "every verdict is a tie"

Floats = NDArray[np.float64]


def positional_agreement(
    as_stored: ArrayLike,
    swapped: ArrayLike,
    *,
    unparseable: str = "excluded",
    interval: bool = True,
    **options: Any,
) -> Figure:
    """Share of pairs with the same verdict in both orders.

    as_stored, swapped  verdicts of the two orders, row by row the same pair, shape (N,).
    unparseable  a pair with a verdict that could not be read is left out ("excluded"), or disagrees ("wrong"), or
                 that verdict is a tie ("tie").
    n = pairs that count; detail: policy and pairs with an unread verdict. Options as for `inference.with_interval`.
    Undefined: "no items". Raises ValueError for lengths that differ or an unknown policy.
    """
    one, other, unread = _both(as_stored, swapped, unparseable)
    same = one == other  # NaN is like nothing, which is the policy "wrong"
    counted = ~unread if unparseable == "excluded" else np.ones_like(unread)
    return _share(same, counted, unparseable, unread, interval, options)


def right_in_both(
    truth: ArrayLike,
    as_stored: ArrayLike,
    swapped: ArrayLike,
    *,
    unparseable: str = "excluded",
    interval: bool = True,
    **options: Any,
) -> Figure:
    """Share of pairs with the right verdict in both orders; arguments and errors as for `positional_agreement`.

    truth  preference of people, shape (N,); NaN leaves the pair out.
    """
    one, other, unread = _both(as_stored, swapped, unparseable)
    truth = np.asarray(truth, dtype=float)
    if truth.shape != one.shape:
        raise ValueError("every pair has its truth")
    counted = ~np.isnan(truth)
    if unparseable == "excluded":
        counted &= ~unread
    return _share((one == truth) & (other == truth), counted, unparseable, unread, interval, options)


def first_position_rate(
    verdicts: ArrayLike, is_swapped: ArrayLike, pairs: ArrayLike, *, interval: bool = True, **options: Any
) -> Figure:
    """Of the verdicts that decide, the share for the response that was shown first: 0.5 where order does nothing.

    verdicts    of one rater or of many, in one order or in both, shape (N,). Ties and NaN decide nothing; the detail
                counts them.
    is_swapped  whether the pair's second response was shown first, shape (N,).
    pairs       which pair each verdict is of, shape (N,): pairs are resampled whole.

    With only one of the two orders of a pair it is 0.5 in expectation only where orders were drawn at random.
    n = verdicts that decide. Options as for `inference.with_interval` but `cluster`.
    Undefined: "no items"; "every verdict is a tie". Raises ValueError for lengths that differ.
    """
    verdicts, is_swapped = np.asarray(verdicts, dtype=float), np.asarray(is_swapped, dtype=bool)
    if verdicts.ndim != 1 or not verdicts.shape == is_swapped.shape == np.shape(pairs):
        raise ValueError("every verdict has its order and its pair")
    read = ~np.isnan(verdicts)
    decides = read & (verdicts != TIE)
    for_first = decides & ((verdicts == WIN) != is_swapped)
    detail = {"ties": int((verdicts == TIE).sum()), "unparseable": int((~read).sum())}
    if not decides.any():
        return Figure.without_value(NOTHING_DECIDED if read.any() else NO_ITEMS, **detail)
    columns = np.column_stack((for_first, decides)).astype(float)
    figure = Figure(float(for_first.sum() / decides.sum()), int(decides.sum()), detail=detail)
    if not interval:
        return figure
    return inference.with_interval(figure, columns, share_of_sums, cluster=pairs, **options)


def _both(as_stored: ArrayLike, swapped: ArrayLike, unparseable: str) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    if unparseable not in POLICIES:
        raise ValueError(f"unparseable must be one of {POLICIES}, not {unparseable!r}")
    one, other = np.asarray(as_stored, dtype=float), np.asarray(swapped, dtype=float)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError("every pair has a verdict in both orders")
    unread = np.isnan(one) | np.isnan(other)
    if unparseable == "tie":
        one, other = (np.where(np.isnan(side), TIE, side) for side in (one, other))
    return one, other, unread


def _share(
    right: NDArray[np.bool_],
    counted: NDArray[np.bool_],
    policy: str,
    unread: NDArray[np.bool_],
    interval: bool,
    options: dict[str, Any],
) -> Figure:
    columns = np.column_stack((right & counted, counted)).astype(float)
    part, whole = columns.sum(axis=0)
    detail: dict[str, Any] = {"policy": policy, "unparseable": int(unread.sum())}
    if whole == 0:
        return Figure.without_value(NO_ITEMS, **detail)
    figure = Figure(float(part / whole), int(whole), detail=detail)
    return inference.with_interval(figure, columns, share_of_sums, **options) if interval else figure
