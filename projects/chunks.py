"""Many ids, a few at a time: a statement carries 65,535 parameters at most on PostgreSQL, 32,766 on SQLite."""

from collections.abc import Iterable, Iterator

# The cost of one more statement per so many rows is lost in that of the rows.
CHUNK = 500


def in_chunks(ids: Iterable[int], size: int = CHUNK) -> Iterator[list[int]]:
    """Each id once, in ascending order, so that locks on them are always taken in the same order."""
    unique = sorted(set(ids))
    for position in range(0, len(unique), size):
        yield unique[position : position + size]
