"""Parts of what a shipped preset holds, for projects of tests that begin with nothing."""

from pathlib import Path
from typing import Any

from formats.project_file.applying import read_project_file, write_parts
from formats.project_file.part import Findings
from projects.models import Project

ROOT = Path(__file__).parent.parent
FILES = {
    path.stem: path
    for room in ("annotation", "rubrics", "benchmark")
    for path in (ROOT / room / "presets").glob("*.yaml")
}


def preset_file(name: str) -> dict[str, Any]:
    """The data of a shipped preset."""
    return read_project_file(FILES[name].read_bytes())[0]


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
