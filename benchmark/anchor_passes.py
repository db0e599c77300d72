"""What anchor answers show of each judge: how far it has moved since its first pass over them, and in which passes it
had moved too far. What a judge scored in such a pass has no rank (docs/leaderboard.md)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Max, Min, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from agreement.drift import DRIFTED, STEADY, Drift, drift
from agreement.figures import Figure
from agreement.ranks import mean_score
from benchmark.models import (
    DRIFT_LIMIT,
    AcceptedDrift,
    Board,
    ConfigurationKind,
    QuestionSet,
    RuleScore,
    RuleUse,
)
from formats.limits import MAX_COMMENT
from projects import audit
from projects.models import Project, RaterKind, User
from projects.problems import Invalid, Problem
from projects.stored_text import read_text


class Anchor(NamedTuple):
    """An anchor answer and the hash of what a score of it depends on."""

    answer: int
    target: str


@dataclass(frozen=True, slots=True)
class AnchorPass:
    """One pass of a judge over the anchors.

    begun_at  when its first score was stored. runs  whose scores stand in it, as their rows name them.
    drift     against the judge's baseline: each anchor's first score, or that of the pass a lead accepted; None where
              there is nothing to compare.
    is_off    the judge had drifted: from a pass that shows it until one that shows it steady.
    """

    number: int
    begun_at: datetime
    runs: frozenset[str]
    drift: Drift | None
    is_off: bool


@dataclass(frozen=True, slots=True)
class AnchorFigures:
    """What the anchors show of one judge.

    rater     its id.  course: its passes with scores of anchors, in their order.
    accepted  the newest pass that a lead accepted, 0 for none.
    drift     of the newest pass, in points; None before the second.
    error     mean of newest score less expected points, of the anchors for which somebody said some.
    """

    rater: int
    course: tuple[AnchorPass, ...]
    accepted: int
    drift: Drift | None
    error: Figure

    @property
    def passes(self) -> int:
        return len(self.course)

    @property
    def newest(self) -> AnchorPass:
        return self.course[-1]

    @property
    def was_off(self) -> bool:
        return any(one.is_off for one in self.course)


@dataclass(slots=True)
class _Given:
    """The scores of one judge by pass, and where those of each pass came from."""

    values: dict[int, dict[Anchor, float]] = field(default_factory=lambda: defaultdict(dict))
    begun: dict[int, datetime] = field(default_factory=dict)
    runs: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))


def anchor_scores(project: Project) -> QuerySet[RuleScore]:
    return RuleScore.objects.filter(
        answer__configuration__project=project,
        answer__configuration__kind=ConfigurationKind.ANCHOR,
        rater__kind=RaterKind.JUDGE,
        value__isnull=False,
    )


def limit_of(project: Project) -> float:
    """Points beyond which a judge has drifted."""
    return Board.objects.filter(project=project).aggregate(limit=Max("drift_limit"))["limit"] or DRIFT_LIMIT


def anchor_figures(project: Project, limit: float | None = None) -> dict[int, AnchorFigures]:
    """By judge's rater. Three statements.

    limit  points beyond which a judge has drifted: that of the project's board, where left out.

    Compared are the scores of each anchor in the judge's first pass that has one and in a later one, with questions as
    clusters. An anchor that the later pass lacks is unscored; one that only the later has says nothing yet.
    """
    limit = limit_of(project) if limit is None else limit
    columns = ("rater_id", "round", "answer_id", "target_sha256", "value", "answer__prompt_id")
    given: dict[int, _Given] = defaultdict(_Given)
    prompts: dict[int, int] = {}
    expected: dict[int, float] = {}
    rows = anchor_scores(project).order_by("rater", "round")
    more = ("created_at", "metadata", "answer__response__metadata")
    for rater, number, answer, target, value, prompt, at, origin, metadata in rows.values_list(*columns, *more):
        of_judge = given[rater]
        of_judge.values[number][Anchor(answer, target)] = value
        of_judge.begun[number] = min(at, of_judge.begun.get(number, at))
        if run := origin.get("run"):
            of_judge.runs[number].add(run)
        prompts[answer] = prompt
        if (points := metadata.get("anchor", {}).get("expected")) is not None:
            expected[answer] = points
    accepted: dict[int, int] = {}
    for rater, number in AcceptedDrift.objects.filter(project=project).values_list("rater_id", "anchor_pass"):
        accepted[rater] = max(number, accepted.get(rater, 0))
    return {
        rater: figures_of(rater, of_judge, prompts, expected, limit, accepted.get(rater, 0))
        for rater, of_judge in given.items()
    }


def figures_of(
    rater: int,
    given: _Given,
    prompts: Mapping[int, int],
    expected: Mapping[int, float],
    limit: float,
    accepted: int,
) -> AnchorFigures:
    course: list[AnchorPass] = []
    first: dict[Anchor, float] = {}
    baseline: dict[Anchor, float] = {}  # what later passes are compared with, where a lead accepted one
    is_off = False
    for number in sorted(given.values):
        scores = given.values[number]
        is_accepted = number <= accepted
        found = compared(first if is_accepted or not accepted else baseline, scores, prompts, limit)
        state = found.state if found else ""
        is_off = not is_accepted and (state == DRIFTED or (is_off and state != STEADY))
        first = {**scores, **first}
        baseline = {**baseline, **scores} if is_accepted else {**scores, **baseline}
        runs = frozenset(given.runs.get(number, ()))
        course.append(AnchorPass(number, given.begun[number], runs, found, is_off))
    newest = given.values[course[-1].number]
    said = [anchor for anchor in newest if anchor.answer in expected]
    error = mean_score(
        [newest[anchor] - expected[anchor.answer] for anchor in said], clusters(said, prompts) if said else None
    )
    return AnchorFigures(rater, tuple(course), accepted, course[-1].drift, error)


def compared(
    baseline: Mapping[Anchor, float], scores: Mapping[Anchor, float], prompts: Mapping[int, int], limit: float
) -> Drift | None:
    if not baseline:
        return None
    anchors = sorted(baseline)
    return drift(
        [baseline[anchor] for anchor in anchors],
        [scores.get(anchor, np.nan) for anchor in anchors],
        clusters(anchors, prompts),
        limit=limit,
    )


def clusters(anchors: Sequence[Anchor], prompts: Mapping[int, int]) -> list[int]:
    return [prompts[anchor.answer] for anchor in anchors]


# --- What pauses -----------------------------------------------------------------------------------------------------


def scored_while_off(figures: AnchorFigures, question_set: QuestionSet) -> set[int]:
    """The configurations of which a score of this judge that counts, the newest of a use of a rule in this version,
    was given while it had drifted.

    A score belongs to the pass of its run; one that no such run gave (it came in by a file, or the run's anchors all
    failed) to the last pass that had begun when it was stored. Two statements, or none where the judge never drifted.
    """
    if not figures.was_off:
        return set()
    rows = newest_scores(figures.rater, question_set)
    pass_of = {run: one for one in figures.course for run in one.runs}
    paused, unknown = set(), []
    groups = rows.values_list("answer__configuration_id", "metadata__run").order_by()
    for configuration, run, first, last in groups.annotate(first=Min("created_at"), last=Max("created_at")):
        if run in pass_of:
            if pass_of[run].is_off:
                paused.add(configuration)
        elif any(begin <= last and (end is None or first < end) for begin, end in times_off(figures)):
            unknown.append(configuration)
    unknown = [configuration for configuration in unknown if configuration not in paused]
    if unknown:
        within = Q()
        for begin, end in times_off(figures):
            within |= Q(created_at__gte=begin) & (Q() if end is None else Q(created_at__lt=end))
        at_that_time = rows.filter(within).values_list("answer__configuration_id", "metadata__run")
        paused |= {configuration for configuration, run in at_that_time.distinct().order_by() if run not in pass_of}
    return paused


def newest_scores(rater: int, question_set: QuestionSet) -> QuerySet[RuleScore]:
    """This judge's newest score of every use of a rule in this version, of all but anchors."""
    uses = RuleUse.objects.filter(question__question_set=question_set)
    same = RuleScore.objects.filter(
        answer=OuterRef("answer"), target_sha256=OuterRef("target_sha256"), rater=rater
    ).order_by("-round")
    rows = RuleScore.objects.filter(
        rater=rater,
        target_sha256__in=uses.values("target_sha256"),
        answer__configuration__project=question_set.project_id,
    )
    rows = rows.exclude(answer__configuration__kind=ConfigurationKind.ANCHOR)
    return rows.filter(round=Subquery(same.values("round")[:1]))


