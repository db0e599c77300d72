"""An answer can be taken back until its stage is locked, and is then as it was written."""

import pytest

from annotation.models import Rating
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.annotation.rating import body, rating, rating_stage, turn_of
from tests.people import add_response, signed_in
from tests.workflow.working import submit
from workflow.models import Draft, Stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project) -> Stage:
    question_type(make_ratings_project(project))
    question_type(project, "fluency", dimension="fluency")
    pair_of(project, "greeting")
    return rating_stage(project)


ANSWER = body(
    rating("formality", 4, 2, preference="first", comment="Warmer."), rating("fluency", 5, 5, preference="tie")
)


def test_taken_back_it_is_a_draft_again_and_handed_in_anew_it_is_stored_once(mona, stage):
    client, turn = signed_in(mona), turn_of(mona, stage)
    submit(client, turn, 0, ANSWER)
    client.post(f"/tasks/{turn.uuid}/amend")
    assert not Rating.objects.exists()
    draft = Draft.objects.get(assignment=turn)
    by_slug = {entry["question"]: entry for entry in draft.body["ratings"]}
    assert by_slug == {entry["question"]: entry for entry in ANSWER["ratings"]}
    changed = body(rating("formality", 3, 3), rating("fluency", 5, 5))
    assert submit(client, turn, draft.version, changed).status_code == 200
    assert sorted(Rating.objects.values_list("first_grade", flat=True)) == [3, 5]


def test_answers_of_a_locked_stage_stay(mona, stage, django_assert_num_queries):
    client, turn = signed_in(mona), turn_of(mona, stage)
    submit(client, turn, 0, ANSWER)
    Stage.objects.update(locked_at=stage.project.created_at)
    client.post(f"/tasks/{turn.uuid}/amend")
    assert Rating.objects.count() == 2


def test_a_single_response_comes_back_without_a_second(project, mona):
    question_type(make_ratings_project(project))
    add_response(project, "alone", "صباح الخير", "ar-EG")
    client, turn = signed_in(mona), turn_of(mona, rating_stage(project, "ratings"))
    answer = {"ratings": [{"question": "formality", "first": 5, "comment": "Polite."}]}
    submit(client, turn, 0, answer)
    client.post(f"/tasks/{turn.uuid}/amend")
    assert Draft.objects.get(assignment=turn).body == answer
