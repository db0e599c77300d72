"""The blocks of a text's markdown: paragraphs, headings, lists, quotes, tables, code and rules, by CommonMark's rules.

Each line of the text that is not empty belongs to exactly one block, in the order of the text. What is not understood
is a paragraph of lines as they stand: HTML, headings underlined by `===`, code that is only indented, notes and
definitions, and what is nested more than `DEEPEST` levels. A table's rows and columns are those of GitHub.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import regex

from projects.anchors import GRAPHEME
from projects.reading.inline import stretches
from projects.reading.segments import Pieces, Segment, Stretch, segments

DEEPEST = 8
# What a block other than a paragraph or a table begins with.
SIGNS = regex.compile(r" {0,3}[`~#*_>+0-9-]")
LINE = regex.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
FENCE = regex.compile(r" {0,3}(`{3,}|~{3,})")
HEADING = regex.compile(r" {0,3}(#{1,6})(?:[ \t]+|\Z)")
RULE = regex.compile(r" {0,3}([-*_])[ \t]*+(?:\1[ \t]*+){2,}\Z")
QUOTE = regex.compile(r" {0,3}>[ \t]?")
ITEM = regex.compile(r" {0,3}([-*+]|[0-9]{1,9}[.)])([ \t]*)")
DELIMITERS = regex.compile(r" {0,3}\|?+[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+\Z")
PIPE = regex.compile(r"\\.|(\|)")
TAB = 4


class Cut(NamedTuple):
    """A line of the text and where its own content begins, behind what belongs to the blocks around it."""

    start: int
    at: int
    end: int


class Line(NamedTuple):
    """A line of the text without its end; `number` counts those that are not blank, from 0, and is None for others."""

    start: int
    end: int
    number: int | None
    cells: list[list[Segment]]

    @property
    def is_shown(self) -> bool:
        return any(segment.is_shown for cell in self.cells for segment in cell)


@dataclass(slots=True)
class Block:
    """`kind` is one of paragraph, heading, rule, code, table, quote, list, item; the last three hold blocks.

    `level` is the heading's. `is_apart`: the text leaves a line empty before it. `aligned` has a word for each column.
    """

    kind: str
    lines: list[Line] = field(default_factory=list)
    blocks: list["Block"] = field(default_factory=list)
    level: int = 0
    is_ordered: bool = False
    is_apart: bool = False
    aligned: Sequence[str] = ()


def blocks(text: str) -> list[Block]:
    """The blocks of the whole text."""
    return _Reading(text).read()


def lines(of: Sequence[Block]) -> Iterator[Line]:
    """All lines of the blocks in the order of the text."""
    for block in of:
        yield from block.lines
        yield from lines(block.blocks)


class _Reading:
    def __init__(self, text: str) -> None:
        self.text = text
        self.cuts: list[Cut] = []
        self.numbers: dict[int, int] = {}  # start of a line -> its number among those that are not blank
        self.shown: dict[int, list[Stretch]] = {}  # start of a line -> numbers of items before its content
        for match in LINE.finditer(text):
            start, end = match.span(1)
            self.cuts.append(Cut(start, start, end))
            if start < end and not text[start:end].isspace():
                self.numbers[start] = len(self.numbers)

    def read(self) -> list[Block]:
        return self._blocks(self.cuts, 0)

    def _is_blank(self, cut: Cut) -> bool:
        return not self.text[cut.at : cut.end].strip()

    def _blocks(self, cuts: Sequence[Cut], depth: int) -> list[Block]:
        found: list[Block] = []
        at = 0
        is_apart = False
        while at < len(cuts):
            if self._is_blank(cuts[at]):
                if cuts[at].start in self.numbers:  # signs of the blocks around it, or a number without words
                    found.append(Block("paragraph", [self._line(cuts[at], hides=True)]))
                is_apart = True
                at += 1
                continue
            block, at = self._block(cuts, at, depth)
            block.is_apart = is_apart
            is_apart = False
            found.append(block)
        return found

    def _block(self, cuts: Sequence[Cut], at: int, depth: int) -> tuple[Block, int]:
        """The block that begins with a line that is not blank, and the number of the first line after it."""
        cut = cuts[at]
        if not SIGNS.match(self.text, cut.at, cut.end):
            return self._words(cuts, at, depth)
        if fence := self._fence(cut):
            return self._code(cuts, at, fence)
        if HEADING.match(self.text, cut.at, cut.end):
            return self._heading(cut), at + 1
        if RULE.match(self.text, cut.at, cut.end):
            return Block("rule", [self._line(cut, hides=True)]), at + 1
        if depth < DEEPEST and QUOTE.match(self.text, cut.at, cut.end):
            return self._quote(cuts, at, depth)
        if depth < DEEPEST and self._item(cut):
            return self._list(cuts, at, depth)
        return self._words(cuts, at, depth)

    def _words(self, cuts: Sequence[Cut], at: int, depth: int) -> tuple[Block, int]:
        if self._columns(cuts, at):
            return self._table(cuts, at, depth)
        return self._paragraph(cuts, at, depth)

    def _ends_paragraph(self, cuts: Sequence[Cut], at: int, depth: int) -> bool:
        cut = cuts[at]
        if self._is_blank(cut):
            return True
        if not SIGNS.match(self.text, cut.at, cut.end):
            return bool(self._columns(cuts, at))
        if self._fence(cut):
            return True
        if any(sign.match(self.text, cut.at, cut.end) for sign in (HEADING, RULE)) or self._columns(cuts, at):
            return True
        if depth == DEEPEST:
            return False
        if QUOTE.match(self.text, cut.at, cut.end):
            return True
        item = self._item(cut)
        # An empty item, or a number that is not the first, may as well be part of a sentence.
        return bool(item and item.end() < cut.end and item[1] in ("-", "*", "+", "1.", "1)"))

    def _paragraph(self, cuts: Sequence[Cut], at: int, depth: int) -> tuple[Block, int]:
        end = at + 1
        while end < len(cuts) and not self._ends_paragraph(cuts, end, depth):
            end += 1
        return Block("paragraph", self._lines(cuts[at:end])), end

    def _heading(self, cut: Cut) -> Block:
        match = HEADING.match(self.text, cut.at, cut.end)
        assert match
        words = self.text[match.end() : cut.end].rstrip(" \t")
        bare = words.rstrip("#")
        if not bare or bare[-1] in " \t":
            words = bare.rstrip(" \t")
        last = match.end() + len(words)
        content = Cut(cut.start, match.end(), last)
        hidden = [Stretch(last, cut.end)] if last < cut.end else []
        [found] = Pieces(self.text, [(content.at, content.end)]).within(self._inline(content))
        return Block("heading", [self._line(content, found + hidden, end=cut.end)], level=len(match[1]))

    def _inline(self, cut: Cut) -> list[Stretch]:
        return stretches(self.text[cut.at : cut.end])

    def _fence(self, cut: Cut) -> str:
        match = FENCE.match(self.text, cut.at, cut.end)
        if not match or (match[1][0] == "`" and "`" in self.text[match.end() : cut.end]):
            return ""
        return match[1]

    def _code(self, cuts: Sequence[Cut], at: int, fence: str) -> tuple[Block, int]:
        """Up to the closing fence, else to the end of the block around it."""
        found = [self._line(cuts[at], hides=True)]
        for number in range(at + 1, len(cuts)):
            cut = cuts[number]
            closing = self._fence(cut)
            if closing.startswith(fence) and self.text[cut.at : cut.end].strip() == closing:
                return Block("code", [*found, self._line(cut, hides=True)]), number + 1
            found.append(self._line(cut))
        return Block("code", found), len(cuts)

    def _quote(self, cuts: Sequence[Cut], at: int, depth: int) -> tuple[Block, int]:
        inner: list[Cut] = []
        end = at
        while end < len(cuts) and (match := QUOTE.match(self.text, cuts[end].at, cuts[end].end)):
            inner.append(cuts[end]._replace(at=match.end()))
            end += 1
        return Block("quote", blocks=self._blocks(inner, depth + 1)), end

    def _item(self, cut: Cut) -> regex.Match[str] | None:
        match = ITEM.match(self.text, cut.at, cut.end)
        if not match or (not match[2] and match.end() < cut.end) or RULE.match(self.text, cut.at, cut.end):
            return None
        return match

    def _list(self, cuts: Sequence[Cut], at: int, depth: int) -> tuple[Block, int]:
        first = self._item(cuts[at])
        assert first
        kind = first[1][-1]
        items: list[Block] = []
        while at < len(cuts) and (match := self._item(cuts[at])) and match[1][-1] == kind:
            inner, at = self._of_item(cuts, at, match)
            items.append(Block("item", blocks=self._blocks(inner, depth + 1)))
        return Block("list", blocks=items, is_ordered=kind in ".)"), at

    def _of_item(self, cuts: Sequence[Cut], at: int, match: regex.Match[str]) -> tuple[list[Cut], int]:
        """The lines of one item: the first, and those that are indented as far as its words begin."""
        cut = cuts[at]
        space = match[2] if 0 < len(match[2].expandtabs(TAB)) <= TAB else match[2][:1]
        content = min(match.start(2) + len(space), cut.end)
        wanted = _columns(self.text[cut.at : match.start(2)]) + max(1, _columns(space))
        if match[1][0] not in "-*+":
            self.shown.setdefault(cut.start, []).append(Stretch(match.start(1), content, "b"))
        inner = [cut._replace(at=content)]
        end = at + 1
        blank = end
        while blank < len(cuts):
            if self._is_blank(cuts[blank]):
                blank += 1
                continue
            position = self._indented(cuts[blank], wanted)
            if position is None:
                break
            inner += cuts[end:blank]
            inner.append(cuts[blank]._replace(at=position))
            end = blank = blank + 1
        # Empty lines before the next item of the list are this one's; those behind the list are nobody's.
        if blank < len(cuts) and (following := self._item(cuts[blank])) and following[1][-1] == match[1][-1]:
            inner += cuts[end:blank]
            end = blank
        return inner, end

    def _indented(self, cut: Cut, wanted: int) -> int | None:
        """Where a line goes on behind so many columns of space; None where it has fewer."""
        columns = 0
        position = cut.at
        while columns < wanted:
            if position == cut.end or self.text[position] not in " \t":
                return None
            columns += TAB - columns % TAB if self.text[position] == "\t" else 1
            position += 1
        return position

    def _columns(self, cuts: Sequence[Cut], at: int) -> Sequence[str]:
        """How the columns of the table are aligned whose head is this line; empty where none begins here."""
        if at + 1 == len(cuts):
            return ()
        head, below = cuts[at], cuts[at + 1]
        if self.text.find("|", head.at, head.end) < 0 or self.text.find("|", below.at, below.end) < 0:
            return ()
        if not DELIMITERS.match(self.text, below.at, below.end):
            return ()
        delimiters = [self.text[start:end].strip(" \t|") for start, end in self._cells(below)]
        if len(delimiters) != len(self._cells(head)):
            return ()
        sides = {(True, True): "center", (False, True): "end"}
        return [sides.get((one.startswith(":"), one.endswith(":")), "") for one in delimiters]

    def _table(self, cuts: Sequence[Cut], at: int, depth: int) -> tuple[Block, int]:
        aligned = self._columns(cuts, at)
        end = at + 2
        while end < len(cuts) and not self._ends_paragraph(cuts, end, depth):
            end += 1
        head, below, *rows = cuts[at:end]
        found = [self._row(head), self._line(below, hides=True), *(self._row(row) for row in rows)]
        return Block("table", found, aligned=aligned), end

    def _cells(self, cut: Cut) -> list[tuple[int, int]]:
        """Where the cells of a row lie, each with the pipe before it, the last with the one behind it too."""
        first = cut.at
        while first < cut.end and self.text[first] in " \t":
            first += 1
        last = cut.at + len(self.text[cut.at : cut.end].rstrip())
        pipes = [one.start() for one in PIPE.finditer(self.text, first, last) if one[1]]
        inner = [pipe for pipe in pipes if first < pipe < last - 1]
        return list(zip([cut.at, *inner], [*inner, cut.end], strict=True))

    def _row(self, cut: Cut) -> Line:
        cells: list[list[Segment]] = []
        for number, (start, end) in enumerate(self._cells(cut)):
            words = self.text[start:end]
            first = start + len(words) - len(words.lstrip(" \t|" if number == 0 else " \t"))
            if number and words.startswith("|"):
                first = start + 1 + len(words[1:]) - len(words[1:].lstrip(" \t"))
            last = max(first, start + len(words.rstrip(" \t")))
            if (
                last > first
                and self.text[last - 1] == "|"
                and self.text[last - 2 : last - 1] != "\\"
                and end == cut.end
            ):
                last = max(first, start + len(words[: last - 1 - start].rstrip(" \t")))
            [found] = Pieces(self.text, [(first, last)]).within(stretches(self.text[first:last]))
            signs = [Stretch(start, first), Stretch(last, end), *found]
            cells.append(self._tidy(segments(start, end, [one for one in signs if one.start < one.end])))
        if cut.start < cut.at:
            cells[0] = self._before(cut) + cells[0]
        return Line(cut.start, cut.end, self.numbers.get(cut.start), cells)

    def _lines(self, cuts: Sequence[Cut]) -> list[Line]:
        """The lines of one paragraph, in which an emphasis may run over the end of a line."""
        pieces = Pieces(self.text, [(cut.at, cut.end) for cut in cuts])
        return [self._line(cut, found) for cut, found in zip(cuts, pieces.within(stretches(pieces.text)), strict=True)]

    def _line(self, cut: Cut, found: Sequence[Stretch] = (), hides: bool = False, end: int | None = None) -> Line:
        last = cut.end if end is None else end
        if hides and cut.at < last:
            found = [Stretch(cut.at, last)]
        content = self._tidy(segments(cut.at, last, found))
        return Line(cut.start, last, self.numbers.get(cut.start), [self._before(cut) + content])

    def _before(self, cut: Cut) -> list[Segment]:
        """Signs of the blocks around a line, of which the number of an item is shown."""
        if cut.start == cut.at:
            return []
        found: list[Segment] = []
        at = cut.start
        for number in self.shown.get(cut.start, []):
            if number.start > at:
                found.append(Segment(at, number.start, False))
            found.append(Segment(number.start, number.end, True))
            at = number.end
        if at < cut.at:
            found.append(Segment(at, cut.at, False))
        return self._tidy(found)

    def _tidy(self, found: list[Segment]) -> list[Segment]:
        """A sign that makes one written character with what stands beside it cannot be left out: it is shown."""
        return [
            segment if segment.is_shown or self._is_whole(segment) else segment._replace(is_shown=True)
            for segment in found
        ]

    def _is_whole(self, segment: Segment) -> bool:
        """A sign is plain ASCII, so the two characters at each of its ends decide."""
        for at in (segment.start, segment.end):
            pair = GRAPHEME.match(self.text, at - 1, at + 1) if 0 < at < len(self.text) else None
            if pair and pair.end() > at:
                return False
        return True


def _columns(words: str) -> int:
    return len(words.expandtabs(TAB))
