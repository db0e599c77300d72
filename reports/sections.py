"""A table of figures as a section of a page: what the template prints and what the chart's script reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agreement.figures import Figure, Recipe
from projects.enumeration import enumerated
from reports.dashboard import wording
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
        return enumerated(label for label, _marks in self.labels)


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
    def foot(self) -> list[Figure | None]:
        """The ceiling of each measure, in their order; None for one that has none. Empty where none has."""
        ceilings = self.table.ceilings
        return [ceilings.get(measure) for measure in self.table.measures] if ceilings else []

    @property
    def rows_at_most(self) -> int:
        """Rows that stand on the page where all are asked for."""
        return min(self.table.shown or len(self.table.rows), len(self.table.rows))

    @property
    def has_links(self) -> bool:
        return any(line.link for line in self.lines)

    @property
    def recipe(self) -> list[tuple[str, str]]:
        return in_lines(self.table.recipe)


def in_lines(recipe: Recipe) -> list[tuple[str, str]]:
    """The recipe line by line, without what it leaves empty; the signature last."""
    parts = {name: in_a_line(value) for name, value in recipe.as_json().items()}
    return [*((name, text) for name, text in parts.items() if text), ("signature", recipe.signature())]


def in_a_line(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {in_a_line(inner)}" for name, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(in_a_line, value))
    return "" if value is None else str(value)


def section(table: Table, link: Callable[[Row], str], max_rows: int | None = None) -> Section:
    """`link` gives the address of the responses a row counts, or "" where it counts none in particular.

    max_rows  so many rows stand in the table, all where it is None; the chart has them all. Neither has more than the
              table itself lets be shown.
    """
    rows = table.rows[: table.shown] if table.shown else table.rows
    lines = [Line(labels(table, row), row.figures, link(row)) for row in rows]
    return Section(table, lines[:max_rows], chart_data(table, lines) if table.chart != "none" and lines else None)


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

    "axes" holds the title of the axis of each measure, "unitNames" its unit in words, "" where it has none.
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
            [wording.figure_text(figure, unit) for figure, unit in zip(line.figures, data["units"], strict=True)]
            for line in lines
        ],
        "links": [line.link for line in lines],
        "unitNames": [str(wording.UNIT_NAMES.get(unit, "")) for unit in data["units"]],
        "axes": [wording.measure_with_unit(table, measure) for measure in table.measures],
    }
