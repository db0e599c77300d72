"""Judges of a board whose anchors show that they have drifted, and whose ranks pause for it."""

from collections import defaultdict
from dataclasses import dataclass

from agreement.figures import Figure
from benchmark.anchor_passes import AnchorFigures, anchor_figures, limit_of, scored_while_off
from judging.models import PanelMember
from reports.leaderboard.reader import Loaded
from reports.leaderboard.scores import Panel

NO_PASS = Figure.without_value("no items")


@dataclass(frozen=True)
class DriftedJudge:
    """shift   of its newest pass over the anchors, in points; > 0 is more lenient. limit  of the board.
    is_now  whether it has drifted still; else it had for a while, and what it scored then is what pauses.
    paused  the configurations that it scored meanwhile, by id."""

    rater: int
    name: str
    shift: Figure
    limit: float
    is_now: bool
    paused: frozenset[int]


def drifted_judges(loaded: Loaded, panel: Panel) -> tuple[DriftedJudge, ...]:
    """Of the judges that count, and of the members of those that are panels. Four statements and two for each judge
    that drifted."""
    if not panel.judges:
        return ()
    project = loaded.question_set.project
    found = anchor_figures(project)
    if not any(figures.was_off for figures in found.values()):
        return ()
    limit = limit_of(project)
    members: dict[int, list[int]] = defaultdict(list)
    for of_panel, member in PanelMember.objects.filter(panel__project=project).values_list("panel__rater", "rater"):
        members[of_panel].append(member)
    names = dict(project.raters.values_list("pk", "name"))
    asked = dict.fromkeys(rater for judge in panel.judges for rater in members.get(judge, [judge]))
    drifted = (drifted_judge(found[rater], names[rater], limit, loaded) for rater in asked if rater in found)
    return tuple(judge for judge in drifted if judge.is_now or judge.paused)


def drifted_judge(figures: AnchorFigures, name: str, limit: float, loaded: Loaded) -> DriftedJudge:
    shift = figures.drift.shift if figures.drift else NO_PASS
    paused = frozenset(scored_while_off(figures, loaded.question_set))
    return DriftedJudge(figures.rater, name, shift, limit, figures.newest.is_off, paused)
