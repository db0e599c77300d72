"""Spans of raters against each other: every unordered pair of raters on every item."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure, share
from agreement.spans import GOLD, PREDICTED, Spans

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RaterPairs:
    """Unordered pairs of answers to one item, a < b by order of the answers.

    item           of each pair, shape (P,): the cluster that is left out whole.
    first, second  which answers, indices into the list of answers, shape (P,).
    """

    item: Integers
    first: Integers
    second: Integers

    def __len__(self) -> int:
        return len(self.item)


def rater_pairs(item_of_answer: ArrayLike) -> RaterPairs:
    """Every unordered pair of answers to the same item.

    item_of_answer  integers, shape (A,): one entry per (item, rater) that was ANSWERED, also when that rater
                    found nothing. Without the empty answers, agreement on "no error" would vanish.
    """
    items = np.asarray(item_of_answer, dtype=np.int64)
    order = np.argsort(items, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(items[order])) + 1) if len(order) else []
    pairs = np.array([pair for group in groups for pair in combinations(group, 2)], dtype=np.int64)
    pairs = pairs.reshape(-1, 2)
    return RaterPairs(items[pairs[:, 0]], pairs[:, 0], pairs[:, 1])


def sides(spans: Spans, answer: ArrayLike, pairs: RaterPairs) -> tuple[Spans, Spans]:
    """The spans of both sides of every pair, so that a pair takes the place of a response.

    spans   of all raters over the items.
    answer  which answer each span belongs to, shape (S,), as counted in `rater_pairs`.

    The result fits every function on two `Spans` (`overlap`, `one_to_one_counts`, `character_counts`) and
    their tables then have one row per pair. Index arrays that run beside `spans` (categories) follow with
    `side_index`.
    """
    first, second = (side_index(answer, chosen) for chosen in (pairs.first, pairs.second))
    one, other = (replace(spans.taken(index), response=pair, n_responses=len(pairs)) for index, pair in (first, second))
    return one, other


def side_index(answer: ArrayLike, chosen: ArrayLike) -> tuple[Integers, Integers]:
    """Indices of the spans of each chosen answer, and the position of that answer among the chosen.

    answer  of each span, shape (S,); chosen  answers, one per pair, shape (P,).
    Returns two arrays of equal length: span index, pair index.
    """
    answer, chosen = np.asarray(answer, dtype=np.int64), np.asarray(chosen, dtype=np.int64)
    order = np.argsort(answer, kind="stable")
    begin = np.searchsorted(answer[order], chosen, side="left")
    sizes = np.searchsorted(answer[order], chosen, side="right") - begin
    place = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return order[np.repeat(begin, sizes) + place], np.repeat(np.arange(len(chosen)), sizes)


def mean_over_items(per_pair: ArrayLike, item: ArrayLike, both_empty: str = "excluded") -> Figure:
    """Mean over an item's unordered pairs, then mean over items, so that every item weighs the same.

    per_pair    a statistic per pair, shape (P,): `spans.symmetric_f1` of match counts for human-human F1,
                `characters.character_iou` of character counts. NaN where neither rater marked anything.
    item        of each pair, shape (P,).
    both_empty  "excluded" (default): a pair that marked nothing says nothing about spans and is left out, as
                is an item all of whose pairs did; "agree": two raters who both found nothing agree, 1.
                It moves the mean much, so the recipe names it.

    n = items that count; detail: pairs that count, pairs that both marked nothing. Undefined: "no items".
    The pooled variant, where every span weighs the same, is `spans.figure(counts, symmetric_f1)`.
    Raises ValueError for an unknown policy.
    """
    values, item = np.asarray(per_pair, dtype=float), np.asarray(item)
    empty = np.isnan(values)
    if both_empty == "agree":
        values = np.where(empty, 1.0, values)
    elif both_empty == "excluded":
        values, item = values[~empty], item[~empty]
    else:
        raise ValueError(f'both_empty is "agree" or "excluded", not {both_empty!r}')
    detail: dict[str, Any] = {
        "pairs": len(values),
        "both_empty": int(empty.sum()),
        "both_empty_policy": both_empty,
    }
    if not len(values):
        return Figure.without_value(NO_ITEMS, **detail)
    _, index = np.unique(item, return_inverse=True)
    per_item = np.bincount(index, values) / np.bincount(index)
    return Figure(float(per_item.mean()), len(per_item), detail=detail)


def presence_agreement(counts: ArrayLike) -> Figure:
    """Share of pairs that agree on whether there is any error: both marked something, or neither did.

    counts  match counts per pair, shape (P, 4). n = pairs; detail: pairs that both marked nothing.
    Undefined: "no items".
    """
    columns = presence_columns(counts)
    both_empty = int((np.asarray(counts)[:, [PREDICTED, GOLD]] == 0).all(axis=1).sum())
    return share(columns[:, 0].sum(), len(columns), NO_ITEMS, both_empty=both_empty)


def presence_columns(counts: ArrayLike) -> Integers:
    """Whether a pair agrees on the presence of any error, and 1, of each pair, shape (P, 2), for
    `statistics.share_of_sums`; counts as for `presence_agreement`."""
    marked = np.asarray(counts)[:, [PREDICTED, GOLD]] > 0
    return np.column_stack((marked[:, 0] == marked[:, 1], np.ones(len(marked)))).astype(np.int64)
