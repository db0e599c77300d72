"""A look into a workbook: its first rows, without reading the texts of all its cells before them.

A workbook keeps the texts of its cells apart, in the order in which they were first written, and openpyxl reads all of
them at once: ten seconds for the largest that are taken. Loaded where it is used, for openpyxl is slow to load.
"""

from collections.abc import Iterator
from typing import IO, Any

from django.utils.translation import gettext as _
from openpyxl.cell.text import Text
from openpyxl.reader.excel import SHARED_STRINGS, ExcelReader
from openpyxl.worksheet._read_only import ReadOnlyWorksheet
from openpyxl.xml.constants import SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse

from projects.problems import Invalid, Problem

#: So many texts are read in half a second.
MAX_TEXTS = 50_000


def look_into(file: IO[bytes]) -> Any:
    """The workbook, whose texts are read as they are asked for."""
    reader = _Reader(file, read_only=True, data_only=True, keep_links=False)
    reader.read()
    return reader.wb


class _Reader(ExcelReader):
    def read_strings(self) -> None:
        part = self.package.find(SHARED_STRINGS)
        if part is not None:
            self.shared_strings = _Texts(self.archive.open(part.PartName[1:]))

    def read_worksheets(self) -> None:
        for sheet, part in self.parser.find_sheets():
            if part.target in self.valid_files and "chartsheet" not in part.Type:
                self.wb._sheets.append(_Sheet(self.wb, sheet.name, part.target, self.shared_strings))


class _Sheet(ReadOnlyWorksheet):
    def _get_size(self) -> None:
        """Where the file does not say it, all of the sheet is read for it."""


class _Texts:
    """The texts by their numbers, read up to the highest that was asked for. Raises Invalid beyond MAX_TEXTS."""

    def __init__(self, file: IO[bytes]) -> None:
        self.known: list[str] = []
        self.coming = _texts(file)

    def __getitem__(self, number: int) -> str:
        if number >= MAX_TEXTS:
            message = _(
                "The texts of the first rows stand too far down in the workbook to be shown here. "
                "Save its sheet as CSV in UTF-8."
            )
            raise Invalid(Problem("workbook_too_large", message))
        while number >= len(self.known):
            text = next(self.coming, None)
            if text is None:
                raise IndexError(number)
            self.known.append(text)
        return self.known[number]


def _texts(file: IO[bytes]) -> Iterator[str]:
    for _event, node in iterparse(file):
        if node.tag == f"{{{SHEET_MAIN_NS}}}si":
            yield Text.from_tree(node).content.replace("x005F_", "")  # as openpyxl has them
            node.clear()
