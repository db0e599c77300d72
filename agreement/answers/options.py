"""The options of a multiple-choice question, read from its text."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import regex

from agreement.answers.cues import CUES
from agreement.answers.folding import fold_spelling

#: Letters and digits that count options, each in its order and in folded spelling.
SERIES = {
    "latin": "ABCDEFGHIJ",
    "arabic abjad": "ابجدهوزحطي",
    "arabic alphabet": "ابتثجحخدذر",
    "korean": "가나다라마바사아자차",
    "korean letters": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊ",
    "bengali": "কখগঘঙচছজঝঞ",
    "devanagari": "कखगघङचछजझञ",
    "cyrillic": "АБВГДЕЖЗИК",
    "greek": "ΑΒΓΔΕΖΗΘΙΚ",
    "one": "123456789",
    "zero": "0123456789",
}

# Bengali and Devanagari digits; Arabic, Persian and circled ones are folded already.
_OTHER_DIGITS = {chr(zero + value): str(value) for zero in (0x9E6, 0x966) for value in range(10)}
# NFKC makes the letters of the block of Korean compatibility letters into conjoining ones.
_JAMO = dict(zip("ᄀᄂᄃᄅᄆᄇᄉᄋᄌᄎ", SERIES["korean letters"], strict=True))
# Circled digits and letters: the circle is the bracket.
_CIRCLED = regex.compile("[\u2460-\u2468\u2776-\u277e\u2780-\u2788\u24b6-\u24e9\u3260-\u327b]")
_TRANSLATION = str.maketrans(_OTHER_DIGITS | _JAMO)

# An option begins at a line or behind a space: (A)  A)  A.  A:  A-  [A]  **A.**
_LABEL = (
    r"(?<!\S)[*_]{0,2}[(\[（]?(?P<label>\p{L}|\p{N})"
    r"(?:[*_]{0,2}[)\]）][.:]?|[*_]{0,2}[.:、．：)\-–]+)[*_]{0,2}"
)
_MARKER = regex.compile(_LABEL)
_MAX_LABELS = 400


@dataclass(frozen=True, slots=True)
class Option:
    """label  as the series has it ("A", "ج", "3"); text  its words in folded spelling and one case."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a question in their order, and the series their labels come from."""

    series: str
    options: tuple[Option, ...]

    def __len__(self) -> int:
        return len(self.options)


def spelled(text: str) -> str:
    """Folded spelling in which labels and cues are looked for; capitals stay. ① becomes "1)"."""
    return fold_spelling(_CIRCLED.sub(lambda circled: f" {_circled_value(circled[0])}) ", text)).translate(_TRANSLATION)


def _circled_value(circled: str) -> str:
    code = ord(circled)
    if 0x2776 <= code <= 0x2788:  # those that NFKC leaves as they are
        return str(1 + (code - 0x2776) % 10)
    return fold_spelling(circled)


def words_alone(text: str) -> str:
    """Folded words of an option or reply without what stands around them."""
    return " ".join(text.casefold().split()).strip(" .,;:!?؟،؛。．·*_\"'«»“”‘’()[]{}`~-–—।")


@cache
def _prompt() -> regex.Pattern[str]:
    """What the question itself ends with, behind its last option."""
    phrases = {spelled(phrase) for cues in CUES.values() for phrase in cues.prompts}
    prompts = _any_of(phrases)
    return regex.compile(rf"(?<!\S)(?:{prompts})\s*[:：]?\s*$|(?<!\S)(?:{prompts})\s*[:：]", regex.IGNORECASE)


def _any_of(phrases: set[str]) -> str:
    return "|".join(map(regex.escape, sorted(phrases, key=lambda phrase: (-len(phrase), phrase))))


@lru_cache(maxsize=1024)
def options_in(question: str) -> Options | None:
    """The options a question lists, or None where it lists fewer than two.

    Labels are the first letters of a series in their order, each once. Of several such lists the last one counts, since
    options follow the text they are about; of series that begin alike (abjad and alphabet) the one that goes on longer.
    """
    text = spelled(question)
    labels = [
        (match["label"].upper(), match.start(), match.end())
        for match in _MARKER.finditer(text)
        if not (match["label"].isdigit() and text[match.end() : match.end() + 1].isdigit())  # 3.5 is a number
    ][-_MAX_LABELS:]
    runs = {series: _last_run(labels, letters) for series, letters in SERIES.items()}
    # The list that ends last; of those that end together, the longer one (0 to 3 rather than 1 to 3).
    series = max(runs, key=lambda series: (runs[series][-1][1], len(runs[series])) if runs[series] else (-1, 0))
    run = runs[series]
    if not run:
        return None
    ends = [start for _, start, _ in run[1:]] + [len(text)]
    options = []
    for (label, _, start), end in zip(run, ends, strict=True):
        words = text[start:end]
        if end == len(text):
            words = _prompt().split(words.split("\n\n")[0].strip(), 1)[0] if words.strip() else words
            words = words.strip().split("\n")[0]
        options.append(Option(label, words_alone(words)))
    return Options(series, tuple(options))


def _last_run(labels: Sequence[tuple[str, int, int]], letters: str) -> list[tuple[str, int, int]]:
    """The last list of labels that are the first letters of a series in order; other labels between them are none."""
    for first in range(len(labels) - 1, -1, -1):
        if labels[first][0] != letters[0]:
            continue
        run = [labels[first]]
        for label in labels[first + 1 :]:
            if len(run) < len(letters) and label[0] == letters[len(run)]:
                run.append(label)
        if len(run) >= 2:
            return run
    return []
