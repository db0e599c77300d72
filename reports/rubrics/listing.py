"""The graded responses behind a figure: those its filters select, the widest miss of a judge first."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from projects.models import LanguageVariety, Project, Response
from reports.dashboard.listing import Judged, number_or_none
from reports.rubrics.reader import Loaded, fingerprints, load
from reports.rubrics.scope import RubricScope
from reports.rubrics.tags import newest_rubrics


@dataclass(frozen=True)
class JudgeSays(Judged):
    """One judge's score of a response, in percent, and its distance from the person's; None without one."""

    percent: float
    error: float | None


@dataclass
class Line:
    """One response of the list. `waiting` counts judges that were asked and have given no complete grade."""

    response: Response
    domain: str
    human: float | None
    judged: list[JudgeSays] = field(default_factory=list)
    waiting: int = 0


@dataclass(frozen=True)
class Selection:
    """Ids of the responses in order, and the scores they were ordered by."""

    ids: list[int]
    loaded: Loaded


def selected(project: Project, chosen: Mapping[str, str]) -> Selection:
    """Responses with a frozen rubric, as chosen.

    variety, domain, model, tag  of the response and its rubric; judge  graded by it; rater  graded by this person;
    failure  with such an error in somebody's grade.
    """
    scope = RubricScope.of(RubricScope.known(chosen))
    varieties = LanguageVariety.objects.filter(pk__in=fingerprints(project)).order_by("id")
    if scope.variety:
        varieties = varieties.filter(tag=scope.variety)
    loaded = load(project, list(varieties.values_list("id", flat=True)), scope, with_verdicts=False)
    responses, grades = loaded.responses, loaded.grades
    by_judge = np.flatnonzero(~grades.by_human)
    error = np.abs(grades.percent[by_judge] - loaded.human[grades.response[by_judge]])
    widest = np.full(len(responses), -1.0)
    np.maximum.at(widest, grades.response[by_judge], np.nan_to_num(error, nan=-1.0))
    is_selected = np.ones(len(responses), dtype=bool)
    if scope.judge:
        is_selected &= np.isin(np.arange(len(responses)), grades.response[by_judge])
    for name, path in (("rater", "grades__rater__pseudonym"), ("failure", "negative_criteria__failure_type")):
        if name in chosen:
            of_these = Response.objects.filter(project=project, **{path: chosen[name]})
            is_selected &= np.isin(responses.id, list(of_these.values_list("id", flat=True)))
    rows = np.flatnonzero(is_selected)
    rows = rows[np.lexsort((responses.id[rows], -widest[rows]))]
    return Selection(responses.id[rows].tolist(), loaded)


def lines(project: Project, selection: Selection, ids: list[int]) -> list[Line]:
    """A line for each of these ids, in their order. Three queries, however many there are."""
    loaded = selection.loaded
    responses = Response.objects.select_related("variety", "target_model").in_bulk(ids)
    rubrics = newest_rubrics(project).filter(prompt__in={response.prompt_id for response in responses.values()})
    domains = {rubric.prompt_id: rubric.get_scope_display() for rubric in rubrics.only("prompt_id", "scope")}
    raters = project.raters.in_bulk(list(loaded.judges))
    human = loaded.human
    made = []
    for pk in ids:
        at = int(np.searchsorted(loaded.responses.id, pk))
        score = number_or_none(human[at])
        line = Line(responses[pk], domains.get(responses[pk].prompt_id, ""), score)
        for grade in np.flatnonzero((loaded.grades.response == at) & ~loaded.grades.by_human):
            percent = float(loaded.grades.percent[grade])
            error = None if score is None else percent - score
            line.judged.append(JudgeSays(raters[int(loaded.grades.rater[grade])], percent, error))
        line.judged.sort(key=lambda one: one.rater.name)
        line.waiting = sum(bool(asked.planned[at] and not asked.scored[at]) for asked in loaded.judges.values())
        made.append(line)
    return made
