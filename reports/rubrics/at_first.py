"""Gradings as people first handed them in: the score, and the verdicts on criteria that were there before."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from django.db.models import QuerySet

from projects.models import Project
from reports.dashboard.columns import Integers
from reports.dashboard.first_answers import kept_first
from rubrics.models import Criterion, Grade
from rubrics.scoring.storing import GIVEN
from workflow.models import FirstAnswer

#: The kinds of stages whose answers are gradings.
KINDS = ("scoring", "regrading", "calibration")

L = TypeVar("L", bound=Any)
V = TypeVar("V", bound=Any)


class FirstGrading(NamedTuple):
    """By id of the criterion its weight and whether it counts; `own` the weight of the errors that the grader found."""

    verdicts: Mapping[int, tuple[int, bool]]
    own: int

    def raw(self, chosen: frozenset[int] | None = None) -> int:
        """S_raw; of these criteria alone, which errors that somebody found are never among."""
        given = ((pk, weight) for pk, (weight, counts) in self.verdicts.items() if counts)
        if chosen is None:
            return self.own + sum(weight for _pk, weight in given)
        return sum(weight for pk, weight in given if pk in chosen)


def at_first(project: Project, loaded: L, of_tag: frozenset[int] | None) -> L | None:
    """`reader.Loaded` with first gradings in place of amended ones; None where no grade that counts was amended. One
    statement where there are none.

    A reference whose errors a second person was given stays as it is: that person answered about those errors.
    of_tag  ids of the criteria that scores are of; None for all, with the errors that graders found.
    """
    gradings, grades = gradings_at_first(project), loaded.grades
    if not gradings:
        return None
    built_on = np.isin(grades.response, grades.response[grades.by_human & grades.is_given]) & grades.is_reference
    known = np.isin(grades.id, np.array(list(gradings), dtype=np.int64))
    first = {at: gradings[int(grades.id[at])] for at in np.flatnonzero(known & ~built_on).tolist()}
    if not first:
        return None
    percent = grades.percent.copy()
    for at, grading in first.items():
        percent[at] = 100 * grading.raw(of_tag) / loaded.maximum[grades.response[at]]
    verdicts = _verdicts(first, loaded.verdicts, loaded.criteria.id)
    return replace(loaded, grades=replace(grades, percent=percent), verdicts=verdicts, rounds={}, with_own=None)


def _verdicts(first: Mapping[int, FirstGrading], verdicts: V, criteria: Integers) -> V:
    """`reader.Verdicts`, of these grades (indices) those first given; `criteria` their ids.

    Errors that a grader found at first, and no longer, have no criterion: nobody else was asked about them.
    """
    kept = ~np.isin(verdicts.grade, np.array(list(first), dtype=np.int64))
    place = {pk: at for at, pk in enumerate(criteria.tolist())}
    given = [
        (at, place[pk], counts)
        for at, grading in first.items()
        for pk, (_weight, counts) in grading.verdicts.items()
        if pk in place
    ]
    more = zip(*given, strict=True) if given else ((), (), ())
    columns = zip((verdicts.grade, verdicts.criterion, verdicts.counts), more, strict=True)
    return type(verdicts)(*(np.concatenate((old[kept], np.array(new, dtype=old.dtype))) for old, new in columns))


def gradings_at_first(project: Project, **narrowed: Any) -> dict[int, FirstGrading]:
    """By the id of the grade that stands, of gradings that were amended or sent back since; `narrowed` by conditions on
    the assignment. One statement where there are none."""
    kept = kept_first(project, KINDS, **narrowed)
    bodies = dict(kept.values_list("assignment_id", "body"))
    return dict(_gradings(kept, bodies)) if bodies else {}


def _gradings(
    kept: QuerySet[FirstAnswer], bodies: Mapping[int, Mapping[str, Any]]
) -> Iterator[tuple[int, FirstGrading]]:
    standing = Grade.objects.filter(assignment__first_answer__in=kept).order_by("id")
    named = Criterion.objects.filter(rubric__in=standing.order_by().values("rubric"))
    by_key = {
        (rubric, key): (pk, weight)
        for pk, rubric, key, weight in named.values_list("id", "rubric_id", "key", "weight").iterator()
    }
    for grade, turn, rubric in standing.values_list("id", "assignment_id", "rubric_id"):
        if turn not in bodies:
            continue
        given = bodies[turn]["verdicts"].items()
        known = {by_key[rubric, key]: value in GIVEN for key, value in given if (rubric, key) in by_key}
        verdicts = {pk: (weight, counts) for (pk, weight), counts in known.items()}
        yield grade, FirstGrading(verdicts, sum(one["weight"] for one in bodies[turn]["negatives"]))
