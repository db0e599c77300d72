"""The dashboard of a board: the board itself, and a finding for each thing that it says."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from benchmark.models import Answer
from projects.models import Project
from reports.dashboard import cache
from reports.dashboard.dashboards import Dashboard, Tile, count_tile, n_tile
from reports.dashboard.figures import Look, OnGroup, OnPart, Reading, TableGroup, ignore_group, unheard
from reports.dashboard.tables import Row, Table
from reports.leaderboard.measures import columns, judges, scores, sensitivity, speed
from reports.leaderboard.reader import board_of
from reports.leaderboard.scatter import drawings
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import standings, state_of, study_of

GROUPS: tuple[tuple[Any, Any], ...] = (
    (scores, gettext_lazy("Scores and ranks")),
    (columns, gettext_lazy("Other ways to count")),
    (sensitivity, gettext_lazy("How sure the order is")),
    (judges, gettext_lazy("Judges and people")),
    (speed, gettext_lazy("Speed")),
)


def look(project: Project, filters: Mapping[str, Any]) -> Look:
    """All tables, kept until a score, a model, a flag or the board itself changes."""
    scope = BoardScope.of(filters)
    state = state_of(project)
    key = cache.key_of("board", project.pk, scope, get_language(), state)
    titles = tuple((module.GROUP, str(title)) for module, title in GROUPS)

    def read(on_part: OnPart = unheard, on_group: OnGroup = ignore_group) -> Reading:
        return cache.remembered({"whole": key}, lambda _missing: {"whole": computed(on_part, on_group)})["whole"]

    def computed(on_part: OnPart, on_group: OnGroup) -> Reading:
        on_part(0, len(GROUPS) + 1)
        study = study_of(project)
        on_part(1, len(GROUPS) + 1)
        groups = []
        for done, (module, title) in enumerate(GROUPS, start=2):
            tables = tuple(module.tables(study, scope, state)) if study is not None and study.models.any() else ()
            groups.append(TableGroup(module.GROUP, str(title), tables))
            on_group(groups[-1])
            on_part(done, len(GROUPS) + 1)
        return Reading(tuple(table for group in groups for table in group.tables), key, tuple(groups))

    return Look(key, cache.are_kept([key]), read, titles)


def tiles(project: Project, chosen: Mapping[str, Any], tables: Sequence[Table]) -> list[Tile]:
    """How many models and questions there are, the smallest difference shown, and the level of chance."""
    board = standings(project, BoardScope.of(chosen))
    if board is None or not board.lines:
        return []
    judges_said = ", ".join(board.judges) or _("no judge")
    return [
        count_tile(_("Models"), len(board.lines), len(board.lines), judges_said),
        count_tile(_("Questions"), board.n_questions, board.n_questions, f"{board.question_set} v{board.version}"),
        Tile(_("Smallest difference shown"), board.detectable, "score", _("points of 10, power 0.8")),
        *([n_tile(_("Chance level"), board.chance, "score")] if board.chance.value is not None else []),
    ]


def address(project: Project, chosen: Mapping[str, Any], row: Row) -> str:
    """The page of the configuration that a row is about."""
    if slug := row.drill.get("configuration"):
        return reverse("board-configuration", args=[project.slug, slug])
    return ""


def above(project: Project, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The board itself stands above its findings."""
    board = standings(project, BoardScope.of(chosen))
    return {"board": board, "settings": board_of(project), "drawings": drawings(board) if board else []}


def answers_of(project: Project) -> list[QuerySet[Any]]:
    return [Answer.objects.filter(configuration__project=project)]


LEADERBOARD = Dashboard(
    area="leaderboard",
    page="leaderboard",
    title=gettext_lazy("Leaderboard"),
    lead=gettext_lazy(
        "Models by their score on a frozen set of questions, with what the questions can and cannot show. "
        "Brackets hold the 95 % interval."
    ),
    empty=gettext_lazy("The board appears here once a question set is frozen and models have answered it."),
    scope=BoardScope,
    own_look=look,
    answers=answers_of,
    tiles=tiles,
    responses="board-radar",
    listed=None,
    row_address=address,
    responses_name=gettext_lazy("Skills of several models"),
    above="reports/leaderboard/above.html",
    shown_above=above,
)
