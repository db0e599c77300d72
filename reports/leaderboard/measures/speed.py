"""Speed against score. Measurements by API and on local hardware are never one ranking."""

from django.utils.translation import gettext as _

from projects.enumeration import in_parts
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import labelled_figure
from reports.leaderboard.measures.tables import name_of, recipe
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.scores import mean_points
from reports.leaderboard.speeds import Speed, speeds_of
from reports.leaderboard.standings import Study, rows_of

GROUP = "speed"


def frontier(points: dict[str, tuple[float, float]]) -> list[str]:
    """Those that no other beats in both numbers, by their first, highest first.

    points  by name, two numbers of which more is better; beaten is who has less or as much in both and less in one.
    """
    order = sorted(points, key=lambda name: (-points[name][0], -points[name][1], name))
    kept: list[str] = []
    best: tuple[float, float] | None = None
    for name in order:
        first, second = points[name]
        if best is None or second > best[1] or (first, second) == best:
            kept.append(name)
            best = (first, second)
    return kept


def tables(study: Study, scope: BoardScope, state: str) -> list[Table]:
    project = study.loaded.question_set.project_id
    made = (speed_table(study, speeds_of(project, is_local), scope, state, is_local) for is_local in (False, True))
    return [table for table in made if table is not None]


def speed_table(study: Study, speeds: dict[int, Speed], scope: BoardScope, state: str, is_local: bool) -> Table | None:
    rows = rows_of(study.loaded, scope)
    cluster = study.loaded.questions.cluster[rows]
    lines, points = [], {}
    for at, entry in enumerate(study.loaded.entries):
        speed = speeds.get(entry.id)
        if speed is None or scope.size not in ("", entry.size) or entry.is_baseline:
            continue
        score = mean_points(study.scores[rows, at], cluster)
        place = f"{speed.hardware or _('by API')} · {speed.batch_size} · {speed.began}"
        figures = (speed.words, score, speed.characters, speed.first_p50, speed.first_p95)
        lines.append(Row((name_of(entry), place), figures, {"configuration": entry.slug}))
        if speed.words.value is not None and score.value is not None:
            points[name_of(entry)] = (score.value, speed.words.value)
    if not lines:
        return None
    lines.sort(key=lambda row: (row.figures[0].value is None, -(row.figures[0].value or 0.0)))
    best = frontier(points)
    by_name = {row.labels[0]: row for row in lines}
    told = in_parts(labelled_figure(name, by_name[name].figures[0], "per second") for name in best)
    return Table(
        id="speed-local" if is_local else "speed-api",
        title=_("Speed on local hardware") if is_local else _("Speed by API"),
        summary=_("No model is both better and faster than these, in words a second: %(told)s.") % {"told": told},
        dimensions=(_("model"), _("hardware, batch size and date")),
        measures=(
            _("words per second"),
            _("score"),
            _("characters per second"),
            _("first token, median (s)"),
            _("first token, 95th percentile (s)"),
        ),
        rows=tuple(lines),
        recipe=recipe(study, "words_per_second", state, scope.filters, speed="total over total, concurrency one"),
        unit="per second",
        units={
            _("score"): "score",
            _("first token, median (s)"): "seconds",
            _("first token, 95th percentile (s)"): "seconds",
        },
        x=_("model"),
        headline=NO_HEADLINE,
        note=_("Measurements by API and on local hardware are never put into one ranking."),
    )
