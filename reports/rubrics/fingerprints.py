"""What state a project's grades are in, setting by setting, told by a few grouped queries.

People's grades and judges' are told apart, so that a judge's new grade leaves what rests on people alone as it was.
"""

from collections import defaultdict
from typing import Any

from django.db.models import Count, Model, Q

from judging.models import Call, CallState
from projects.models import Project, RaterKind, Response
from reports.rubrics.loading import JUDGE_KIND, REFUSED, UNREADABLE
from reports.states import by_id, coded, digest, rows_of, rows_where
from rubrics.models import Criterion, FailureType, Grade, GradeRole, Rubric, Scope, Verdict, VerdictValue

# What a group of figures may rest on; a group names those it does.
PARTS = ("responses", "people", "judges", "errors", "verdicts", "verdicts_of_judges", "calls", "speakers")


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, for every variety with responses to a prompt with a rubric."""
    found: dict[int, dict[str, list]] = defaultdict(lambda: {part: [] for part in PARTS})
    for part, model, path, condition, marks in _questions(project):
        rows = model._default_manager.filter(condition, **{f"{path}project": project}).order_by()
        for variety, *values in rows.values_list(f"{path}variety").annotate(**marks):
            found[variety][part].append((model.__name__, *values))
    shared = _shared(project)
    return {
        variety: {part: digest([values, shared.get(part)]) for part, values in parts.items()}
        for variety, parts in found.items()
        if parts["responses"]
    }


def _questions(project: Project) -> list[tuple[str, type[Model], str, Q, dict[str, Any]]]:
    """Part, model, path to its response, which rows, and what is asked of them."""
    by_people, by_judges = Q(rater__kind=RaterKind.HUMAN), Q(rater__kind=RaterKind.JUDGE)
    with_rubric = Q(prompt__in=Rubric.objects.filter(project=project, frozen_at__isnull=False).values("prompt"))
    grades = rows_of() | {
        "points": by_id("raw"),
        "maxima": by_id("maximum"),
        "rounds": by_id("round"),
        "whole": rows_where(is_complete=True),
        "roles": coded("role", GradeRole.values),
        "rubrics": by_id("rubric_id"),
    }
    said = rows_of() | {"said": coded("value", VerdictValue.values)}
    of_calls = {
        "rows": Count("id"),
        "dropped": Count("id", filter=Q(state=CallState.CANCELLED)),
        "refused": rows_where(state__in=REFUSED),
        "unread": rows_where(state__in=UNREADABLE),
    }
    return [
        ("responses", Response, "", with_rubric, rows_of()),
        ("people", Grade, "response__", by_people, grades),
        ("judges", Grade, "response__", by_judges, grades),
        (
            "errors",
            Criterion,
            "response__",
            Q(),
            rows_of() | {"types": coded("failure_type", FailureType.values), "grades": by_id("grade_id")},
        ),
        ("verdicts", Verdict, "grade__response__", Q(grade__rater__kind=RaterKind.HUMAN), said),
        ("verdicts_of_judges", Verdict, "grade__response__", Q(grade__rater__kind=RaterKind.JUDGE), said),
        ("calls", Call, "response__", Q(judge__kind=JUDGE_KIND), of_calls),
    ]


def _shared(project: Project) -> dict[str, Any]:
    """What all settings share: versions and domains of the rubrics, and who speaks what.

    A frozen rubric never changes, so its id stands for its criteria.
    """
    rubrics = Rubric.objects.filter(project=project).aggregate(
        **rows_of(), scopes=coded("scope", Scope.values), frozen=rows_where(frozen_at__isnull=False)
    )
    speakers = project.raters.filter(kind=RaterKind.HUMAN, varieties__isnull=False).order_by("id", "varieties")
    return {
        "responses": sorted(rubrics.items()),
        "speakers": list(speakers.values_list("id", "varieties")),
    }
