"""A text as the lint reads it: folded for comparison, each character still knowing where it stood.

Patterns and word lists are matched on the folded form; findings are reported in code points of the original, always
on grapheme boundaries.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import regex

from rubrics.lint.languages import Language, written_in

CLUSTER = regex.compile(r"\X")
# A number is one word however its thousands are parted, and the same number in whichever way.
GROUPED = r"\p{Nd}{1,3}(?:[,.٬،\u00a0\u202f]\p{Nd}{3})+(?![\w.,]\p{Nd})"
WORD = regex.compile(rf"{GROUPED}|\w+(?:['’]\w+)*")
PARTED = regex.compile(r"(?<=\p{Nd})[,.٬،\u00a0\u202f](?=\p{Nd})")
# What is quoted or bracketed is the content that a criterion asks for, never a second condition or a vague word.
# An apostrophe opens only before a word and closes only after one, so that "Egyptians' bread" quotes nothing; in
# other scripts endings are written on to it.
QUOTED = regex.compile(
    r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»|‹[^›\n]{1,200}›|「[^」\n]{1,200}」|『[^』\n]{1,200}』"
    r"|(?<!\w)'[^'\n]{1,80}'(?!\p{Latin})|(?<!\w)‘[^’\n]{1,80}’(?!\p{Latin})"
)
BRACKETED = regex.compile(r"\([^()\n]{1,200}\)|\[[^\[\]\n]{1,200}\]|（[^（）\n]{1,200}）")
REST_OF_WORD = regex.compile(r"(?<=\w)\w+")
CLAUSE_END = " \t\n\r\u00a0.,;:!?،؛؟।"
HIDDEN = "\ufffc"


class Word(NamedTuple):
    """A word that carries content: its stem, and its half-open place in the folded form."""

    stem: str
    start: int
    end: int


class Text:
    """One text in one language. Made by `read`, which keeps what it has read."""

    def __init__(self, original: str, language: Language) -> None:
        self.original, self.language = original, language
        self._clusters: list[str] = CLUSTER.findall(original)
        self.folded = "".join(map(language.folded_cluster, self._clusters))

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """For each character of the folded form, the half-open code points of the cluster that it came from."""
        places, end = [], 0
        for cluster in self._clusters:
            start, end = end, end + len(cluster)
            places += [(start, end)] * len(self.language.folded_cluster(cluster))
        return places

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Half-open places of quotations in the folded form, their marks included."""
        return [match.span() for match in QUOTED.finditer(self.folded)]

    @cached_property
    def unquoted(self) -> str:
        """The folded form with what is quoted or bracketed hidden character by character, its marks left."""
        shown = self.folded
        for pattern in (QUOTED, BRACKETED):
            shown = pattern.sub(lambda m: m.group()[0] + HIDDEN * (len(m.group()) - 2) + m.group()[-1], shown)
        return shown

    @cached_property
    def words(self) -> list[Word]:
        """The words that carry content, in order: no function word, no verb that only says "the answer states"."""
        content_words = []
        for match in WORD.finditer(self.folded):
            stem = self.language.stem(PARTED.sub("", match.group()))
            if stem:
                content_words.append(Word(stem, *match.span()))
        return content_words

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words)

    def extent(self, words: Sequence[Word]) -> tuple[int, int]:
        """Code points from the first of these words to the last, cutting no quotation in two."""
        start, end = words[0].start, words[-1].end
        for opening, closing in self.quoted:
            if opening < end < closing:
                end = closing
            if opening < start < closing:
                start = opening
        return self.place(start, end)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Code points of the original for a half-open, non-empty place in the folded form."""
        return self._places[start][0], self._places[end - 1][1]

    def place_of(self, match: regex.Match[str]) -> tuple[int, int]:
        """Code points of the original for a match: of its group `words` where the phrase has one, else of all.

        A last word is taken with its ending: where endings attach, phrases stop before them.
        """
        start, end = match.span("words") if match.groupdict().get("words") else match.span()
        while end - start > 1 and self.folded[end - 1] in CLAUSE_END:
            end -= 1
        rest = REST_OF_WORD.match(self.folded, end)
        return self.place(start, rest.end() if rest else end)


@lru_cache(maxsize=1024)
def read(original: str, tag: str) -> Text:
    """The text, in the language of its tag or, where its script says otherwise, the one it is written in.

    The last texts are kept: an author who types in one criterion leaves the others as they were.
    """
    return Text(original, written_in(original, tag))
