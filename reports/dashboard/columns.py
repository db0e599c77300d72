"""Rows of the database as arrays: columns of a `values_list`, codes for names, places of ids, latest of several.

Model instances are never made: they would cost more than all the arithmetic.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import repeat
from typing import Any, Self

import numpy as np
from django.db.models import ExpressionWrapper, Field, QuerySet
from numpy.typing import NDArray

from agreement.spans import Spans

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rows:
    """A table: columns with one row for each thing, in the same order. Its first column says how many there are."""

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))

    def taken(self, chosen: NDArray[Any], **given: Any) -> Self:
        """The chosen rows of every column, except for columns that are given as they are to be."""
        picked = {}
        for name in {field.name for field in fields(self)} - set(given):
            column = getattr(self, name)
            picked[name] = column.taken(chosen) if isinstance(column, Spans) else column[chosen]
        return replace(self, **picked, **given)


def columns(rows: QuerySet, kinds: str) -> list[NDArray]:
    """The columns of a `values_list` as arrays: "i" integers, "n" integers with 0 for none,
    "f" floats with NaN for none, "b" booleans, "o" as it comes."""
    types: dict[str, Any] = {"i": np.int64, "f": np.float64, "n": np.float64, "b": np.bool_, "o": object}
    values_by_column = list(zip(*rows, strict=True)) or [()] * len(kinds)
    arrays = [np.array(column, dtype=types[kind]) for column, kind in zip(values_by_column, kinds, strict=True)]
    return [
        np.nan_to_num(array).astype(np.int64) if kind == "n" else array
        for array, kind in zip(arrays, kinds, strict=True)
    ]


def as_it_comes(expression: Any) -> ExpressionWrapper:
    """The expression's values as the driver gives them: a converter for each would cost as much as all the rest."""
    return ExpressionWrapper(expression, output_field=Field())


def codes(values: Iterable[str], names: Sequence[str]) -> Integers:
    """Index of each value among the names; -1 for any other."""
    index = {name: number for number, name in enumerate(names)}
    return np.fromiter(map(index.get, values, repeat(-1)), dtype=np.int64)


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


def joined(parts: Sequence[Any], name: str) -> NDArray[Any]:
    """A column of all parts, one after the other."""
    if len(parts) == 1:
        return getattr(parts[0], name)
    return np.concatenate([getattr(part, name) for part in parts])


def each_variety(varieties: Iterable[int], variety: Integers) -> Iterator[tuple[int, Flags]]:
    """Each variety asked for, and which rows are in it; `variety` is the id of each row's, shape (N,)."""
    for one in varieties:
        yield one, variety == one


def people_in(parts: Iterable[Any]) -> int:
    """How many different people stand behind the parts, each of which names its own."""
    return len(frozenset().union(*(part.people for part in parts)))


def means_at(place: Integers, values: Floats, n: int) -> Floats:
    """Mean of the values at each of n places, leaving out NaN; NaN where there is none."""
    known = ~np.isnan(values)
    counts = np.bincount(place[known], minlength=n)
    sums = np.bincount(place[known], values[known], minlength=n)
    return np.divide(sums, counts, out=np.full(n, np.nan), where=counts > 0)


def at_or_nan(values: Floats, places: Integers) -> Floats:
    """Values at these places, NaN at place -1."""
    if not len(values):
        return np.full(len(places), np.nan)
    return np.where(places >= 0, values[places], np.nan)
