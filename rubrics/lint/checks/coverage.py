"""Parts of the gold answer that no criterion asks for."""

from collections.abc import Iterator

import regex
from django.utils.translation import gettext_lazy as _

from rubrics.lint.findings import Finding, sentence
from rubrics.lint.principles import Principle
from rubrics.lint.reading import Check, Reading
from rubrics.lint.texts import Text, Word

# A clause ends where a sentence does, or at a comma that has enough words on both sides.
SENTENCE_END = regex.compile(r"[.!?؟۔।॥。！？\n;؛；]+(?=\s|$)|\n")
COMMA = regex.compile(r"[,،、，](?=\s)")
MIN_IN_CLAUSE = 3
# A clause is covered when the criteria have a third of its words: they rarely repeat the answer word by word.
COVERED = 1 / 3
MIN_NEW = 2
MESSAGE = _(
    "No criterion asks for this part of the gold answer: “{words}”. No overlap and full coverage: every part of a "
    "perfect answer has its criterion."
)


def find(reading: Reading, check: Check) -> Iterator[Finding]:
    """Silent until there is a criterion to cover anything, and where one is in another language than the answer."""
    gold = reading.gold_answer
    written = [text for criterion, text in reading.criteria if text.stems and not criterion.is_error]
    if not written or any(text.language is not gold.language for text in written):
        return
    asked = frozenset().union(*(text.stems for text in written))
    for clause in _clauses(gold):
        stems = {word.stem for word in clause}
        # What the prompt already says is no part of the answer.
        new = stems - reading.prompt.stems
        if len(new) >= MIN_NEW and len(new & asked) < COVERED * len(new):
            start, end = gold.extent(clause)
            words = gold.original[start:end]
            yield Finding(check.code, check.principle, "", words, start, end, sentence(MESSAGE, words=words))


def _clauses(text: Text) -> Iterator[list[Word]]:
    """The words that carry content, clause by clause."""
    sentences, commas = _ends(text, SENTENCE_END), _ends(text, COMMA)
    for sentence_words in _split(text.words, sentences):
        clauses: list[list[Word]] = []
        for piece in _split(sentence_words, commas):
            if clauses and min(len(piece), len(clauses[-1])) < MIN_IN_CLAUSE:
                clauses[-1].extend(piece)
            else:
                clauses.append(piece)
        yield from clauses


def _ends(text: Text, pattern: regex.Pattern[str]) -> list[int]:
    return [match.start() for match in pattern.finditer(text.folded)]


def _split(words: list[Word], ends: list[int]) -> Iterator[list[Word]]:
    """The words in runs that no end lies between."""
    run: list[Word] = []
    ahead = iter(ends)
    end = next(ahead, None)
    for word in words:
        while end is not None and end < word.start:
            if run:
                yield run
                run = []
            end = next(ahead, None)
        run.append(word)
    if run:
        yield run


CHECK = Check("coverage", Principle.EXHAUSTIVE, _("Part of the gold answer without criterion"), find, needs_words=False)
