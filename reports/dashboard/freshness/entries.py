"""What an entry says of rows that figures are made of (measured.py), which triggers.py makes triggers of."""

from dataclasses import dataclass

INSERT, UPDATE, DELETE = "INSERT", "UPDATE", "DELETE"
ANY = (INSERT, UPDATE, DELETE)
ALL = "0"


@dataclass(frozen=True)
class Measured:
    """Rows of `table`, called `r`, and the part that a write of them moves.

    part      SQL of the part's name.
    columns   what of a row counts; an update that leaves these as they were moves nothing. Names of columns, or SQL
              over `r`. The primary key is `key`, and always counts.
    joins     what leads from `r` to `project` and `variety`, both SQL of an id, ALL for every one there is.
    where     SQL over columns of `r`: which rows count at all.
    """

    table: str
    part: str
    columns: tuple[str, ...]
    joins: str
    project: str
    variety: str = ALL
    where: str = ""
    events: tuple[str, ...] = ANY
    key: str = "id"


def part(name: str) -> str:
    return f"'{name}'"
