"""The one way a person's answers to the parts of a stage reach the database and come back, also those beside marks."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.shown import item_of
from formats.layout import Type, subject_of
from projects.models import RaterKind
from projects.problems import Invalid, Problem
from workflow.layouts import parts_of
from workflow.models import Assignment, Stage


def store_answers(assignment: Assignment, answers: Mapping[str, Any]) -> None:
    """Raises Invalid where the rater has answered this before, elsewhere."""
    subject = subject_of(assignment.stage.show)
    about = {
        "stage": assignment.stage,
        subject: getattr(assignment.item, subject),
        "rater": assignment.rater,
        "round": assignment.round,
    }
    if QuestionnaireAnswer.objects.filter(**about).exists():
        message = _("You have rated this before, elsewhere. Skip this item; what you wrote here is kept.")
        raise Invalid(Problem("rated_before", message))
    QuestionnaireAnswer.objects.create(
        **about,
        answers=by_key(assignment, answers),
        is_check=assignment.item.is_check,
        assignment=assignment,
    )


def by_key(assignment: Assignment, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Answers of the screen as the table has them."""
    return _renamed(assignment, answers, lambda response: (str(response.uuid), response.key))


def has_come_in(stage: Stage) -> bool:
    """Whether somebody answered the parts of the stage elsewhere, and the answer came by a file."""
    return QuestionnaireAnswer.objects.filter(stage=stage, assignment=None, rater__kind=RaterKind.HUMAN).exists()


def stored_answers(assignment: Assignment) -> dict[str, Any] | None:
    """A value by the key of each part; None where nothing is stored."""
    row = QuestionnaireAnswer.objects.filter(assignment=assignment).first()
    if row is None:
        return None
    return _renamed(assignment, row.answers, lambda response: (response.key, str(response.uuid)))


def take_answers_back(assignment: Assignment) -> None:
    QuestionnaireAnswer.objects.filter(assignment=assignment).delete()


def _renamed(assignment: Assignment, answers: Mapping[str, Any], named: Any) -> dict[str, Any]:
    """Answers whose rankings name responses otherwise: the screen by UUID, the table by key, which an archive keeps."""
    rankings = {part.key for part in parts_of(assignment.stage) if part.type == Type.RANKING}
    if not rankings & answers.keys():
        return dict(answers)
    names = dict(named(response) for response in item_of(assignment).responses)
    return {
        key: {names[one]: rank for one, rank in value.items() if one in names} if key in rankings else value
        for key, value in answers.items()
    }
