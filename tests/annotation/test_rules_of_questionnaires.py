"""Nour asks what is wrong only where something is: the same on the screen, by the API, in a file, on page and in the
project file."""

import io
import json
from pathlib import Path

import pytest

from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.rules import broken, left_open
from formats.importing.running import run_import
from formats.project_file.applying import apply_file
from formats.project_file.describing import file_of
from formats.reading import Source
from projects.problems import Invalid
from tests.annotation.questionnaires import RIGHT, questionnaire, turn_of
from tests.annotation.questionnaires import said as body
from tests.people import EGYPTIAN, add_response, signed_in
from tests.workflow.working import submit
from workflow.answer_rules import change_rules, rules_of
from workflow.written_rules import as_text, read_rules

pytestmark = pytest.mark.django_db
CASES = json.loads((Path(__file__).parent / "questionnaire_rules.json").read_text())
WHY = {"text": "What is wrong?", "key": "why"}
KINDS = {"choices": "Of which kind?", "key": "kinds", "of": ["Facts", "Style", "Length"], "optional": True}
AFTER = {"ask": ["why"], "after": "right", "answer": ["Partly", "No"]}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_cases_that_the_script_is_held_to_as_well(case):
    found = broken([{**rule, "message": "?"} for rule in case["rules"]], case["answers"])
    assert [[each.span, each.field, each.problem.code, each.warns] for each in found] == case["broken"]
    assert sorted(left_open(case["rules"], case["answers"])) == case["open"]


@pytest.fixture
def stage(project):
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    return questionnaire(project, RIGHT, WHY, KINDS)


def told(answer) -> list[tuple]:
    return [(each["span"], each["field"], each["code"]) for each in answer.json()["error"]["problems"]]


def test_a_part_is_asked_only_after_the_answer_it_waits_for(stage, mona):
    change_rules(stage, [AFTER])
    turn, client = turn_of(mona, stage), signed_in(mona)
    assert client.get(f"/tasks/{turn.uuid}/").context["task"]["rules"][0]["ask"] == ["why"]
    assert told(submit(client, turn, 0, body(right="No"))) == [("why", "why", "required")]
    assert told(submit(client, turn, 0, body(right="Yes", why="كلام"))) == [("why", "why", "not_asked")]
    assert submit(client, turn, 0, body(right="Yes")).status_code == 200
    assert QuestionnaireAnswer.objects.get().answers == {"right": "Yes"}


def test_a_warning_is_told_and_stored(stage, mona):
    change_rules(stage, [{"most": 0, "answer": ["Length"], "warns": True, "message": "Length is seldom an error."}])
    answer = submit(signed_in(mona), turn_of(mona, stage), 0, body(right="No", why="طويل", kinds=["Length"]))
    assert answer.status_code == 200
    assert [each["message"] for each in answer.json()["warnings"]] == ["Length is seldom an error."]


def test_too_few_answers_are_not_taken(stage, mona):
    change_rules(stage, [{"least": 3}])
    answer = submit(signed_in(mona), turn_of(mona, stage), 0, body(right="No", why="."))
    assert told(answer) == [(None, "answers", "too_few")]


