"""Several models beside each other: by skill on a radar, two of them question by question."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.figures import Figure
from agreement.ranks import mean_score
from projects import directions
from projects.enumeration import enumerated
from reports.dashboard.small_charts import isolated, lines_of
from reports.dashboard.wording import figure_text, number
from reports.leaderboard.scores import TOP, mean_points
from reports.leaderboard.standings import Sheet

MOST_MODELS, LEAST_SKILLS = 6, 3
MOST_NAMED = 3
WIDTH, HEIGHT, RADIUS = 640, 470, 165
LABEL_WIDTH, LINE = 150, 15
RINGS = (2, 4, 6, 8, 10)


@dataclass(frozen=True)
class RadarLine:
    """A skill with the score of each model, in their order."""

    name: str
    figures: tuple[Figure, ...]
    slug: str = ""


def radar_lines(sheet: Sheet, columns: Sequence[int]) -> list[RadarLine]:
    """The skills on which all of them have a score."""
    lines = []
    for slug, name in sheet.skills.items():
        rows = np.flatnonzero(sheet.questions.skill == slug)
        cluster = sheet.questions.cluster[rows]
        figures = tuple(mean_points(sheet.scores[rows, column], cluster) for column in columns)
        if all(figure.value is not None for figure in figures):
            lines.append(RadarLine(name, figures, slug))
    return lines


@dataclass(frozen=True)
class Patterns:
    """What a radar shows, by the places of its lines and models.

    highest   the lines in which a model stands highest, and no other as high, by model.
    furthest  the line in which the models are furthest apart, its highest and its lowest model; None of one model.
    """

    highest: dict[int, list[int]]
    furthest: tuple[int, int, int] | None


def patterns_of(lines: Sequence[RadarLine]) -> Patterns:
    values = np.array([[figure.number for figure in line.figures] for line in lines])
    highest: dict[int, list[int]] = {}
    for place, row in enumerate(values):
        best = np.flatnonzero(row >= row.max() - 1e-9)
        if len(best) == 1:
            highest.setdefault(int(best[0]), []).append(place)
    if not lines or values.shape[1] < 2:
        return Patterns(highest, None)
    at = int(np.argmax(np.ptp(values, axis=1)))
    return Patterns(highest, (at, int(values[at].argmax()), int(values[at].argmin())))


def patterns(lines: Sequence[RadarLine], names: Sequence[str]) -> str:
    """Where each model stands highest, and where the models are furthest apart, in a sentence each."""
    found = patterns_of(lines)
    said = [
        _("%(model)s stands highest in %(skills)s.")
        % {"model": isolated(names[model]), "skills": first_of([lines[place].name for place in places])}
        for model, places in found.highest.items()
    ]
    if found.furthest is not None:
        at, most, least = found.furthest
        said.append(
            _("They are furthest apart in %(skill)s: %(first)s %(best)s, %(last)s %(worst)s.")
            % {
                "skill": isolated(lines[at].name),
                "first": isolated(names[most]),
                "best": directions.isolated(figure_text(lines[at].figures[most], "score")),
                "last": isolated(names[least]),
                "worst": directions.isolated(figure_text(lines[at].figures[least], "score")),
            }
        )
    return " ".join(said)


def first_of(skills: Sequence[str]) -> str:
    """At most three by name: the table has them all."""
    named, more = [isolated(name) for name in skills[:MOST_NAMED]], len(skills) - MOST_NAMED
    if more > 0:
        named.append(ngettext("%(n)s more", "%(n)s more", more) % {"n": number(more, "count")})
    return enumerated(named)


def radar(lines: Sequence[RadarLine], names: Sequence[str], *, is_mirrored: bool) -> SafeString:
    """The drawing, made without a script; "" below three skills. The table beside it says the same.

    From right to left the skills run the other way round, as a reader of such a page goes through them.
    """
    if len(lines) < LEAST_SKILLS:
        return SafeString()
    turn = -1 if is_mirrored else 1
    angles = [turn * 2 * math.pi * at / len(lines) for at in range(len(lines))]
    shapes = [
        format_html(
            '<polygon class="radar__model radar__model--{}" points="{}"><title>{}</title></polygon>',
            at + 1,
            points([place(angle, line.figures[at].number) for angle, line in zip(angles, lines, strict=True)]),
            name,
        )
        for at, name in enumerate(names)
    ]
    rings = [
        format_html('<polygon class="radar__ring" points="{}"/>', points([place(angle, ring) for angle in angles]))
        for ring in RINGS
    ]
    spokes = [format_html('<path class="radar__ring" d="M{} {}L{} {}"/>', *centre(), *place(a, 10)) for a in angles]
    ticks = [
        format_html('<text class="radar__tick" x="{}" y="{}">{}</text>', centre()[0] + 4, place(0, ring)[1] + 4, ring)
        for ring in RINGS
    ]
    labels = [label(angle, line.name) for angle, line in zip(angles, lines, strict=True)]
    numbers = [numbered(angle, at) for at, angle in enumerate(angles, start=1)]
    parts = [*rings, *spokes, *shapes, *ticks, *labels, *numbers]
    return format_html(
        '<svg class="radar" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        WIDTH,
        HEIGHT,
        _("Radar of the scores by skill, 0 to 10. The table below says the same."),
        format_html_join("", "{}", ((part,) for part in parts)),
    )


def centre() -> tuple[float, float]:
    return WIDTH / 2, HEIGHT / 2


def place(angle: float, value: float) -> tuple[float, float]:
    x, y = centre()
    return round(x + RADIUS * value / 10 * math.sin(angle), 1), round(y - RADIUS * value / 10 * math.cos(angle), 1)


def points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)


def label(angle: float, name: str) -> SafeString:
    """The name of a skill outside of its corner, in at most two lines."""
    x, y = place(angle, 11)
    lines = lines_of(name, LABEL_WIDTH)[:2]
    sideways = math.sin(angle)
    anchor = "middle" if abs(sideways) < 0.15 else "start" if sideways > 0 else "end"
    top = y - (len(lines) - 1) * LINE * (1 if math.cos(angle) > 0.5 else 0 if math.cos(angle) < -0.5 else 0.5) + 4
    return format_html_join(
        "",
        '<text class="radar__label" x="{}" y="{}" text-anchor="{}">{}</text>',
        ((x, round(top + at * LINE, 1), anchor, isolated(line)) for at, line in enumerate(lines)),
    )


def numbered(angle: float, at: int) -> SafeString:
    """The skill's number in the table, which a phone shows in place of names too small to be read there."""
    x, y = place(angle, 11.2)
    return format_html('<text class="radar__number" x="{}" y="{}" text-anchor="middle">{}</text>', x, y + 8, at)


# --- Two of them ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compared:
    """Two models on the questions that both have: the difference of their means, and on how many each is ahead."""

    difference: Figure
    ahead: int
    behind: int
    equal: int
    rows: list[int]


def compared(sheet: Sheet, first: int, second: int, skill: str = "") -> Compared:
    """`rows` are the questions, those on which they are furthest apart first; unscored ones last."""
    kept = [row for row in range(len(sheet.questions)) if skill in ("", sheet.questions.skill[row])]
    difference = sheet.scores[kept, first] - sheet.scores[kept, second]
    known = difference[~np.isnan(difference)]
    order = np.argsort(-np.nan_to_num(np.abs(difference), nan=-1.0), kind="stable")
    return Compared(
        mean_score(difference, sheet.questions.cluster[kept]).within(-TOP, TOP),
        int((known > 0).sum()),
        int((known < 0).sum()),
        int((known == 0).sum()),
        [kept[at] for at in order],
    )
