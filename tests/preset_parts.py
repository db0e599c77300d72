"""Parts of what a shipped preset holds, for projects of tests that begin with nothing."""

from pathlib import Path
from typing import Any

from formats.project_file.applying import read_project_file, write_parts
from formats.project_file.part import Findings
from formats.project_file.parts import LABELS
from projects.models import Label, Project, Vocabulary
from projects.vocabularies import Vocabularies

ROOT = Path(__file__).parent.parent
FILES = {
    path.stem: path
    for room in ("annotation", "rubrics", "benchmark")
    for path in (ROOT / room / "presets").glob("*.yaml")
}


def preset_file(name: str) -> dict[str, Any]:
    """The data of a shipped preset."""
    return read_project_file(FILES[name].read_bytes())[0]


def words_of(name: str) -> Vocabularies:
    """The words of the projects of a shipped preset. Asks no database."""
    return Vocabularies.made_of(LABELS.made(Project(), preset_file(name)["labels"]))


def add_parts(project: Project, preset: str, *keys: str) -> None:
    data = preset_file(preset)
    findings = Findings()
    write_parts(project, {key: data[key] for key in keys}, findings)
    assert findings.shown == []


def add_taxonomy(project: Project) -> None:
    add_parts(project, "spans", "categories")


def add_stages(project: Project) -> None:
    add_parts(project, "spans", "stages")


def add_stages_of_rubrics(project: Project) -> None:
    add_parts(project, "rubrics", "stages")


def add_question_types(project: Project) -> None:
    add_parts(project, "ratings", "dimensions")


def add_bands(project: Project) -> None:
    add_parts(project, "rubrics", "rubrics")


def add_failure_types(project: Project) -> None:
    add_parts(project, "rubrics", "labels")


def set_points(project: Project, points: dict[str, float]) -> None:
    """What an error of each criticality costs; those that are not named cost nothing."""
    for label in Label.objects.filter(project=project, vocabulary=Vocabulary.CRITICALITY):
        label.points = points.get(label.slug)
        label.save()
