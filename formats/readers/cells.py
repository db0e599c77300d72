"""The rows of a sheet, with the formulas that were never computed: openpyxl has such a cell as an empty one.

A program that writes workbooks without computing them leaves a formula and no value. Loaded where it is used, for
openpyxl is slow to load.
"""

from collections.abc import Iterator
from typing import Any

from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser

from formats.readers.typed import NOT_COMPUTED


class _Cells(WorkSheetParser):
    def parse_cell(self, element: Any) -> dict[str, Any]:
        cell: dict[str, Any] = super().parse_cell(element)
        # A formula that came to an empty text says that it came to a text.
        if cell["value"] is None and element.get("t") != "str" and element.find(FORMULA_TAG) is not None:
            cell["value"] = NOT_COMPUTED
        return cell


def rows_of(sheet: Any) -> Iterator[tuple[object, ...]]:
    """The values of each row from the first on, those that the sheet leaves out empty."""
    book, before = sheet.parent, 0
    with sheet._get_source() as source:
        parser = _Cells(
            source,
            sheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        for number, cells in parser.parse():
            for _left_out in range(before + 1, number):
                yield ()
            before = max(before, number)
            yield sheet._get_row(cells, values_only=True)
