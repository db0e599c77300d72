"""What a dimension, a question type and a level look like before a project has copies of its own."""

from dataclasses import dataclass

from django.utils.translation import gettext_noop

# MENLO, table 11: the same five grades for every question type.
LABELS = (
    gettext_noop("Major failure"),
    gettext_noop("Minor failure"),
    gettext_noop("Pass"),
    gettext_noop("Good"),
    gettext_noop("Excellent"),
)


@dataclass(frozen=True, slots=True)
class ShippedLevel:
    """What one grade means: a line, and two or three sentences where it is unfolded."""

    summary: str
    detail: str


@dataclass(frozen=True, slots=True)
class ShippedType:
    """A question type with its five levels, from grade 1 to grade 5."""

    slug: str
    name: str
    definition: str
    levels: tuple[ShippedLevel, ShippedLevel, ShippedLevel, ShippedLevel, ShippedLevel]


@dataclass(frozen=True, slots=True)
class ShippedDimension:
    slug: str
    name: str
    definition: str
    types: tuple[ShippedType, ...]
