"""What a rater's page says, and what it must not say."""

import json
import re

import pytest

from annotation.models import RatingSettings
from projects.models import Project, Response
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.annotation.rating import rating_stage, turn_of
from tests.people import add_response, signed_in
from tests.preset_parts import add_question_types

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(project):
    return question_type(make_ratings_project(project))


@pytest.fixture
def greeting(project, question):
    return pair_of(project, "greeting", question=question)


def page_of(person, turn) -> str:
    answer = signed_in(person).get(f"/tasks/{turn.uuid}/")
    assert answer.status_code == 200
    return answer.content.decode()


def task_of(page: str) -> dict:
    found = re.search(r'<script id="rate-task" type="application/json">(.*?)</script>', page)
    assert found is not None
    return json.loads(found.group(1))


def test_two_responses_stand_side_by_side_each_in_its_language(mona, project, greeting):
    page = page_of(mona, turn_of(mona, rating_stage(project)))
    assert page.index("Response A") < page.index("Response B")
    assert len(re.findall(r'<div class="side__text"[^>]* lang="ar-EG" dir="rtl">', page)) == 2
    assert re.search(r'<div class="prompt-text"[^>]* lang="ar-EG" dir="rtl">', page)


def test_no_model_no_key_and_nobodys_rating_is_on_the_page(mona, karim, simba, project, question, greeting):
    Response.objects.filter(pk=greeting.first_id).update(key="Nile-7B/greeting")
    rate(greeting, karim, question, 5, 1, comment="Karim says so")
    rate(greeting, simba, question, 2, 3, comment="a judge's reasoning")
    page = page_of(mona, turn_of(mona, rating_stage(project)))
    for secret in ("Nile", "Delta", "Karim says so", "judge's reasoning"):
        assert secret not in page


def test_models_are_named_where_the_project_says_so(mona, project, greeting):
    Project.objects.filter(pk=project.pk).update(show_target_model=True)
    page = page_of(mona, turn_of(mona, rating_stage(project)))
    assert "Nile-7B" in page
    assert "Delta-9B" in page


def test_every_grade_is_one_line_that_unfolds(mona, project, greeting):
    page = page_of(mona, turn_of(mona, rating_stage(project)))
    assert page.count('<details class="level">') == 5
    assert "</strong>: <bdi>What earns a 4.</bdi></span>" in page, (
        "its full stop stays at its end on a page from right to left"
    )
    assert "All that earns a 4, at length." in page
    asked = task_of(page)["questions"]
    assert [(one["slug"], one["lowest"], one["highest"], one["labels"]["4"]) for one in asked] == [
        ("formality", 1, 5, "Good")
    ]


def test_what_is_asked_beside_the_grades_is_the_projects_choice(mona, project, greeting):
    turn = turn_of(mona, rating_stage(project))
    task = task_of(page_of(mona, turn))
    assert (task["asks_preference"], task["asks_comment"]) == (True, True)
    RatingSettings.objects.create(project=project, asks_preference=False, asks_comment=False)
    task = task_of(page_of(mona, turn))
    assert (task["asks_preference"], task["asks_comment"]) == (False, False)


def test_a_single_response_has_the_screen_to_itself(mona, project, question):
    add_response(project, "alone", "صباح الخير", "ar-EG")
    page = page_of(mona, turn_of(mona, rating_stage(project, "ratings")))
    task = task_of(page)
    assert task["sides"] == ["first"]
    assert not task["asks_preference"], "there is nothing to prefer"
    assert "Response A" not in page


def test_a_page_costs_the_same_however_many_questions_and_levels(
    mona, project, question, django_assert_max_num_queries
):
    pair_of(project, "open")
    turn = turn_of(mona, rating_stage(project))
    client = signed_in(mona)
    client.get(f"/tasks/{turn.uuid}/")
    with django_assert_max_num_queries(30) as few:
        client.get(f"/tasks/{turn.uuid}/")
    for number in range(14):
        question_type(project, f"question-{number}", dimension=f"dimension-{number % 4}")
    with django_assert_max_num_queries(len(few)) as many:
        page = client.get(f"/tasks/{turn.uuid}/")
    assert page.content.decode().count('class="question surface"') == 15
    assert len(many) == len(few)


def test_somebody_elses_turn_does_not_exist(mona, karim, project, greeting):
    turn = turn_of(mona, rating_stage(project))
    assert signed_in(karim).get(f"/tasks/{turn.uuid}/").status_code == 404


def test_reasons_to_leave_a_pair_are_those_of_rating(mona, project, greeting):
    task = task_of(page_of(mona, turn_of(mona, rating_stage(project))))
    assert [reason["value"] for reason in task["skip_reasons"]] == ["not_my_language", "unreadable", "harmful", "other"]


def test_a_rubric_that_came_with_the_preset_is_read_in_ones_language(mona, project):
    """What the lead has written anew stays as written."""
    make_ratings_project(project)
    add_question_types(project)
    question = project.question_types.get(slug="coherence")
    level = question.levels.get(grade=5)
    level.summary = "Everything hangs together here."
    level.save()
    pair_of(project, "greeting", question=question)
    client = signed_in(mona)
    client.cookies["django_language"] = "ar"
    page = client.get(f"/tasks/{turn_of(mona, rating_stage(project)).uuid}/").content.decode()
    assert "No thread: ideas stand beside one another" not in page
    assert "Do the ideas hang together" not in page
    assert "Everything hangs together here." in page
