"""A frame: rows of one kind, read in chunks of bounded size, as pandas frames or as Arrow tables."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from projects.models import Project
from reports.frames.columns import FLAG, RATER, RESPONSE, TEXT, WHOLE, Column, schema_of
from reports.frames.reading import Reading

if TYPE_CHECKING:  # a start loads neither
    import pandas
    import pyarrow

CHUNK_ROWS = 5_000
#: So many responses are read first and at most; between, as many as bring about CHUNK_ROWS rows.
FIRST_BATCH, MAX_BATCH = 50, 2_000

#: The cells of a row, or of many rows column by column. Some come as tuples that many rows share, see `Frame.shared`.
Row = tuple[Any, ...]
Columns = list[Sequence[Any]]
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


def as_project(project: Project | str) -> Project:
    """The project of a short name. Raises Project.DoesNotExist where none has it."""
    return project if isinstance(project, Project) else Project.objects.get(slug=project)


@dataclass(frozen=True, eq=False)
class Frame:
    """Calling it gives the whole frame: `spans(project)`, or `spans("short-name")`.

    name     as in files, addresses and `from reports.frames import ...`.
    about    what a row is: a lazy translation.
    columns  in their order.
    read     of a batch of responses (or pairs), the cells of all rows, column by column.
    count    how many rows a project has.
    batch    the next responses (or pairs) after an id; `total` is how many there are.
    shared   which cells are tuples, by their place, and how many columns each fills: those of a response or a
             pair, those of a rater.
    """

    do_not_call_in_templates: ClassVar[bool] = True  # which would read it

    name: str
    about: Any
    columns: tuple[Column, ...]
    read: Callable[[Reading, Sequence[Any]], Columns]
    count: Callable[[Project], int]
    batch: Callable[[Reading, int, int], Sequence[Any]] = responses
    total: Callable[[Project], int] = responses_of
    shared: Mapping[int, int] = field(default_factory=lambda: {0: len(RESPONSE), 1: len(RATER)})

    def __call__(self, project: Project | str) -> "pandas.DataFrame":
        """All rows. Raises projects.models.Project.DoesNotExist for a short name that no project has."""
        import pyarrow

        with without_collecting():
            tables = list(self.tables(project))
            return self.as_pandas(pyarrow.concat_tables(tables) if tables else self.as_table([]))

    def chunks(self, project: Project | str, on_read: OnRead = unheard) -> Iterator["pandas.DataFrame"]:
        """The same rows in frames of CHUNK_ROWS at most; none where there is no row. Raises as the whole."""
        for columns in self.pieces(project, on_read):
            yield self.as_pandas(self.as_table(columns))

    def tables(self, project: Project | str, on_read: OnRead = unheard) -> Iterator["pyarrow.Table"]:
        """The same chunks as Arrow tables of `schema`."""
        for columns in self.pieces(project, on_read):
            yield self.as_table(columns)

    def pieces(self, project: Project | str, on_read: OnRead = unheard) -> Iterator[Columns]:
        """The same chunks as cells column by column, None or an empty text where a value is missing."""
        reading = Reading(as_project(project))
        waiting: list[Columns] = []
        last, size, read, n_waiting = 0, FIRST_BATCH, 0, 0
        while batch := self.batch(reading, last, size):
            columns = self.read(reading, batch)
            n = len(columns[0]) if columns else 0
            if n:
                waiting.append(columns)
                n_waiting += n
            if n_waiting >= CHUNK_ROWS:
                yield from in_pieces(waiting, n_waiting)
                waiting, n_waiting = [], 0
            last, read = batch[-1].id, read + len(batch)
            on_read(read)
            size = size_after(size, n)
        if waiting:
            yield from in_pieces(waiting, n_waiting)

    @cached_property
    def schema(self) -> "pyarrow.Schema":
        return schema_of(self.columns)

    def as_table(self, columns: Columns) -> "pyarrow.Table":
        """An empty text is a missing one: no file format would tell them apart otherwise."""
        import pyarrow

        types = self.schema.types
        arrays: list[Any] = []
        for place, cells in enumerate(columns):
            if place in self.shared:
                arrays += shared_arrays(cells, types[len(arrays) : len(arrays) + self.shared[place]])
            else:
                arrays.append(array_of(cells, types[len(arrays)]))
        if not columns:
            arrays = [array_of((), kind) for kind in types]
        return pyarrow.Table.from_arrays(arrays, schema=self.schema)

    def rows(self, columns: Columns) -> Iterator[list[Any]]:
        """The same cells row by row, a cell per column of the frame."""
        for row in zip(*columns, strict=True):
            yield [cell for place, given in enumerate(row) for cell in (given if place in self.shared else (given,))]

    def as_pandas(self, table: "pyarrow.Table") -> "pandas.DataFrame":
        import pandas
        import pyarrow

        types = {
            pyarrow.string(): pandas.api.types.pandas_dtype(TEXT),
            pyarrow.int64(): pandas.api.types.pandas_dtype(WHOLE),
            pyarrow.bool_(): pandas.api.types.pandas_dtype(FLAG),
        }
        return table.to_pandas(types_mapper=types.get)


@contextmanager
def without_collecting() -> Iterator[None]:
    """While a whole frame is read, hundreds of thousands of tuples come and go, none in a circle: looking through them
    for garbage takes a fifth of the time. Servers read in chunks and never come here."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def by_column(rows: Sequence[Row]) -> Columns:
    return list(zip(*rows, strict=True))


def in_pieces(parts: Sequence[Columns], n: int) -> Iterator[Columns]:
    """The parts put together and cut into pieces of CHUNK_ROWS rows, all but the last."""
    columns = parts[0] if len(parts) == 1 else [list(chain.from_iterable(part)) for part in zip(*parts, strict=True)]
    for begin in range(0, n, CHUNK_ROWS):
        yield [column[begin : begin + CHUNK_ROWS] for column in columns]


def array_of(values: Sequence[Any], kind: "pyarrow.DataType") -> "pyarrow.Array":
    import pyarrow

    given = [value or None for value in values] if pyarrow.types.is_string(kind) else values
    return pyarrow.array(given, type=kind)


def shared_arrays(tuples: Sequence[Row], kinds: Sequence["pyarrow.DataType"]) -> list["pyarrow.Array"]:
    """What many rows share is turned into an array once, and taken from it for each."""
    import pyarrow

    distinct = {id(each): each for each in tuples}
    place = {identity: at for at, identity in enumerate(distinct)}
    where = pyarrow.array([place[id(each)] for each in tuples], type=pyarrow.int32())
    return [
        array_of(cells, kind).take(where)
        for cells, kind in zip(zip(*distinct.values(), strict=True), kinds, strict=True)
    ]


def size_after(size: int, rows: int) -> int:
    """How many responses the next batch has, where one of `size` brought so many rows."""
    wanted = size * CHUNK_ROWS // max(rows, 1)
    return max(1, min(wanted, 4 * size, MAX_BATCH))
