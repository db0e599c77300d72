"""Tables written as text: columns set apart by commas, tabs or whatever else the first row shows."""

import csv
import re
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from formats.reading import MAX_LINE_BYTES, Record, Source, parse_json, read_lines
from projects.problems import Invalid, Problem

#: What may set columns apart where nobody says it, the likeliest first.
DELIMITERS = ",\t;|"
MAX_COLUMNS = 2_000
#: What Excel reads above the names of the columns.
SAYS_DELIMITER = re.compile(r'"?sep=(.)?"?', re.IGNORECASE)


def table_records(source: Source, delimiter: str, parse_cells: frozenset[str]) -> Iterator[Record | Problem]:
    """Rows of a table whose first row names the columns. An empty cell is a field left out.

    What sets the columns apart is `delimiter`; where it is "" a line such as `sep=;` above the names of the columns
    says it, else these show it. Cells stay as they are, those that begin with = + - @ too: they are data here, and are
    made harmless where tables are written for spreadsheets.
    """
    csv.field_size_limit(MAX_LINE_BYTES)
    rows = TableLines(source)
    try:
        first, said = rows.first(), ""
        if first is not None and SAYS_DELIMITER.fullmatch(first):
            said = said_delimiter(next(rows))
            first = rows.first()
        if first is None:
            return
        check_kind_of_table(first, delimiter, rows.line + 1)
        chosen = delimiter or said or delimiter_of(first)
        if chosen not in (delimiter, ","):
            source.notes.append(_("The columns are set apart by %(found)s.") % {"found": name_of(chosen)})
        yield from _rows(rows, csv.reader(rows, delimiter=chosen, strict=True), source, parse_cells)
    except Invalid as refused:
        if refused.problems[0].line is None or source.columns is None:
            raise  # the file as a whole
        yield refused.problems[0]


def _rows(
    rows: "TableLines", reader: Iterator[list[str]], source: Source, parse_cells: frozenset[str]
) -> Iterator[Record | Problem]:
    while True:
        line = rows.line + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            # Where quotes are out of balance, every later row is a guess: reading ends here.
            yield Problem("not_table", table_message(error), line=line)
            return
        if not any(cells):
            continue
        if source.columns is None:
            source.columns = checked_header(cells, line)
        elif len(cells) != len(source.columns):
            message = _("The row has %(found)d cells, the header has %(expected)d.")
            numbers = {"found": len(cells), "expected": len(source.columns)}
            yield Problem("cell_count", message % numbers, line=line)
        else:
            yield row_record(line, source.columns, cells, parse_cells)


def unquoted_records(source: Source) -> Iterator[Record | Problem]:
    """Rows of a table whose cells are set apart by tabs and never quoted: a quote is one."""
    rows = TableLines(source)
    first = rows.first()
    if first is None:
        return
    check_kind_of_table(first, "\t", rows.line + 1)
    columns: list[str] | None = None
    while True:
        try:
            text = next(rows, None)
        except Invalid as refused:
            yield refused.problems[0]
            continue
        if text is None:
            return
        cells = text.rstrip("\r\n").split("\t")
        if columns is None:
            source.columns = columns = checked_header(cells, rows.line)
        elif not any(cells):
            continue
        elif len(cells) != len(columns):
            message = _("The row has %(found)d cells, the header has %(expected)d.")
            numbers = {"found": len(cells), "expected": len(columns)}
            yield Problem("cell_count", message % numbers, line=rows.line)
        else:
            yield row_record(rows.line, columns, cells, frozenset())


