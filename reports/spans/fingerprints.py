"""What state a project's answers are in, setting by setting, told by a few grouped queries.

A fingerprint changes whenever a row it covers is added, removed or changed in anything figures are made of. Sums
over ids catch two rows that swap their values, which counts alone would not.
"""

import hashlib
from collections import defaultdict
from typing import Any

from django.db.models import BigIntegerField, Case, Count, F, Max, Model, Q, Sum, Value, When
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

# What a group of figures may rest on; a group names those it does.
PARTS = ("responses", "answers", "reviews", "gold", "codings", "calls")
# A prime that ids are taken modulo of, so that sums of products stay far below 2 ** 63.
SPREAD = 1009


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


def digest(value: Any) -> str:
    """16 hexadecimal digits that stand for a value of plain types."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def _questions() -> list[tuple[str, type[Model], str, dict[str, Any]]]:
    """Part, model, path to its response, and what is asked of its rows."""
    span = "span__response__"
    places = {"starts": _sum("start"), "ends": _by_id("end"), "categories": _by_id("category_id")}
    codes = {"weights": _coded("criticality", Criticality.values), "types": _coded("error_type", ErrorType.values)}
    links = {
        "groups": _by_id("group_id"),
        "points": Sum(Cast(F("penalty") * 1000, BigIntegerField())),
    }
    unsettled = {"settled": Sum("kept"), "left": Sum(F("open") + F("pending"))}
    return [
        ("responses", Response, "", _rows()),
        (
            "answers",
            Marking,
            "response__",
            _rows() | {"whole": _rows_where(is_complete=True), "turns": _by_id("round")},
        ),
        ("answers", Span, "response__", _rows() | places | codes | links),
        (
            "reviews",
            Review,
            span,
            _rows() | {"said": _coded("verdict", ReviewVerdict.values), "turns": _by_id("round")},
        ),
        ("reviews", Adjudication, span, _rows() | {"kept": _rows_where(is_kept=True)}),
        ("gold", GoldError, "response__", _rows() | places),
        ("gold", GoldAnswer, "response__", {"rows": Count("response_id"), "newest": Max("updated_at")} | unsettled),
        (
            "codings",
            Classification,
            span,
            _rows() | {"categories": _by_id("category_id"), "seen": _rows_where(after_proposal=True)},
        ),
        (
            "calls",
            Call,
            "response__",
            {"rows": Count("id"), "dropped": Count("id", filter=Q(state=CallState.CANCELLED))},
        ),
    ]


def _rows() -> dict[str, Any]:
    return {"rows": Count("id"), "newest": Max("id"), "ids": Sum("id")}


def _rows_where(**condition: Any) -> Sum:
    return Sum("id", filter=Q(**condition), default=0)


def _sum(field: str) -> Sum:
    return Sum(Cast(F(field), BigIntegerField()), default=0)


def _by_id(field: str) -> Sum:
    """A sum that changes when two rows swap what they hold. Whole numbers: a float sum depends on the order."""
    return Sum(Cast(F(field), BigIntegerField()) * (F("id") % SPREAD), default=0)


def _coded(field: str, values: list[str]) -> Sum:
    numbered = [When(**{field: value}, then=Value(number)) for number, value in enumerate(values, start=1)]
    return Sum(Case(*numbered, default=Value(0), output_field=BigIntegerField()) * (F("id") % SPREAD), default=0)


def _shared(project: Project) -> dict[str, Any]:
    """What all settings of a project share: its review rule, its points, its categories' depths and order."""
    categories = list(project.error_categories.order_by("position", "id").values_list("id", "depth"))
    return {
        "answers": (sorted(project.penalties.items()), [pk for pk, _ in categories]),
        "reviews": repr(review_rules([project.pk])[project.pk]),
        "gold": categories,
    }
