"""Emphasis, code, links and images within one paragraph, found by CommonMark's rules for those that are understood.

Understood are `*`, `_`, `**`, `__`, `~~`, code between backticks, `[text](address)`, `![description](address)`,
`<https://address>` and a backslash before a sign of markdown. Everything else is shown as it stands: HTML, entities,
links by reference, and the backslash before a bracket, with which formulas begin.
"""

import unicodedata
from dataclasses import dataclass

import regex

from projects.reading.segments import Stretch

ESCAPED = "*_`~#|>+-.!"
SIGN = regex.compile(
    r"(?P<escape>\\[\\" + regex.escape(ESCAPED) + r"\[\]])"
    r"|(?P<code>`+)"
    r"|(?P<address><(?:https?://|mailto:)[^\s<>]+>)"
    r"|(?P<run>\*+|_+|~+)"
    r"|(?P<open>!?\[)"
    r"|(?P<close>\])"
)
TARGET = regex.compile(
    r"\([ \t]*(?:<[^<>\n]*>|[^\s()<]*+(?:\([^\s()]*+\)[^\s()]*+)*+)(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
)
LOOK = {("*", 1): "em", ("_", 1): "em", ("*", 2): "strong", ("_", 2): "strong", ("~", 2): "del"}


@dataclass(slots=True)
class Run:
    """Signs of one kind beside each other that may begin or end an emphasis; `start` to `end` are still unused."""

    sign: str
    start: int
    end: int
    opens: bool
    closes: bool
    length: int

    @property
    def left(self) -> int:
        return self.end - self.start


@dataclass(slots=True)
class Bracket:
    """A `[` that may begin a link, and how many runs stood before it."""

    start: int
    end: int
    runs: int
    is_image: bool
    is_active: bool = True


def stretches(text: str) -> list[Stretch]:
    """The signs that are not shown and the looks of what stands between them, in no order."""
    return _Reading(text).read() if SIGN.search(text) else []


class _Reading:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Stretch] = []
        self.runs: list[Run] = []
        self.brackets: list[Bracket] = []
        self.unclosed: set[int] = set()  # lengths of runs of backticks of which no further one comes

    def read(self) -> list[Stretch]:
        at = 0
        while match := SIGN.search(self.text, at):
            start, at = match.span()
            match match.lastgroup:
                case "escape" if self.text[start + 1] in ESCAPED:
                    self._hide(start, start + 1)
                case "code":
                    at = self._code(start, at)
                case "address":
                    self._hide(start, start + 1)
                    self._hide(at - 1, at)
                    self.found.append(Stretch(start + 1, at - 1, "a"))
                case "run":
                    self._run(start, at)
                case "open":
                    is_image = self.text[start] == "!"
                    self.brackets.append(Bracket(start, at, len(self.runs), is_image))
                case "close":
                    at = self._close(start, at)
        self._emphasise(0)
        return self.found

    def _hide(self, start: int, end: int) -> None:
        self.found.append(Stretch(start, end))

    def _code(self, start: int, end: int) -> int:
        """A run of backticks, up to the next one as long; without it the run is text."""
        length = end - start
        if length in self.unclosed:
            return end
        closing = regex.compile(rf"(?<!`)`{{{length}}}(?!`)").search(self.text, end)
        if closing is None:
            self.unclosed.add(length)
            return end
        first, last = end, closing.start()
        inside = self.text[first:last]
        if len(inside) > 2 and inside[0] == inside[-1] == " " and inside.strip(" "):
            first, last = first + 1, last - 1
        self._hide(start, first)
        self._hide(last, closing.end())
        self.found.append(Stretch(first, last, "code"))
        return closing.end()

    def _run(self, start: int, end: int) -> None:
        sign = self.text[start]
        before = self.text[start - 1] if start else " "
        after = self.text[end] if end < len(self.text) else " "
        is_left = not after.isspace() and (not _is_sign(after) or before.isspace() or _is_sign(before))
        is_right = not before.isspace() and (not _is_sign(before) or after.isspace() or _is_sign(after))
        opens, closes = is_left, is_right
        if sign == "_":
            opens = is_left and (not is_right or _is_sign(before))
            closes = is_right and (not is_left or _is_sign(after))
        if sign == "~" and end - start != 2:
            return
        if opens or closes:
            self.runs.append(Run(sign, start, end, opens, closes, end - start))

    def _close(self, start: int, end: int) -> int:
        if not self.brackets:
            return end
        bracket = self.brackets.pop()
        target = TARGET.match(self.text, end) if bracket.is_active else None
        if target is None or bracket.end == start:
            return end
        self._emphasise(bracket.runs)
        del self.runs[bracket.runs :]
        self._hide(bracket.start, bracket.end)
        self._hide(start, target.end())
        self.found.append(Stretch(bracket.end, start, "img" if bracket.is_image else "a"))
        if not bracket.is_image:  # no link within a link
            for other in self.brackets:
                other.is_active = other.is_active and other.is_image
        return target.end()

    def _emphasise(self, bottom: int) -> None:
        """The runs above `bottom` matched by CommonMark's "process emphasis"; a list stands for its linked list."""
        open_runs: list[Run] = []
        # For a kind of closer, how many open runs are known to hold no opener for it.
        searched: dict[tuple[str, int, bool], int] = {}
        for run in self.runs[bottom:]:
            while run.closes and run.left:
                kind = (run.sign, run.length % 3, run.opens)
                lowest = min(searched.get(kind, 0), len(open_runs))
                place = next(
                    (at for at in range(len(open_runs) - 1, lowest - 1, -1) if _matches(open_runs[at], run)), None
                )
                if place is None:
                    searched[kind] = len(open_runs)
                    break
                opener = open_runs[place]
                del open_runs[place + 1 :]
                self._pair(opener, run)
                if not opener.left:
                    open_runs.pop()
                for each, known in searched.items():
                    searched[each] = min(known, len(open_runs))
            if run.opens and run.left:
                open_runs.append(run)

    def _pair(self, opener: Run, closer: Run) -> None:
        width = 2 if opener.left >= 2 and closer.left >= 2 else 1
        self._hide(opener.end - width, opener.end)
        self._hide(closer.start, closer.start + width)
        self.found.append(Stretch(opener.end, closer.start, LOOK[opener.sign, width]))
        opener.end -= width
        closer.start += width


def _matches(opener: Run, closer: Run) -> bool:
    if opener.sign != closer.sign:
        return False
    if opener.sign == "~":
        return True
    is_either_both = opener.closes or closer.opens
    is_odd = (opener.length + closer.length) % 3 == 0 and (opener.length % 3 or closer.length % 3)
    return not (is_either_both and is_odd)


def _is_sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
