"""The score of the whole response, given in one answer with its marks where the stage asks for one (`scored_on`).

It is a rating like any other, on that question type, of the same assignment; a check's stays in the check's own body.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Rating
from annotation.pairs.checking import Scaled, check_rating
from annotation.pairs.storing import RatingData, store_ratings
from projects.models import QuestionType
from projects.problems import Invalid, Problem
from workflow.models import Assignment, Stage

FIELD = "score"


def score_question(stage: Stage) -> QuestionType | None:
    """The question type that a marked response is scored on; None where its stage asks for no score."""
    if stage.scored_on_id is None:
        return None
    question = stage.scored_on
    return question if question is not None and question.has_scale else None


def read_score(question: Scaled | None, body: Mapping[str, Any]) -> int | None:
    """The score in a draft's body, a whole grade of the scale, None while there is none. Raises Invalid."""
    score = body.get(FIELD)
    if score is None:
        return None
    if question is None:
        message = _("This question is not asked about here. Reload the page; what you wrote is kept.")
        raise Invalid(Problem("unknown_question", message, FIELD))
    if type(score) is not int:
        raise Invalid(Problem("not_whole_number", _("A grade must be a whole number."), FIELD))
    if faults := check_rating(question, score, None, "", is_pair=False):
        raise Invalid([Problem(fault.code, fault.message, FIELD) for fault in faults])
    return score


def missing_score(question: Scaled | None, score: int | None) -> list[Problem]:
    """What keeps an answer without a score from being one; that there are no errors needs its score as well."""
    if question is None or score is not None:
        return []
    return [Problem("required", _("A grade is missing."), FIELD)]


def store_score(assignment: Assignment, question: QuestionType, score: int) -> None:
    """Raises Invalid where the rater has scored the response before, elsewhere."""
    place = {"response": assignment.response, "rater": assignment.rater_id, "round": assignment.round}
    if Rating.objects.filter(question=question, **place).exists():
        message = _("You have rated this before, elsewhere. Skip this item; what you wrote here is kept.")
        raise Invalid(Problem("rated_before", message, FIELD))
    rating = RatingData(
        question=question,
        subject=assignment.response,
        rater=assignment.rater,
        first=score,
        round=assignment.round,
        assignment=assignment,
    )
    store_ratings([rating])


def stored_score(assignment: Assignment, question: QuestionType) -> int | None:
    grades = Rating.objects.filter(assignment=assignment, question=question).values_list("first_grade", flat=True)
    grade = grades.first()
    return None if grade is None else int(grade)


def take_score_back(assignment: Assignment) -> None:
    Rating.objects.filter(assignment=assignment).delete()
