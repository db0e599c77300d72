"""Spellings that count as one, and the words of a text, for the rules that compare words.

Two texts that differ in Unicode normal form alone fold alike. Nothing here is shown to anybody: what a page shows
is the text itself.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import chain

import regex

WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")

# Vowel signs and other marks of Arabic writing, tatweel, and characters that only steer the display or the joining
# of letters (joiners, marks of direction, soft hyphen, byte order mark). Marks of other scripts belong to their words.
_DROPPED = re.compile(
    "[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0640"
    "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+"
)
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")
_ARABIC = re.compile("[\u0600-\u06ff]")
#: Letters that writers of Arabic exchange, and the Persian letters that stand for Arabic ones.
ARABIC_LETTERS = {"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ی": "ي", "ک": "ك"}
_DIGITS = {chr(zero + value): str(value) for zero in (0x660, 0x6F0) for value in range(10)}
_DIGIT = re.compile("[\u0660-\u0669\u06f0-\u06f9]")


def fold_spelling(text: str) -> str:
    """The text without what writers of Arabic leave to taste; capitals stay.

    Compatibility forms are resolved (NFKC: presentation forms, circled digits), Arabic vowel signs, tatweel and
    invisible signs go, أإآٱ become ا, ى becomes ي, ة becomes ه, Arabic and Persian digits become 0 to 9.
    """
    if text.isascii():
        return text
    text = _DROPPED.sub("", unicodedata.normalize("NFKC", text))
    if _ARABIC.search(text):
        for letter, plain in ARABIC_LETTERS.items():
            text = text.replace(letter, plain)
        if _DIGIT.search(text):
            text = _DIGIT.sub(lambda digit: _DIGITS[digit[0]], text)
    # A mark that was dropped may have kept two others from being composed.
    return unicodedata.normalize("NFKC", text)


def fold(text: str) -> str:
    """`fold_spelling`, in one case."""
    folded = fold_spelling(text).casefold()
    return folded if folded.isascii() else unicodedata.normalize("NFKC", folded)


# Answers to one question repeat its words: a piece of text is folded once and looked up afterwards.
@lru_cache(maxsize=65_536)
def _words_of_piece(piece: str) -> tuple[str, ...]:
    folded = fold(piece)
    return (folded,) if folded.isalnum() else tuple(WORD.findall(folded))


@lru_cache(maxsize=512)
def words(text: str) -> tuple[str, ...]:
    """The folded words of a text: maximal runs of letters, marks and numbers."""
    return tuple(chain.from_iterable(map(_words_of_piece, text.split())))


def normal(text: str) -> str:
    """For rules in which spelling matters: composed (NFC), without marks of direction, white space as single spaces."""
    return " ".join(_DIRECTION.sub("", unicodedata.normalize("NFC", text)).split())


def content_lines(text: str) -> list[str]:
    """The lines of a text that hold more than white space, stripped."""
    return [line.strip() for line in text.splitlines() if line.strip()]
