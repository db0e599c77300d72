"""What a table says in one number and a few rows: which figure stands on its card, and which rows are drawn small.

Pure: no database, no request.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agreement.figures import Figure
from reports.dashboard.tables import Headline, Row, Table

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
    """The rows that are drawn, of how many that could be, and the place of the measure that is drawn. Of rows that have
    a figure only `are_ends`, where they are more than there is room for; rows without one are left out first."""

    rows: tuple[Drawn, ...]
    of: int
    place: int
    are_ends: bool


def first_of(rows: Sequence[Row], measure: int = 0) -> Headline | None:
    """Names the first of the rows with the fewest filters, such as that of all people before those of judges."""
    return Headline(_with_fewest_filters(rows)[0].labels, measure) if rows else None


def highest(rows: Sequence[Row], measure: int = 0) -> Headline | None:
    """Names the highest figure of the measure among the rows with the fewest filters; None where none has a value."""
    totals = _with_fewest_filters(rows) if rows else []
    known = [row for row in totals if row.figures[measure].value is not None]
    return Headline(max(known, key=lambda row: row.figures[measure].number).labels, measure) if known else None


def lowest(rows: Sequence[Row], measure: int = 0) -> Headline | None:
    """As `highest`, of the lowest figure."""
    totals = _with_fewest_filters(rows) if rows else []
    known = [row for row in totals if row.figures[measure].value is not None]
    return Headline(min(known, key=lambda row: row.figures[measure].number).labels, measure) if known else None


def headline(table: Table) -> HeadlineFigure | None:
    """The figure that the table names, else the first measure of the row of everything together: of the rows with the
    fewest filters the last. Where that has no value it is another that has one: of the same measure in another of these
    rows, of another measure in the same row, then any. Only where nothing has a value does it say why. None where there
    is no row, or the table is about no single figure."""
    if not table.rows or (table.headline is not None and not table.headline.labels):
        return None
    totals, place = _with_fewest_filters(table.rows), _place(table)
    named = totals[-1]
    if table.headline is not None:
        named = next((row for row in table.rows if row.labels == table.headline.labels), named)
    others = [
        *(HeadlineFigure(row, place) for row in reversed(totals)),
        *(HeadlineFigure(named, at) for at in range(len(table.measures))),
        *(HeadlineFigure(row, at) for row in table.rows for at in range(len(table.measures))),
    ]
    asked = HeadlineFigure(named, place)
    return next((one for one in (asked, *others) if one.figure.value is not None), asked)


def _place(table: Table) -> int:
    if table.headline is not None:
        return table.headline.measure
    return MEDIAN if table.chart == "boxes" else 0


def selection(table: Table) -> Selection | None:
    """The rows to draw: the totals where there are several (of each judge, not of each variety), else the parts of the
    one total, which comes last. None where there is nothing to compare, or the table has no chart."""
    if table.chart == "none" or not table.rows:
        return None
    main, place = headline(table), _place(table)
    totals = _with_fewest_filters(table.rows)
    if table.chart == "lines":
        # A line is drawn by a point of it: each series at the place of the headline.
        parts, totals = _beside(table, main, table.rows), []
    elif len(totals) > 1:
        parts, totals = totals, []
    else:
        parts = _parts(table, [row for row in table.rows if row not in totals])
    if len(parts) + len(totals) > MAX_ROWS:
        parts = _beside(table, main, parts) or parts
    of, room = len(parts) + len(totals), MAX_ROWS - len(totals)
    are_ends = sum(row.figures[place].value is not None for row in parts) > room
    parts = _ends(parts, room, place)
    if len(parts) + len(totals) < 2:
        return None
    told_apart = _telling_apart(table, parts)
    drawn = [Drawn(row, told_apart, _drawn_figure(table, row, place), False) for row in parts]
    drawn += [Drawn(row, told_apart, _drawn_figure(table, row, place), True) for row in totals]
    return Selection(tuple(drawn), of, place, are_ends) if any(row.figure.value is not None for row in drawn) else None


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
    # Of a map both dimensions are axes, and the longer one tells more.
    names = [table.x, table.series] if table.chart == "heat" else [table.x]
    axes = [table.dimensions.index(name) for name in names if name in table.dimensions] or [0]
    axis = max(axes, key=lambda at: len({row.labels[at] for row in rows}))
    return max(alike.values(), key=lambda group: len({row.labels[axis] for row in group}))


def _beside(table: Table, main: HeadlineFigure | None, rows: Sequence[Row]) -> list[Row]:
    """The rows that differ from the main one in the coloured dimension alone, or else in that of the axis alone; none
    where there is no main one, or nothing beside it."""
    for name in (table.series, table.x):
        if main is None or name not in table.dimensions:
            continue
        place = table.dimensions.index(name)
        others = [at for at in range(len(table.dimensions)) if at != place]
        differing = [row for row in rows if all(row.labels[at] == main.row.labels[at] for at in others)]
        if len(differing) > 1:
            return differing
    return []


def _ends(rows: Sequence[Row], room: int, measure: int) -> list[Row]:
    """The rows in their order; where they are more than there is room for, the lowest and the highest of them."""
    if len(rows) <= room:
        return list(rows)
    ranked = sorted(
        (row for row in rows if row.figures[measure].value is not None), key=lambda row: row.figures[measure].number
    )
    chosen = ranked[: room // 2] + ranked[len(ranked) - (room - room // 2) :] if len(ranked) > room else ranked
    return [row for row in rows if row in chosen]


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
