"""Placeholders such as `[locale_country]` in a text: where they stand, and the text with values in their places.

A placeholder is a name in square brackets: a small Latin letter, then small Latin letters, digits and underscores,
sixty characters at most. Whatever else stands in brackets (`[1]`, `[See above]`, `[ملاحظة]`) is text. Pure: no
database, no Django settings. Offsets are code points, half-open.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

MAX_NAME = 60
NAME = rf"[a-z][a-z0-9_]{{0,{MAX_NAME - 1}}}"
PLACEHOLDER = re.compile(rf"\[({NAME})\]")
NAME_ALONE = re.compile(NAME)


@dataclass(frozen=True, slots=True)
class Place:
    """One placeholder in a text: `text[start:end]` is its name with both brackets."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a text. `name` is the placeholder's where it is one, else empty; parts joined are the text."""

    text: str
    name: str = ""


def find(text: str) -> list[Place]:
    """The placeholders in their order, each time they stand there."""
    return [Place(match[1], match.start(), match.end()) for match in PLACEHOLDER.finditer(text)]


def names(text: str) -> list[str]:
    """Each placeholder's name once, in the order in which they come up first."""
    return list(dict.fromkeys(place.name for place in find(text)))


def is_name(value: str) -> bool:
    return NAME_ALONE.fullmatch(value) is not None


def parts(text: str) -> Iterator[Part]:
    """The text cut at its placeholders, none of it empty, all of it there."""
    at = 0
    for place in find(text):
        if place.start > at:
            yield Part(text[at : place.start])
        yield Part(text[place.start : place.end], place.name)
        at = place.end
    if at < len(text):
        yield Part(text[at:])


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with every placeholder replaced by its value. Raises KeyError where one has none.

    All at once: what a value says is never taken for a placeholder.
    """
    return PLACEHOLDER.sub(lambda match: values[match[1]], text)


def missing(original: str, translation: str) -> list[str]:
    """Placeholders of the original that the translation lacks."""
    there = set(names(translation))
    return [name for name in names(original) if name not in there]


def unknown(original: str, translation: str) -> list[str]:
    """Placeholders of the translation that the original does not have."""
    there = set(names(original))
    return [name for name in names(translation) if name not in there]
