"""The dataset card of a gold: what is in it, how it came about, what it must not be taken for.

Markdown, in English whatever the interface speaks: a card travels with its file, not with its reader. An area states
what is its own as a `Card`; the frame, tables and judges are the same for all.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils import timezone

from projects.derived import steps_of
from projects.models import Project

# In place of a model.
PANEL = "several judges as one"
NO_LICENCE = "Not stated. Ask those who made the project before you use the data."


@dataclass(frozen=True, slots=True)
class JudgeOfGold:
    """A judge whose answers stand in a gold; an area adds how many they are."""

    name: str
    model: str
    laboratory: str
    is_simulated: bool


J = TypeVar("J", bound=JudgeOfGold)


def judge_of(kind: Callable[..., J], name: str, model: str, laboratory: str | None, *rest: Any) -> J:
    """From a row of the database. A judge without model and laboratory is several as one, whose members stand with each
    of its answers."""
    return kind(name, model or ("" if laboratory else PANEL), laboratory or "", *rest)


@dataclass(frozen=True)
class Card:
    """How the gold of an area is described.

    title      what it is. generated, simulated  what is said where a program made all of it, or some of its judges.
    format     of the file: what a line is, offsets, hashes.
    warnings   what more must be said before all else. contents  tables and sentences. how_made  its rules, one each.
               All from the area's summary, which has `has_simulated`.
    """

    title: str
    generated: str
    simulated: str
    format: str
    warnings: Callable[[Any], list[str]]
    contents: Callable[[Any], list[str]]
    how_made: Callable[[Any], list[str]]

    def __call__(self, project: Project, summary: Any) -> str:
        blocks = [
            f"# {cell(project.name)}: {self.title}",
            project.description.strip(),
            *self.said_first(project, summary),
            "## Contents",
            *self.contents(summary),
            "## How it was made",
            "\n".join(f"- {rule}" for rule in self.how_made(summary)),
            f"## Format\n\nJSON Lines, UTF-8, {self.format} People appear by pseudonym alone.",
            *terms(project),
            f"Written on {timezone.now():%Y-%m-%d} (UTC).",
        ]
        return "\n\n".join(block for block in blocks if block) + "\n"

    def said_first(self, project: Project, summary: Any) -> list[str]:
        generated = [f"**Generated data.** {self.generated}"] if project.is_generated else []
        simulated = [f"**Simulated judges.** {self.simulated}"] if summary.has_simulated else []
        made = [f"{step.name} ({step.made})" for step in steps_of(project) if step.made]
        derived = [f"**Derived texts.** Steps made new texts from responses: {', '.join(made)}."] if made else []
        return [*generated, *simulated, *derived, *self.warnings(summary)]

    def made(self, project: Project, summary: Any) -> str:
        """What must be said first, and the rules by which it was made; without contents, terms and date."""
        rules = "\n".join(f"- {rule}" for rule in self.how_made(summary))
        return "\n\n".join([*self.said_first(project, summary), rules])


def terms(project: Project) -> list[str]:
    """Licence and citation as sections of a card; without a citation there is none."""
    citation = project.citation.strip()
    fenced = f"```\n{citation}\n```" if citation.startswith("@") else citation
    return [
        f"## Licence\n\n{project.licence.strip() or NO_LICENCE}",
        *[f"## Citation\n\n{fenced}"] * bool(citation),
    ]


def table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [heads, *rows]
    drawn = ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines]
    drawn.insert(1, "|" + " --- |" * len(list(heads)))
    return "\n".join(drawn)


def judges_table(judges: Sequence[JudgeOfGold], **counts: str) -> list[str]:
    """A table of the judges; `counts` by attribute of a judge, what its column is called. Nothing without judges."""
    if not judges:
        return []
    heads = ("judge", "model", "laboratory", "simulated", *counts.values())
    rows = [
        (
            *map(cell, (each.name, each.model, each.laboratory)),
            "yes" if each.is_simulated else "no",
            *(getattr(each, name) for name in counts),
        )
        for each in judges
    ]
    return [table(heads, rows)]


def cell(text: str) -> str:
    """A name as it can stand in a table: no new line, no bar, no markup."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
