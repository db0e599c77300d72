"""From bytes to numbered records, strictly and in constant memory. Knows no database.

What a lenient parser lets through would be stored as something nobody wrote: the second of two equal keys, a
number rounded to a float, half a character. So each of these is a problem with its line. A file is read in
blocks; no line, cell or nesting is followed further than the limits below.
"""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from json import JSONDecodeError, loads
from typing import Protocol

import orjson
from django.utils.translation import gettext as _

from projects.problems import Invalid, Problem

MAX_LINE_BYTES = 5_000_000
MAX_DEPTH = 32
BLOCK_BYTES = 256 * 1024

# A string directly before a colon. Every key matches, and nothing but a key or the inside of a string does.
KEY = re.compile(rb'"[ \t\r\n]*:')
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
    """A binary file being read. `notes` says what was passed over without harm, such as a byte order mark.

    `bytes_read` of its `size` counts the file as it came; `content_bytes` what was given to whoever reads records,
    which of a packed file is more. A table says its `columns` before its first row, and which of them hold lists or
    structures (`nested`).
    """

    file: Readable
    name: str = ""
    size: int | None = None
    bytes_read: int = 0
    lines_read: int = 0
    notes: list[str] = field(default_factory=list)
    content_bytes: int = 0
    is_unpacked: bool = False  # `file` counts the bytes that it takes by itself
    columns: list[str] | None = None
    nested: frozenset[str] = frozenset()

    def read(self) -> bytes:
        block = self.file.read(BLOCK_BYTES)
        self.content_bytes += len(block)
        if not self.is_unpacked:
            self.bytes_read += len(block)
        return block

    def begin(self, file: Readable) -> None:
        """It is as it was before its first byte was read, which `file` gives."""
        self.file, self.is_unpacked = file, False
        self.bytes_read = self.lines_read = self.content_bytes = 0
        self.columns, self.nested = None, frozenset()
        self.notes.clear()


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
    if ONE_JSON_TEXT.match(first):
        message = _("This is a JSON file, one list or object, not one object a line. Name it .json, or choose JSON.")
        raise Invalid(Problem("one_json_text", message))


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


Progress = Callable[[int, int, int | None], None]
"""Called now and then with lines read, bytes read and the size where it is known."""
