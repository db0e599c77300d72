"""The one way a grade reaches the database, whether a person, a judge or an import gave it."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from django.db import transaction
from django.utils import timezone

from agreement.rubrics import score
from projects.insertion import as_json, insert_rows
from projects.models import Rater, Response
from rubrics.models import Criterion, Grade, Rubric, Verdict, VerdictValue
from workflow.models import Assignment

# In the order of `_grade_row`.
GRADE_FIELDS = (
    "response",
    "rubric",
    "rater",
    "round",
    "role",
    "assignment",
    "raw",
    "maximum",
    "is_complete",
    "comment",
    "metadata",
    "created_at",
)
# In the order of `_criterion_row`.
CRITERION_FIELDS = (
    "rubric",
    "response",
    "grade",
    "key",
    "position",
    "text",
    "weight",
    "objectivity",
    "explicitness",
    "tags",
    "failure_type",
    "start",
    "end",
    "quote",
)
VERDICT_FIELDS = ("grade", "criterion", "value", "justification")
# The criterion's weight counts under these.
GIVEN = frozenset({VerdictValue.PASS.value, VerdictValue.PRESENT.value})


@dataclass(slots=True)
class NegativeData:
    """An error the grader found in the response: a negative criterion of their own, present by their word.

    `weight` is below 0. `start` and `end` are half-open code points of the response, None with an empty quote
    where it points at no words. `key` is unique in its rubric; `free_keys` gives new ones where they are taken.
    """

    key: str
    text: str
    weight: int
    failure_type: str
    objectivity: str
    explicitness: str
    start: int | None = None
    end: int | None = None
    quote: str = ""
    justification: str = ""


class Weighed(Protocol):
    """What of a criterion is needed to weigh a verdict on it: a row, or no more than this where thousands come."""

    @property
    def pk(self) -> int: ...
    @property
    def weight(self) -> int: ...


@dataclass(slots=True)
class VerdictData:
    """What is said of a criterion that was there before the grade: "pass", "fail", "present" or "absent"."""

    criterion: Weighed
    value: str
    justification: str = ""


@dataclass(slots=True)
class GradeData:
    """One rater's checked answer on one response.

    `verdicts` are about the rubric's criteria and the errors of others this grader was asked about;
    `negatives` are the grader's own. `role` is one of rubrics.models.GradeRole. What is not complete has no score.
    """

    response: Response
    rubric: Rubric
    rater: Rater
    role: str
    verdicts: Sequence[VerdictData]
    negatives: Sequence[NegativeData] = ()
    round: int = 1
    is_complete: bool = True
    assignment: Assignment | None = None
    comment: str = ""
    metadata: dict = field(default_factory=dict)
    # When it was given, where that was elsewhere; else it is given now.
    created_at: datetime | None = None


class Incomplete(ValueError):
    """A grade said to be complete leaves a criterion of its rubric without a verdict."""


def store_grades(grades: Sequence[GradeData]) -> list[Grade]:
    """Write grades with their negative criteria and verdicts, all or none; return the rows in the same order.

    S_raw and S_max are computed here, for every rater by the same sum. The statements do not grow with the grades.
    The data is taken as checked. Raises Incomplete where a complete grade leaves out a criterion of its rubric, and
    IntegrityError for what the database itself guards (the rubric is frozen and of the response's prompt, one
    grade a rater and round, one reference, a quote at its place, verdicts that fit); nothing is stored then.
    """
    now = timezone.now()
    with transaction.atomic():
        written = _written_before({data.rubric.pk for data in grades})
        rows = [_grade(data, written[data.rubric.pk], now) for data in grades]
        insert_rows(Grade, GRADE_FIELDS, [_grade_row(grade) for grade in rows])
        stored = Grade.objects.filter(response__in={data.response.pk for data in grades})
        places = stored.values_list("id", "response_id", "rater_id", "rubric_id", "round")
        ids = {tuple(place): pk for pk, *place in places}
        for grade in rows:
            grade.pk = ids[grade.response_id, grade.rater_id, grade.rubric_id, grade.round]
            grade._state.adding = False
        pairs = list(zip(rows, grades, strict=True))
        insert_rows(Criterion, CRITERION_FIELDS, [row for grade, data in pairs for row in _criterion_rows(grade, data)])
        own = _own_criteria(rows) if any(data.negatives for data in grades) else {}
        insert_rows(Verdict, VERDICT_FIELDS, [row for grade, data in pairs for row in _verdict_rows(grade, data, own)])
    return rows


def free_keys(rubric: Rubric, negatives: Iterable[NegativeData]) -> None:
    """A criterion's key is unique in its rubric; where someone else chose the same, ours gets a new one."""
    chosen = list(negatives)
    taken = set(rubric.criteria.filter(key__in=[negative.key for negative in chosen]).values_list("key", flat=True))
    for negative in chosen:
        if negative.key in taken:
            negative.key = str(uuid.uuid4())