class TableLines:
    """The lines of a table as text, for csv.reader; `line` is the number of the one given last."""

    def __init__(self, source: Source):
        self.lines = read_lines(source)
        self.line = 0
        self.held: tuple[int, str] | None = None

    def __iter__(self) -> "TableLines":
        return self

    def __next__(self) -> str:
        if self.held is not None:
            (self.line, text), self.held = self.held, None
            return text
        self.line, text = self._read()
        return text

    def _read(self) -> tuple[int, str]:
        line = next(self.lines)
        if isinstance(line, Problem):
            raise Invalid(line)
        number, raw = line
        try:
            return number, raw.decode()
        except UnicodeDecodeError as fault:
            message = _("Byte %(position)d of the line is not UTF-8.")
            problem = Problem("not_utf8", message % {"position": fault.start + 1}, line=number)
            raise Invalid(problem) from None

    def first(self) -> str | None:
        """The first line that is not blank, which is read again afterwards; None where there is none."""
        try:
            number, text = self._read()
            while text.isspace():
                number, text = self._read()
        except StopIteration:
            return None
        self.line, self.held = number - 1, (number, text)
        return text.strip()


def check_kind_of_table(first: str, delimiter: str, line: int) -> None:
    """Raises Invalid where the first line shows another kind of file than its name says: each of its columns and rows
    would else be told as a fault."""
    if first.startswith(("{", "[")):
        message = _("This is JSON, not the names of columns. Name the file .jsonl or .json, or choose JSON.")
        raise Invalid(Problem("not_table", message, line=line))
    if not delimiter or delimiter in first:
        return
    used = delimiter_of(first)
    if used in first:
        message = _("The columns are set apart by %(found)s; of this kind of file they are to be by %(expected)s.")
        names = {"found": name_of(used), "expected": name_of(delimiter)}
        raise Invalid(Problem("delimiter", message % names, line=line))


def said_delimiter(line: str) -> str:
    """Of a line such as `sep=;`; a tab too, which stands at its end."""
    found = SAYS_DELIMITER.fullmatch(line.rstrip("\r\n").lstrip())
    return (found[1] or "") if found else ""


def delimiter_of(header: str) -> str:
    """The one of DELIMITERS that stands most often in the first row, outside its quotes."""
    outside = "".join(header.split('"')[::2])
    return max(DELIMITERS, key=lambda each: (outside.count(each), -DELIMITERS.index(each)))


def name_of(delimiter: str) -> str:
    names = {",": _("commas"), ";": _("semicolons"), "\t": _("tabs"), "|": _("vertical bars")}
    return names.get(delimiter, f"“{delimiter}”")


def table_message(error: csv.Error) -> str:
    reason = str(error)
    if "field larger" in reason or "unexpected end" in reason:
        return _("A quoted cell begins here and does not end: the quotes are out of balance.")
    if "expected after" in reason:
        return _("A quoted cell goes on after its closing quote. Double the quotes inside a cell.")
    return _("This is not a proper row: %(reason)s.") % {"reason": reason}


def checked_header(cells: Sequence[str], line: int) -> list[str]:
    """The names of the columns. Raises Invalid where one is missing or stands twice, or where there are too many."""
    names = [cell.strip() for cell in cells]
    if len(names) > MAX_COLUMNS:
        message = _("The table has %(count)d columns; at most %(limit)d are read.")
        raise Invalid(Problem("too_many_columns", message % {"count": len(names), "limit": MAX_COLUMNS}, line=line))
    problems = [
        Problem("duplicate_column", _("The column stands there twice."), name, line)
        for index, name in enumerate(names)
        if name in names[:index]
    ]
    if "" in names:
        problems.append(Problem("unnamed_column", _("A column has no name."), line=line))
    if problems:
        raise Invalid(problems)
    return names


def row_record(line: int, header: list[str], cells: list[str], parse_cells: frozenset[str]) -> Record | Problem:
    fields: dict[str, object] = {}
    for name, cell in zip(header, cells, strict=True):
        if cell == "" or (name in parse_cells and cell.isspace()):
            continue
        if "\x00" in cell:
            message = _("A text holds the character U+0000, which no text may hold.")
            return Problem("null_character", message, name, line)
        if name in parse_cells:
            try:
                fields[name] = parse_json(cell.encode())
            except Invalid as refused:
                return Problem(refused.problems[0].code, refused.problems[0].message, name, line)
        else:
            fields[name] = cell
    return Record(line, fields)
