"""A frame: rows of one kind, read in chunks of bounded size, as pandas frames or as Arrow tables."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from projects.models import Project
from reports.frames.columns import FLAG, TEXT, WHOLE, Column, schema_of
from reports.frames.reading import Reading

if TYPE_CHECKING:  # a start loads neither
    import pandas
    import pyarrow

CHUNK_ROWS = 5_000
#: So many responses are read first and at most; between, as many as bring about CHUNK_ROWS rows.
FIRST_BATCH, MAX_BATCH = 50, 2_000

Row = tuple[Any, ...]
#: Told after each batch how many responses (or pairs) have been read.
OnRead = Callable[[int], object]


def unheard(_read: int) -> None:
    """Where nobody waits to hear how far it is."""


def responses_with_text(reading: Reading, after: int, size: int) -> Sequence[Any]:
    return reading.responses(after, size, with_text=True)


def responses(reading: Reading, after: int, size: int) -> Sequence[Any]:
    return reading.responses(after, size, with_text=False)


def responses_of(project: Project) -> int:
    return project.responses.count()


@dataclass(frozen=True, eq=False)
class Frame:
    """Calling it gives the whole frame: `spans(project)`, or `spans("short-name")`.

    name     as in files, addresses and `from reports.frames import ...`.
    about    what a row is: a lazy translation.
    columns  in their order.
    rows     of a batch of responses (or pairs): a tuple per row, a cell per column.
    count    how many rows a project has.
    batch    the next responses (or pairs) after an id; `total` is how many there are.
    """

    name: str
    about: Any
    columns: tuple[Column, ...]
    rows: Callable[[Reading, Sequence[Any]], list[Row]]
    count: Callable[[Project], int]
    batch: Callable[[Reading, int, int], Sequence[Any]] = responses
    total: Callable[[Project], int] = responses_of

    def __call__(self, project: Project | str) -> "pandas.DataFrame":
        """All rows. Raises projects.models.Project.DoesNotExist for a short name that no project has."""
        import pandas

        chunks = list(self.chunks(project))
        return pandas.concat(chunks, ignore_index=True) if chunks else self.as_pandas(self.as_table([]))

    def chunks(self, project: Project | str, on_read: OnRead = unheard) -> Iterator["pandas.DataFrame"]:
        """The same rows in frames of CHUNK_ROWS at most; none where there is no row. Raises as the whole."""
        for rows in self.pieces(project, on_read):
            yield self.as_pandas(self.as_table(rows))

    def tables(self, project: Project | str, on_read: OnRead = unheard) -> Iterator["pyarrow.Table"]:
        """The same chunks as Arrow tables of `schema`."""
        for rows in self.pieces(project, on_read):
            yield self.as_table(rows)

    def pieces(self, project: Project | str, on_read: OnRead = unheard) -> Iterator[list[Row]]:
        """The same chunks as rows: plain values, None where one is missing."""
        reading = Reading(project if isinstance(project, Project) else Project.objects.get(slug=project))
        waiting: list[Row] = []
        last, size, read = 0, FIRST_BATCH, 0
        while batch := self.batch(reading, last, size):
            rows = self.rows(reading, batch)
            waiting += rows
            while len(waiting) >= CHUNK_ROWS:
                yield waiting[:CHUNK_ROWS]
                del waiting[:CHUNK_ROWS]
            last, read = batch[-1].id, read + len(batch)
            on_read(read)
            size = size_after(size, len(rows))
        if waiting:
            yield waiting

    @property
    def schema(self) -> "pyarrow.Schema":
        return schema_of(self.columns)

    def as_table(self, rows: Sequence[Row]) -> "pyarrow.Table":
        """An empty text is a missing one: no file format would tell them apart otherwise."""
        import pyarrow

        schema = self.schema
        cells = list(zip(*rows, strict=True)) if rows else [()] * len(self.columns)
        arrays = []
        for column, field, values in zip(self.columns, schema, cells, strict=True):
            given = [value or None for value in values] if column.dtype == TEXT else values
            arrays.append(pyarrow.array(given, type=field.type))
        return pyarrow.Table.from_arrays(arrays, schema=schema)

    def as_pandas(self, table: "pyarrow.Table") -> "pandas.DataFrame":
        import pandas
        import pyarrow

        types = {
            pyarrow.string(): pandas.api.types.pandas_dtype(TEXT),
            pyarrow.int64(): pandas.api.types.pandas_dtype(WHOLE),
            pyarrow.bool_(): pandas.api.types.pandas_dtype(FLAG),
        }
        return table.to_pandas(types_mapper=types.get)


def size_after(size: int, rows: int) -> int:
    """How many responses the next batch has, where one of `size` brought so many rows."""
    wanted = size * CHUNK_ROWS // max(rows, 1)
    return max(1, min(wanted, 4 * size, MAX_BATCH))
