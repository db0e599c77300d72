"""Rows of the database as arrays: columns of a `values_list`, codes for names, places of ids, latest of several.

Model instances are never made: they would cost more than all the arithmetic.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def columns(rows: QuerySet, kinds: str) -> list[NDArray]:
    """The columns of a `values_list` as arrays: "i" integers, "n" integers with 0 for none,
    "f" floats with NaN for none, "b" booleans, "o" as it comes."""
    types: dict[str, Any] = {"i": np.int64, "f": np.float64, "n": np.float64, "b": np.bool_, "o": object}
    found = list(zip(*rows, strict=True)) or [()] * len(kinds)
    arrays = [np.array(column, dtype=types[kind]) for column, kind in zip(found, kinds, strict=True)]
    return [
        np.nan_to_num(array).astype(np.int64) if kind == "n" else array
        for array, kind in zip(arrays, kinds, strict=True)
    ]


def codes(values: Iterable[str], names: Sequence[str]) -> Integers:
    """Index of each value among the names; -1 for any other."""
    index = {name: number for number, name in enumerate(names)}
    return np.array([index.get(value, -1) for value in values], dtype=np.int64)


def positions(ids: Integers, wanted: Integers) -> Integers:
    """Where each wanted id stands among the ids, which ascend; -1 where it does not."""
    if not len(ids):
        return np.full(len(wanted), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    return np.where(ids[place] == wanted, place, -1)


def latest(keys: Sequence[Integers], turn: Integers) -> Integers:
    """Indices, ascending, of the row with the highest turn among those that are alike in all keys."""
    order = np.lexsort((turn, *keys))
    if not len(order):
        return order
    differs = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    return np.sort(order[np.append(differs, True)])
