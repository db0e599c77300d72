"""The words of a project as tables name them."""

from dataclasses import dataclass

from projects.models.shipped import Named
from projects.vocabularies import Words


@dataclass(frozen=True)
class Word(Named):
    """A type of error or of failure, or how critical one is. `label` is its name in the reader's language."""

    slug: str
    name: str


def in_order(words: Words) -> tuple[Word, ...]:
    """All of a vocabulary, retired ones among them, for answers hold them."""
    return tuple(Word(label.slug, label.name) for label in words.labels)
