"""What no code can store, however it goes wrong."""

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Rating
from projects.models import Prompt, Rater, ResponsePair
from tests.annotation.marked import rater_of
from tests.annotation.rated import pair_of, question_type, rate
from tests.people import add_response
from workflow.models import Stage, WorkItem

pytestmark = pytest.mark.django_db


@pytest.fixture
def greeting(project):
    return pair_of(project, "greeting", question=question_type(project))


def refused(**fields):
    with pytest.raises(IntegrityError), transaction.atomic():
        Rating.objects.create(**fields)


def test_nobody_rates_a_pair_twice(mona, greeting):
    question = greeting.prompt.question
    rate(greeting, mona, question, 4, 2)
    with pytest.raises(IntegrityError), transaction.atomic():
        rate(greeting, mona, question, 4, 2, is_swapped=True)


def test_a_judge_is_asked_once_in_each_order(simba, greeting):
    question = greeting.prompt.question
    rate(greeting, simba, question, 4, 2, is_of_both_orders=True)
    rate(greeting, simba, question, 3, 3, is_of_both_orders=True, is_swapped=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        rate(greeting, simba, question, 5, 3, is_of_both_orders=True, is_swapped=True)


@pytest.mark.parametrize("grades", [(6, 2), (0, 2), (2, 6), (4, 0.5)])
def test_a_grade_lies_on_its_scale(mona, greeting, grades):
    with pytest.raises(IntegrityError, match="scale"), transaction.atomic():
        rate(greeting, mona, greeting.prompt.question, *grades)


def test_a_question_without_a_scale_takes_no_grade(project, mona, greeting):
    better = question_type(project, "better", lowest=None, highest=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        rate(greeting, mona, better, 4, 2)
    rater = rater_of(mona, project)
    Rating.objects.create(pair=greeting, question=better, rater=rater, preference="tie")


def test_a_rating_says_something_unless_it_could_not_be_read(project, mona, simba, greeting):
    question, rater = greeting.prompt.question, rater_of(mona, project)
    refused(pair=greeting, question=question, rater=rater)
    refused(pair=greeting, question=question, rater=rater, first_grade=3)
    refused(pair=greeting, response=greeting.first, question=question, rater=rater, first_grade=3, second_grade=3)
    refused(response=greeting.first, question=question, rater=rater, first_grade=3, preference="first")
    refused(pair=greeting, question=question, rater=simba, first_grade=3, second_grade=3, is_unparseable=True)
    Rating.objects.create(pair=greeting, question=question, rater=simba, is_unparseable=True)


def test_a_rating_stays_in_its_project(mona, other_project, greeting):
    with pytest.raises(IntegrityError, match="one project"), transaction.atomic():
        rate(greeting, rater_of(mona, greeting.project), question_type(other_project), 4, 2)
    stranger = Rater.objects.create(project=other_project, kind="human", name="Stranger")
    refused(pair=greeting, question=greeting.prompt.question, rater=stranger, preference="tie")


def test_a_pair_answers_one_prompt(project, greeting):
    stranger = add_response(project, "stranger", "كلام تاني", "ar-EG")
    fields = {"project": project, "prompt": greeting.prompt, "variety": greeting.variety, "first": greeting.first}
    with pytest.raises(IntegrityError, match="one prompt"), transaction.atomic():
        ResponsePair.objects.create(key="odd", second=stranger, **fields)
    fields["first"] = greeting.second
    with pytest.raises(IntegrityError, match="pair already"), transaction.atomic():
        ResponsePair.objects.create(key="turned", second=greeting.first, **fields)
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        ResponsePair.objects.filter(pk=greeting.pk).update(second=stranger)


def test_a_prompt_takes_a_question_of_its_own_project(other_project, greeting):
    foreign = question_type(other_project)
    with pytest.raises(IntegrityError), transaction.atomic():
        Prompt.objects.create(
            project=greeting.project, key="x", text="x", text_sha256="x", variety=greeting.variety, question=foreign
        )


def test_an_item_is_about_one_thing(project, greeting):
    stage = Stage.objects.create(project=project, kind="spans", name="s")
    with pytest.raises(IntegrityError), transaction.atomic():
        WorkItem.objects.create(
            stage=stage,
            pair=greeting,
            response=greeting.first,
            variety=greeting.variety,
            position=0,
            slots=1,
            open_slots=1,
        )
