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
#: A few rows stand in memory as the file has them, as they were unpacked, and as texts of Python.
READ_AT_ONCE = 4
#: What a number takes: of those within lists a file says how many there are, and of many that are alike no more.
NUMBER_BYTES = 8
#: What Parquet stores texts and bytes as.
TEXT = "BYTE_ARRAY"


def parquet_records(source: Source) -> Iterator[Record | Problem]:
    """Row n is line n. Raises Invalid where the file is none, or has groups of rows that memory does not hold."""
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    with spooled(source) as file:
        try:
            opened = ParquetFile(file, pre_buffer=False, memory_map=False)
            begin(source, opened.schema_arrow)
            columns = map(opened.schema.column, range(len(opened.schema)))
            shared = ParquetFile(
                file,
                metadata=opened.metadata,
                read_dictionary=[each.path for each in columns if each.physical_type == TEXT],
                pre_buffer=False,
                memory_map=False,
            )
            for number in range(opened.num_row_groups):
                check_group(opened.metadata.row_group(number))
            for number in range(opened.num_row_groups):
                yield from _records(source, _parquet_batches(opened, shared, number))
        except (ArrowException, OSError) as error:
            raise damaged("Parquet", error) from None


def check_group(group: Any) -> None:
    """Raises Invalid where a group of rows takes more than memory has for it, or the lists of a row do on average."""
    most = max((group.column(number).num_values for number in range(group.num_columns)), default=0) * NUMBER_BYTES
    if max(group.total_byte_size, most) > MAX_GROUP_BYTES or most > MAX_ROWS_BYTES * max(group.num_rows, 1):
        raise group_too_large()


def _parquet_batches(opened: Any, shared: Any, number: int) -> Iterator[Any]:
    """So few rows at a time that each may have the longest of the texts that rows share, which the file holds once.

    `shared` is the same file, of which such texts stay one. How many a list has of them is not known before: where the
    longest as often as there are values would not fit, they stay so until the rows are counted, which takes ten times
    as long as reading them.
    """
    group = opened.metadata.row_group(number)
    texts = [each for each in map(group.column, range(group.num_columns)) if each.physical_type == TEXT]
    rows, file = ROWS, opened
    for column in texts:
        first = next(shared.iter_batches(batch_size=1, row_groups=[number], columns=[column.path_in_schema]), None)
        longest = max(map(longest_shared, first.columns), default=0) if first is not None else 0
        rows = min(rows, max(1, MAX_ROWS_BYTES // (len(texts) * READ_AT_ONCE * max(longest, 1))))
        if column.num_values > group.num_rows and column.num_values * longest > MAX_GROUP_BYTES:
            file = shared
    yield from file.iter_batches(batch_size=rows, row_groups=[number])


def longest_shared(column: Any) -> int:
    """Bytes of the longest text that rows share, in the column or a list or structure within it."""
    from pyarrow import compute, types

    if types.is_dictionary(column.type):
        return compute.max(compute.binary_length(column.dictionary)).as_py() or 0
    if types.is_struct(column.type):
        return max(map(longest_shared, column.flatten()), default=0)
    return longest_shared(column.flatten()) if is_list(column.type) else 0


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
        if sum(map(whole_bytes, batch.columns)) > MAX_ROWS_BYTES:
            raise group_too_large()
        for row in batch.to_pylist():
            source.lines_read += 1
            yield _record(row, source.lines_read)
        source.content_bytes += batch.nbytes


def whole_bytes(column: Any) -> int:
    """What the values of a column take once each row has its own, of which many may share one in the file."""
    from pyarrow import compute, types

    if types.is_dictionary(column.type):
        each, of_rows = column.dictionary, column.indices
        if not is_text(each.type):
            return max(whole_bytes(each), NUMBER_BYTES) * len(of_rows)
        return compute.sum(compute.binary_length(each).take(of_rows)).as_py() or 0
    if types.is_run_end_encoded(column.type):
        return whole_bytes(column.values) * len(column)
    if types.is_struct(column.type):
        return sum(map(whole_bytes, column.flatten()))
    if is_list(column.type):
        return whole_bytes(column.flatten())
    return column.nbytes


def is_text(type_: Any) -> bool:
    from pyarrow import types

    tests = types.is_string, types.is_large_string, types.is_binary, types.is_large_binary
    return any(test(type_) for test in tests)


def is_list(type_: Any) -> bool:
    from pyarrow import types

    return types.is_list(type_) or types.is_large_list(type_) or types.is_fixed_size_list(type_)


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
