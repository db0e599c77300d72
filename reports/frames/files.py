"""Frames as files: written chunk by chunk, so that memory holds one chunk at any size.

Parquet holds every value as it is, with the types declared; JSON Lines every text as it is, a row a line. CSV is for
spreadsheets too: UTF-8 with a byte order mark, by which they know it, and no cell that one would run as a formula.
There an apostrophe stands before it, as in all CSV files of Mizan; here also before a text that begins with
apostrophes and then so, which makes it a rule that can be taken back: `read_csv` gives every text as it was, and
`text[start:end] == quote` holds.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from projects.models import Project
from projects.spreadsheets import BYTE_ORDER_MARK, FORMULA_STARTS, as_csv
from reports.frames.columns import FLAG, TEXT, TIME, WHOLE
from reports.frames.frame import Frame, OnRead, as_project, unheard

if TYPE_CHECKING:  # a start loads neither
    import pandas
    import pyarrow

CSV, PARQUET, JSONL = "csv", "parquet", "jsonl"
FORMATS = (PARQUET, CSV, JSONL)
MEDIA_TYPES = {
    CSV: "text/csv; charset=utf-8",
    PARQUET: "application/vnd.apache.parquet",
    JSONL: "application/x-ndjson",
}
#: A quote may be a whole response: the csv module alone would refuse a cell of 131,073 characters.
MAX_CELL = 2**31 - 1
RUN_AS_FORMULA = re.compile(f"'*[{re.escape(''.join(FORMULA_STARTS))}]")


def blocks(frame: Frame, project: Project | str, file_format: str, on_read: OnRead = unheard) -> Iterator[bytes]:
    """The file in parts. Raises KeyError for a format that is none of FORMATS."""
    return {CSV: csv_blocks, PARQUET: parquet_blocks, JSONL: jsonl_blocks}[file_format](frame, project, on_read)


def csv_blocks(frame: Frame, project: Project | str, on_read: OnRead) -> Iterator[bytes]:
    header = [column.name for column in frame.columns]
    yield (BYTE_ORDER_MARK + as_csv([header])).encode()
    texts = [place for place, column in enumerate(frame.columns) if column.dtype == TEXT]
    others = [(place, column.dtype) for place, column in enumerate(frame.columns) if column.dtype in (FLAG, TIME)]
    for columns in frame.pieces(project, on_read):
        yield as_csv(plain(cells, texts, others) for cells in frame.rows(columns)).encode()


def plain(cells: list[Any], texts: Sequence[int], others: Sequence[tuple[int, str]]) -> list[Any]:
    """Texts made inert, times in ISO 8601 and UTC, flags as words; what is missing is an empty cell."""
    for place in texts:
        if (cell := cells[place]) and RUN_AS_FORMULA.match(cell):
            cells[place] = f"'{cell}"
    for place, dtype in others:
        if (cell := cells[place]) is not None:
            cells[place] = in_utc(cell) if dtype == TIME else "true" if cell else "false"
    return cells


def jsonl_blocks(frame: Frame, project: Project | str, on_read: OnRead) -> Iterator[bytes]:
    """A row a line, all columns in their order; what is missing is null, times are ISO 8601 in UTC."""
    names = [column.name for column in frame.columns]
    texts = [place for place, column in enumerate(frame.columns) if column.dtype == TEXT]
    times = [place for place, column in enumerate(frame.columns) if column.dtype == TIME]
    for columns in frame.pieces(project, on_read):
        lines = bytearray()
        for cells in frame.rows(columns):
            for place in texts:
                cells[place] = cells[place] or None
            for place in times:
                if (cell := cells[place]) is not None:
                    cells[place] = in_utc(cell)
            lines += orjson.dumps(dict(zip(names, cells, strict=True)), option=orjson.OPT_APPEND_NEWLINE)
        yield bytes(lines)


def in_utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Drained:
    """What a Parquet writer writes to: holds what was written until it is taken."""

    closed = False

    def __init__(self) -> None:
        self.waiting = bytearray()
        self.position = 0

    def write(self, data: bytes) -> int:
        self.waiting += data
        self.position += len(data)
        return len(data)

    def tell(self) -> int:
        return self.position

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        self.closed = True

    def take(self) -> bytes:
        taken = bytes(self.waiting)
        self.waiting.clear()
        return taken


def parquet_blocks(frame: Frame, project: Project | str, on_read: OnRead) -> Iterator[bytes]:
    from pyarrow import parquet

    drained, schema = Drained(), with_terms(frame.schema, as_project(project))
    with parquet.ParquetWriter(drained, schema, compression="zstd") as writer:
        for table in frame.tables(project, on_read):
            writer.write_table(table.replace_schema_metadata(schema.metadata))
            yield drained.take()
    yield drained.take()


def with_terms(schema: "pyarrow.Schema", project: Project) -> "pyarrow.Schema":
    """The schema of a Parquet file, whose head says under which licence it may be used and how to cite it."""
    said = {"licence": project.licence, "citation": project.citation}
    terms = {name.encode(): text.encode() for name, text in said.items() if text}
    return schema.with_metadata({**(schema.metadata or {}), **terms})


def read_csv(path: Path | str, frame: Frame) -> "pandas.DataFrame":
    """A CSV file of this frame as it was before it was written, with the types declared.

    Raises ValueError where the file has other columns than the frame.
    """
    import pandas

    limit = csv.field_size_limit(MAX_CELL)
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            header, *lines = csv.reader(file)
    finally:
        csv.field_size_limit(limit)
    if header != [column.name for column in frame.columns]:
        raise ValueError(f"this is no file of the frame {frame.name}: its columns are {', '.join(header)}")
    series = {}
    for column, cells in zip(frame.columns, zip(*lines, strict=True) if lines else [()] * len(header), strict=True):
        given = [None if cell == "" else read_cell(cell, column.dtype) for cell in cells]
        series[column.name] = pandas.Series(given, dtype=column.dtype)
    return pandas.DataFrame(series)


def read_jsonl(path: Path | str, frame: Frame) -> "pandas.DataFrame":
    """A file of JSON Lines of this frame, with the types declared. A file without rows cannot say its columns.

    Raises ValueError where a line has other columns than the frame.
    """
    import pandas

    with Path(path).open("rb") as file:
        lines = [orjson.loads(line) for line in file]
    names = [column.name for column in frame.columns]
    if other := next((line for line in lines if list(line) != names), None):
        raise ValueError(f"this is no file of the frame {frame.name}: its columns are {', '.join(other)}")
    series = {}
    for column in frame.columns:
        given = [line[column.name] for line in lines]
        if column.dtype == TIME:
            given = [cell and datetime.fromisoformat(cell) for cell in given]
        series[column.name] = pandas.Series(given, dtype=column.dtype)
    return pandas.DataFrame(series)


def read_cell(cell: str, dtype: str) -> Any:
    if dtype == TEXT:
        return cell[1:] if cell.startswith("'") and RUN_AS_FORMULA.match(cell) else cell
    if dtype == FLAG:
        return cell == "true"
    if dtype == TIME:
        return datetime.fromisoformat(cell)
    return int(cell) if dtype == WHOLE else float(cell)
