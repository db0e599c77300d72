"""What a model wrote while thinking, taken off its answer before anything is scored."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

#: Names of the tags known to every card, in any case; attributes are allowed.
NAMES = ("think", "thinking")

NONE = "none"
REMOVED = "removed"
UNCLOSED = "unclosed"
ONLY_THINKING = "only thinking"

_BLANK = re.compile("[\ufeff\\s]*")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer without its thinking.

    text        what is scored; "" where thinking never ended or nothing follows it.
    thinking    "none", "removed" (the text had a block), "unclosed" (it opens one that never ends), "only thinking"
                (nothing was answered beside it).
    blocks      blocks removed.
    characters  code points removed or sent apart, tags included; words: pieces between white space of the same.
    """

    text: str
    thinking: str = NONE
    blocks: int = 0
    characters: int = 0
    words: int = 0


@lru_cache(maxsize=256)
def _patterns(tags: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What opens a block of thinking, and what closes one: the known names and a card's own tags."""
    names = "|".join(NAMES)
    opening = "|".join([rf"<(?:{names})(?:\s[^<>]*)?>", *(re.escape(opens) for opens, _ in tags)])
    closing = "|".join([rf"</(?:{names})\s*>", *(re.escape(closes) for _, closes in tags)])
    return re.compile(opening, re.IGNORECASE), re.compile(closing, re.IGNORECASE)


def without_thinking(text: str, reasoning: str = "", tags: Iterable[tuple[str, str]] = ()) -> Answer:
    """The answer behind the thinking it begins with.

    text       the content of the reply.
    reasoning  what the provider sent apart as reasoning ("reasoning_content").
    tags       a card's own pairs of opening and closing tag.

    Blocks at the start are removed, one after the other. A closing tag that nothing opened ends thinking whose opening
    tag stood in the prompt: all before it goes. A block that never ends leaves no answer. Blocks and tags further down
    are part of the answer, which may speak of them; so is a tag within backticks.
    """
    marks = _tags(text, *_patterns(tuple((opens, closes) for opens, closes in tags)))
    start, next_mark, blocks, is_unclosed = _skipped(text, 0), 0, 0, False
    while next_mark < len(marks) and marks[next_mark].start == start and marks[next_mark].step == 1:
        last = _end_of_block(marks, next_mark)
        if last is None:
            start, is_unclosed = len(text), True
            break
        blocks, start, next_mark = blocks + 1, _skipped(text, marks[last].end), last + 1
    if not blocks and not is_unclosed and marks and marks[0].step == -1 and not _is_quoted(text, marks[0]):
        blocks, start, next_mark = 1, _skipped(text, marks[0].end), 1
    # Closing tags too many.
    while blocks and next_mark < len(marks) and marks[next_mark].start == start and marks[next_mark].step == -1:
        start, next_mark = _skipped(text, marks[next_mark].end), next_mark + 1
    removed = text[:start] if blocks or is_unclosed else ""
    answer = text[start:].rstrip()
    state = NONE
    if is_unclosed:
        state = UNCLOSED
    elif not answer and (blocks or reasoning.strip()):
        state = ONLY_THINKING
    elif blocks:
        state = REMOVED
    words = len(removed.split()) + len(reasoning.split())
    return Answer(answer, state, blocks, len(removed) + len(reasoning), words)


class _Tag(NamedTuple):
    """Where a tag stands; step 1 opens, -1 closes."""

    start: int
    end: int
    step: int


def _tags(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> list[_Tag]:
    """All tags of a text in order."""
    tags = [_Tag(*match.span(), 1) for match in opening.finditer(text)]
    tags += [_Tag(*match.span(), -1) for match in closing.finditer(text)]
    return sorted(tags)


def _end_of_block(marks: Sequence[_Tag], first: int) -> int | None:
    """Which tag ends the block that one opens: its own closing tag; failing that, the last closing tag there is."""
    depth, last = 0, None
    for place in range(first, len(marks)):
        depth += marks[place].step
        if depth == 0:
            return place
        if marks[place].step == -1:
            last = place
    return last


def _skipped(text: str, start: int) -> int:
    """The first position from `start` on that is no white space."""
    match = _BLANK.match(text, start)
    return match.end() if match else start


def _is_quoted(text: str, tag: _Tag) -> bool:
    return text[max(tag.start - 1, 0) : tag.start] == "`" or text[tag.end : tag.end + 1] == "`"
