"""Nour has low grades explained, and asks a second question only after a low grade on the first: the same on the
screen, by the API and in a file."""

import io
import json
from pathlib import Path

import pytest

from annotation.models import Rating
from annotation.pairs.rules import broken, left_open
from formats.importing.running import run_import
from formats.project_file.applying import apply_file
from formats.project_file.describing import file_of
from formats.reading import Source
from projects.problems import Invalid
from tests.annotation.rated import make_ratings_project, question_type
from tests.annotation.rating import rating_stage, turn_of
from tests.people import EGYPTIAN, add_response, signed_in
from tests.workflow.working import marking_stage, submit
from workflow.answer_rules import change_rules, rules_of

pytestmark = pytest.mark.django_db
CASES = json.loads((Path(__file__).parent / "rating_rules.json").read_text())
LOW = {"needs": "comment", "at_most": 2}
AFTER = {"ask": ["why"], "after": "formality", "at_most": 2}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_cases_that_the_script_is_held_to_as_well(case):
    found = broken([{**rule, "message": "?"} for rule in case["rules"]], case["ratings"])
    assert [[each.span, each.field, each.problem.code, each.warns] for each in found] == case["broken"]
    assert sorted(left_open(case["rules"], case["ratings"])) == case["open"]


@pytest.fixture
def stage(project):
    make_ratings_project(project)
    question_type(project)
    question_type(project, "why")
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    return rating_stage(project, kind="ratings")


def body(formality: int | None, why: int | None = None, comment: str = "") -> dict:
    return {
        "ratings": [
            {"question": "formality", "first": formality, "comment": comment},
            {"question": "why", "first": why, "comment": "🙂"},
        ]
    }


def told(answer) -> list[tuple]:
    return [(each["span"], each["field"], each["code"]) for each in answer.json()["error"]["problems"]]


def test_a_low_grade_is_explained_before_it_is_handed_in(stage, mona):
    change_rules(stage, [LOW])
    turn, client = turn_of(mona, stage), signed_in(mona)
    assert told(submit(client, turn, 0, body(2, 3))) == [("formality", "comment", "required")]
    assert client.get(f"/tasks/{turn.uuid}/").context["task"]["asks_comment"] is True
    assert submit(client, turn, 0, body(2, 3, "رسمي زيادة")).status_code == 200


def test_what_only_warns_is_told_and_stored(stage, mona):
    change_rules(stage, [{**LOW, "warns": True, "message": "Please say why."}])
    answer = submit(signed_in(mona), turn_of(mona, stage), 0, body(1, 3))
    assert answer.status_code == 200
    assert [each["message"] for each in answer.json()["warnings"]] == ["Please say why."]


def test_a_question_is_asked_only_after_the_answer_it_waits_for(stage, mona):
    change_rules(stage, [AFTER])
    turn, client = turn_of(mona, stage), signed_in(mona)
    assert told(submit(client, turn, 0, body(2))) == [("why", "first", "required")]
    assert told(submit(client, turn, 0, body(4, 3))) == [("why", "first", "not_asked")]
    assert submit(client, turn, 0, body(4)).status_code == 200
    assert list(Rating.objects.values_list("question__slug", "first_grade")) == [("formality", 4.0)]
    # Read again and taken back, the question that was left open is as it was.
    assert client.get(f"/tasks/{turn.uuid}/").status_code == 200


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ("{ask: [nothing], after: formality}", "rules[0].ask"),
        ("{ask: [why], after: nothing}", "rules[0].after"),
        ("{ask: [why]}", "rules[0].after"),
        ("{needs: comment, question: [nothing]}", "rules[0].question"),
        ("{needs: explanation}", "rules[0].needs"),
        ("{needs: comment, criticality: [high]}", "rules[0].criticality"),
        ("{needs: comment, preference: [first]}", "rules[0].preference"),
        ("{needs: comment, at_most: low}", "rules[0].at_most"),
    ],
)
def test_a_rule_that_names_what_is_not_there_is_refused_by_page_and_file(stage, project, nour, rule, place):
    page = signed_in(nour).post(f"/p/{project.slug}/stages/{stage.pk}/rules/", {"text": f"- {rule}"})
    assert page.status_code == 422
    assert place in page.content.decode()
    file = f"format: mizan.project/1\nstages:\n- {{name: {stage.name}, kind: ratings, seed: 7, rules: [{rule}]}}\n"
    with pytest.raises(Invalid) as refused:
        apply_file(project, file.encode())
    assert f"stages[0].{place}" in {problem.field for problem in refused.value.problems}
    assert rules_of(stage) == []


def test_the_project_file_brings_the_same_rules_back(stage, project):
    change_rules(stage, [LOW, AFTER])
    exported = file_of(project)
    change_rules(stage, [])
    apply_file(project, exported)
    assert (rules_of(stage), file_of(project)) == ([LOW, AFTER], exported)


def test_a_category_that_a_rule_of_marks_names_is_checked_once_the_whole_file_is_in(project, koshari, nour):
    stage = marking_stage(project)
    rule = "{needs: link, category: [facts]}"
    page = signed_in(nour).post(f"/p/{project.slug}/stages/{stage.pk}/rules/", {"text": f"- {rule}"})
    assert page.status_code == 422
    stages = f"format: mizan.project/1\nstages:\n- {{name: {stage.name}, kind: spans, rules: [{rule}]}}\n"
    with pytest.raises(Invalid) as refused:
        apply_file(project, stages.encode())
    assert [problem.field for problem in refused.value.problems] == ["stages[0].rules[0].category"]
    # The category stands further below in the same file.
    apply_file(project, (stages + "categories:\n- {slug: facts, name: Facts}\n").encode())
    assert rules_of(stage) == [{"needs": "link", "category": ["facts"]}]


# --- A file of answers ---


def bring(project, *lines: dict):
    common = {"kind": "ratings", "item": "koshari", "rater": "Salma", "rater_kind": "human"}
    content = "".join(json.dumps({**common, **line}, ensure_ascii=False) + "\n" for line in lines).encode()
    return run_import(project, Source(io.BytesIO(content)), "answers")


def test_a_file_is_held_to_them_when_all_its_lines_are_in(stage, project):
    change_rules(stage, [LOW, AFTER])
    late = bring(project, {"question": "why", "grade": 5}, {"question": "formality", "grade": 4})
    assert [(each.line, each.field, each.code) for each in late.problems] == [(1, "grade", "not_asked")]
    silent = bring(project, {"question": "formality", "grade": 2})
    assert [(each.line, each.field, each.code) for each in silent.problems] == [(1, "comment", "required")]
    assert not Rating.objects.exists()
    # In whatever order the two questions come.
    said = {"question": "formality", "grade": 2, "comment": "مش رسمي"}
    good = bring(project, {"question": "why", "grade": 5}, said)
    assert good.is_stored, good.problems


def test_judges_and_warnings_stop_no_file(stage, project):
    change_rules(stage, [LOW])
    judge = {"rater": "J", "rater_kind": "judge", "model": "j-1", "laboratory": "Omega"}
    assert bring(project, {**judge, "question": "formality", "grade": 1}).is_stored
    change_rules(stage, [{**LOW, "warns": True}])
    outcome = bring(project, {"question": "formality", "grade": 1})
    assert outcome.is_stored
    assert outcome.counts["warnings"] == 1
