"""What state a project's ratings are in, setting by setting, told by a few grouped queries.

People's answers and judges' are told apart, so that a judge's answer leaves what rests on people alone as it was.
There may be a hundred thousand answers, and a page that has nothing new to show waits for these sums alone: each
kind of answer is gone through once, in the order of an index that begins with the variety, and what it holds goes
into one number.
"""

from collections import defaultdict
from typing import Any

from django.db.models import BigIntegerField, Count, F, IntegerField, Q, Sum, Value
from django.db.models.functions import Cast, Coalesce, Length

from annotation.models import Rating, RatingSettings
from judging.models import Call, CallState
from projects.models import Project, RaterKind, Response, ResponsePair
from projects.models.templates import Split
from reports.ratings.loading import KINDS
from reports.states import SPREAD, coded, digest, rows_of

# What a group of figures may rest on; a group names those it does.
PARTS = ("texts", "people", "judges")


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, for every variety with responses."""
    found: dict[int, dict[str, list]] = defaultdict(lambda: {part: [] for part in PARTS})
    for variety, *values in _texts(project):
        found[variety]["texts"].append(values)
    for variety, *sums in _answers(project):
        every, by_judges = sums[:3], sums[3:]
        found[variety]["judges"].append(by_judges)
        found[variety]["people"].append([one - other for one, other in zip(every, by_judges, strict=True)])
    for variety, *values in _calls(project):
        found[variety]["judges"].append(values)
    shared = _shared(project)
    return {
        variety: {part: digest([values, shared[part]]) for part, values in parts.items()}
        for variety, parts in found.items()
    }


def _texts(project: Project) -> list[tuple]:
    """Responses that can be rated and pairs of them; the split of a template may change after prompts were made."""
    splits = {"splits": coded("prompt__template__split", Split.values)} if project.prompt_templates.exists() else {}
    responses = Response.objects.filter(project=project).order_by().values_list("variety")
    pairs = ResponsePair.objects.filter(project=project).order_by().values_list("variety")
    return [*responses.annotate(**rows_of(), **splits), *pairs.annotate(**rows_of())]


def _answers(project: Project) -> list[tuple]:
    """Variety; number, sum of ids and sum of contents of all answers, and of those by judges; without checks."""
    judges = list(project.raters.filter(kind=RaterKind.JUDGE).values_list("id", flat=True))
    sums: dict[str, Any] = {}
    for name, chosen in (("every", None), ("judged", Q(rater__in=judges))):
        sums |= {
            f"{name}_rows": Count("id", filter=chosen),
            f"{name}_ids": Sum("id", filter=chosen, default=0),
            f"{name}_said": Sum(_content() * (F("id") % SPREAD), filter=chosen, default=0),
        }
    return [
        row
        for subject in ("pair", "response")
        for row in Rating.objects.filter(**{f"{subject}__project": project}, is_check=False)
        .order_by()
        .values_list(f"{subject}__variety")
        .annotate(**sums)
    ]


def _calls(project: Project) -> list[tuple]:
    """What judges were asked, and what of it was dropped: an answer that never came is counted beside the others."""
    calls = Call.objects.filter(run__project=project, judge__kind__in=KINDS).order_by()
    dropped = Count("id", filter=Q(state=CallState.CANCELLED))
    return list(calls.values_list("response__variety").annotate(rows=Count("id"), dropped=dropped))


def _content() -> Any:
    """One whole number of all that an answer says; hundredths, for grades may be expected values."""
    grades = Coalesce(F("first_grade"), Value(-1.0)) * 100 + Coalesce(F("second_grade"), Value(-1.0)) * 70_700
    swapped, unread = (Cast(name, IntegerField()) for name in ("is_swapped", "is_unparseable"))
    return (
        Cast(grades, BigIntegerField())
        # No two preferences are called by words of the same length.
        + Length("preference") * 7
        + F("round") * 31
        + swapped * 13
        + unread * 17
        + F("rater_id") * 3
    )


def _shared(project: Project) -> dict[str, Any]:
    """What all settings share: scales, who is an expert, the rule of gold, and what an unreadable verdict counts as."""
    chosen = RatingSettings.objects.filter(project=project).first() or RatingSettings()
    questions = project.question_types.order_by("id").values_list("id", "dimension_id", "lowest", "highest")
    experts = project.raters.filter(is_expert=True).order_by("id").values_list("id", flat=True)
    return {
        "texts": list(questions),
        "people": (str(chosen.gold_rule), list(experts)),
        "judges": str(chosen.unparseable),
    }
