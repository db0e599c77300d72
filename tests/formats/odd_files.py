"""Files as tools write them and files that would fill memory, for whoever tests how they are read or refused."""

import io
import zipfile

import openpyxl
import pyarrow
from pyarrow import parquet


def workbook(*sheets: list[list]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, start=1):
        sheet = book.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append(row)
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def parquet_file(rows: list[dict], **options) -> bytes:
    written = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), written, **options)
    return written.getvalue()


def folder(**members: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return written.getvalue()


def sheet_of_empty_rows(count: int = 1_000_000) -> bytes:
    """What Excel saves of a sheet whose rows were given a height down to the last."""
    rows = b"".join(b'<row r="%d" ht="15"/>' % number for number in range(2, count))
    content = workbook([["id"], ["a"]])
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as after:
        for member in before.infolist():
            data = before.read(member)
            if member.filename == "xl/worksheets/sheet1.xml":
                first, _end, _last = data.partition(b'<row r="2"')
                data = first + rows + b"</sheetData></worksheet>"
            after.writestr(member, data)
    return written.getvalue()


def nested(levels: int) -> list | int:
    return [nested(levels - 1)] if levels else 1
