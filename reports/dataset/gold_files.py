"""Gold as plain tables: of each kind of line one file whose rows all have the same columns, as JSON Lines, CSV or
Parquet. The gold file itself holds lines of several kinds, whose fields stand where they have a value."""

from collections.abc import Iterator
from typing import Any

import orjson

from projects.models import Project
from projects.spreadsheets import BYTE_ORDER_MARK, as_csv
from reports.dataset.tables import Table
from reports.frames.files import CSV, JSONL, PARQUET, RUN_AS_FORMULA, Drained, with_terms


def blocks(table: Table, project: Project, file_format: str) -> Iterator[tuple[bytes, int]]:
    """The file in parts, each with its number of rows. Raises KeyError for a format that is none of FORMATS."""
    return {CSV: csv_blocks, JSONL: jsonl_blocks, PARQUET: parquet_blocks}[file_format](table, project)


def csv_blocks(table: Table, project: Project) -> Iterator[tuple[bytes, int]]:
    """Lists and objects are cells of JSON. No cell is one that a spreadsheet would run, as in the frames."""
    yield (BYTE_ORDER_MARK + as_csv([table.schema.names])).encode(), 0
    for part in table.parts(project):
        rows = ([cell_of(value) for value in row.values()] for row in part.rows.to_pylist())
        yield as_csv(rows).encode(), part.rows.num_rows


def cell_of(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = orjson.dumps(value).decode() if isinstance(value, (list, dict)) else value
    return f"'{text}" if isinstance(text, str) and RUN_AS_FORMULA.match(text) else text


def jsonl_blocks(table: Table, project: Project) -> Iterator[tuple[bytes, int]]:
    for part in table.parts(project):
        lines = (orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in part.rows.to_pylist())
        yield b"".join(lines), part.rows.num_rows


def parquet_blocks(table: Table, project: Project) -> Iterator[tuple[bytes, int]]:
    from pyarrow import parquet

    drained, schema = Drained(), with_terms(table.schema, project)
    with parquet.ParquetWriter(drained, schema, compression="zstd") as writer:
        for part in table.parts(project):
            writer.write_table(part.rows.replace_schema_metadata(schema.metadata))
            yield drained.take(), part.rows.num_rows
    yield drained.take(), 0
