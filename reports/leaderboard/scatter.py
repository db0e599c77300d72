"""Speed against score as a drawing without a script: a dot for each model, and the line of those that none beats in
both. Each of API and local hardware has its own; neither ever stands in the other's.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _

from reports.dashboard.small_charts import isolated, shortened
from reports.leaderboard.measures.speed import frontier
from reports.leaderboard.standings import Standings

WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 46, 20, 16, 46
LABEL_WIDTH = 150
SCORES = range(0, 11, 2)
STEPS = 4


@dataclass(frozen=True)
class Dot:
    """Words per second and score of a model."""

    name: str
    words: float
    score: float


def dots(board: Standings, *, is_local: bool) -> list[Dot]:
    return [
        Dot(line.entry.name, line.speed.words.number, line.score.number)
        for line in board.lines
        if line.speed is not None
        and line.speed.is_local == is_local
        and line.speed.words.value is not None
        and line.score.value is not None
    ]


def scatter(shown: Sequence[Dot], *, is_mirrored: bool) -> SafeString:
    """The drawing; "" for fewer than two models. Names stand at the models of the frontier alone."""
    if len(shown) < 2:
        return SafeString()
    most = round_up(max(dot.words for dot in shown) * 1.05)

    def place(dot: Dot) -> tuple[float, float]:
        x = LEFT + dot.words / most * (WIDTH - LEFT - RIGHT)
        y = HEIGHT - BOTTOM - dot.score / 10 * (HEIGHT - TOP - BOTTOM)
        return round(WIDTH - x if is_mirrored else x, 1), round(y, 1)

    best = frontier({dot.name: (dot.score, dot.words) for dot in shown})
    by_name = {dot.name: dot for dot in shown}
    line = " ".join("{},{}".format(*place(by_name[name])) for name in best)
    parts = [
        *axes(most, is_mirrored),
        format_html('<polyline class="scatter__frontier" points="{}"/>', line),
        *(
            format_html(
                '<circle class="scatter__dot{}" cx="{}" cy="{}" r="4"><title>{}</title></circle>',
                " scatter__dot--best" if dot.name in best else "",
                *place(dot),
                isolated(f"{dot.name}: {dot.score:.2f}, {dot.words:.1f}"),
            )
            for dot in shown
        ),
        *(named(name, place(by_name[name])) for name in best),
    ]
    return format_html(
        '<svg class="scatter" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        WIDTH,
        HEIGHT,
        _("Words per second and score. No model is both better and faster than these: %(names)s.")
        % {"names": ", ".join(best)},
        format_html_join("", "{}", ((part,) for part in parts)),
    )


def round_up(words: float) -> float:
    """The least round number, of which a quarter is round too, that is as large."""
    size = 10.0 ** math.floor(math.log10(words)) if words > 0 else 1.0
    return next(size * multiple for multiple in (1, 2, 4, 8, 10, 20) if size * multiple >= words)


def named(name: str, at: tuple[float, float]) -> SafeString:
    """A name above its dot, turned inward at the edges."""
    x, y = at
    anchor = "start" if x < LEFT + LABEL_WIDTH / 2 else "end" if x > WIDTH - LABEL_WIDTH / 2 else "middle"
    text = '<text class="scatter__name" x="{}" y="{}" text-anchor="{}">{}</text>'
    return format_html(text, x, y - 8, anchor, isolated(shortened(name, LABEL_WIDTH)))


def axes(most: float, is_mirrored: bool) -> list[SafeString]:
    parts = []
    bottom, begin, end = HEIGHT - BOTTOM, LEFT, WIDTH - RIGHT
    if is_mirrored:
        begin, end = WIDTH - LEFT, RIGHT
    for score in SCORES:
        y = round(bottom - score / 10 * (bottom - TOP), 1)
        parts.append(format_html('<path class="radar__ring" d="M{} {}H{}"/>', begin, y, end))
        beside, anchor = (begin + 8, "start") if is_mirrored else (begin - 8, "end")
        tick = '<text class="radar__tick" x="{}" y="{}" text-anchor="{}">{}</text>'
        parts.append(format_html(tick, beside, y + 4, anchor, score))
    for at in range(STEPS + 1):
        along = round(begin + (end - begin) * at / STEPS, 1)
        tick = '<text class="radar__tick" x="{}" y="{}" text-anchor="middle">{}</text>'
        parts.append(format_html(tick, along, bottom + 16, f"{most * at / STEPS:g}"))
    title = '<text class="radar__label" x="{}" y="{}" text-anchor="middle">{}</text>'
    return [*parts, format_html(title, WIDTH / 2, HEIGHT - 8, isolated(_("words per second")))]


def drawings(board: Standings) -> list[tuple[str, SafeString]]:
    """Title and drawing of speed by API and on local hardware, of those that have at least two models."""
    titles = {False: _("Speed by API"), True: _("Speed on local hardware")}
    made = [
        (title, scatter(dots(board, is_local=is_local), is_mirrored=get_language_bidi()))
        for is_local, title in titles.items()
    ]
    return [(title, drawing) for title, drawing in made if drawing]
