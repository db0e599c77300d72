"""From bytes to numbered records, strictly and in constant memory. Knows no database.

What a lenient parser lets through would be stored as something nobody wrote: the second of two equal keys, a
number rounded to a float, half a character. So each of these is a problem with its line. A file is read in
blocks; no line, cell or nesting is followed further than the limits below.
"""

import codecs
import csv
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from json import JSONDecodeError, loads
from typing import Protocol

import orjson
from django.utils.translation import gettext as _

from projects.problems import Invalid, Problem

MAX_LINE_BYTES = 5_000_000
MAX_DEPTH = 32
BLOCK_BYTES = 256 * 1024
FORMATS = ("jsonl", "csv", "tsv")

# A string directly before a colon. Every key matches, and nothing but a key or the inside of a string does.
KEY = re.compile(rb'"[ \t\r\n]*:')
COMPRESSED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
# What the archive of a workbook begins with.
WORKBOOK = (b"[Content_Types].xml", b"_rels/.rels", b"opendocument.spreadsheet")
PARQUET = b"PAR1"
# How a file begins that is one JSON text, a list or an object over several lines, and no lines of JSON.
ONE_JSON_TEXT = re.compile(rb"\s*(\[\s*(\{|$)|\{\s*$)")


@dataclass(frozen=True, slots=True)
class Record:
    """One record as it stood in the file: the number of its (first) line, from 1, and its fields."""

    line: int
    fields: dict


class Readable(Protocol):
    """A binary file, the body of a request, or anything else that gives its next bytes, and none at its end."""

    def read(self, size: int = -1, /) -> bytes: ...


@dataclass(slots=True)
class Source:
    """A binary file being read. `notes` says what was passed over without harm, such as a byte order mark."""

    file: Readable
    name: str = ""
    size: int | None = None
    bytes_read: int = 0
    lines_read: int = 0
    notes: list[str] = field(default_factory=list)

    def read(self) -> bytes:
        block = self.file.read(BLOCK_BYTES)
        self.bytes_read += len(block)
        return block


def format_of(name: str, formats: Collection[str] = FORMATS) -> str:
    """The format a file's name announces; JSONL where it announces none."""
    suffix = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    return suffix if suffix in formats else "jsonl"


def read_records(
    source: Source, file_format: str, parse_cells: frozenset[str] = frozenset()
) -> Iterator[Record | Problem]:
    """Yield each record of the file in order, or the Problem that stands in its place.

    `parse_cells` names the columns of a table whose cells hold JSON. Raises Invalid where the file as a whole
    cannot be read: compressed, UTF-16, or a table without a proper header.
    """
    lines = read_lines(source)
    if file_format == "jsonl":
        return json_records(lines)
    return table_records(lines, "\t" if file_format == "tsv" else ",", parse_cells)


def read_lines(source: Source) -> Iterator[tuple[int, bytes] | Problem]:
    """Yield (number, line with its end) split at LF, CR LF or CR alone, never at U+2028 or U+0085.

    A line beyond MAX_LINE_BYTES is passed over block by block and stands as a Problem.
    """
    block = without_signature(source, source.read())
    rest, too_long = b"", False
    while block:
        pieces = (rest + block).splitlines(keepends=True)
        block = source.read()
        # The last piece is whole if it ends in LF, or if nothing follows; a CR might yet be followed by LF.
        rest = pieces.pop() if block and not pieces[-1].endswith(b"\n") else b""
        for piece in pieces:
            source.lines_read += 1
            if too_long or len(piece) > MAX_LINE_BYTES:
                too_long = False
                yield line_too_long(source.lines_read)
            else:
                yield source.lines_read, piece
        if len(rest) > MAX_LINE_BYTES:
            too_long, rest = True, rest[-1:]


