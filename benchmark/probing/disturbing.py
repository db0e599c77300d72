"""Changed copies of a question for the quiz, by rules of our own and a seed: nobody is called, so no further laboratory
reads the question, and a second pass asks the same.

Ways, those that read most like an original first. Where options or numbers were changed, somebody who never saw the
question has nothing to go by. A word exchanged for one of another question can read odd; then a clean model may prefer
the original, and the quiz is told what models known to be clean do (`chance`).
"""

import random
from collections.abc import Callable, Mapping, Sequence

import regex

OPTIONS, NUMBERS, SENTENCES, WORDS = "options", "numbers", "sentences", "words"
#: Those that read like an original to somebody who does not know it.
NATURAL = (OPTIONS, NUMBERS)
WAYS = (OPTIONS, NUMBERS, SENTENCES, WORDS)
TRIES = 60

# Not the number of a line ("1. ...") nor what is joined to letters.
_NUMBER = regex.compile(r"(?<![\p{L}\p{N}.,])\p{Nd}+(?![\p{L}\p{N}]|[.)\-:]\s)")
_SENTENCE = regex.compile(r"(?<=[.!?؟۔。।\n])\s+")
_WORD = regex.compile(r"[\p{L}\p{M}]{4,}")


def disturbed_copies(
    text: str, options: Sequence[Mapping[str, str]], vocabulary: Sequence[str], drawn: random.Random, n: int = 3
) -> tuple[str, list[str]]:
    """The way, and n distinct copies that differ from the text; ("", []) where no way gives so many.

    vocabulary  words of other questions, which take the place of this one's.
    """
    ways: tuple[tuple[str, Callable[[], str | None]], ...] = (
        (OPTIONS, lambda: _options_in_another_order(text, options, drawn)),
        (NUMBERS, lambda: _other_numbers(text, drawn)),
        (SENTENCES, lambda: _sentences_in_another_order(text, drawn)),
        (WORDS, lambda: _other_words(text, vocabulary, drawn)),
    )
    for way, change in ways:
        copies: list[str] = []
        for _try in range(TRIES):
            copy = change()
            if copy is None:
                break
            if copy != text and copy not in copies:
                copies.append(copy)
            if len(copies) == n:
                return way, copies
    return "", []


def words_of(texts: Sequence[str], most: int = 5000) -> list[str]:
    """The distinct words of four letters and more, in the order in which they come."""
    words: dict[str, None] = {}
    for text in texts:
        words.update(dict.fromkeys(_WORD.findall(text)))
        if len(words) >= most:
            break
    return list(words)[:most]


def _options_in_another_order(text: str, options: Sequence[Mapping[str, str]], drawn: random.Random) -> str | None:
    """The labels stay where they are, each with another option's words."""
    lines = [f"{option['label']}. {option['text']}" for option in options]
    words = [option["text"] for option in options]
    if len(set(words)) < 3 or any(text.count(line) != 1 for line in lines):
        return None
    order = words[:]
    drawn.shuffle(order)
    changed = text
    for at, line in enumerate(lines):
        changed = changed.replace(line, f"\0{at}\0", 1)
    for at, (option, word) in enumerate(zip(options, order, strict=True)):
        changed = changed.replace(f"\0{at}\0", f"{option['label']}. {word}")
    return changed


def _other_numbers(text: str, drawn: random.Random) -> str | None:
    """Another number of the same length and script; of long ones the last two digits, so that a year stays one."""
    if not _NUMBER.search(text):
        return None

    def other(match: regex.Match[str]) -> str:
        number = match[0]
        zero = ord(number[-1]) - int(number[-1])
        last = number[-2:] if len(number) > 2 else number
        lowest = 0 if len(number) > 2 else 1 if len(number) == 1 else 10
        value = drawn.randint(lowest, 10 ** len(last) - 1)
        return number[: len(number) - len(last)] + "".join(
            chr(zero + int(digit)) for digit in str(value).zfill(len(last))
        )

    return _NUMBER.sub(other, text)


def _sentences_in_another_order(text: str, drawn: random.Random) -> str | None:
    sentences = _SENTENCE.split(text)
    if len(sentences) < 4:
        return None
    # The last one usually asks; it stays where it is.
    first = sentences[:-1]
    drawn.shuffle(first)
    return " ".join([*first, sentences[-1]])


def _other_words(text: str, vocabulary: Sequence[str], drawn: random.Random) -> str | None:
    """One word in eight, two at least where there are so many, for others of about the same length and one script."""
    places = list(_WORD.finditer(text))
    if not places or not vocabulary:
        return None
    chosen = drawn.sample(places, min(len(places), max(2 if len(places) > 3 else 1, len(places) // 8)))
    changed = text
    for place in sorted(chosen, key=lambda match: -match.start()):
        word = place[0]
        is_latin = word[0].isascii()
        alike = [
            other
            for other in vocabulary
            if abs(len(other) - len(word)) <= 1 and other[0].isascii() == is_latin and other != word
        ]
        if alike:
            changed = changed[: place.start()] + drawn.choice(alike) + changed[place.end() :]
    return changed
