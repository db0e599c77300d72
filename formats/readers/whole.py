"""Files that are read a paragraph at a time, or as one object."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from formats.reading import MAX_LINE_BYTES, Record, Source, parse_json, read_lines
from projects.problems import Invalid, Problem

MAX_OBJECT_BYTES = 20_000_000


def paragraph_records(source: Source) -> Iterator[Record | Problem]:
    """The lines between two empty ones, under `lines`; the number is that of the first."""
    lines: list[str] = []
    first = size = 0
    for line in read_lines(source):
        if isinstance(line, Problem):
            yield line
            continue
        number, raw = line
        try:
            text = raw.decode().rstrip("\r\n")
        except UnicodeDecodeError as fault:
            message = _("Byte %(position)d of the line is not UTF-8.")
            yield Problem("not_utf8", message % {"position": fault.start + 1}, line=number)
            continue
        if text.strip():
            first = first if lines else number
            lines.append(text)
            size += len(raw)
        if lines and (not text.strip() or size > MAX_LINE_BYTES):
            yield _paragraph(first, lines, size)
            lines, size = [], 0
    if lines:
        yield _paragraph(first, lines, size)


def _paragraph(first: int, lines: list[str], size: int) -> Record | Problem:
    if size > MAX_LINE_BYTES:
        message = _("The paragraph is longer than %(limit)d MB.") % {"limit": MAX_LINE_BYTES // 1_000_000}
        return Problem("line_too_long", message, line=first)
    return Record(first, {"lines": lines})


def object_records(source: Source) -> Iterator[Record | Problem]:
    """A file that is one JSON object as its only record. Raises Invalid where it is none, or larger than 20 MB."""
    content = bytearray()
    while block := source.read():
        content += block
        if len(content) > MAX_OBJECT_BYTES:
            message = _("The file is larger than %(limit)d MB.") % {"limit": MAX_OBJECT_BYTES // 1_000_000}
            raise Invalid(Problem("file_too_large", message))
    if not content.strip():
        return
    source.lines_read = 1
    fields = parse_json(bytes(content).strip())
    if isinstance(fields, dict):
        yield Record(1, fields)
    else:
        yield Problem("not_object", _("A line holds one JSON object in braces."), line=1)
