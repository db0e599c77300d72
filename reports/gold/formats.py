"""The kinds of gold a project can give. Each is one small module of lines and one card, registered here by its area."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from projects.models import Project


@dataclass(frozen=True)
class GoldFormat:
    """How the gold of the projects of one area is written, described and shown.

    `summarise` counts what is in the file; its result has `responses`, and `card` and the template know the rest.
    """

    area: str
    name: Any  # lazy translation
    format: str
    importer: str  # the kind of importer that reads it back, and has the JSON Schema of a line
    template: str
    lines: Callable[[Project], Iterator[bytes]]
    summarise: Callable[[Project], Any]
    card: Callable[[Project, Any], str]


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
