"""What no code may do to a frozen rubric or a grade, whatever its mistakes: the database refuses it."""

import pytest
from django.db import IntegrityError, transaction

from projects.models import Rater
from rubrics.models import Criterion, Grade, Rubric, Verdict
from tests.people import EGYPTIAN, add_response
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project


@pytest.fixture
def response(db, project, mona):
    make_rubrics_project(project)
    return add_response(project, "koshari", EGYPTIAN, "ar-EG")


@pytest.fixture
def author(project, mona):
    return Rater.objects.get(project=project, user=mona)


@pytest.fixture
def rubric(response, author):
    return frozen_rubric(response.prompt, author)


def refused(act) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        act()


def test_nothing_of_a_frozen_rubric_changes(rubric):
    refused(lambda: Rubric.objects.filter(pk=rubric.pk).update(gold_answer="Another answer."))
    refused(lambda: Rubric.objects.filter(pk=rubric.pk).update(frozen_at=None, sha256=""))
    refused(lambda: Rubric.objects.filter(pk=rubric.pk).delete())


def test_its_positive_criteria_are_neither_changed_nor_removed_nor_added_to(rubric):
    first = rubric.criteria.get(key="c1")
    refused(lambda: Criterion.objects.filter(pk=first.pk).update(weight=3))
    refused(lambda: Criterion.objects.filter(pk=first.pk).update(text="Names something else."))
    refused(lambda: first.delete())
    another = Criterion(
        rubric=rubric, key="c9", text="A late one.", weight=5, objectivity="objective", explicitness="explicit"
    )
    refused(another.save)


def test_a_response_is_graded_by_a_frozen_rubric_of_its_own_prompt(rubric, response, author, project):
    open_rubric = Rubric.objects.create(
        project=project, prompt=response.prompt, version=2, scope="cultural", gold_answer="…", author=author
    )
    refused(
        lambda: Grade.objects.create(
            response=response, rubric=open_rubric, rater=author, role="regrade", raw=0, maximum=1
        )
    )
    other = add_response(project, "ful", EGYPTIAN, "ar-EG")
    refused(
        lambda: Grade.objects.create(response=other, rubric=rubric, rater=author, role="reference", raw=0, maximum=37)
    )


def test_a_response_has_one_reference_grade_and_a_score_never_above_its_maximum(rubric, response, author, karim):
    graded(response, author, rubric, ["c1"], [-5])
    second = Rater.objects.get(user=karim)
    refused(
        lambda: Grade.objects.create(
            response=response, rubric=rubric, rater=second, role="reference", raw=0, maximum=37
        )
    )
    refused(
        lambda: Grade.objects.create(response=response, rubric=rubric, rater=second, role="regrade", raw=38, maximum=37)
    )


def test_a_verdict_fits_its_criterion(rubric, response, author):
    grade = graded(response, author, rubric, [], [-5])
    Verdict.objects.filter(grade=grade).delete()
    positive, negative = rubric.criteria.get(key="c1"), grade.negative_criteria.get()
    refused(lambda: Verdict.objects.create(grade=grade, criterion=positive, value="present"))
    refused(lambda: Verdict.objects.create(grade=grade, criterion=negative, value="pass"))
    Verdict.objects.create(grade=grade, criterion=positive, value="fail")
    Verdict.objects.create(grade=grade, criterion=negative, value="absent")


def test_a_negative_criterion_points_at_words_that_are_there_and_an_omission_at_none(rubric, response, author):
    grade = graded(response, author, rubric, [])
    fields = {
        "rubric": rubric,
        "response": response,
        "grade": grade,
        "text": "…",
        "weight": -3,
        "objectivity": "objective",
        "explicitness": "explicit",
    }
    words = EGYPTIAN[:6]
    refused(
        lambda: Criterion.objects.create(key="a", failure_type="hallucination", start=1, end=7, quote=words, **fields)
    )
    refused(lambda: Criterion.objects.create(key="b", failure_type="omission", start=0, end=6, quote=words, **fields))
    Criterion.objects.create(key="d", failure_type="hallucination", start=0, end=6, quote=words, **fields)
    Criterion.objects.create(key="e", failure_type="omission", **fields)
