"""The kinds of gold a project can give. Each is one small module of lines and one card, registered here by its area."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import Http404

from benchmark.held_back import canaries, held_back
from projects.models import Project, Prompt
from reports.gold.card import Card


@dataclass(frozen=True)
class GoldFormat:
    """How the gold of the projects of one area is written, described and shown.

    `prompts` are those whose texts are in the file.
    `summarise` counts what is in the file; its result has `responses`, and `card` and the template know the rest.
    """

    area: str
    name: Any  # lazy translation
    format: str
    importer: str  # the kind of importer that reads it back, and has the JSON Schema of a line
    template: str
    lines: Callable[[Project], Iterator[bytes]]
    prompts: Callable[[Project], QuerySet[Prompt]]
    summarise: Callable[[Project], Any]
    card: Callable[[Project, Any], str]

    def held_back(self, project: Project) -> QuerySet[Prompt]:
        """The held-back prompts whose texts, with what was answered to them, are in the file."""
        return self.prompts(project).filter(held_back("pk"))

    def made(self, project: Project, summary: Any) -> str:
        """What must be said of it and how it was made, as a part of a card that speaks of more."""
        return self.card.made(project, summary) if isinstance(self.card, Card) else self.card(project, summary)

    def whole_card(self, project: Project, summary: Any, held_back: int) -> str:
        """The card, which says of so many held-back texts how they are known and that nobody may train on them."""
        card = self.card(project, summary)
        return card + held_back_section(held_back, canaries(self.held_back(project))) if held_back else card


def held_back_section(n: int, guids: Sequence[str]) -> str:
    """In English, as all of a card."""
    said = "Prompts of held-back questions of a benchmark are" if n > 1 else "A prompt of a held-back question is"
    named = "\n".join(f"- canary GUID {guid}" for guid in guids)
    return (
        f"\n## Held back\n\n{said} in this file: {n}. Their lines say so in the metadata of each response "
        '(`"held_back": true`, with `canary`). Do not publish them and do not train on them.\n\n'
        f"{named}\n"
    )


_registry: dict[str, GoldFormat] = {}


def register(gold_format: GoldFormat) -> None:
    if gold_format.area in _registry:
        raise ValueError(f"the gold of {gold_format.area!r} is registered twice")
    _registry[gold_format.area] = gold_format


def gold_areas() -> list[str]:
    """The areas whose projects give gold."""
    return list(_registry)


def formats_of(project: Project) -> list[GoldFormat]:
    """What the project can give; that of its own preset first."""
    return [_registry[area] for area in project.areas if area in _registry]


def format_of(project: Project, area: str = "") -> GoldFormat:
    """The one asked for, else the project's first. Raises Http404 where the project has none such."""
    for gold_format in formats_of(project):
        if area in ("", gold_format.area):
            return gold_format
    raise Http404
