"""What can be seen of a mark without reading it: its place, which fields are filled, signs, form and length.

These are the columns by which `agreement.blindness` tells judges from people. What the words say is not among them;
`explanation_columns` has that.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Card:
    """One mark as a page shows it. `choices` are fields with a word of a list, `texts` those written freely; an empty
    one is not filled. `place` counts from 0 among the `of` cards of the page."""

    place: int
    of: int
    choices: Mapping[str, str]
    texts: Mapping[str, str]


#: Signs in a text, present or not.
SIGNS = {
    "ends with a stop": re.compile(r"[.。।؟?!…]\W*$"),
    "ends with a blank": re.compile(r"\s$"),
    "begins with a capital": re.compile(r"^\W*[A-Z]"),
    "begins with a sign": re.compile(r"^[^\w\s]"),
    "straight quotes": re.compile(r"[\"']"),
    "curly quotes": re.compile("[“”‘’]"),
    "other quotes": re.compile("[«»「」『』]"),
    "brackets": re.compile(r"[()\[\]]"),
    "dash": re.compile("[–—]|\\s-\\s"),
    "colon": re.compile(":"),
    "semicolon": re.compile("[;؛]"),
    "comma": re.compile("[,،]"),
    "ellipsis": re.compile(r"…|\.\.\."),
    "exclamation": re.compile("!"),
    "slash": re.compile("/"),
    "digits": re.compile(r"\d"),
    "code": re.compile("`"),
    "emphasis": re.compile(r"\*|__|#"),
    "list": re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.M),
    "line break": re.compile(r"[\r\n]"),
    "two blanks": re.compile("[ \\t\u00a0]{2}"),
    "other blanks": re.compile("[\\t\u00a0\u2000-\u200a\u202f\u3000]"),
    "invisible signs": re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"),
    "emoji": re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]"),
    "several sentences": re.compile(r"[.。।؟?!]\s+\w"),
}
#: Upper bounds of length classes, in words; the last class is open.
LENGTH_CLASSES = (3, 6, 10, 15, 25, 50)
_SCRIPTS = ("LATIN", "ARABIC", "BENGALI", "HANGUL", "DEVANAGARI", "CYRILLIC", "CJK", "HIRAGANA", "THAI")

NGRAMS = (1, 2, 3, 4)
BUCKETS = 2**13
#: Spread the bits of a run over all places (D. E. Knuth, The Art of Computer Programming 3, 6.4: multiplicative
#: hashing with the golden ratio); the highest 13 bits of 64 are the place.
_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(64 - 13)
COMPONENTS = 128


def form_columns(cards: Sequence[Card]) -> tuple[Floats, list[str]]:
    """Columns of all that is seen of the cards without reading them, shape (N, k), and what each is."""
    rows = [_form(card) for card in cards]
    names = sorted({name for row in rows for name in row})
    return np.array([[row.get(name, 0.0) for name in names] for row in rows]).reshape(len(rows), len(names)), names


def _form(card: Card) -> dict[str, float]:
    row = {
        "place": card.place / (card.of - 1) if card.of > 1 else 0.5,
        "first": float(card.place == 0),
        "last": float(card.place == card.of - 1),
    }
    for name, value in card.choices.items():
        row |= {f"{name} filled": float(bool(value)), f"{name} is {value}": 1.0}
    for name, text in card.texts.items():
        row[f"{name} filled"] = float(bool(text))
        if text:
            row |= {f"{name}: {of}": value for of, value in _of_text(text).items()}
    return row


def _of_text(text: str) -> dict[str, float]:
    row = {name: 1.0 for name, sign in SIGNS.items() if sign.search(text)}
    words = len(text.split())
    row[f"length class {sum(words > bound for bound in LENGTH_CLASSES)}"] = 1.0
    if unicodedata.normalize("NFC", text) != text:
        row["not normalised"] = 1.0
    letters = [unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha()]
    shares = {script: letters.count(script) / len(letters) for script in _SCRIPTS if letters}
    return row | {f"script {script.lower()}": share for script, share in shares.items() if share}


def explanation_columns(texts: Sequence[str]) -> Floats:
    """Columns of what texts are written with, shape (N, at most 128): runs of one to four characters, hashed into 8,192
    places (so no text can be read from them), each text of length 1, along their principal directions.

    The directions are found without knowing whose a text is, so they may be those of all texts. Blanks count as one;
    capitals count as such."""
    if not texts:
        return np.zeros((0, 0))
    counts = _counted([" ".join(text.split()) for text in texts])
    similarity = np.asarray((counts @ counts.T).todense())
    most = min(COMPONENTS, len(texts))
    values, vectors = scipy.linalg.eigh(similarity, subset_by_index=[len(texts) - most, len(texts) - 1])
    return (vectors * np.sqrt(np.clip(values, 0, None)))[:, ::-1]


def _counted(texts: Sequence[str]) -> scipy.sparse.csr_array:
    """Of every text 1 + log of how often each run occurs, divided by the length of its row."""
    padded = [f" {text} " for text in texts]
    letters = np.frombuffer("".join(padded).encode("utf-32-le", "replace"), dtype=np.uint32).astype(np.uint64)
    lengths = np.array([len(text) for text in padded])
    row, end = np.repeat(np.arange(len(texts)), lengths), np.repeat(np.cumsum(lengths), lengths)
    cells = []
    for size in NGRAMS:
        start = np.flatnonzero(np.arange(len(letters)) + size <= end)
        run = np.full(len(start), size, dtype=np.uint64)
        for at in range(size):
            run = (run * _FACTOR) ^ letters[start + at]
        cells.append(row[start] * BUCKETS + (run * _FACTOR >> _SHIFT).astype(np.int64))
    cell, count = np.unique(np.concatenate(cells), return_counts=True)
    row, column = np.divmod(cell, BUCKETS)
    weight = 1 + np.log(count)
    length = np.sqrt(np.bincount(row, weight**2, minlength=len(texts)))
    return scipy.sparse.csr_array((weight / length[row], (row, column)), shape=(len(texts), BUCKETS))
