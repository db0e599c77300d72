"""A file that is one JSON text: the entries of a list, or the members of an object, one at a time.

The whole is never in memory: what stands between two commas of the outermost level is cut out and parsed by itself.
"""

import re
from collections.abc import Iterator

from django.utils.translation import gettext as _

from formats.reading import MAX_LINE_BYTES, Record, Source, parse_json, without_signature
from projects.problems import Invalid, Problem

MARK = re.compile(rb'["{}\[\],]')
END_OF_TEXT = re.compile(rb'["\\]')
OPENING, CLOSING = (b"[", b"{"), (b"]", b"}")
SPACE = b" \t\r\n"


def json_file_records(source: Source, takes_object: bool) -> Iterator[Record | Problem]:
    """The objects of a list; or, where `takes_object`, each member of an object as an object of that one member.

    They are numbered from 1 in their order, for such a file may be one line. Raises Invalid where it is neither.
    """
    cutter = Cutter(source)
    if cutter.opening == b"{" and not takes_object:
        message = _("The file is one JSON object, not a list. A mapping says where in it the records are.")
        raise Invalid(Problem("one_json_object", message))
    source.notes.append(_("Lines are counted by the entries of the file: line 1 is the first of them."))
    for number, raw in enumerate(cutter.entries(), start=1):
        source.lines_read = number
        if raw is None:
            message = _("The entry is longer than %(limit)d MB.") % {"limit": MAX_LINE_BYTES // 1_000_000}
            yield Problem("line_too_long", message, line=number)
            continue
        try:
            fields = parse_json(b"{" + raw + b"}" if cutter.opening == b"{" else raw)
        except Invalid as refused:
            yield Problem(refused.problems[0].code, refused.problems[0].message, line=number)
            continue
        if type(fields) is dict:
            yield Record(number, fields)
        else:
            yield Problem("not_object", _("Each entry of the list is a JSON object in braces."), line=number)
    if cutter.is_broken:
        message = _("The file ends too early, or goes on after its end: it is no complete JSON.")
        yield Problem("not_json", message, line=source.lines_read + 1)


class Cutter:
    """Cuts a JSON text at the commas of its outermost list or object."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.buffer = without_signature(source, source.read()).lstrip(SPACE)
        while not self.buffer and (block := source.read()):
            self.buffer = block.lstrip(SPACE)
        self.opening = self.buffer[:1]
        if self.opening not in (b"[", b"{"):
            raise Invalid(Problem("not_json", _("The file is no JSON: it begins with neither [ nor {.")))
        self.is_broken = True

    def entries(self) -> Iterator[bytes | None]:
        """What stands between the commas, without the white space around it; None for one that is too long."""
        block, place, entry = self.buffer, 1, bytearray()
        depth, in_text, is_escaped, is_too_long, is_behind_comma = 1, False, False, False, False
        while block:
            begin = place
            if is_escaped:
                place, is_escaped = place + 1, False
            while found := (END_OF_TEXT if in_text else MARK).search(block, place):
                mark, place = found[0], found.end()
                if mark == b"\\":
                    place += 1
                    is_escaped = place > len(block)
                elif mark == b'"':
                    in_text = not in_text
                elif mark in OPENING:
                    depth += 1
                elif mark in CLOSING:
                    depth -= 1
                if depth == 0 or (depth == 1 and mark == b","):
                    entry += block[begin : found.start()]
                    if depth or is_behind_comma or is_too_long or entry.strip(SPACE):
                        yield None if is_too_long or len(entry) > MAX_LINE_BYTES else bytes(entry.strip(SPACE))
                    if depth == 0:
                        self._end(mark, block[place:])
                        return
                    begin, entry, is_too_long, is_behind_comma = place, bytearray(), False, True
            entry += block[begin:]
            if len(entry) > MAX_LINE_BYTES:
                is_too_long, entry = True, bytearray()  # its end is still looked for, and nothing of it kept
            block, place = self.source.read(), 0

    def _end(self, mark: bytes, rest: bytes) -> None:
        """The text is whole where it ends as it began, and nothing but white space follows."""
        while not rest.strip(SPACE) and (more := self.source.read()):
            rest = more
        self.is_broken = bool(rest.strip(SPACE)) or mark != (b"]" if self.opening == b"[" else b"}")
