"""A Parquet file as the JSON lines that the importer reads: row n is line n."""

from collections.abc import Collection, Iterator
from typing import BinaryIO

import orjson

from formats.format import encode
from projects.problems import Invalid, Problem

ROWS = 1000


class ParquetLines:
    """Gives the rows of a Parquet file as UTF-8 JSON lines, some at a time. Raises Invalid where it is none.

    wanted  columns of which those that are there are read; where none of them is, or none is named: all.
    """

    def __init__(self, file: BinaryIO, wanted: Collection[str] = ()) -> None:
        from pyarrow import ArrowInvalid
        from pyarrow.parquet import ParquetFile

        try:
            self.file = ParquetFile(file)
        except ArrowInvalid as error:
            raise Invalid(Problem("not_parquet", str(error).splitlines()[0])) from None
        there = self.file.schema_arrow.names
        self.columns = [name for name in wanted if name in there] or None
        self.blocks = self._blocks()

    def read(self, size: int = -1, /) -> bytes:
        return next(self.blocks, b"")

    def _blocks(self) -> Iterator[bytes]:
        for batch in self.file.iter_batches(batch_size=ROWS, columns=self.columns):
            for row in batch.to_pylist():
                yield _line(row)


def _line(row: dict) -> bytes:
    """A row without its empty cells."""
    try:
        return encode({name: value for name, value in row.items() if value is not None})
    except orjson.JSONEncodeError as error:
        raise Invalid(Problem("not_json", str(error))) from None
