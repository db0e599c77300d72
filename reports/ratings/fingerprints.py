"""What state a project's ratings are in, setting by setting, told by a few grouped queries.

People's answers and judges' are told apart, so that a judge's answer leaves what rests on people alone as it was.
"""

from collections import defaultdict
from typing import Any

from django.db.models import BigIntegerField, Case, F, Sum, Value, When
from django.db.models.functions import Cast

from annotation.models import Preference, Rating, RatingSettings
from projects.models import Project, RaterKind, Response, ResponsePair
from projects.models.templates import Split
from reports.states import SPREAD, by_id, coded, digest, rows_of, rows_where

# What a group of figures may rest on; a group names those it does.
PARTS = ("texts", "people", "judges")


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, for every variety with ratings or pairs."""
    found: dict[int, dict[str, list]] = defaultdict(lambda: {part: [] for part in PARTS})
    for variety, *values in _texts(project):
        found[variety]["texts"].append(values)
    for part, variety, *values in _answers(project):
        found[variety][part].append(values)
    shared = _shared(project)
    return {
        variety: {part: digest([values, shared[part]]) for part, values in parts.items()}
        for variety, parts in found.items()
    }


def _texts(project: Project) -> list[tuple]:
    """Responses that can be rated and pairs of them; the split of a template may change after prompts were made."""
    splits = {"splits": coded("prompt__template__split", Split.values)}
    responses = Response.objects.filter(project=project).order_by().values_list("variety").annotate(**rows_of(), **splits)
    pairs = ResponsePair.objects.filter(project=project).order_by().values_list("variety").annotate(**rows_of())
    return [*responses, *pairs]


def _answers(project: Project) -> list[tuple]:
    """Part, variety and marks of answers, those to checks left out."""
    part = Case(When(rater__kind=RaterKind.HUMAN, then=Value("people")), default=Value("judges"))
    marks = rows_of() | {
        "first": by_hundredths("first_grade"),
        "second": by_hundredths("second_grade"),
        "said": coded("preference", Preference.values),
        "rounds": by_id("round"),
        "swapped": rows_where(is_swapped=True),
        "unread": rows_where(is_unparseable=True),
    }
    found = []
    for subject in ("pair", "response"):
        rows = Rating.objects.filter(**{f"{subject}__project": project}, is_check=False).order_by()
        found += rows.annotate(part=part).values_list("part", f"{subject}__variety").annotate(**marks)
    return found


def by_hundredths(field: str) -> Sum:
    """As `by_id`, of grades that may be fractions where they are expected values."""
    return Sum(Cast(F(field) * 100, BigIntegerField()) * (F("id") % SPREAD), default=0)


def _shared(project: Project) -> dict[str, Any]:
    """What all settings share: scales, who is an expert, the rule of gold, and what an unreadable verdict counts as."""
    chosen = RatingSettings.objects.filter(project=project).first() or RatingSettings()
    questions = project.question_types.order_by("id").values_list("id", "dimension_id", "lowest", "highest")
    experts = project.raters.filter(is_expert=True).order_by("id").values_list("id", flat=True)
    return {
        "texts": list(questions),
        "people": (chosen.gold_rule, list(experts)),
        "judges": chosen.unparseable,
    }
