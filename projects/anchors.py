"""Where a span lies in an immutable text: half-open code-point offsets, checked against its quote.

A text is never normalised. `text[start:end] == quote` and both ends on grapheme boundaries hold for every span
that is stored, whoever wrote it: a person, a judge or an import. Browsers speak UTF-16 and convert at their
edge; exports carry both.
"""

import hashlib
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import regex
from django.utils.translation import gettext as _

from projects.problems import Invalid, Problem

GRAPHEME = regex.compile(r"\X")
PARAGRAPH = regex.compile(r"[^\r\n]+")
# A code point of these opens no cluster of more than one and closes none, so a boundary beside it is certain.
PLAIN = regex.compile(r"[ -~]")
FAR_FROM_SPACE = 100
# So many occurrences of a quote are counted, unless a later one is named: in "aaaa…" each place is one.
MAX_COUNTED = 100
# Marks on one letter, beyond which they are compared in the order they have: sorting them takes quadratic time.
MAX_CLUSTER = 100

# What may differ between a quote and the text it was taken from without making other words of it: see
# `locate_normalised`, which says why each of these is here and what is not.
JOINERS = "\u200c\u200d"
UNSEEN = regex.compile(
    "[\u00ad\u061c\u0640\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe0e\ufe0f\ufeff]"
)
PICTURE = regex.compile(r"\p{Extended_Pictographic}")
QUOTATION_MARKS = str.maketrans(
    {**dict.fromkeys("“”„‟«»〝〞〟＂", '"'), **dict.fromkeys("‘’‚‛‹›＇", "'")},
)


def sha256(text: str) -> str:
    """Hex SHA-256 of the text's UTF-8 bytes, as exports carry it."""
    return hashlib.sha256(text.encode()).hexdigest()


def paragraphs(text: str) -> list[tuple[int, int]]:
    """Half-open code-point offsets of each non-empty line, in order; judges and omissions count by these."""
    return [match.span() for match in PARAGRAPH.finditer(text) if not match.group().isspace()]


def drawn(text: str) -> str:
    """What of a text is drawn where it is shown paragraph by paragraph."""
    return "".join(text[start:end] for start, end in paragraphs(text)) or text


def in_both_views(text: str) -> str:
    """The words of templates/workflow/both_views.html: read with its markdown, then as written."""
    return drawn(text) + text


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
    marked = text[start:end]
    if quote is not None and quote != marked:
        raise Invalid(Problem("quote_differs", _("The quote differs from the text at that place."), "quote"))
    return marked


def locate(text: str, quote: str, occurrence: int | None = None) -> tuple[int, int]:
    """Code-point offsets of a quote given without offsets.

    `occurrence` counts from 1. Raises Invalid where the quote is absent, or occurs several times and the
    occurrence is not named: a guess would put an opinion on words nobody meant.
    """
    if not quote:
        raise Invalid(Problem("empty", _("The quote is empty."), "quote"))
    starts = list(islice(occurrences(text, quote), max(MAX_COUNTED, occurrence or 0)))
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


def occurrences(text: str, quote: str) -> Iterator[int]:
    """Code-point offsets at which the quote begins; occurrences may overlap."""
    position = text.find(quote)
    while position != -1:
        yield position
        position = text.find(quote, position + 1)


class Folded(NamedTuple):
    """A text as `locate_normalised` compares it, and where each of its characters came from.

    `starts` and `ends` hold, for each character of `text`, the half-open code-point offsets of the grapheme cluster
    (or run of spaces) that it stands for; characters of one cluster have the same.
    """

    text: str
    starts: list[int]
    ends: list[int]


def locate_normalised(text: str, quote: str) -> tuple[int, int]:
    """Code-point offsets, on grapheme boundaries, of the one place in the text that a quote can mean.

    For quotes that stand nowhere letter by letter, such as models give that retype what they read. Text and quote are
    compared grapheme cluster by grapheme cluster, with these differences set aside:

    - canonical equivalence: composed and decomposed letters, the order of marks (NFD; never NFKD, which would take
      x² for x2);
    - what is not seen: soft hyphens, zero-width spaces, word joiners, byte order marks, bidi controls, tatweel (it
      lengthens a line and spells nothing), and selectors of text or emoji presentation;
    - ZWNJ and ZWJ between letters, which shape them and are often lost in retyping. In a few words they part one
      spelling from another; so this is no exact match, and is marked. Within emoji they stay: a family is not
      four people;
    - typographic and straight quotation marks, double and single apart, and apostrophes among the single;
    - runs of white space, of whatever kind and length, line ends included; at the ends of the quote they are dropped.

    Nothing else: letters, letter case, alef and hamza forms, vowel marks (they can be the error that is marked), digits
    of other scripts, dashes and full stops are compared as they are. What is found is whole clusters, so half a
    conjunct, a letter without its mark, one person of a family and the halves of two flags are never found.

    The quote of the span is what the text has there: text[start:end]. Raises Invalid where the quote stands nowhere
    even so, or in several places, which may overlap: a guess would put an opinion on words nobody meant.
    """
    wanted = folded(quote).text.strip(" ")
    if not wanted:
        raise Invalid(Problem("quote_absent", _("The quote does not occur in the text."), "quote"))
    searched = folded(text)
    places = []
    hits = list(islice(occurrences(searched.text, wanted), MAX_COUNTED))
    for at in hits:
        last = at + len(wanted) - 1
        begins = at == 0 or searched.starts[at - 1] != searched.starts[at]
        ends = last + 1 == len(searched.text) or searched.starts[last + 1] != searched.starts[last]
        found = text[searched.starts[at] : searched.ends[last]]
        # A mark that is not seen can make one cluster with a space before it, which nobody means.
        if begins and ends and not (found[0].isspace() or found[-1].isspace()):
            places.append((searched.starts[at], searched.ends[last]))
    if not places:
        raise Invalid(Problem("quote_absent", _("The quote does not occur in the text."), "quote"))
    if len(places) > 1 or len(hits) == MAX_COUNTED:
        message = _("The quote occurs %(count)d times; name which one, or give offsets.")
        raise Invalid(Problem("quote_ambiguous", message % {"count": len(places)}, "quote"))
    return places[0]


@lru_cache(maxsize=64)
def folded(text: str) -> Folded:
    """The text with all set aside that `locate_normalised` does not compare."""
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in GRAPHEME.finditer(text):
        cluster = match.group()
        if cluster.isspace():
            if characters and characters[-1] == " ":
                ends[-1] = match.end()
                continue
            folds = " "
        else:
            folds = folded_cluster(cluster)
        characters += folds
        starts += [match.start()] * len(folds)
        ends += [match.end()] * len(folds)
    return Folded("".join(characters), starts, ends)


@lru_cache(maxsize=4096)
def folded_cluster(cluster: str) -> str:
    if len(cluster) > MAX_CLUSTER:
        return cluster
    seen = UNSEEN.sub("", cluster)
    if any(joiner in seen for joiner in JOINERS) and not PICTURE.search(seen):
        seen = seen.translate(dict.fromkeys(map(ord, JOINERS)))
    return unicodedata.normalize("NFD", seen).translate(QUOTATION_MARKS)
