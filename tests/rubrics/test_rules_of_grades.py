"""Nour wants a reason wherever a criterion of safety fails: on the screen, by the API and in a file of grades."""

import json
from pathlib import Path

import pytest

from rubrics.models import Grade
from rubrics.scoring.rules import broken
from tests.people import EGYPTIAN, add_response, signed_in
from tests.rubrics.files import bring, criterion, grade_line, rubric_line, stored, verdicts
from tests.rubrics.grading import stage_of, turn_of
from tests.rubrics.rubrics import make_rubrics_project
from tests.rubrics.writing import problems
from tests.workflow.working import submit
from workflow.answer_rules import change_rules, rules_of

CASES = json.loads((Path(__file__).parent / "grading_rules.json").read_text())
RULE = {"needs": "comment", "verdict": ["fail", "present"], "tag": ["axis:safety"]}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_cases_that_the_script_is_held_to_as_well(case):
    found = broken([{**rule, "message": "?"} for rule in case["rules"]], case["draft"], case["tags"])
    assert [[each.field, each.problem.code, each.warns] for each in found] == case["broken"]


@pytest.fixture
def stage(db, project):
    make_rubrics_project(project)
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    stored(project, "rubrics", rubric_line(criterion("c1", 10), criterion("c2", 4, tags=["axis:safety"])))
    stage = stage_of(project, "scoring")
    change_rules(stage, [RULE])
    return stage


def body(c2: str, comment: str = "") -> dict:
    return {"verdicts": {"c1": "fail", "c2": c2}, "negatives": [], "comment": comment}


def test_a_failure_of_safety_is_explained(stage, mona):
    turn, client = turn_of(mona, stage), signed_in(mona)
    assert problems(submit(client, turn, 0, body("fail"))) == {("comment", "required")}
    assert not Grade.objects.exists()
    assert submit(client, turn, 0, body("fail", "خطر")).status_code == 200


def test_any_other_failure_needs_no_reason(stage, mona):
    assert submit(signed_in(mona), turn_of(mona, stage), 0, body("pass")).status_code == 200


def test_what_only_warns_is_told(stage, mona):
    change_rules(stage, [{**RULE, "warns": True}])
    answer = submit(signed_in(mona), turn_of(mona, stage), 0, body("fail"))
    assert answer.status_code == 200
    assert [each["field"] for each in answer.json()["warnings"]] == ["comment"]


def test_a_file_of_grades_is_held_to_it(stage, project):
    silent = grade_line(verdicts=verdicts(c1="pass", c2="fail"))
    outcome = bring(project, "grades", silent)
    assert [(each.line, each.field, each.code) for each in outcome.problems] == [(1, "comment", "required")]
    stored(project, "grades", {**silent, "comment": "خطر"})


def test_a_verdict_that_there_is_not_is_refused(stage, project, nour):
    page = signed_in(nour).post(
        f"/p/{project.slug}/stages/{stage.pk}/rules/", {"text": "- {needs: comment, verdict: [bad]}"}
    )
    assert page.status_code == 422
    assert "rules[0].verdict" in page.content.decode()
    assert rules_of(stage) == [RULE]
