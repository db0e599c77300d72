"""Where a span lies in an immutable text: half-open code-point offsets, checked against its quote.

A text is never normalised. `text[start:end] == quote` and both ends on grapheme boundaries hold for every span
that is stored, whoever wrote it: a person, a judge or an import. Browsers speak UTF-16 and convert at their
edge; exports carry both.
"""

import hashlib
from functools import lru_cache

import regex
from django.utils.translation import gettext as _

from projects.problems import Invalid, Problem

GRAPHEME = regex.compile(r"\X")
PARAGRAPH = regex.compile(r"[^\r\n]+")
# A code point of these opens no cluster of more than one and closes none, so a boundary beside it is certain.
PLAIN = regex.compile(r"[ -~]")
FAR_FROM_SPACE = 100


def sha256(text: str) -> str:
    """Hex SHA-256 of the text's UTF-8 bytes, as exports carry it."""
    return hashlib.sha256(text.encode()).hexdigest()


def paragraphs(text: str) -> list[tuple[int, int]]:
    """Half-open code-point offsets of each non-empty line, in order; judges and omissions count by these."""
    return [match.span() for match in PARAGRAPH.finditer(text) if not match.group().isspace()]


@lru_cache(maxsize=256)
def grapheme_boundaries(text: str) -> frozenset[int]:
    """Every code-point offset at which an extended grapheme cluster begins or the text ends."""
    return frozenset(match.start() for match in GRAPHEME.finditer(text)) | {len(text)}


def on_grapheme_boundary(text: str, offset: int) -> bool:
    """True where no extended grapheme cluster is cut in two at `offset`."""
    if offset in (0, len(text)):
        return True
    if PLAIN.match(text[offset - 1]) and PLAIN.match(text[offset]):
        return True
    # No rule of Unicode looks back across a space, so the word around the offset decides. Texts written without
    # spaces would be walked again for every offset; their boundaries are kept.
    space = max(text.rfind(" ", 0, offset), 0)
    if offset - space > FAR_FROM_SPACE:
        return offset in grapheme_boundaries(text)
    ends = (match.end() for match in GRAPHEME.finditer(text, space))
    return next(end for end in ends if end >= offset) == offset


def to_utf16(text: str, offset: int) -> int:
    """The UTF-16 code-unit offset of a code-point offset."""
    return len(text[:offset].encode("utf-16-le")) // 2


def from_utf16(text: str, offset: int) -> int:
    """The code-point offset of a UTF-16 code-unit offset.

    Raises Invalid where the offset is past the end or falls between the halves of a surrogate pair.
    """
    encoded = text.encode("utf-16-le")
    if not 0 <= offset * 2 <= len(encoded):
        raise Invalid(Problem("past_end", _("The offset lies past the end of the text.")))
    try:
        return len(encoded[: offset * 2].decode("utf-16-le"))
    except UnicodeDecodeError:
        raise Invalid(Problem("mid_surrogate", _("The offset cuts a surrogate pair in two."))) from None


def check_anchor(text: str, start: object, end: object, quote: str | None) -> str:
    """Return the quote of a span that lies properly in the text.

    `start` and `end` are code points, half-open; `quote` may be None where only offsets were given.
    Raises Invalid naming the field: not a whole number, empty, reversed, negative, past the end, inside a
    grapheme, or a quote that differs from the text at that place.
    """
    for name, value in (("start", start), ("end", end)):
        if type(value) is not int:  # bool is an int to Python, and never an offset to us
            raise Invalid(Problem("not_whole_number", _("An offset must be a whole number."), name))
    assert isinstance(start, int)
    assert isinstance(end, int)
    if start < 0 or end < 0:
        raise Invalid(Problem("negative", _("An offset cannot be negative."), "start" if start < 0 else "end"))
    if end > len(text):
        message = _("The span ends at %(end)d, but the text has %(length)d characters.")
        raise Invalid(Problem("past_end", message % {"end": end, "length": len(text)}, "end"))
    if start == end:
        raise Invalid(Problem("empty", _("The span is empty."), "end"))
    if start > end:
        raise Invalid(Problem("reversed", _("The span ends before it starts."), "end"))
    for name, offset in (("start", start), ("end", end)):
        if not on_grapheme_boundary(text, offset):
            raise Invalid(Problem("mid_grapheme", _("The span cuts a written character in two."), name))
    found = text[start:end]
    if quote is not None and quote != found:
        raise Invalid(Problem("quote_differs", _("The quote differs from the text at that place."), "quote"))
    return found


def locate(text: str, quote: str, occurrence: int | None = None) -> tuple[int, int]:
    """Code-point offsets of a quote given without offsets.

    `occurrence` counts from 1. Raises Invalid where the quote is absent, or occurs several times and the
    occurrence is not named: a guess would put an opinion on words nobody meant.
    """
    if not quote:
        raise Invalid(Problem("empty", _("The quote is empty."), "quote"))
    starts = []
    position = text.find(quote)
    while position != -1:
        starts.append(position)
        position = text.find(quote, position + 1)
    if not starts:
        raise Invalid(Problem("quote_absent", _("The quote does not occur in the text."), "quote"))
    if occurrence is None:
        if len(starts) > 1:
            message = _("The quote occurs %(count)d times; name which one, or give offsets.")
            raise Invalid(Problem("quote_ambiguous", message % {"count": len(starts)}, "quote"))
        occurrence = 1
    if not 1 <= occurrence <= len(starts):
        message = _("There is no occurrence %(number)d; the quote occurs %(count)d times.")
        numbers = {"number": occurrence, "count": len(starts)}
        raise Invalid(Problem("occurrence_absent", message % numbers, "occurrence"))
    start = starts[occurrence - 1]
    return start, start + len(quote)
