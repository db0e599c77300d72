"""A sheet of a workbook (XLSX), row by row."""

from collections.abc import Iterator
from typing import IO, Any
from zipfile import BadZipFile

from django.utils.translation import gettext as _

from formats.readers.packed import opened_archive, spooled
from formats.readers.tables import checked_header
from formats.readers.typed import NOT_COMPUTED, cell_value
from formats.reading import Record, Source
from projects.problems import Invalid, Problem

#: The texts of all cells, which are read before the first row.
MAX_TEXTS_BYTES = 100_000_000
#: A sheet whose cells were given a colour down to the last row has a million of them.
MAX_EMPTY_ROWS = 10_000
TEXTS = "xl/sharedStrings.xml"
#: What openpyxl trips over in its XML, its numbers, its styles, its texts, its parts.
DAMAGES = (SyntaxError, ValueError, LookupError, TypeError, AttributeError, BadZipFile, EOFError)


def workbook_records(source: Source, sheet: str = "", *, is_look: bool = False) -> Iterator[Record | Problem]:
    """Rows below the first that has anything in it, which names the columns; the line of each is its row in the sheet.

    Read is the sheet of that name, else the first. A formula is what it came to when the workbook was saved.
    For a look, of the texts of all cells no more are read than the rows that are asked for have.
    Raises Invalid where the file is no workbook, where the sheet is missing, and where it goes on without end.
    """
    with spooled(source) as file:
        book = opened_workbook(file, is_look=is_look)
        try:
            yield from _rows(source, chosen_sheet(source, book, sheet))
        except DAMAGES as error:
            raise damaged(error) from None
        finally:
            book.close()


def opened_workbook(file: IO[bytes], *, is_look: bool = False) -> Any:
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    from formats.readers.looking import look_into

    archive = opened_archive(file)
    texts = sum(member.file_size for member in archive.infolist() if member.filename == TEXTS)
    if texts > MAX_TEXTS_BYTES:
        message = _("The texts of the workbook take more than %(limit)d MB. Save its sheet as CSV in UTF-8.")
        raise Invalid(Problem("workbook_too_large", message % {"limit": MAX_TEXTS_BYTES // 1_000_000}))
    try:
        if is_look:
            return look_into(file)
        return load_workbook(file, read_only=True, data_only=True, keep_links=False)
    except (*DAMAGES, InvalidFileException, OSError) as error:
        raise damaged(error) from None


def damaged(error: Exception) -> Invalid:
    message = _("The workbook cannot be read (%(reason)s). Save its sheet as CSV in UTF-8.")
    return Invalid(Problem("not_workbook", message % {"reason": str(error).splitlines()[0] if str(error) else ""}))


def chosen_sheet(source: Source, book: Any, sheet: str) -> Any:
    titles = [each.title for each in book.worksheets]
    names = ", ".join(titles)
    if not titles:
        raise Invalid(Problem("no_sheet", _("The workbook has no sheet of cells.")))
    if sheet and sheet not in titles:
        message = _("The workbook has no sheet “%(sheet)s”. It has: %(names)s.")
        raise Invalid(Problem("no_sheet", message % {"sheet": sheet, "names": names}))
    if len(titles) > 1 and not sheet:
        message = _("Read is the first sheet of these: %(names)s.")
        source.notes.append(message % {"names": names})
    found = book[sheet or titles[0]]
    found.reset_dimensions()  # what the file says of its size is not believed
    return found


def _rows(source: Source, sheet: Any) -> Iterator[Record | Problem]:
    from formats.readers.cells import rows_of

    empty = 0
    for number, cells in enumerate(rows_of(sheet), start=1):
        source.lines_read = number
        if all(cell is None or cell == "" for cell in cells):
            empty += 1
            if empty > MAX_EMPTY_ROWS:
                message = _("More than %(limit)d rows in a row are empty. Delete the empty rows of the sheet.")
                raise Invalid(Problem("empty_rows", message % {"limit": MAX_EMPTY_ROWS}, line=number))
            continue
        empty = 0
        if source.columns is None:
            if NOT_COMPUTED in cells:
                raise Invalid(not_computed(cells.index(NOT_COMPUTED), number))
            source.columns = checked_header(header_cells(cells), number)
        else:
            yield _record(source, number, cells)


def header_cells(cells: tuple[object, ...]) -> list[str]:
    """The names of the columns; empty cells behind the last name are none."""
    names = ["" if cell is None else str(cell) for cell in cells]
    while names and not names[-1].strip():
        names.pop()
    return names


def not_computed(place: int, row: int, column: str = "") -> Problem:
    """Read as an empty cell, a column of formulas would be missing without a word."""
    from openpyxl.utils import get_column_letter

    message = _("The formula in cell %(cell)s was never computed. Open the workbook in a spreadsheet and save it.")
    return Problem("not_computed", message % {"cell": f"{get_column_letter(place + 1)}{row}"}, column, row)


def _record(source: Source, number: int, cells: tuple[object, ...]) -> Record | Problem:
    columns = source.columns or []
    if any(cell is not None and cell != "" for cell in cells[len(columns) :]):
        return Problem("cell_count", _("A cell has something in it and stands under no name."), line=number)
    fields = {}
    for place, (name, cell) in enumerate(zip(columns, cells, strict=False)):
        if cell is None or cell == "":
            continue
        if cell is NOT_COMPUTED:
            return not_computed(place, number, name)
        try:
            fields[name] = cell_value(cell)
        except Invalid as refused:
            return Problem(refused.problems[0].code, refused.problems[0].message, name, number)
        source.content_bytes += len(cell) if isinstance(cell, str) else 8
    return Record(number, fields)
