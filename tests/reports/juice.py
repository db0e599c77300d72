"""The generated project of error spans, whole or the first responses of some settings, through the imports."""

import io
import json
from collections import Counter
from collections.abc import Container, Iterator

from demo.studies.errors import SHORT_NAMES
from demo.studies.juice import generate
from formats.importing.running import run_import
from formats.reading import Source
from projects.creation import create_project
from projects.models import Project
from projects.varieties import call_varieties


def lines(settings: Container[str], per_setting: int) -> Iterator[dict]:
    seen: Counter = Counter()
    code = ""
    for line in generate():
        if "kind" not in line:
            code = line["metadata"]["setting"]
            seen[code] += 1
        if code in settings and seen[code] <= per_setting:
            yield line


def juice(settings: Container[str] = ("US-en", "KR-ko"), per_setting: int = 12) -> Project:
    """A project set up from its preset, with the items and answers of these settings."""
    project = Project(slug="juice", name="JuICE, generated", is_generated=True)
    create_project(project, None)
    call_varieties(project, SHORT_NAMES)
    found = list(lines(settings, per_setting))
    bring(project, "items", [line for line in found if "kind" not in line])
    bring(project, "answers", [line for line in found if "kind" in line])
    return project


def bring(project: Project, kind: str, found: list[dict]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in found)
    outcome = run_import(project, Source(io.BytesIO(text.encode())), kind)
    assert outcome.is_stored, outcome.problems[:3]