def _written_before(rubrics: set[int]) -> dict[int, set[int]]:
    """Ids of the criteria that stand in each rubric."""
    criteria: dict[int, set[int]] = defaultdict(set)
    for rubric, criterion in Criterion.objects.filter(rubric__in=rubrics, grade=None).values_list("rubric_id", "id"):
        criteria[rubric].add(criterion)
    return criteria


def _grade(data: GradeData, written: set[int], now: datetime) -> Grade:
    raw, maximum = _points(data, written) if data.is_complete else (None, None)
    return Grade(
        response=data.response,
        rubric=data.rubric,
        rater=data.rater,
        round=data.round,
        role=data.role,
        assignment=data.assignment,
        raw=raw,
        maximum=maximum,
        is_complete=data.is_complete,
        comment=data.comment,
        metadata=data.metadata,
        created_at=data.created_at or now,
    )


def _points(data: GradeData, written: set[int]) -> tuple[int, int]:
    given = {verdict.criterion.pk: verdict.value in GIVEN for verdict in data.verdicts}
    if not written <= given.keys():
        raise Incomplete("a complete grade has a verdict on every criterion of its rubric")
    weights = {verdict.criterion.pk: verdict.criterion.weight for verdict in data.verdicts}
    own = [negative.weight for negative in data.negatives]
    reached = score([*weights.values(), *own], [*(given[pk] for pk in weights), *[True] * len(own)])
    return int(reached.raw), int(reached.maximum)


def _own_criteria(grades: Sequence[Grade]) -> dict[tuple[int, str], int]:
    """Ids of the negative criteria just written, by grade and key."""
    own = Criterion.objects.filter(grade__in=[grade.pk for grade in grades])
    return {(grade, key): pk for pk, grade, key in own.values_list("id", "grade_id", "key")}


def _grade_row(grade: Grade) -> tuple:
    return (
        grade.response_id,
        grade.rubric_id,
        grade.rater_id,
        grade.round,
        str(grade.role),
        grade.assignment_id,
        grade.raw,
        grade.maximum,
        grade.is_complete,
        grade.comment,
        as_json(grade.metadata),
        grade.created_at,
    )


def _criterion_rows(grade: Grade, data: GradeData) -> list[tuple]:
    return [
        (
            grade.rubric_id,
            grade.response_id,
            grade.pk,
            negative.key,
            position,
            negative.text,
            negative.weight,
            str(negative.objectivity),
            str(negative.explicitness),
            as_json([]),
            str(negative.failure_type),
            negative.start,
            negative.end,
            negative.quote,
        )
        for position, negative in enumerate(data.negatives, start=1)
    ]


def _verdict_rows(grade: Grade, data: GradeData, own: dict[tuple[int, str], int]) -> list[tuple]:
    asked = [(grade.pk, given.criterion.pk, str(given.value), given.justification) for given in data.verdicts]
    present = VerdictValue.PRESENT.value
    return asked + [(grade.pk, own[grade.pk, each.key], present, each.justification) for each in data.negatives]
