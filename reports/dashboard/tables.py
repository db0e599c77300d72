"""The one shape of a result: a table of figures under one recipe, from which page, chart, CSV and JSON are made.

Pure: no database, no request. A report builds tables; views, the command, the API and the charts read them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agreement.figures import Figure, Recipe
from projects.spreadsheets import as_csv, inert

# Marks stand beside the table's title alone.
HEADING = "heading"


@dataclass(frozen=True)
class Row:
    """One line of a table.

    labels   values of the table's dimensions, same order, as shown to people (a variety, a judge, a category).
    figures  one per measure, same order.
    drill    filters of the response list that show what this row counts, e.g. {"variety": "ko-KR"}.
    marks    what must be said beside the row, e.g. ("simulated",).
    """

    labels: tuple[str, ...]
    figures: tuple[Figure, ...]
    drill: Mapping[str, str] = field(default_factory=dict)
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Headline:
    """The one figure that a table is about: the row with these labels, and the place of the measure. Without labels
    there is no such figure, and the measure is the one that is drawn small."""

    labels: tuple[str, ...]
    measure: int = 0


#: Of a table that is about no single figure.
NO_HEADLINE = Headline(())


@dataclass(frozen=True)
class Table:
    """Figures that belong together.

    id          stable name in addresses, exports and the API, e.g. "judge-scores".
    title       what it shows; summary  the finding in a sentence or two, also for screen readers.
    dimensions  names of the label columns; measures  names of the figure columns.
    unit        "share", "count", "per response", "points": how people read a value; `units` names it for measures
                that have another one.
    chart       "bars", "boxes", "lines", "heat", "scatter", "none"; x  the dimension on the axis, series  the coloured
                one: of several the second and the first, where neither is named. A scatter has the last measure but
                one across and the last one up.
    ceilings    human ceiling per measure, drawn as a line; only where two people answered the same responses.
    marked      the dimension beside whose labels a row's marks stand, or HEADING where they are of no label; by
                default the coloured one, else the last.
    line_name   what the lines of `ceilings` are where they are no ceiling, such as the mean of people's scores.
    findings    further sentences, each a line of its own under the summary.
    headline    the figure that stands on the index of findings; without it that of the row of everything together
                and the first measure (reports/dashboard/findings.py). No part of any file.
    shown       so many rows stand on the page, 0 for all; files, command and API hold all.
    recipe      how every figure in it was made. Two tables with the same recipe are equal.
    """

    id: str
    title: str
    dimensions: tuple[str, ...]
    measures: tuple[str, ...]
    rows: tuple[Row, ...]
    recipe: Recipe
    summary: str = ""
    unit: str = "share"
    chart: str = "bars"
    x: str = ""
    series: str = ""
    ceilings: Mapping[str, Figure] = field(default_factory=dict)
    note: str = ""
    units: Mapping[str, str] = field(default_factory=dict)
    line_name: str = ""
    marked: str = ""
    shown: int = 0
    findings: tuple[str, ...] = ()
    headline: Headline | None = None

    def __post_init__(self) -> None:
        if not self.x and self.chart != "none":
            x, series = (self.dimensions[0], "") if len(self.dimensions) == 1 else self.dimensions[1::-1]
            object.__setattr__(self, "x", x)
            object.__setattr__(self, "series", self.series or series)

    def unit_of(self, measure: str) -> str:
        return self.units.get(measure, self.unit)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON types: what `manage.py agreement --json` prints and the API answers."""
        return {
            "id": self.id,
            "title": self.title,
            "summary": self.summary,
            "findings": list(self.findings),
            "note": self.note,
            "unit": self.unit,
            "units": [self.unit_of(measure) for measure in self.measures],
            "chart": {"kind": self.chart, "x": self.x, "series": self.series, "line": self.line_name},
            "dimensions": list(self.dimensions),
            "measures": list(self.measures),
            "rows": [
                {
                    "labels": list(row.labels),
                    "figures": [figure.as_json() for figure in row.figures],
                    "drill": dict(row.drill),
                    "marks": list(row.marks),
                }
                for row in self.rows
            ],
            "ceilings": {measure: figure.as_json() for measure, figure in self.ceilings.items()},
            "recipe": self.recipe.as_json(),
            "signature": self.recipe.signature(),
        }

    def as_csv(self) -> str:
        """One line per figure, long form: dimensions, measure, value, n, low, high, undefined, signature."""
        header = [*self.dimensions, "measure", "value", "n", "low", "high", "undefined", "marks", "recipe"]
        return as_csv([header, *self.csv_rows()])

    def csv_rows(self) -> Iterator[list[str]]:
        signature = self.recipe.signature()
        for row in self.rows:
            for measure, figure in zip(self.measures, row.figures, strict=True):
                numbers = [figure.value, figure.n, figure.low, figure.high]
                cells = ["" if number is None else repr(number) for number in numbers]
                labels = [inert(label) for label in row.labels]
                marks = " ".join(row.marks)
                yield [*labels, measure, *cells, figure.undefined or "", marks, signature]


def by_id(tables: Sequence[Table], table_id: str) -> Table | None:
    return next((table for table in tables if table.id == table_id), None)
