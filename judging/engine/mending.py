"""What nearly is JSON, made JSON: where mending adds and loses nothing, and within bounds. Pure.

What differs from JSON in its quotation marks, in commas behind a last value or in Python's words for JSON's own is
mended here, in time that grows as the text does. All else is for the library that mends. It
looks at many shapes again and again: 42,000 characters kept it busy for a minute. So it is given short texts alone, its
looks into them are counted, and it is stopped at a number of them. A count, not a time: a reply is read in the same way
on a busy machine as on an idle one.
"""

import json
import re
from typing import Any

from json_repair.json_parser import JSONParser

# Beyond so many characters nothing is mended. (What is JSON as it stands is read up to parsing.MAX_CHARACTERS.)
MAX_CHARACTERS = 50_000
# So much the library is given, and so often it may look into it: 5,000 characters need up to 25,000 looks.
MAX_GUESSED = 5_000
MAX_LOOKS = 30_000
# A slice costs as a look does for every so many of its characters.
CHARACTERS_OF_A_LOOK = 64

LETTERS = re.compile(r"\w+")
# Quotation marks with what is within, to the mark that closes; possessive, so that nothing is tried twice.
CLOSED = {
    '"': r'"[^"\\]*+(?:\\.[^"\\]*+)*+"',
    "'": r"'[^'\\]*+(?:\\.[^'\\]*+)*+'",
    "“": "“[^”]*+”",
}
# What regular texts are made of. Possessive: where a quotation mark is never closed, the text is looked at once.
TOKEN = (
    rf"{CLOSED[chr(34)]}|{CLOSED[chr(39)]}|[{{}}\[\]:,]|\s++|-?[0-9][0-9.eE-]*+|"
    r"(?:True|False|None|true|false|null)(?!\w)"
)
TOKENS = re.compile(TOKEN, re.DOTALL)
REGULAR = re.compile(f"(?:{TOKEN})*+", re.DOTALL)
WORDS = {"True": "true", "False": "false", "None": "null"}
IN_SINGLE = re.compile(r"\\.|\"", re.DOTALL)
# A sign that JSON has not, outside of strings. At a number it makes another one: about four, more than four, +4, 4/5,
# 3-4. Before a line it may say that the line is struck out, or a remark. JSON's own minus stands before a digit, where
# a number begins.
FOREIGN = re.compile(r"[^\s\w.,:\[\]{}\"'-]|-(?!\d)|(?<=[\w.])\s*+-")


class TooComplex(Exception):
    """Mending takes more than it may. Nothing is known of what the text says."""


class Counted(str):
    """A text that counts how often it is looked into, and raises TooComplex at MAX_LOOKS.

    What the library puts in its place, made of slices of it, counts on.
    """

    looks: list[int]

    def __getitem__(self, key: Any) -> str:
        looks = self.looks
        if type(key) is slice:
            piece = counted(str.__getitem__(self, key), looks)
            looks[0] += len(piece) // CHARACTERS_OF_A_LOOK
            return piece
        looks[0] += 1
        if looks[0] > MAX_LOOKS:
            raise TooComplex
        return str.__getitem__(self, key)

    def __add__(self, other: str) -> str:
        return counted(str.__add__(self, other), self.looks)


def counted(text: str, looks: list[int]) -> Counted:
    text_counted = Counted(text)
    text_counted.looks = looks
    return text_counted


def mend(piece: str) -> dict[str, Any] | None:
    """The object that a nearly-JSON text surely means, or None. Raises TooComplex.

    Mending may drop commas and add quotation marks. It may neither invent nor lose a letter, a sign at a number or a
    bracket that opens, and a text that leaves something out itself (`[...]`) is not whole.
    """
    if len(piece) > MAX_CHARACTERS:
        raise TooComplex
    bare = without_strings(piece)
    if ".." in bare or FOREIGN.search(bare):
        return None
    try:
        value = made_regular(piece)
        if value is None:
            value = guessed(piece)
        mended = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or letters(mended) != letters(piece):
        return None
    # An error that was begun and not written has no letters to lose: an empty list would then say "no errors".
    if any(mended.count(bracket) != piece.count(bracket) for bracket in "{["):
        return None
    return value


def made_regular(piece: str) -> Any:
    """The value of a text that is JSON but for its quotation marks, last commas and words; None where it is not."""
    if not REGULAR.fullmatch(piece):
        return None
    written: list[str] = []
    for token in TOKENS.findall(piece):
        if token[0] == "'":
            token = in_double(token)
        elif token[0].isspace():
            token = " "
        elif token in "}]":
            without_last_comma(written)
        written.append(WORDS.get(token, token))
    try:
        return json.loads("".join(written))
    except ValueError:
        return None


def in_double(string: str) -> str:
    """A string in single quotation marks, in double ones."""
    content = string[1:-1]
    if "\\" in content or '"' in content:
        escaped = {"\\'": "'", '"': '\\"'}
        content = IN_SINGLE.sub(lambda match: escaped.get(match[0], match[0]), content)
    return f'"{content}"'


def without_last_comma(written: list[str]) -> None:
    """Drop a comma at the end, where it stands behind a value: behind nothing, something was left out."""
    ends = [place for place in range(-1, -5, -1) if -place <= len(written) and written[place] != " "]
    if len(ends) > 1 and written[ends[0]] == "," and written[ends[1]] not in ("{", "[", ",", ":"):
        del written[ends[0]]


def guessed(piece: str) -> Any:
    """What the library takes the text for. Raises TooComplex, and ValueError where it is nested too deeply."""
    if len(piece) > MAX_GUESSED:
        raise TooComplex
    return JSONParser(counted(piece, [0]), None, False, try_valid_json_suffix=True).parse()


def without_strings(piece: str) -> str:
    """The text with nothing within quotation marks. A mark that nothing closes is a character like any other.

    Where one is not closed, no later one of its sort is looked at as the beginning of a string either: with many of
    them that would take quadratic time. The one later mark that could be closed is one behind a backslash, and the
    backslash is FOREIGN.
    """
    sorts = dict(CLOSED)
    pieces = []
    position = 0
    while sorts:
        pattern = re.compile(f"{'|'.join(sorts.values())}|([{''.join(sorts)}])", re.DOTALL)
        for match in pattern.finditer(piece, position):
            if match[1]:
                pieces.append(piece[position : match.end()])
                position = match.end()
                del sorts[match[1]]
                break
            pieces += (piece[position : match.start()], '""')
            position = match.end()
        else:
            break
    return "".join([*pieces, piece[position:]])


def letters(text: str) -> str:
    """Letters and digits in order, with Python's words for JSON's own read as JSON's."""
    words = LETTERS.findall(text)
    return "".join(WORDS.get(word, word) for word in words)
