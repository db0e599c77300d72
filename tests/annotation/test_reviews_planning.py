"""Whose turn it is: a response goes to review once enough people marked it, to everybody but the span's author."""

import pytest

from annotation.reviews.blinding import by_blind_key, reviewable
from annotation.reviews.planning import plan_open_stages
from annotation.reviews.task import AnnotatorReviews, ValidatorReviews
from projects.models import Rater
from tests.annotation.marked import mark, rater_of, review
from tests.people import signed_in
from workflow.models import Assignment, Stage, WorkItem

pytestmark = pytest.mark.django_db
SUHOOR, PHARAOHS = "على السحور", "أيام الفراعنة"


@pytest.fixture
def marking(project) -> Stage:
    return Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)


@pytest.fixture
def stage(project, marking) -> Stage:
    return Stage.objects.create(project=project, kind="reviews", name="Reviews", position=2)


def turns(stage: Stage) -> set[tuple[str, str, int, str]]:
    rows = stage.assignments.values_list("item__response__key", "rater__name", "round", "status")
    return set(rows)


def test_each_annotator_gets_the_spans_of_the_other(stage, koshari, mona, karim):
    [monas] = mark(koshari, mona, SUHOOR)
    [karims] = mark(koshari, karim, PHARAOHS)

    assert AnnotatorReviews().plan(stage) == 2

    assert turns(stage) == {("koshari", "Mona Adel", 1, "reserved"), ("koshari", "Karim Samir", 1, "reserved")}
    [of_mona] = stage.assignments.filter(rater=rater_of(mona, stage.project))
    [of_karim] = stage.assignments.filter(rater=rater_of(karim, stage.project))
    assert reviewable(of_mona) == [karims]
    assert reviewable(of_karim) == [monas]


def test_a_judges_span_goes_to_all_annotators(stage, koshari, mona, karim, simba):
    mark(koshari, mona)
    mark(koshari, karim)
    [judged] = mark(koshari, simba, SUHOOR)
    AnnotatorReviews().plan(stage)
    assert [reviewable(assignment) for assignment in stage.assignments.all()] == [[judged], [judged]]


def test_a_response_waits_until_as_many_people_have_marked_it_as_the_marking_stage_asks_for(
    stage, koshari, mona, karim, simba
):
    mark(koshari, mona, SUHOOR)
    mark(koshari, simba, PHARAOHS)
    assert AnnotatorReviews().plan(stage) == 0, "a judge is not a second person"
    mark(koshari, karim)
    assert AnnotatorReviews().plan(stage) == 2


def test_who_has_nothing_to_review_gets_no_turn_and_a_flawless_response_none_at_all(
    stage, koshari, boishakh, mona, karim
):
    mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    mark(boishakh, mona)
    mark(boishakh, karim)
    AnnotatorReviews().plan(stage)
    assert turns(stage) == {("koshari", "Karim Samir", 1, "reserved")}
    assert WorkItem.objects.get(stage=stage).slots == 1


def test_planning_again_adds_nothing(stage, koshari, mona, karim):
    mark(koshari, mona, SUHOOR)
    mark(koshari, karim, PHARAOHS)
    AnnotatorReviews().plan(stage)
    assert AnnotatorReviews().plan(stage) == 0
    assert stage.assignments.count() == 2


def test_spans_of_a_judge_that_ran_late_bring_another_turn_with_these_alone(stage, koshari, mona, karim, simba):
    [monas] = mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    AnnotatorReviews().plan(stage)
    [first] = stage.assignments.all()
    review(monas, karim, "keep", assignment=first)
    Assignment.objects.update(status="submitted", submitted_at="2026-01-01T00:00Z")
    [late] = mark(koshari, simba, PHARAOHS)

    assert AnnotatorReviews().plan(stage) == 2

    second = stage.assignments.get(rater=first.rater, round=2)
    assert reviewable(second) == [late]
    assert reviewable(first) == [monas, late] or reviewable(first) == [late, monas]