def test_a_file_is_held_to_the_rules_of_its_own_stage(project, stage):
    change_rules(stage, [AFTER, {"most": 0, "answer": ["Length"], "warns": True}])
    questionnaire(project, RIGHT, name="Another")

    def bring(**line):
        file = io.BytesIO(json.dumps({"item": "koshari", "rater": "Mona Adel", **line}).encode())
        return run_import(project, Source(file), "questionnaire-answers")

    refused = bring(stage="Answering", answers={"right": "Yes", "why": "x"})
    assert [(each.line, each.code) for each in refused.problems] == [(1, "not_asked")]
    assert bring(stage="Another", answers={"right": "Yes"}).is_stored
    kept = bring(stage="Answering", answers={"right": "No", "why": "x", "kinds": ["Length"]})
    assert (kept.is_stored, kept.counts["warnings"]) == (True, 1)


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        ("{needs: comment}", "rules[0].needs"),
        ("{ask: [gone], after: right}", "rules[0].ask"),
        ("{ask: [why], after: gone}", "rules[0].after"),
        ("{ask: [why], after: right, answer: [Maybe]}", "rules[0].answer"),
        ("{ask: [why]}", "rules[0].after"),
        ("{most: 1, criticality: [high]}", "rules[0].criticality"),
        ("{most: 1, preference: [tie]}", "rules[0].preference"),
    ],
)
def test_a_rule_names_what_its_own_questionnaire_asks(project, stage, nour, rule, field):
    """By page and in the project file alike; parts of another questionnaire are none of its own."""
    questionnaire(project, {"choice": "?", "key": "gone", "of": ["Maybe", "x"]}, name="Another")
    page = signed_in(nour).post(f"/p/feasts/stages/{stage.pk}/rules/", {"text": f"- {rule}"})
    assert page.status_code == 422
    assert field in page.content.decode()
    described = file_of(project).decode()
    place = "  name: Answering\n" if "  name: Answering\n" in described else "- name: Answering\n"
    with pytest.raises(Invalid) as refused:
        apply_file(project, described.replace(place, f"{place}  rules: [{rule}]\n", 1).encode())
    assert [problem.field for problem in refused.value.problems] == [f"stages[0].{field}"]
    assert rules_of(stage) == []


@pytest.mark.parametrize(
    ("rules", "places"),
    [
        ([AFTER, {"ask": ["right"], "after": "why"}], [0, 1]),
        ([{"ask": ["why"], "after": "why"}], [0]),
        ([AFTER, {"ask": ["kinds"], "after": "why"}, {"ask": ["right"], "after": "kinds"}], [0, 1, 2]),
        ([AFTER, {"ask": ["kinds"], "after": "why"}, {"ask": ["kinds"], "after": "right"}], []),
    ],
)
def test_questions_that_wait_for_each_other_are_refused_with_their_places(project, stage, rules, places):
    """Neither would ever be asked, and an answer of none of them would be complete."""
    before = file_of(project).decode()
    try:
        read_rules(stage, as_text(rules))
    except Invalid as refused:
        found = [(problem.field, problem.code) for problem in refused.problems]
    else:
        found = []
    assert found == [(f"rules[{at}].after", "circular") for at in places]
    assert file_of(project).decode() == before


def test_the_rules_go_out_and_come_back_in_the_project_file(project, stage):
    change_rules(stage, [AFTER])
    exported = file_of(project)
    change_rules(stage, [])
    apply_file(project, exported)
    assert (rules_of(stage), file_of(project)) == ([AFTER], exported)


def test_a_rule_after_a_part_that_is_gone_holds_nobody(stage):
    """Else its parts could never be answered."""
    change_rules(stage, [AFTER, {"most": 3}])
    stage.ask = [part for part in stage.ask if part["key"] != "right"]
    stage.save(update_fields=["ask"])
    assert rules_of(stage) == [{"most": 3}]


def test_a_rule_of_parts_and_answers_that_are_gone_holds_nobody(stage):
    """Else nobody could hand in: what is asked for cannot be given any more."""
    gone = [{"least": 1, "question": ["why"]}, {"least": 1, "answer": ["Partly"]}, {**AFTER, "answer": ["Partly"]}]
    kept = [{"least": 1, "question": ["why", "right"]}, AFTER]
    change_rules(stage, [*gone, *kept])
    assert rules_of(stage) == [*gone, *kept]
    stage.ask = [{**stage.ask[0], "of": ["Yes", "No"]}, stage.ask[2]]
    stage.save(update_fields=["ask"])
    assert rules_of(stage) == [{"least": 1, "question": ["right"]}], "of what is gone a rule says nothing"