def times_off(figures: AnchorFigures) -> Iterable[tuple[datetime, datetime | None]]:
    """From when until when the judge had drifted; None: it still has."""
    ends = [one.begun_at for one in figures.course[1:]]
    for one, end in zip(figures.course, [*ends, None], strict=True):
        if one.is_off:
            yield one.begun_at, end


# --- What a lead decides ---------------------------------------------------------------------------------------------


def accept_drift(project: Project, rater: int, reason: str, by: User | None = None) -> AcceptedDrift:
    """Take the judge as its newest pass shows it, with the reason, which the audit log keeps. Raises Invalid where it
    has not drifted or nothing is said."""
    figures = anchor_figures(project).get(rater)
    if figures is None or not figures.was_off:
        raise Invalid(Problem("not_drifted", _("This judge has not drifted: nothing was accepted.")))
    problems: list[Problem] = []
    said_why = read_text(reason, MAX_COMMENT, "reason", problems).strip()
    if not said_why and not problems:
        problems.append(Problem("required", _("Say why the judge is taken as it is now."), "reason"))
    if problems:
        raise Invalid(problems)
    accepted, is_new = AcceptedDrift.objects.get_or_create(
        project=project,
        rater_id=rater,
        anchor_pass=figures.newest.number,
        defaults={"reason": said_why, "accepted_by": by},
    )
    if is_new:
        shift = figures.drift.shift.value if figures.drift else None
        said: dict[str, Any] = {"anchor_pass": accepted.anchor_pass, "shift": shift, "reason": accepted.reason}
        audit.record("judge.drift_accepted", actor=by, project=project, subject=accepted.rater.name, **said)
    return accepted
