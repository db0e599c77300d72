"""What state a project's answers are in, setting by setting, told by a few grouped queries.

A fingerprint changes whenever a row it covers is added, removed or changed in anything figures are made of.
"""

from collections import defaultdict
from typing import Any

from django.db.models import BigIntegerField, Count, F, Max, Model, Q, Sum
from django.db.models.functions import Cast

from annotation.models import (
    Adjudication,
    Classification,
    Criticality,
    ErrorType,
    GoldAnswer,
    GoldError,
    Marking,
    Review,
    ReviewVerdict,
    Span,
)
from annotation.settlement import review_rules
from judging.models import Call, CallState
from projects.models import Project, Response
from reports.states import by_id, coded, digest, rows_of, rows_where, summed

# What a group of figures may rest on; a group names those it does.
PARTS = ("responses", "answers", "reviews", "gold", "codings", "calls")


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, for every variety with responses."""
    found: dict[int, dict[str, list]] = defaultdict(lambda: {part: [] for part in PARTS})
    for part, model, path, marks in _questions():
        rows = model._default_manager.filter(**{f"{path}project": project}).order_by()
        for variety, *values in rows.values_list(f"{path}variety").annotate(**marks):
            found[variety][part].append((model.__name__, *values))
    shared = _shared(project)
    return {
        variety: {part: digest([values, shared.get(part)]) for part, values in parts.items()}
        for variety, parts in found.items()
    }


def _questions() -> list[tuple[str, type[Model], str, dict[str, Any]]]:
    """Part, model, path to its response, and what is asked of its rows."""
    span = "span__response__"
    places = {"starts": summed("start"), "ends": by_id("end"), "categories": by_id("category_id")}
    codes = {"weights": coded("criticality", Criticality.values), "types": coded("error_type", ErrorType.values)}
    links = {
        "groups": by_id("group_id"),
        "points": Sum(Cast(F("penalty") * 1000, BigIntegerField())),
    }
    unsettled = {"settled": Sum("kept"), "left": Sum(F("open") + F("pending"))}
    return [
        ("responses", Response, "", rows_of()),
        (
            "answers",
            Marking,
            "response__",
            rows_of() | {"whole": rows_where(is_complete=True), "turns": by_id("round")},
        ),
        ("answers", Span, "response__", rows_of() | places | codes | links),
        (
            "reviews",
            Review,
            span,
            rows_of() | {"said": coded("verdict", ReviewVerdict.values), "turns": by_id("round")},
        ),
        ("reviews", Adjudication, span, rows_of() | {"kept": rows_where(is_kept=True)}),
        ("gold", GoldError, "response__", rows_of() | places),
        ("gold", GoldAnswer, "response__", {"rows": Count("response_id"), "newest": Max("updated_at")} | unsettled),
        (
            "codings",
            Classification,
            span,
            rows_of() | {"categories": by_id("category_id"), "seen": rows_where(after_proposal=True)},
        ),
        (
            "calls",
            Call,
            "response__",
            {"rows": Count("id"), "dropped": Count("id", filter=Q(state=CallState.CANCELLED))},
        ),
    ]


def _shared(project: Project) -> dict[str, Any]:
    """What all settings of a project share: its review rule, its points, its categories' depths and order."""
    categories = list(project.error_categories.order_by("position", "id").values_list("id", "depth"))
    return {
        "answers": (sorted(project.penalties.items()), [pk for pk, _ in categories]),
        "reviews": repr(review_rules([project.pk])[project.pk]),
        "gold": categories,
    }
