"""The blocks of a text as HTML in which every character of the text stands, in its order and exactly once.

An element with `data-start` holds one line: its text nodes together are that line, and the attribute is the code point
it starts at. What is a sign of markdown stands in an element that is `hidden`. Nothing in it comes from the text but
text: no address, no markup of its own, no style.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from projects.reading.blocks import Block, Line, blocks, lines
from projects.reading.segments import Segment

# Above it stand the page's heading and that of the text.
HIGHEST_HEADING = 3
LOWEST_HEADING = 6
# A link leads nowhere and an image is not fetched: their words look otherwise.
TAGS = {"a": ('<span class="reading__link">', "</span>"), "img": ('<span class="reading__image">', "</span>")}


def reading(text: str) -> SafeString:
    """The text as HTML. Headings begin below those of the page and leave out no level."""
    return _markup(text, get_language() or "")


def marked(pieces: Iterable[tuple[str, Sequence[int]]]) -> SafeString:
    """The text that the pieces are when joined, as HTML with a `mark` around what spans cover: of each piece the ids of
    those that cover it. A span on signs of markdown alone shows them."""
    marks: list[_Mark] = []
    text, at = [], 0
    for words, ids in pieces:
        if ids:
            marks.append(_Mark(at, at + len(words), tuple(ids)))
        text.append(words)
        at += len(words)
    return mark_safe(_Writing("".join(text), marks).write())


class _Mark(NamedTuple):
    start: int
    end: int
    ids: tuple[int, ...]

    def around(self, words: str) -> str:
        deep = ' class="overlay--deep"' if len(self.ids) > 1 else ""
        return f'<mark data-spans="{" ".join(map(str, self.ids))}"{deep}>{words}</mark>'


@lru_cache(maxsize=64)
def _markup(text: str, language: str) -> SafeString:
    return mark_safe(_Writing(text).write())


class _Writing:
    def __init__(self, text: str, marks: Sequence[_Mark] = ()) -> None:
        """`marks` do not overlap and stand in the order of the text."""
        self.text = text
        self.headings: list[int] = []
        self.marks = marks
        self.ends = [mark.end for mark in marks]
        self.seen: set[int] = set()

    def write(self) -> str:
        found = blocks(self.text)
        if self.marks:
            shown = (segment for line in lines(found) for cell in line.cells for segment in cell if segment.is_shown)
            self.seen = {each for segment in shown for mark in self._on(segment) for each in mark.ids}
        return self._blocks(found)

    def _on(self, segment: Segment) -> list[_Mark]:
        """The marks that begin before the segment ends and end after it begins."""
        first = bisect_right(self.ends, segment.start)
        last = first
        while last < len(self.marks) and self.marks[last].start < segment.end:
            last += 1
        return list(self.marks[first:last])

    def _blocks(self, found: Sequence[Block]) -> str:
        return "".join(self._block(block) for block in found)

    def _block(self, block: Block) -> str:
        match block.kind:
            case "heading":
                tag = self._heading(block.level)
                return self._line(tag, block.lines[0], block)
            case "rule":
                return f'<hr class="reading__rule">{self._line("p", block.lines[0])}'
            case "code":
                return self._code(block)
            case "table":
                return self._table(block)
            case "quote":
                return f"<blockquote>{self._blocks(block.blocks)}</blockquote>"
            case "list":
                kind = "ol" if block.is_ordered else "ul"
                items = "".join(f"<li>{self._blocks(item.blocks)}</li>" for item in block.blocks)
                return f'<{kind} role="list">{items}</{kind}>'
        first, *rest = block.lines
        return self._line("p", first, block) + "".join(self._line("p", line) for line in rest)

    def _heading(self, level: int) -> str:
        self.headings = [above for above in self.headings if above < level] + [level]
        return f"h{min(HIGHEST_HEADING + len(self.headings) - 1, LOWEST_HEADING)}"

    def _line(self, tag: str, line: Line, block: Block | None = None) -> str:
        apart = ' class="follows-empty-line"' if block and block.is_apart else ""
        return f"<{tag}{apart}{_place(line)}>{self._segments(line.cells[0])}</{tag}>"

    def _code(self, block: Block) -> str:
        inside = "".join(
            self._line("span", line) if line.number is not None else "<span><br></span>" for line in block.lines
        )
        return f'<pre dir="ltr"><code>{inside}</code></pre>'

    def _table(self, block: Block) -> str:
        head, below, *rows = block.lines
        width = len(head.cells)
        body = "".join(self._row("td", row, block, width) for row in rows)
        signs = f"<tr{_place(below)}><td>{self._segments(below.cells[0])}</td></tr>"
        # Wide tables scroll by themselves; whoever has no pointer scrolls where the focus is.
        return (
            f'<div class="reading__table" tabindex="0" role="group" aria-label="{escape(_("Table"))}"><table>'
            f"<thead>{self._row('th', head, block, width)}{signs}</thead><tbody>{body}</tbody></table></div>"
        )

    def _row(self, tag: str, line: Line, block: Block, width: int) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        cells = [
            f"<{tag}{scope}{_aligned(block, number)}>{self._segments(cell)}</{tag}>"
            for number, cell in enumerate(line.cells)
        ]
        return f"<tr{_place(line)}>{''.join(cells)}{f'<{tag}></{tag}>' * (width - len(cells))}</tr>"

    def _segments(self, found: Sequence[Segment]) -> str:
        return "".join(self._segment(segment) for segment in found)

    def _segment(self, segment: Segment) -> str:
        on = self._on(segment) if self.marks else []
        if not segment.is_shown:
            if any(self.seen.isdisjoint(mark.ids) for mark in on):
                return f'<span class="reading__sign">{self._words(segment, on)}</span>'
            return f"<span hidden>{escape(self.text[segment.start : segment.end])}</span>"
        words = self._words(segment, on)
        for look in reversed(segment.looks):
            opening, closing = TAGS.get(look, (f"<{look}>", f"</{look}>"))
            words = f"{opening}{words}{closing}"
        return words

    def _words(self, segment: Segment, on: Sequence[_Mark]) -> str:
        written, at = [], segment.start
        for mark in on:
            start, end = max(mark.start, segment.start), min(mark.end, segment.end)
            written += [escape(self.text[at:start]), mark.around(escape(self.text[start:end]))]
            at = end
        return "".join([*written, escape(self.text[at : segment.end])])


def _place(line: Line) -> str:
    return f' data-start="{line.start}"{"" if line.is_shown else " hidden"}'


def _aligned(block: Block, number: int) -> str:
    side = block.aligned[number] if number < len(block.aligned) else ""
    return f' class="reading__{side}"' if side else ""
