"""What a project starts from. A preset is registered by the room that owns its work (annotation: spans)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _

from projects.models.labels import Label
from projects.models.project import Project

FROM_TEXTS_TO_GOLD = _("From texts to gold")


@dataclass(frozen=True)
class ProjectPreset:
    slug: str
    name: Any  # lazy translation
    description: Any  # lazy translation
    # What the steps on the front page lead through.
    way: Any = FROM_TEXTS_TO_GOLD
    # The area whose pages the project shows; empty: the one of the preset's own name.
    area: str = ""
    set_up: list[Callable[[Project], None]] = field(default_factory=list)
    # The words that its projects begin with, not stored.
    words: Callable[[Project], list[Label]] = field(default=lambda project: [])

    @property
    def area_name(self) -> str:
        return self.area or self.slug


_registry: dict[str, ProjectPreset] = {}


def register(preset: ProjectPreset) -> None:
    _registry[preset.slug] = preset


def presets() -> dict[str, ProjectPreset]:
    return dict(_registry)


def known_areas() -> list[str]:
    """The areas that projects can begin with."""
    return list(dict.fromkeys(preset.area_name for preset in _registry.values()))
