"""A table of figures as a section of a page: what the template prints and what the chart's script reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agreement.figures import Figure
from reports import wording
from reports.tables import Row, Table


@dataclass(frozen=True)
class Line:
    """One row as it is printed: its labels in words, its figures, its marks, and the responses behind it."""

    labels: list[str]
    figures: tuple[Figure, ...]
    marks: tuple[str, ...]
    link: str


@dataclass(frozen=True)
class Section:
    """A table with its lines and, where it has a chart, the data of that chart."""

    table: Table
    lines: list[Line]
    chart: dict[str, Any] | None

    @property
    def marks(self) -> list[str]:
        """Everything that is said of one of its rows, once."""
        return list(dict.fromkeys(mark for line in self.lines for mark in line.marks))

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
    lines = [
        Line([wording.label(text) for text in row.labels], row.figures, row.marks, link(row)) for row in table.rows
    ]
    return Section(table, lines, chart_data(table, lines) if table.chart != "none" and lines else None)


def chart_data(table: Table, lines: list[Line]) -> dict[str, Any]:
    """The table as its JSON has it, labels in words, with the words of each figure and what things are called."""
    data = table.as_json()
    for row, line in zip(data["rows"], lines, strict=True):
        row["labels"] = [" ".join([label, *marked(line, at)]) for at, label in enumerate(line.labels)]
    terms = [*table.dimensions, *table.measures]
    return data | {
        "names": {term: wording.name(term) for term in terms},
        "texts": [[wording.in_words(figure, table.unit) for figure in line.figures] for line in lines],
        "links": [line.link for line in lines],
    }


def marked(line: Line, at: int) -> list[str]:
    """What a chart says beside the first label of a row: a simulated judge is called so wherever it appears."""
    return [f"({wording.mark(mark)})" for mark in line.marks] if at == 0 else []