def test_a_turn_that_was_skipped_does_not_come_back(stage, koshari, mona, karim):
    mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    AnnotatorReviews().plan(stage)
    Assignment.objects.update(status="skipped")
    assert AnnotatorReviews().plan(stage) == 0


def test_a_person_who_worked_elsewhere_gets_no_turn(stage, project, koshari, mona):
    elsewhere = Rater.objects.create(project=project, kind="human", name="Imported")
    mark(koshari, mona, SUHOOR)
    mark(koshari, elsewhere, PHARAOHS)
    AnnotatorReviews().plan(stage)
    assert {name for _key, name, _round, _status in turns(stage)} == {"Mona Adel"}


def test_validators_get_open_slots_and_leave_what_they_marked_themselves(
    project, marking, koshari, boishakh, mona, karim, hana
):
    stage = Stage.objects.create(project=project, kind="validation", name="Experts", overlap=1)
    for response in (koshari, boishakh):
        mark(response, mona, response.text.split()[0])
        mark(response, karim)
    mark(boishakh, hana)

    assert ValidatorReviews().plan(stage) == 2
    assert ValidatorReviews().plan(stage) == 0

    items = WorkItem.objects.filter(stage=stage, open_slots=1)
    assert items.count() == 2
    assert ValidatorReviews().eligible(items, rater_of(hana, project)).get().response == koshari


def test_a_marking_that_completes_a_response_plans_the_open_stages_of_its_project(stage, koshari, mona, karim):
    mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    assert plan_open_stages([koshari.id]) == 1
    Stage.objects.filter(pk=stage.pk).update(is_open=False)
    Assignment.objects.all().delete()
    assert plan_open_stages([koshari.id]) == 0


def test_the_order_is_drawn_for_each_turn_and_stays(stage, koshari, mona, karim, simba):
    words = koshari.text.split()[:8]
    mark(koshari, simba, *words)
    mark(koshari, mona)
    mark(koshari, karim)
    AnnotatorReviews().plan(stage)
    orders = [[span.key for span in reviewable(turn)] for turn in stage.assignments.all()]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])
    assert [[span.key for span in reviewable(turn)] for turn in stage.assignments.all()] == orders
    first, second = stage.assignments.select_related("item__response", "stage")
    assert not set(by_blind_key(first)) & set(by_blind_key(second)), "a span has another name in each turn"


def test_statements_do_not_grow_with_the_number_of_spans(
    stage, project, koshari, mona, karim, simba, django_assert_max_num_queries
):
    mark(koshari, mona, *koshari.text.split()[:10])
    mark(koshari, karim)
    mark(koshari, simba, *koshari.text.split()[:10])
    with django_assert_max_num_queries(13):
        AnnotatorReviews().plan(stage)


def test_a_judge_that_runs_while_the_stage_is_open_brings_its_spans_to_the_reviewers(
    stage, koshari, mona, karim, simba
):
    from annotation.models import GoldAnswer
    from annotation.receivers import answers_changed

    mark(koshari, mona)
    mark(koshari, karim)
    answers_changed([koshari.id])
    assert not stage.assignments.exists(), "there is nothing to review yet"
    mark(koshari, simba, SUHOOR)
    answers_changed([koshari.id])
    assert stage.assignments.filter(status="reserved").count() == 2
    assert GoldAnswer.objects.get().pending == 1


def test_a_judge_over_fresh_responses_costs_three_statements(
    stage, koshari, boishakh, simba, django_assert_num_queries
):
    from annotation.receivers import answers_changed

    mark(koshari, simba, SUHOOR)
    with django_assert_num_queries(3):
        answers_changed([koshari.id, boishakh.id])


def test_the_button_of_the_stage_reserves_turns(stage, koshari, mona, karim, nour):
    """They follow from what people marked, so that pages plan them in the kind's own way."""
    mark(koshari, mona, SUHOOR)
    mark(koshari, karim, PHARAOHS)
    page = signed_in(nour).post(f"/p/{stage.project.slug}/stages/{stage.pk}/plan/", follow=True).content.decode()
    assert "2 items were added." in page
    assert len(turns(stage)) == 2
