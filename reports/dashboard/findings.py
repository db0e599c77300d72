"""What a table says in one number and a few rows: which figure stands on its card, and which rows are drawn small.

Pure: no database, no request.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agreement.figures import Figure
from reports.tables import NO_HEADLINE, Row, Table

#: At most so many rows are drawn on a card.
MAX_ROWS = 8
# Filters that name who answered: people by what they are, judges by name.
WHO = {"rater": "who", "judge": "who", "detector": "who"}
# Of boxes: the measures whose figures are the lower end, the value and the upper end of what is drawn.
LOWER_QUARTILE, MEDIAN, UPPER_QUARTILE = 1, 2, 3


@dataclass(frozen=True)
class HeadlineFigure:
    """A figure with where it stands: the row, and the place of its measure."""

    row: Row
    place: int

    @property
    def figure(self) -> Figure:
        return self.row.figures[self.place]


@dataclass(frozen=True)
class Drawn:
    """A row as it is drawn small. `labels` are places of the dimensions that tell the drawn rows apart."""

    row: Row
    labels: tuple[int, ...]
    figure: Figure
    is_total: bool


@dataclass(frozen=True)
class Selection:
    """The rows that are drawn, of how many that could be, and the place of the measure that is drawn."""

    rows: tuple[Drawn, ...]
    of: int
    place: int


def headline(table: Table) -> HeadlineFigure | None:
    """The figure that the table names, else the first measure of the row of everything together: of the rows with the
    fewest filters the last. None where there is no row, or the table is about no single figure."""
    if table.headline == NO_HEADLINE or not table.rows:
        return None
    if table.headline is not None:
        labels, measure = table.headline.labels, table.headline.measure
        for row in table.rows:
            if row.labels == labels:
                return HeadlineFigure(row, table.measures.index(measure))
    fewest = min(len(row.drill) for row in table.rows)
    place = MEDIAN if table.chart == "boxes" else 0
    return HeadlineFigure([row for row in table.rows if len(row.drill) == fewest][-1], place)


def selection(table: Table) -> Selection | None:
    """The rows to draw: the totals where there are several (of each judge, not of each variety), else the parts of the
    one total, which comes last. None where there is nothing to compare, or the table has no chart."""
    main = headline(table)
    if main is None or table.chart == "none":
        return None
    totals = _with_fewest_filters(table.rows)
    if table.chart == "lines":
        # A line is drawn by a point of it: each series at the place of the headline.
        parts, totals = _beside(table, main.row, table.rows), []
    elif len(totals) > 1:
        parts, totals = totals, []
    else:
        parts = _parts(table, [row for row in table.rows if row not in totals])
    of = len(parts) + len(totals)
    if of > MAX_ROWS:
        beside = _beside(table, main.row, parts)
        parts = beside if len(beside) > 1 else parts
        of = len(parts) + len(totals)
    parts = parts[: MAX_ROWS - len(totals)]
    if len(parts) + len(totals) < 2:
        return None
    told_apart = _telling_apart(table, parts)
    drawn = [Drawn(row, told_apart, _drawn_figure(table, row, main.place), False) for row in parts]
    drawn += [Drawn(row, told_apart or (0,), _drawn_figure(table, row, main.place), True) for row in totals]
    return Selection(tuple(drawn), of, main.place) if any(one.figure.value is not None for one in drawn) else None


def _with_fewest_filters(rows: Iterable[Row]) -> list[Row]:
    by_count: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        by_count[len(row.drill)].append(row)
    return by_count[min(by_count)]


def _parts(table: Table, rows: Sequence[Row]) -> list[Row]:
    """Of the rows with the fewest filters those that are narrowed alike, by what the table's axis is of."""
    if not rows:
        return []
    alike: dict[frozenset[str], list[Row]] = defaultdict(list)
    for row in _with_fewest_filters(rows):
        alike[frozenset(WHO.get(name, name) for name in row.drill)].append(row)
    axis = table.dimensions.index(table.x) if table.x in table.dimensions else 0
    return max(alike.values(), key=lambda found: len({row.labels[axis] for row in found}))


def _beside(table: Table, main: Row, rows: Sequence[Row]) -> list[Row]:
    """The rows that differ from the main one in the coloured dimension alone, or else in that of the axis alone."""
    for name in (table.series, table.x):
        if name not in table.dimensions:
            continue
        place = table.dimensions.index(name)
        others = [at for at in range(len(table.dimensions)) if at != place]
        found = [row for row in rows if all(row.labels[at] == main.labels[at] for at in others)]
        if len(found) > 1:
            return found
    return []


def _telling_apart(table: Table, rows: Sequence[Row]) -> tuple[int, ...]:
    """Places of the dimensions in which the rows differ; of all of them where that tells nothing."""
    places = tuple(at for at in range(len(table.dimensions)) if len({row.labels[at] for row in rows}) > 1)
    return places or tuple(range(len(table.dimensions)))


def _drawn_figure(table: Table, row: Row, place: int) -> Figure:
    """The figure of the measure; of a box the median between the quartiles."""
    if table.chart != "boxes":
        return row.figures[place]
    low, median, high = (row.figures[at] for at in (LOWER_QUARTILE, MEDIAN, UPPER_QUARTILE))
    return Figure(median.value, median.n, low.value, high.value, median.undefined)
