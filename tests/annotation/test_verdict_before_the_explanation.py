"""Nour has reviewers judge the mark before they read why: both verdicts are kept."""

import pytest

from annotation.models import Review
from annotation.reviews.blinding import by_blind_key
from annotation.reviews.task import AnnotatorReviews
from projects.problems import Invalid
from reports.frames import reviews
from tests.annotation.marked import mark
from tests.people import signed_in
from tests.workflow.working import put_draft
from workflow.models import Assignment, Draft, Stage

pytestmark = pytest.mark.django_db
SUHOOR = "على السحور"
TASK = AnnotatorReviews()


@pytest.fixture
def turn(project, koshari, mona, karim) -> Assignment:
    """Karim's turn at a span of Mona's."""
    stage = Stage.objects.create(project=project, kind="reviews", name="Reviews", verdict_first=True)
    mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    TASK.plan(stage)
    return Assignment.objects.select_related("stage", "item__response__variety").get(stage=stage)


def body(turn, **fields) -> dict:
    [key] = by_blind_key(turn)
    return {"reviews": [{"span": key, **fields}]}


def test_both_verdicts_are_stored_and_exported(turn, project):
    TASK.store(turn, TASK.check_answer(turn, body(turn, first_verdict="reject", verdict="keep")))
    review = Review.objects.get()
    assert (review.first_verdict, review.verdict) == ("reject", "keep")
    assert TASK.stored(turn)["reviews"][0]["first_verdict"] == "reject"
    frame = reviews(project)
    assert frame[["first_verdict", "verdict"]].values.tolist() == [["reject", "keep"]]


def test_an_answer_without_a_first_verdict_is_incomplete(turn):
    with pytest.raises(Invalid) as refused:
        TASK.check_answer(turn, body(turn, verdict="keep"))
    assert [(problem.code, problem.field) for problem in refused.value.problems] == [("required", "verdict")]
    turn.stage.verdict_first = False
    TASK.store(turn, TASK.check_answer(turn, body(turn, first_verdict="reject", verdict="keep")))
    assert Review.objects.get().first_verdict == "", "nobody asked for one"


def test_a_first_verdict_that_was_saved_cannot_be_taken_back(turn, karim):
    client = signed_in(karim)
    assert put_draft(client, turn, 0, body(turn, first_verdict="reject")).status_code == 200
    assert put_draft(client, turn, 1, body(turn, first_verdict="keep", verdict="keep")).status_code == 200
    [kept] = Draft.objects.get().body["reviews"]
    assert (kept["first_verdict"], kept["verdict"]) == ("reject", "keep")
    [answer] = TASK.check_answer(turn, body(turn, first_verdict="keep", verdict="keep"))["reviews"]
    assert answer["first_verdict"] == "reject"


def test_the_lead_says_so_on_the_page_of_the_stage(turn, nour):
    stage, lead = turn.stage, signed_in(nour)
    address = f"/p/feasts/stages/{stage.pk}/"
    fields = {"name": "Reviews", "overlap": 2, "lease_minutes": 120, "policy": "unanimous"}
    lead.post(address, fields)
    stage.refresh_from_db()
    assert stage.verdict_first is False
    lead.post(address, fields | {"verdict_first": "on"})
    stage.refresh_from_db()
    assert stage.verdict_first is True
