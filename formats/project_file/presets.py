"""Presets as project files: what a new project begins with is a file that is shipped as data."""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache, partial
from pathlib import Path
from typing import Any

from formats.project_file.applying import read_project_file, write_parts
from formats.project_file.part import Findings
from formats.project_file.parts import LABELS
from projects.models import Label, Project
from projects.presets import FROM_TEXTS_TO_GOLD, ProjectPreset
from projects.problems import Invalid

#: Fields whose texts are shown in the reader's language for as long as the project has not rewritten them.
TRANSLATED = {"name", "definition", "label", "summary", "detail"}
#: Of records that are no people's reading: the name of the preset itself, and of a judge.
NOT_TRANSLATED = ("project", "judges", "guidelines")


def preset_of(
    path: Path, *, slug: str, name: Any, description: Any, way: Any = FROM_TEXTS_TO_GOLD, area: str = ""
) -> ProjectPreset:
    """The preset that sets a project up as its file says."""
    return ProjectPreset(
        slug=slug,
        name=name,
        description=description,
        way=way,
        area=area,
        set_up=[partial(set_up_from, path)],
        words=partial(words_in, path),
    )


@cache
def _read(path: Path) -> dict[str, Any]:
    data, _lines = read_project_file(path.read_bytes())
    return data


def set_up_from(path: Path, project: Project) -> None:
    """Make a new project what the file says; its name and description are its own.

    Raises Invalid where a shipped file is not in order, which a test finds first.
    """
    data = deepcopy(_read(path))
    data["project"] |= {"name": project.name, "description": project.description, "preset": project.preset}
    findings = Findings()
    write_parts(project, data, findings)
    if findings.total:
        raise Invalid(findings.shown)


def words_in(path: Path, project: Project) -> list[Label]:
    """The labels that the file gives a project, not stored."""
    return LABELS.made(project, _read(path).get("labels") or {})


def words_of(path: Path) -> Iterator[str]:
    """The texts of a preset that are shown translated: those that the catalogues of messages must hold."""
    data = _read(path)
    for key, value in data.items():
        if key not in NOT_TRANSLATED:
            yield from _words(value)


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in TRANSLATED and isinstance(inner, str):
                yield inner
            yield from _words(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _words(inner)
