"""Parts that figures are made of: the columns of one variety, cut from those of all, and put together with others'.

A part is a frozen dataclass of arrays with one row for each thing counted, and of numbers, flags and sets beside them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from reports.dashboard.columns import Integers

T = TypeVar("T", bound=Any)


def split(kind: type[T], varieties: Iterable[int], variety: Integers, /, **columns: Any) -> dict[int, T]:
    """By variety asked for, a part of this kind: of each column the rows in it, and what is no array as it is.

    variety  the id of the variety of each row, shape (N,), as all columns have it.
    """
    parts = {}
    for one in varieties:
        in_variety = variety == one
        cut = {name: value[in_variety] if isinstance(value, np.ndarray) else value for name, value in columns.items()}
        parts[one] = kind(**cut)
    return parts


def pooled(parts: Sequence[T], summed: Sequence[str] = ()) -> T:
    """The parts as one: columns one after the other, but those `summed` added up as numbers are; of flags whether any
    is set, of sets all members."""
    values: dict[str, Any] = {}
    for name in (field.name for field in fields(parts[0])):
        of_parts = [getattr(part, name) for part in parts]
        if isinstance(of_parts[0], np.ndarray) and name not in summed:
            values[name] = np.concatenate(of_parts)
        elif isinstance(of_parts[0], bool):
            values[name] = any(of_parts)
        elif isinstance(of_parts[0], frozenset):
            values[name] = frozenset().union(*of_parts)
        else:
            values[name] = sum(of_parts)
    return type(parts[0])(**values)
