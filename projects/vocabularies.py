"""The words of a project as those who ask, check, count and show need them.

A word that is retired is offered to nobody and stays known: answers hold it. A vocabulary without a word that is
offered is not asked for.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from projects.models.labels import Label, Vocabulary
from projects.models.people import RaterKind
from projects.models.project import Project
from projects.presets import presets

#: Longest short name of a word.
MAX_WORD = 60


# The ways in which marks are drawn (static/src/spans/highlight-rules.mjs).
LEVELS = ("high", "medium", "low")
TYPES = ("cultural", "linguistic", "both", "logical")


class Words:
    """The labels of one vocabulary in the project's order, of criticality the most serious first."""

    def __init__(self, labels: tuple[Label, ...] = ()) -> None:
        self.labels = labels

    @cached_property
    def by_slug(self) -> dict[str, Label]:
        return {label.slug: label for label in self.labels}

    @cached_property
    def slugs(self) -> tuple[str, ...]:
        """All that answers may hold, retired ones among them."""
        return tuple(self.by_slug)

    @cached_property
    def offered(self) -> tuple[Label, ...]:
        """Those that may be chosen."""
        return tuple(label for label in self.labels if not label.is_retired)

    @cached_property
    def missing(self) -> frozenset[str]:
        """Of something that is not there: it has no words to point at."""
        return frozenset(label.slug for label in self.labels if label.is_missing)

    @cached_property
    def points(self) -> dict[str, float]:
        """What an error costs, of the words that have points."""
        return {label.slug: label.points for label in self.labels if label.points is not None}

    def __contains__(self, slug: object) -> bool:
        return slug in self.by_slug

    def __bool__(self) -> bool:
        """Whether it is asked for."""
        return bool(self.offered)

    def name(self, slug: str) -> str:
        """In the reader's language where it is the one shipped, else as the project wrote it."""
        label = self.by_slug.get(slug)
        return label.label if label else slug

    def choices(self) -> list[tuple[str, str]]:
        """Short name and name of all."""
        return [(label.slug, label.label) for label in self.labels]

    def covered(self, slug: str) -> frozenset[str]:
        """What the word stands for: itself, or the words that it covers."""
        label = self.by_slug.get(slug)
        return frozenset(label.covers) if label and label.covers else frozenset({slug})

    def look(self, slug: str) -> str:
        """How the word is drawn: named for the shipped words, of others by their place in the order."""
        if slug not in self.by_slug:
            return slug
        at, label = self.slugs.index(slug), self.by_slug[slug]
        if label.vocabulary == Vocabulary.CRITICALITY:
            return LEVELS[at * len(LEVELS) // len(self.slugs)]
        return TYPES[at % len(TYPES)]

    def refusal(self) -> str:
        """What to say of a word that is none of these."""
        if not self.labels:
            return _("The project has no words for this, so it is left out.")
        return _("One of these is expected: %(values)s.") % {"values": ", ".join(self.slugs)}

    def facts(self) -> list[list[Any]]:
        """What figures rest on, for a key of theirs."""
        return [[label.slug, label.name, label.points, label.covers, label.is_retired] for label in self.labels]


class Vocabularies(NamedTuple):
    error_types: Words = Words()
    criticality: Words = Words()
    failure_types: Words = Words()

    @classmethod
    def made_of(cls, labels: Iterable[Label]) -> "Vocabularies":
        """Of labels in the project's order."""
        by_vocabulary: dict[str, list[Label]] = {}
        for label in labels:
            by_vocabulary.setdefault(label.vocabulary, []).append(label)
        return cls(*(Words(tuple(by_vocabulary.get(vocabulary, ()))) for vocabulary in VOCABULARIES))


VOCABULARIES = (Vocabulary.ERROR_TYPE, Vocabulary.CRITICALITY, Vocabulary.FAILURE_TYPE)


def vocabularies(project: Project | int) -> Vocabularies:
    """All words of a project. One statement."""
    return Vocabularies.made_of(Label.objects.filter(project=project).order_by("position", "pk"))


def words(project: Project | int, vocabulary: Vocabulary) -> Words:
    """One statement."""
    labels = Label.objects.filter(project=project, vocabulary=vocabulary)
    return Words(tuple(labels.order_by("position", "pk")))


def vocabularies_of_import(project: Project, area: str) -> Vocabularies:
    """The words that what is imported may hold: those of the project, and where this opens the area, those that the
    area begins with beside them."""
    there = vocabularies(project)
    if area in project.areas:
        return there
    coming = Vocabularies.made_of(_missing_words(project, area))
    return Vocabularies(*(own if own.labels else new for own, new in zip(there, coming, strict=True)))


def give_words(project: Project, area: str) -> None:
    """Of every vocabulary of which the project has no word yet, those that projects of the area begin with."""
    Label.objects.bulk_create(_missing_words(project, area))


def _missing_words(project: Project, area: str) -> list[Label]:
    preset = presets().get(area)
    if preset is None:
        return []
    has = set(Label.objects.filter(project=project).order_by().values_list("vocabulary", flat=True).distinct())
    return [label for label in preset.words(project) if label.vocabulary not in has]


def has_begun(project: Project) -> bool:
    """Whether there are texts, or people who may have begun something of their own: answers may hold any word then."""
    return project.prompts.exists() or project.raters.filter(kind=RaterKind.HUMAN).exists()
