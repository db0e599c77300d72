"""What tables of a board share: names of models, their rank in figures, and the recipe."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Figure, Recipe
from agreement.ranks import FLIPS
from benchmark.models import FlagKind
from projects.enumeration import in_parts
from reports.dashboard.cache import code_version
from reports.leaderboard.reader import Entry
from reports.leaderboard.scope import SIZES
from reports.leaderboard.scores import INTERVAL
from reports.leaderboard.standings import Study

SIZE_NAMES = dict(SIZES)


def size_name(size: str) -> str:
    """The class with its limits; "" of a baseline."""
    return str(SIZE_NAMES.get(size, ""))


def flag_names(kinds: Sequence[str]) -> list[str]:
    return [str(FlagKind(kind).label) for kind in kinds]


def name_of(entry: Entry) -> str:
    """The configuration, with what must be said beside it."""
    said = [*flag_names(entry.flags), *([_("pending")] if entry.is_pending else [])]
    return f"{entry.shown_name} ({in_parts(said)})" if said else entry.shown_name


def rank_figures(rank: tuple[int, int] | None, reason: str, n: int) -> tuple[Figure, Figure]:
    """The best and the worst rank of a set; undefined for the reason."""
    if rank is None:
        none = Figure.without_value(reason or "no items")
        return none, none
    return Figure(float(rank[0]), n), Figure(float(rank[1]), n)


def recipe(study: Study, metric: str, state: str, filters: dict[str, str], **settings: Any) -> Recipe:
    question_set = study.loaded.question_set
    judges = [study.loaded.judges[judge].name for judge in study.panel.judges if judge in study.loaded.judges]
    return Recipe(
        metric,
        n_items=len(study.loaded.questions),
        n_raters=len(judges),
        settings={
            "question_set": str(question_set),
            "sha256": question_set.sha256,
            "judges": judges,
            "interval_of_points": INTERVAL,
            **settings,
        },
        filters=filters,
        code_version=code_version(),
        data_snapshot=state,
        extras={"canary": str(question_set.canary)},
    )


RANKS = {"ranks": f"simultaneous sign flips over units, {FLIPS} flips, 95 %", "seed": 0}
