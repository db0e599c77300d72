"""Who is given which pair: three raters each, of its language, nobody twice."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from projects.models import Project, QuestionType, ResponsePair
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.annotation.rating import rating_stage, turn_of
from tests.people import add_response, join, person, signed_in
from workflow.claims import claim_next
from workflow.models import Assignment, WorkItem
from workflow.planning import plan_items
from workflow.task_types import task_type

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(project) -> QuestionType:
    return question_type(make_ratings_project(project))


@pytest.fixture
def greeting(project, question):
    return pair_of(project, "greeting", question=question)


def test_every_pair_becomes_an_item(project, question, greeting):
    stage = rating_stage(project)
    assert [item.pair for item in stage.items.all()] == [greeting]
    wedding = pair_of(project, "wedding", question=question)
    assert plan_items(stage) == 1
    assert {item.pair for item in stage.items.all()} == {greeting, wedding}


def test_a_pair_about_which_nothing_is_asked_waits(project):
    make_ratings_project(project)
    pair_of(project, "greeting")
    stage = rating_stage(project)
    assert not stage.items.exists()
    question_type(project)
    assert plan_items(stage) == 1


def test_three_raters_are_given_a_pair_and_a_fourth_is_not(project, greeting, mona, karim):
    stage = rating_stage(project)
    others = [
        join(person(f"{name}@example.org", name.title()), project, "annotator", varieties=("ar-EG",))
        for name in ("laila", "samir")
    ]
    for rater in (mona, karim, others[0]):
        assert turn_of(rater, stage).item.pair == greeting
    assert claim_next(others[1].raters.get(), stage) is None


def test_an_expert_takes_part_as_others_do(project, greeting, hana):
    assert turn_of(hana, rating_stage(project)).item.pair == greeting


def test_a_raters_languages_decide(project, question, greeting, rafia):
    stage = rating_stage(project)
    assert claim_next(rafia.raters.get(), stage) is None
    morning = pair_of(project, "morning", "সুপ্রভাত", "শুভ সকাল", "bn-BD", question)
    plan_items(stage)
    assert turn_of(rafia, stage).item.pair == morning


def test_what_was_rated_elsewhere_is_not_given_again(project, question, greeting, mona, karim):
    stage = rating_stage(project)
    rate(greeting, mona, question, 4, 2)
    assert claim_next(mona.raters.get(), stage) is None
    item = stage.items.get()
    kind = task_type("pairs")
    assert not kind.may_be_given(item, mona.raters.get())
    assert kind.may_be_given(item, karim.raters.get())


def test_a_pair_in_hand_in_another_stage_is_not_given_a_second_time(project, greeting, mona, karim):
    first, second = rating_stage(project), rating_stage(project, name="Once more")
    turn_of(mona, first)
    assert claim_next(mona.raters.get(), second) is None
    assert turn_of(karim, second).item.pair == greeting


def test_a_check_in_hand_keeps_its_pair_out_of_the_queue(project, greeting, mona, karim):
    stage = rating_stage(project)
    item = stage.items.get()
    check = WorkItem.objects.create(
        stage=stage, pair=greeting, variety=greeting.variety, is_check=True, position=9, slots=9, open_slots=9
    )
    now = timezone.now()
    Assignment.objects.create(
        item=check, stage=stage, rater=mona.raters.get(), claimed_at=now, lease_expires_at=now + timedelta(hours=1)
    )
    kind, queue = task_type("pairs"), stage.items.filter(is_check=False)
    assert list(kind.eligible(queue, mona.raters.get())) == []
    assert list(kind.eligible(queue, karim.raters.get())) == [item]


def test_single_responses_are_rated_once_by_each(project, question, mona):
    alone = add_response(project, "alone", "صباح الخير", "ar-EG")
    stage = rating_stage(project, "ratings")
    assert [item.response for item in stage.items.all()] == [alone]
    rate(alone, mona, question, 4)
    assert claim_next(mona.raters.get(), stage) is None


def test_a_response_that_no_scale_grades_is_no_item(project, mona):
    make_ratings_project(project)
    add_response(project, "alone", "صباح الخير", "ar-EG")
    question_type(project, "better", lowest=None, highest=None)
    assert not rating_stage(project, "ratings").items.exists()


def test_pairs_of_other_projects_stay_there(project, other_project, greeting):
    question_type(other_project)
    assert not rating_stage(other_project).items.exists()


def test_a_list_of_work_costs_the_same_however_long_and_names_no_model(
    project, question, mona, django_assert_num_queries
):
    for number in range(4):
        pair_of(project, f"morning-{number}", question=question)
        ResponsePair.objects.filter(key=f"morning-{number}").update(key=f"Nile-7B-vs-Delta-9B-{number}")
    stage = rating_stage(project)
    for _each in range(4):
        turn = turn_of(mona, stage)
        rate(turn.item.pair, mona, question, 4, 2, assignment=turn)
        Assignment.objects.filter(pk=turn.pk).update(status="submitted", submitted_at=timezone.now())
    items = list(stage.items.all())
    with django_assert_num_queries(1):
        titles = task_type("pairs").titles(items)
    assert len(set(titles.values())) == 4
    page = signed_in(mona).get(f"/p/{project.slug}/").content.decode()
    page += signed_in(mona).get(reverse("work", args=[project.slug])).content.decode()
    assert all(title in page for title in titles.values())
    assert "Nile" not in page


def test_the_stage_page_lists_pairs(project: Project, greeting, nour, django_assert_max_num_queries):
    stage = rating_stage(project)
    client = signed_in(nour)
    with django_assert_max_num_queries(25):
        page = client.get(f"/p/{project.slug}/stages/{stage.pk}/items/")
    assert page.status_code == 200
    assert "p-greeting-a · " in page.content.decode()
