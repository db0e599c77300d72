"""A small chart of a finding: dots with their intervals as an SVG drawing, made without any script.

The page's policy allows no style attribute, so everything is told by attributes of SVG and classes
(static/src/styles/findings.css). Lengths are in units of the drawing, which is as wide as its card.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import combining, east_asian_width

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _

from agreement.figures import Figure
from projects.enumeration import in_parts
from reports.dashboard import wording
from reports.dashboard.findings import Drawn, Selection, selection
from reports.dashboard.tables import Table
from reports.sections import labels

WIDTH = 360
LABELS, GAP, END = 140, 12, 16  # the column of labels, the room before the plot and after it
TEXT, LINE = 12, 15
ROW, STACKED_DOT, STACKED_GAP, TOTAL_GAP = 22, 14, 6, 8
CEILING, TICKS = 18, 20  # the room above and below the rows
MAX_LINES = 3
DOT, DIAMOND = 4, 5.5
STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Scale:
    """Values to places along the drawing; on a page that runs right to left the axis begins at the right."""

    low: float
    high: float
    step: float
    begin: float
    is_mirrored: bool

    @classmethod
    def of(cls, values: Sequence[float], begin: float, is_mirrored: bool) -> "Scale":
        """Three to five steps of a round size that hold all values."""
        low, high = min(values), max(values)
        span = high - low or abs(high) or 1.0
        size = 10 ** math.floor(math.log10(span / 3))
        step = next(size * multiple for multiple in STEPS if span / (size * multiple) <= 4)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        return cls(first * step, max(last, first + 1) * step, step, begin, is_mirrored)

    def ticks(self) -> list[float]:
        return [self.low + at * self.step for at in range(round((self.high - self.low) / self.step) + 1)]

    def place(self, value: float) -> float:
        x = self.begin + (value - self.low) / (self.high - self.low) * (WIDTH - END - self.begin)
        return round(WIDTH - x if self.is_mirrored else x, 1)

    def words(self, value: float) -> str:
        places = max(0, -math.floor(math.log10(self.step) + 1e-9))
        if round(self.step * 10**places) != self.step * 10**places:
            places += 1  # a step of 2.5
        return f"{value + 0.0:,.{places}f}".replace(",", wording.NARROW_SPACE).replace("-", wording.MINUS)


@dataclass(frozen=True)
class Placed:
    """A row with its label in lines, where the first of them stands, and where the dot does, from above."""

    drawn: Drawn
    name: str
    lines: list[str]
    top: float
    middle: float


def width_of(text: str) -> float:
    """About as wide as the text is in the drawing: wide letters of East Asia, none for marks above and below others."""
    return sum(
        0.0 if combining(letter) else TEXT * (1.0 if east_asian_width(letter) in "WF" else 0.56) for letter in text
    )


def lines_of(text: str, width: float) -> list[str]:
    """The text in lines, broken between words and behind hyphens; what is wider than a line ends in an ellipsis."""
    lines = [""]
    for word in text.replace("-", "-\0").replace(" ", " \0").split("\0"):
        longer = lines[-1] + word
        if not lines[-1] or width_of(longer.rstrip()) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return [shortened(line.rstrip(), width) for line in lines]


def shortened(line: str, width: float) -> str:
    if width_of(line) <= width:
        return line
    while line and width_of(line + "…") > width:
        line = line[:-1]
    return line.rstrip() + "…"


def isolated(text: str) -> str:
    """The drawing runs left to right; a label runs as its own letters do."""
    return f"\u2068{text}\u2069"


def name_of(table: Table, drawn: Drawn) -> str:
    """The labels that tell the row from the others, with what must be said beside them."""
    marked = labels(table, drawn.row)
    parts = [
        " ".join([label, *(f"({wording.mark(mark)})" for mark in marks)])
        for label, marks in (marked[at] for at in drawn.labels)
    ]
    return " · ".join(filter(None, parts))


def placed(names: Sequence[tuple[Drawn, str]], top: float, is_stacked: bool) -> tuple[list[Placed], float]:
    """The rows below each other, and where they end. What is of all stands last and set apart.

    is_stacked  each label has the width of the drawing to itself, and its dot stands below it.
    """
    rows = []
    for drawn, name in names:
        lines = lines_of(name, WIDTH if is_stacked else LABELS)[:MAX_LINES]
        above = (len(lines) - 1) * LINE
        top += TOTAL_GAP if drawn.is_total else 0
        if is_stacked:
            rows.append(Placed(drawn, name, lines, top + TEXT, top + above + LINE + STACKED_DOT / 2))
            top += above + LINE + STACKED_DOT + STACKED_GAP
        else:
            height = ROW + above
            rows.append(Placed(drawn, name, lines, top + (height - above) / 2 + TEXT / 3, top + height / 2))
            top += height
    return rows, top


def small_chart(table: Table) -> SafeString:
    """The drawing; "" where there is nothing to compare."""
    chosen = selection(table)
    if chosen is None:
        return mark_safe("")
    ceiling = table.ceilings.get(table.measures[chosen.place])
    if table.chart == "boxes":
        ceiling = next(iter(table.ceilings.values()), None)
    line = None if ceiling is None or ceiling.value is None else ceiling
    known = [value for drawn in chosen.rows for value in ends(drawn.figure)] + ([line.number] if line else [])
    names = [(drawn, name_of(table, drawn)) for drawn in chosen.rows]
    is_stacked = any(len(lines_of(name, LABELS)) > MAX_LINES for _drawn, name in names)
    scale = Scale.of(known, END if is_stacked else LABELS + GAP, get_language_bidi())
    top = CEILING if line else 4
    rows, bottom = placed(names, top, is_stacked)
    parts = [
        *ticks(scale, top, bottom),
        *(ceiling_line(scale, line, line_name(table), unit_of(table, chosen), bottom) if line else []),
        *(part for row in rows for part in row_parts(row, scale, table, chosen)),
    ]
    return format_html(
        '<svg class="small-chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        WIDTH,
        round(bottom + TICKS),
        in_words(table, chosen, line),
        format_html_join("", "{}", ((part,) for part in parts)),
    )


def ends(figure: Figure) -> list[float]:
    return [value for value in (figure.value, figure.low, figure.high) if value is not None]


def line_name(table: Table) -> str:
    return table.line_name or _("People")


def unit_of(table: Table, chosen: Selection) -> str:
    return table.unit_of(table.measures[chosen.place])


def in_words(table: Table, chosen: Selection, line: Figure | None) -> str:
    """What the drawing shows, for who does not see it: each row with its figure."""
    unit = unit_of(table, chosen)
    parts = [f"{name_of(table, drawn)}: {wording.figure_text(drawn.figure, unit)}" for drawn in chosen.rows]
    if line:
        parts.append(f"{line_name(table)}: {wording.figure_text(line, unit)}")
    return f"{wording.measure_with_unit(table, table.measures[chosen.place])}. {in_parts(parts)}."


def ticks(scale: Scale, top: float, bottom: float) -> list[SafeString]:
    parts = []
    for value in scale.ticks():
        x = scale.place(value)
        parts.append(format_html('<path class="small-chart__grid" d="M{} {}V{}"/>', x, top, bottom))
        parts.append(
            format_html(
                '<text class="small-chart__tick" x="{}" y="{}" text-anchor="middle">{}</text>',
                x,
                bottom + TICKS - 5,
                scale.words(value),
            )
        )
    return parts


def ceiling_line(scale: Scale, line: Figure, name: str, unit: str, bottom: float) -> list[SafeString]:
    x = scale.place(line.number)
    words = isolated(f"{name} {wording.number(line.number, unit)}")
    half = width_of(words) / 2
    middle = min(max(x, half), WIDTH - half)
    return [
        format_html('<path class="small-chart__ceiling" d="M{} {}V{}"/>', x, CEILING - 4, bottom),
        format_html('<text class="small-chart__line" x="{}" y="11" text-anchor="middle">{}</text>', middle, words),
    ]


def row_parts(row: Placed, scale: Scale, table: Table, chosen: Selection) -> list[SafeString]:
    x, anchor = (WIDTH, "end") if scale.is_mirrored else (0, "start")
    total = " small-chart__label--total" if row.drawn.is_total else ""
    lines = [
        format_html(
            '<text class="small-chart__label{}" x="{}" y="{}" text-anchor="{}">{}{}</text>',
            total,
            x,
            round(row.top + at * LINE, 1),
            anchor,
            format_html("<title>{}</title>", row.name) if line.endswith("…") else "",
            isolated(line),
        )
        for at, line in enumerate(row.lines)
    ]
    return [*lines, *dot(row, scale, unit_of(table, chosen))]


def dot(row: Placed, scale: Scale, unit: str) -> list[SafeString]:
    figure, y = row.drawn.figure, round(row.middle, 1)
    if figure.value is None:
        x = scale.place(scale.low)
        anchor = "end" if scale.is_mirrored else "start"
        text = '<text class="small-chart__tick" x="{}" y="{}" text-anchor="{}">{}{}</text>'
        reason = wording.reason(figure)
        words = shortened(reason, WIDTH - END - scale.begin)
        whole = format_html("<title>{}</title>", reason) if words != reason else ""
        return [format_html(text, x, y + TEXT / 3, anchor, whole, isolated(words))]
    parts = []
    if figure.low is not None and figure.high is not None:
        path = '<path class="small-chart__interval" d="M{} {}H{}"/>'
        parts.append(format_html(path, scale.place(figure.low), y, scale.place(figure.high)))
    x = scale.place(figure.number)
    words = format_html("<title>{}</title>", f"{row.name}: {wording.figure_text(figure, unit)}")
    if row.drawn.is_total:
        shape = f"M{x} {y - DIAMOND}l{DIAMOND} {DIAMOND}l-{DIAMOND} {DIAMOND}l-{DIAMOND} -{DIAMOND}z"
        parts.append(format_html('<path class="small-chart__total" d="{}">{}</path>', shape, words))
    else:
        parts.append(
            format_html('<circle class="small-chart__dot" cx="{}" cy="{}" r="{}">{}</circle>', x, y, DOT, words)
        )
    return parts