def line_too_long(line: int) -> Problem:
    message = _("The line is longer than %(limit)d MB.")
    return Problem("line_too_long", message % {"limit": MAX_LINE_BYTES // 1_000_000}, line=line)


def without_signature(source: Source, block: bytes) -> bytes:
    """The first block without a UTF-8 byte order mark. Raises Invalid for what is no UTF-8 text at all."""
    if block.startswith(PARQUET):
        message = _(
            "The file is Parquet. Save it as JSON lines; questions of a benchmark are also imported as they are by the "
            "command %(command)s."
        )
        raise Invalid(Problem("parquet", message % {"command": "import_questions"}))
    if block.startswith(b"PK") and any(part in block[:200] for part in WORKBOOK):
        raise Invalid(Problem("workbook", _("The file is a workbook. Save its sheet as CSV in UTF-8, with commas.")))
    for signature, name in COMPRESSED.items():
        if block.startswith(signature):
            message = _("The file is compressed (%(name)s). Unpack it and import what is inside.")
            raise Invalid(Problem("compressed", message % {"name": name}))
    if block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\x00" in block[:4]:
        raise Invalid(Problem("utf16", _("The file is UTF-16. Save it as UTF-8.")))
    if block.startswith(codecs.BOM_UTF8):
        source.notes.append(_("A byte order mark at the start was passed over."))
        return block[len(codecs.BOM_UTF8) :]
    return block


# --- JSON lines ---------------------------------------------------------------------------------------


def json_records(lines: Iterator[tuple[int, bytes] | Problem]) -> Iterator[Record | Problem]:
    is_first = True
    for line in lines:
        if isinstance(line, Problem):
            yield line
            continue
        number, raw = line
        if raw.isspace():
            continue
        if is_first:
            refuse_one_json_text(raw)
            is_first = False
        try:
            fields = parse_json(raw)
        except Invalid as refused:
            yield Problem(refused.problems[0].code, refused.problems[0].message, line=number)
            continue
        if type(fields) is dict:
            yield Record(number, fields)
        else:
            yield Problem("not_object", _("A line holds one JSON object in braces."), line=number)


def refuse_one_json_text(first: bytes) -> None:
    """Raises Invalid, once for the whole file, where its first line shows that it is no lines of JSON."""
    if found := ONE_JSON_TEXT.match(first):
        message = _("The file is one JSON text, not one object a line. This writes it so: %(command)s")
        parts = ".[]" if found[1].startswith(b"[") else "."
        raise Invalid(Problem("one_json_text", message % {"command": f"jq -c '{parts}' in.json > out.jsonl"}))


def parse_json(raw: bytes) -> object:
    """The value of one JSON text. Raises Invalid with one Problem.

    orjson is fast and refuses nearly all that is no JSON. It takes the last of equal keys and rounds integers
    beyond 64 bits to floats; both are caught here. The bytes hold at least as many matches of KEY as they hold
    keys, so where there are no more matches than distinct keys, none stands twice; else a slower parser counts.
    """
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Invalid(json_problem(raw, error)) from None
    keys = survey(value, 1)
    if keys != len(KEY.findall(raw)):
        loads(raw, object_pairs_hook=refuse_equal_keys)
    if b"\\u0000" in raw:
        refuse_null_character(value)
    return value


def survey(value: object, depth: int) -> int:
    """How many keys a value holds at any depth. Raises Invalid where it is too deep or a number too large."""
    inner: Iterable[object]
    if type(value) is dict:
        count, inner = len(value), value.values()
    elif type(value) is list:
        count, inner = 0, value
    else:
        inner, count = (value,), 0
    if depth > MAX_DEPTH:
        raise Invalid(too_deep())
    for item in inner:
        kind = type(item)
        if kind is dict or kind is list:
            count += survey(item, depth + 1)
        elif isinstance(item, float) and abs(item) >= 2.0**63:
            raise Invalid(number_too_large())
    return count


def refuse_equal_keys(pairs: list[tuple[str, object]]) -> dict:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = _("The field “%(name)s” stands there twice.")
        raise Invalid(Problem("duplicate_key", message % {"name": twice[:80]}))
    return fields


def refuse_null_character(value: object) -> None:
    if isinstance(value, str) and "\x00" in value:
        raise Invalid(Problem("null_character", _("A text holds the character U+0000, which no text may hold.")))
    if isinstance(value, dict):
        for name, item in value.items():
            refuse_null_character(name)
            refuse_null_character(item)
    elif isinstance(value, list):
        for item in value:
            refuse_null_character(item)


def too_deep() -> Problem:
    return Problem("too_deep", _("The values are nested more than %(limit)d deep.") % {"limit": MAX_DEPTH})


def number_too_large() -> Problem:
    return Problem("number_too_large", _("A number is too large to be kept exactly."))


def json_problem(raw: bytes, error: JSONDecodeError) -> Problem:
    """Say in the file's terms what the parser tripped over."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as fault:
        message = _("Byte %(position)d of the line is not UTF-8.")
        return Problem("not_utf8", message % {"position": fault.start + 1})
    reason = error.msg
    if "depth" in reason or "recursion" in reason:
        return too_deep()
    if "infinity" in reason:
        return number_too_large()
    if "surrogate" in reason:
        return Problem("lone_surrogate", _("A text holds half of a surrogate pair."))
    if re.match(r"-?(NaN|Infinity)", text[error.pos :]):
        return Problem("not_a_number", _("NaN and Infinity are not JSON. Leave the field out."))
    message = _("This is not JSON from character %(position)d on: %(reason)s.")
    return Problem("not_json", message % {"position": error.pos + 1, "reason": reason.split(":")[0]})


# --- Tables -------------------------------------------------------------------------------------------


def table_records(
    lines: Iterator[tuple[int, bytes] | Problem], delimiter: str, parse_cells: frozenset[str]
) -> Iterator[Record | Problem]:
    """Rows of a table whose first row names the columns. An empty cell is a field left out.

    Cells stay as they are, those that begin with = + - @ too: they are data here, and are made harmless where
    tables are written for spreadsheets.
    """
    csv.field_size_limit(MAX_LINE_BYTES)
    rows = TableLines(lines)
    reader = csv.reader(rows, delimiter=delimiter, strict=True)
    header: list[str] | None = None
    while True:
        line = rows.line + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            # Where quotes are out of balance, every later row is a guess: reading ends here.
            if header is None:
                check_kind_of_table(rows.first, delimiter, line)
            yield Problem("not_table", table_message(error), line=line)
            return
        except Invalid as refused:
            if refused.problems[0].line is None:
                raise  # the file as a whole
            yield refused.problems[0]
            return
        if not any(cells):
            continue
        if header is None:
            check_kind_of_table(rows.first, delimiter, line)
            header = checked_header(cells, line)
        elif len(cells) != len(header):
            message = _("The row has %(found)d cells, the header has %(expected)d.")
            numbers = {"found": len(cells), "expected": len(header)}
            yield Problem("cell_count", message % numbers, line=line)
        else:
            yield row_record(line, header, cells, parse_cells)


class TableLines:
    """The lines of a table as text, for csv.reader; remembers how far it has read, and the first that is not blank."""

    def __init__(self, lines: Iterator[tuple[int, bytes] | Problem]):
        self.lines = lines
        self.line = 0
        self.first = ""

    def __iter__(self) -> "TableLines":
        return self

    def __next__(self) -> str:
        line = next(self.lines)
        if isinstance(line, Problem):
            raise Invalid(line)
        self.line, raw = line
        try:
            text = raw.decode()
        except UnicodeDecodeError as fault:
            message = _("Byte %(position)d of the line is not UTF-8.")
            problem = Problem("not_utf8", message % {"position": fault.start + 1}, line=self.line)
            raise Invalid(problem) from None
        self.first = self.first or text.strip()
        return text


def check_kind_of_table(first: str, delimiter: str, line: int) -> None:
    """Raises Invalid where the first line shows another kind of file than its name says: each of its columns and rows
    would else be told as a fault."""
    if first.startswith(("{", "[")):
        raise Invalid(
            Problem("not_table", _("This is JSON, not the names of columns. Name the file .jsonl."), line=line)
        )
    if delimiter in first:
        return
    names = {",": _("commas"), ";": _("semicolons"), "\t": _("tabs")}
    used = next((other for other in names if other in first), None)
    if used is not None:
        message = _("The columns are set apart by %(found)s; of this kind of file they are to be by %(expected)s.")
        raise Invalid(Problem("delimiter", message % {"found": names[used], "expected": names[delimiter]}, line=line))


def table_message(error: csv.Error) -> str:
    reason = str(error)
    if "field larger" in reason or "unexpected end" in reason:
        return _("A quoted cell begins here and does not end: the quotes are out of balance.")
    if "expected after" in reason:
        return _("A quoted cell goes on after its closing quote. Double the quotes inside a cell.")
    return _("This is not a proper row: %(reason)s.") % {"reason": reason}


def checked_header(cells: list[str], line: int) -> list[str]:
    names = [cell.strip() for cell in cells]
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
        if cell == "":
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


Progress = Callable[[int, int, int | None], None]
"""Called now and then with lines read, bytes read and the size where it is known."""
