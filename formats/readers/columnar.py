"""Parquet and Arrow files: columns with types, a few rows at a time."""

from collections.abc import Iterator
from typing import IO, Any

from django.utils.translation import gettext as _

from formats.readers.packed import spooled
from formats.readers.tables import checked_header
from formats.readers.typed import cell_value
from formats.reading import Record, Source
from projects.problems import Invalid, Problem

#: Rows that are in memory at once.
ROWS = 64
#: What a group of rows may take, as the file says, and a few of its rows, as they are.
MAX_GROUP_BYTES = 500_000_000
MAX_ROWS_BYTES = 100_000_000


def parquet_records(source: Source) -> Iterator[Record | Problem]:
    """Row n is line n. Raises Invalid where the file is none, or has groups of rows that memory does not hold."""
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    with spooled(source) as file:
        try:
            opened = ParquetFile(file, pre_buffer=False, memory_map=False)
            metadata = opened.metadata
            for group in range(metadata.num_row_groups):
                if metadata.row_group(group).total_byte_size > MAX_GROUP_BYTES:
                    raise group_too_large()
            begin(source, opened.schema_arrow)
            yield from _records(source, opened.iter_batches(batch_size=ROWS))
        except (ArrowException, OSError) as error:
            raise damaged("Parquet", error) from None


def arrow_records(source: Source) -> Iterator[Record | Problem]:
    """An Arrow file, or a stream as data sets are saved in: row n is line n. Raises Invalid where it is none."""
    from pyarrow import ArrowException, ipc

    with spooled(source) as file:
        try:
            batches = _arrow_batches(file, ipc)
            begin(source, next(batches))
            yield from _records(source, batches)
        except (ArrowException, OSError) as error:
            raise damaged("Arrow", error) from None


def _arrow_batches(file: IO[bytes], ipc: Any) -> Iterator[Any]:
    """The schema, then batches of ROWS at most."""
    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    opened = ipc.open_file(file) if is_file else ipc.open_stream(file)
    yield opened.schema
    whole = (opened.get_batch(number) for number in range(opened.num_record_batches)) if is_file else opened
    for batch in whole:
        if batch.nbytes > MAX_GROUP_BYTES:
            raise group_too_large()
        for first in range(0, batch.num_rows, ROWS):
            yield batch.slice(first, ROWS)


def begin(source: Source, schema: Any) -> None:
    """Say what columns there are, and which of them hold lists or structures."""
    from pyarrow import types

    source.columns = checked_header(schema.names, 0)
    source.nested = frozenset(field.name for field in schema if types.is_nested(field.type))


def _records(source: Source, batches: Iterator[Any]) -> Iterator[Record | Problem]:
    for batch in batches:
        if batch.nbytes > MAX_ROWS_BYTES:
            raise group_too_large()
        for row in batch.to_pylist():
            source.lines_read += 1
            yield _record(row, source.lines_read)
        source.content_bytes += batch.nbytes


def _record(row: dict, line: int) -> Record | Problem:
    """A row without its empty cells."""
    fields = {}
    for name, cell in row.items():
        try:
            value = cell_value(cell)
        except Invalid as refused:
            return Problem(refused.problems[0].code, refused.problems[0].message, name, line)
        if value is not None:
            fields[name] = value
    return Record(line, fields)


def group_too_large() -> Invalid:
    message = _(
        "The rows of the file are too large to be read one after the other. Write it in smaller groups of rows."
    )
    return Invalid(Problem("group_too_large", message))


def damaged(kind: str, error: Exception) -> Invalid:
    message = _("The %(kind)s file cannot be read: %(reason)s.")
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    return Invalid(Problem("not_columnar", message % {"kind": kind, "reason": reason}))
