"""Fatima grades after Ali: the same criteria and the errors he found, without a trace of what he decided."""

import json

import pytest

from projects.models import Rater
from rubrics.models import Grade
from tests.people import signed_in
from tests.rubrics.grading import (
    KINGS_DAYS,
    banknotes,
    grade_body,
    iraqi_annotator,
    iraqi_author,
    negative,
    stage_of,
    turn_of,
)
from tests.rubrics.rubrics import graded
from tests.workflow.working import submit
from workflow.claims import claim_next
from workflow.models import Assignment, Status
from workflow.reassignment import may_amend, reassign
from workflow.refusals import Refused


@pytest.fixture
def ali(project):
    return iraqi_annotator(project)


@pytest.fixture
def fatima(project):
    return iraqi_annotator(project, "fatima@example.org", "Fatima Ali")


@pytest.fixture
def response(db, project):
    return banknotes(project, iraqi_author(project))[0]


@pytest.fixture
def reference(project, response, ali) -> Assignment:
    """Ali passed c1 and c2 and found an invented king."""
    turn = turn_of(ali, stage_of(project, "scoring"))
    body = grade_body(("c1", "c2"), negative("ali-1", KINGS_DAYS), comment="مو زين")
    assert submit(signed_in(ali), turn, 0, body).status_code == 200
    turn.refresh_from_db()
    return turn


@pytest.fixture
def turn(project, reference, fatima) -> Assignment:
    return turn_of(fatima, stage_of(project, "regrading"))


def test_the_page_names_the_error_and_nothing_of_the_first_grade(turn, fatima):
    page = signed_in(fatima).get(f"/tasks/{turn.uuid}/")
    criteria = page.context["task"]["criteria"]
    assert [criterion["key"] for criterion in criteria] == ["c1", "c2", "c3", "c4", "c5", "ali-1"]
    error = criteria[-1]
    assert (error["positive"], error["weight"], error["quote"]) == (False, -7, KINGS_DAYS)
    assert page.context["task"]["draft"] == {"verdicts": {}, "negatives": [], "comment": ""}

    shown = json.dumps(criteria, ensure_ascii=False)
    assert "hallucination" not in shown.lower(), "the failure type is the first grader's decision"
    text = page.content.decode()
    for secret in ("Ali Hasan", "مو زين", '"raw"', "reference"):
        assert secret not in text, secret


def test_own_verdicts_on_all_of_it_and_own_errors_make_a_second_score(turn, fatima, response):
    """Fatima passes c1 alone (10), sees no invented king (0), but an addition nobody asked for (-3): 7 of 37."""
    own = negative("mine", weight=-3, failure_type="irrelevant-addition", text="حچي زايد")
    assert submit(signed_in(fatima), turn, 0, grade_body(("c1",), own)).status_code == 422
    body = grade_body(("c1",), own, verdicts={"ali-1": "absent"})
    assert submit(signed_in(fatima), turn, 0, body).status_code == 200

    second = Grade.objects.get(role="regrade")
    assert (second.raw, second.maximum, second.rubric) == (7, 37, response.prompt.rubrics.get())
    assert dict(second.verdicts.values_list("criterion__key", "value"))["ali-1"] == "absent"
    assert list(second.negative_criteria.values_list("key", "weight")) == [("mine", -3)]
    first = Grade.objects.get(role="reference")
    assert (first.raw, first.negative_criteria.get().key) == (10 + 8 - 7, "ali-1")


def test_what_was_answered_is_read_again_as_it_was_given(turn, fatima):
    body = grade_body(("c1",), negative("mine"), verdicts={"ali-1": "present"})
    submit(signed_in(fatima), turn, 0, body)
    task = signed_in(fatima).get(f"/tasks/{turn.uuid}/").context["task"]
    assert task["read_only"]
    assert task["draft"] == body
    assert [criterion["key"] for criterion in task["criteria"]] == ["c1", "c2", "c3", "c4", "c5", "ali-1"]


def test_the_first_grader_is_never_the_second(project, reference, ali, response):
    stage = stage_of(project, "regrading")
    assert claim_next(Rater.objects.get(user=ali), stage) is None


def test_not_even_a_lead_hands_it_to_the_first_grader(turn, ali, nour):
    with pytest.raises(Refused) as refused:
        reassign(turn, Rater.objects.get(user=ali), nour)
    assert refused.value.code == "had_already"
    turn.refresh_from_db()
    assert turn.status == Status.CLAIMED


def test_nothing_is_regraded_before_a_complete_reference_is_there(project, response, fatima):
    rubric = response.prompt.rubrics.get()
    stage = stage_of(project, "regrading")
    assert claim_next(Rater.objects.get(user=fatima), stage) is None
    partial = Grade.objects.create(
        response=response, rubric=rubric, rater=rubric.author, role="reference", is_complete=False
    )
    assert claim_next(Rater.objects.get(user=fatima), stage_of(project, "regrading", name="Again")) is None
    partial.delete()
    graded(response, rubric.author, rubric, ["c1"])
    assert turn_of(fatima, stage_of(project, "regrading", name="Once more")).response == response


def test_a_reference_that_was_taken_back_is_waited_for(project, reference, ali, fatima):
    stage = stage_of(project, "regrading")
    assert may_amend(reference)
    signed_in(ali).post(f"/tasks/{reference.uuid}/amend")
    assert claim_next(Rater.objects.get(user=fatima), stage) is None


def test_once_somebody_has_seen_its_errors_the_reference_stays(reference, turn, ali):
    assert not may_amend(reference)
    signed_in(ali).post(f"/tasks/{reference.uuid}/amend")
    assert Grade.objects.filter(role="reference").exists()


def test_a_regrade_can_be_amended_and_leaves_the_reference_alone(turn, fatima):
    body = grade_body(("c1",), negative("mine"), verdicts={"ali-1": "present"})
    submit(signed_in(fatima), turn, 0, body)
    signed_in(fatima).post(f"/tasks/{turn.uuid}/amend")
    turn.refresh_from_db()
    assert turn.draft.body == body
    assert list(Grade.objects.values_list("role", flat=True)) == ["reference"]
    assert Grade.objects.get().verdicts.count() == 6


def test_the_first_grader_sees_nothing_of_the_second(turn, fatima, ali, reference):
    submit(signed_in(fatima), turn, 0, grade_body(("c3",), negative("mine"), verdicts={"ali-1": "absent"}))
    page = signed_in(ali).get(f"/tasks/{reference.uuid}/")
    assert page.status_code == 200
    assert [criterion["key"] for criterion in page.context["task"]["criteria"]] == ["c1", "c2", "c3", "c4", "c5"]
    assert signed_in(ali).get(f"/tasks/{turn.uuid}/").status_code == 404
