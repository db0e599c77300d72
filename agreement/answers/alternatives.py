"""Several answers to a question that has one (figure 7 of the paper), which a judge tends to take for the right one.

A model that does not know can list what it might be. Such a list scores 3 at most, whatever a judge says of it: the
limit is a fixed rule, since a judge can be talked out of one.
"""

from dataclasses import dataclass
from itertools import takewhile

import regex

from agreement.answers.folding import content_lines, fold, words

#: As much as right reasoning with a wrong conclusion.
LIMIT = 3.0
NAME = "alternatives"
MIN_ITEMS = 2
#: Words that items begin with alike, at least, and the share of the shortest item that they are.
MIN_SHARED_WORDS = 3
MIN_SHARED = 0.5
#: A reference of several lines, or of more words, may be answered by a list.
MAX_REFERENCE_WORDS = 40
#: What announces a list of guesses.
GUESSES = (
    "possible answers", "possible answer", "the answer could be", "the answer may be", "the answer might be",
    "some possibilities", "أجوبة ممكنة", "إجابات ممكنة", "الإجابات الممكنة", "الأجوبة الممكنة", "إجابات محتملة",
    "الإجابات المحتملة", "أجوبة محتملة", "jawaban yang mungkin", "kemungkinan jawaban", "가능한 답", "가능한 답변",
    "সম্ভাব্য উত্তর", "réponses possibles", "respuestas posibles", "mögliche antworten",
)  # fmt: skip

_NUMBERED = regex.compile(r"(?<!\S)\(?(\d{1,2})[.)\-](?=\s)")
_BULLETED = regex.compile(r"^[ \t]*[-*+•▪◦‣·–][ \t]+", regex.MULTILINE)


@dataclass(frozen=True, slots=True)
class Alternatives:
    """items  listed; shared  words that all begin with; is_announced  as possible answers."""

    items: int
    shared: int
    is_announced: bool


def items_of(text: str) -> tuple[str, list[str]]:
    """What stands before the list in a text, and its items: numbered from 1 on anywhere, or bulleted lines."""
    text = fold(text) if "١" in text or "۱" in text else text
    cuts: list[tuple[int, int]] = []
    for match in _NUMBERED.finditer(text):
        if int(match[1]) == len(cuts) + 1:
            cuts.append(match.span())
    if len(cuts) < MIN_ITEMS:
        cuts = [match.span() for match in _BULLETED.finditer(text)]
    if len(cuts) < MIN_ITEMS:
        return text, []
    ends = [start for start, _ in cuts[1:]] + [len(text)]
    return text[: cuts[0][0]], [text[start:end] for (_, start), end in zip(cuts, ends, strict=True)]


def alternatives_in(answer: str, reference: str) -> Alternatives | None:
    """The different answers an answer lists where the reference gives one; None where it lists none.

    They are different answers to one question where the list is announced as possible answers, or where all items begin
    with the same words, three and half of the shortest item at least, and do not go on alike.
    """
    if items_of(reference)[1] or len(content_lines(reference)) > 1 or len(words(reference)) > MAX_REFERENCE_WORDS:
        return None
    before, listed = items_of(answer)
    items = [terms for terms in map(words, listed) if terms]
    if len(items) < MIN_ITEMS or len(set(items)) < MIN_ITEMS:
        return None
    shared = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*items, strict=False)))
    is_announced = any(f" {' '.join(words(guess))} " in f" {' '.join(words(before))} " for guess in GUESSES)
    is_pattern = shared >= max(MIN_SHARED_WORDS, MIN_SHARED * min(map(len, items)))
    if not (is_announced or is_pattern):
        return None
    return Alternatives(len(items), shared, is_announced)
