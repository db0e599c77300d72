"""Tables as CSV that spreadsheets read as what they are."""

import csv
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse

# Spreadsheets take a file for UTF-8 by this mark alone; without it Arabic and Bengali words arrive broken.
BYTE_ORDER_MARK = "\ufeff"
# A spreadsheet takes a cell that begins so for a formula; the apostrophe makes it text again.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


class CsvLines(list[str]):
    """What a writer of CSV with \\r\\n at the end of lines writes to: ends them with \\n.

    Before Python 3.13 such a writer alone quotes a cell with a carriage return, at which readers end the line.
    """

    def write(self, line: str) -> None:
        self.append(line.removesuffix("\r\n") + "\n")


def as_csv(rows: Iterable[Sequence[Any]]) -> str:
    lines = CsvLines()
    csv.writer(lines, lineterminator="\r\n").writerows(rows)
    return "".join(lines)


def inert(cell: str) -> str:
    """A text cell that no spreadsheet runs as a formula."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def csv_response(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """A file of that name to take home, whose text cells no spreadsheet runs as formulas."""
    cells = ([inert(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    response = HttpResponse(BYTE_ORDER_MARK + as_csv([columns, *cells]), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
