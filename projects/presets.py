"""What a project starts from. A preset is registered by the room that owns its work (annotation: spans)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from projects.models import Project


@dataclass(frozen=True)
class ProjectPreset:
    slug: str
    name: Any  # lazy translation
    description: Any  # lazy translation
    set_up: list[Callable[[Project], None]] = field(default_factory=list)


_registry: dict[str, ProjectPreset] = {}


def register(preset: ProjectPreset) -> None:
    _registry[preset.slug] = preset


def presets() -> dict[str, ProjectPreset]:
    return dict(_registry)
