"""A table of figures as a section of a page: what the template prints and what the chart's script reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe

from agreement.figures import Figure
from projects.models import Project
from reports.dashboard import cache, wording
from reports.dashboard.dashboards import Dashboard
from reports.dashboard.figures import Reading
from reports.dashboard.tables import HEADING, Row, Table

# Said once above a table, not in each of its rows: it holds for the project as a whole.
OF_THE_PROJECT = ("generated",)


@dataclass(frozen=True)
class Line:
    """One row as it is printed: each label with what must be said beside it, its figures, the responses behind it."""

    labels: list[tuple[str, list[str]]]
    figures: tuple[Figure, ...]
    link: str

    @property
    def name(self) -> str:
        return ", ".join(label for label, _marks in self.labels)


@dataclass(frozen=True)
class Section:
    """A table with its lines and, where it has a chart, the data of that chart."""

    table: Table
    lines: list[Line]
    chart: dict[str, Any] | None

    @property
    def marks(self) -> list[str]:
        """Everything that is said of any of its rows, once."""
        return list(dict.fromkeys(mark for row in self.table.rows for mark in row.marks))

    @property
    def units(self) -> list[str]:
        """Of each measure, in their order."""
        return [self.table.unit_of(measure) for measure in self.table.measures]

    @property
    def feet(self) -> list[tuple[str, Figure, str]]:
        """Measure, ceiling and unit of each line that is drawn."""
        return [(measure, figure, self.table.unit_of(measure)) for measure, figure in self.table.ceilings.items()]

    @property
    def has_links(self) -> bool:
        return any(line.link for line in self.lines)

    @property
    def recipe(self) -> list[tuple[str, str]]:
        """The recipe line by line, without what it leaves empty; the signature last."""
        parts = {name: in_a_line(value) for name, value in self.table.recipe.as_json().items()}
        return [*((name, text) for name, text in parts.items() if text), ("signature", self.table.recipe.signature())]


def in_a_line(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {in_a_line(inner)}" for name, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(in_a_line, value))
    return "" if value is None else str(value)


def section(table: Table, link: Callable[[Row], str]) -> Section:
    """`link` gives the address of the responses a row counts, or "" where it counts none in particular."""
    rows = table.rows[: table.shown] if table.shown else table.rows
    lines = [Line(labels(table, row), row.figures, link(row)) for row in rows]
    return Section(table, lines, chart_data(table, lines) if table.chart != "none" and lines else None)


def labels(table: Table, row: Row) -> list[tuple[str, list[str]]]:
    """Marks stand beside the label that the table names, or tells apart by colour, or else beside the last."""
    if table.marked == HEADING:
        return [(label, []) for label in row.labels]
    marked = table.dimensions.index(table.marked or table.series or table.dimensions[-1])
    # Generated judges are called simulated by their very names.
    marks = [mark for mark in row.marks if mark not in OF_THE_PROJECT and f"({mark})" not in row.labels[marked]]
    return [(label, marks if at == marked else []) for at, label in enumerate(row.labels)]


def chart_data(table: Table, lines: list[Line]) -> dict[str, Any]:
    """The table as its JSON has it, with marked labels, each figure in words, and the address behind each row.

    A simulated judge is called so in the chart too, also where the chart leaves the page as a picture.
    """
    data = table.as_json()
    data["rows"] = data["rows"][: len(lines)]
    for row, line in zip(data["rows"], lines, strict=True):
        row["labels"] = [
            " ".join([label, *(f"({wording.mark(mark)})" for mark in marks)]) for label, marks in line.labels
        ]
    return data | {
        "texts": [
            [wording.said(figure, unit) for figure, unit in zip(line.figures, data["units"], strict=True)]
            for line in lines
        ],
        "links": [line.link for line in lines],
    }


def sections(project: Project, chosen: Mapping[str, Any], reading: Reading, dashboard: Dashboard) -> SafeString:
    """The tables as HTML. Nothing in it is about who reads, so it is written once for each state of the answers."""

    def written(_missing: list[str]) -> dict[str, str]:
        shown = [section(table, lambda row: dashboard.address(project, chosen, row)) for table in reading.tables]
        context = {
            "project": project,
            "query": urlencode(chosen),
            "sections": shown,
            "csv_url": f"{dashboard.page}-csv",
            "json_url": f"{dashboard.page}-json",
            "alpha_tables": dashboard.alphas.tables if dashboard.alphas else (),
            "verify_url": f"{dashboard.page}-verified",
        }
        return {"html": str(render_to_string("reports/sections.html", context))}

    state = (sorted(chosen.items()), translation.get_language(), reading.state)
    key = cache.key_of("sections", dashboard.page, project.slug, *state)
    return mark_safe(cache.remembered({"html": key}, written)["html"])
