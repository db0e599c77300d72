"""The one way a rating reaches the database, whether a person, a judge or an import gave it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.models import Rating
from annotation.pairs.checking import check_rating
from projects.insertion import as_json, insert_rows
from projects.models import QuestionType, Rater, Response, ResponsePair
from projects.problems import Invalid
from workflow.models import Assignment

# In the order of `_row`.
FIELDS = (
    "question",
    "pair",
    "response",
    "rater",
    "round",
    "is_swapped",
    "is_of_both_orders",
    "first_grade",
    "second_grade",
    "preference",
    "is_unparseable",
    "comment",
    "is_check",
    "assignment",
    "metadata",
    "created_at",
    "probabilities",
)


@dataclass(slots=True)
class RatingData:
    """One rater's answer to one question type, on `subject`: a response, or the two of a pair.

    `first`, `second` and `preference` ("", "first", "second", "tie") speak of the pair's first and second, whichever
    was shown first; `is_swapped` says that the second was. Of a single response there is `first` alone. A judge
    whose verdict could not be read has neither grade nor preference (`is_unparseable`). `comment` is a person's
    comment or a judge's reasoning.
    """

    question: QuestionType
    subject: ResponsePair | Response
    rater: Rater
    first: float | None = None
    second: float | None = None
    preference: str = ""
    comment: str = ""
    round: int = 1
    is_swapped: bool = False
    is_of_both_orders: bool = False
    is_unparseable: bool = False
    is_check: bool = False
    assignment: Assignment | None = None
    metadata: dict = field(default_factory=dict)
    # When it was given, where that was elsewhere; else it is given now.
    created_at: datetime | None = None


def store_ratings(ratings: Sequence[RatingData]) -> None:
    """Write ratings, all or none, in one statement however many they are.

    Raises Invalid with every problem of all of them, each with its place ("ratings[3].first"), and IntegrityError for
    what the database itself guards (a rating stays within one project, one a rater, question type and round, or one
    in each order); nothing is stored then.
    """
    problems = [
        problem
        for place, data in enumerate(ratings)
        for problem in check_rating(
            data.question,
            data.first,
            data.second,
            data.preference,
            is_pair=isinstance(data.subject, ResponsePair),
            is_unparseable=data.is_unparseable,
            where=f"ratings[{place}]",
        )
    ]
    if problems:
        raise Invalid(problems)
    now = timezone.now()
    with transaction.atomic():
        insert_rows(Rating, FIELDS, [_row(data, now) for data in ratings])


def _row(data: RatingData, now: datetime) -> tuple:
    is_pair = isinstance(data.subject, ResponsePair)
    return (
        data.question.pk,
        data.subject.pk if is_pair else None,
        None if is_pair else data.subject.pk,
        data.rater.pk,
        data.round,
        data.is_swapped,
        data.is_of_both_orders,
        data.first,
        data.second,
        str(data.preference),
        data.is_unparseable,
        data.comment,
        data.is_check,
        data.assignment.pk if data.assignment else None,
        as_json(data.metadata),
        data.created_at or now,
        None,  # models here say their grade alone
    )
