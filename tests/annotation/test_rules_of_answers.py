"""Rules of an answer are data: the same on the screen, by the API and in a file that comes in."""

import io
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.models import Marking
from annotation.questionnaires.rules import holding
from annotation.spans.rules import broken
from formats.importing.running import run_import
from formats.project_file.applying import apply_file
from formats.project_file.describing import file_of
from formats.reading import Source
from projects.models import AuditEvent
from projects.problems import Invalid
from tests.people import signed_in
from tests.workflow.working import body, mark, marking_stage, put_draft, submit
from workflow.answer_rules import change_rules, rules_of
from workflow.claims import claim_next
from workflow.models import Assignment, StageRules

CASES = json.loads((Path(__file__).parent / "answer_rules.json").read_text())
EXPLAINED = [{"needs": "explanation"}]
HIGH = [{"needs": "correction", "criticality": ["high"]}, {"most": 1, "warns": True, "message": "One is enough."}]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_cases_that_the_script_is_held_to_as_well(case):
    rules = [{**rule, "message": "?"} for rule in case["rules"]]
    found = broken(holding(rules, case.get("answers", {})), case["marks"])
    assert [[each.span, each.field, each.problem.code, each.warns] for each in found] == case["broken"]


@pytest.fixture
def stage(db, project, koshari):
    return marking_stage(project)


@pytest.fixture
def turn(stage, mona):
    return claim_next(mona.raters.get(), stage)


def codes(answer) -> list[tuple]:
    return [(each["span"], each["field"], each["message"]) for each in answer.json()["error"]["problems"]]


def test_without_rules_of_its_own_each_mark_of_a_stage_is_explained(stage, turn, mona, koshari):
    assert rules_of(stage) == EXPLAINED
    marked = mark(koshari, "السحور", explanation="")
    answer = submit(signed_in(mona), turn, 0, body(marked))
    assert codes(answer) == [(marked["id"], "explanation", "Explain what is wrong.")]


def test_what_blocks_is_refused_and_what_warns_is_told(stage, turn, mona, koshari):
    change_rules(stage, HIGH)
    client = signed_in(mona)
    high = mark(koshari, "السحور", explanation="", criticality="high", correction="")
    low = mark(koshari, "الفراعنة", explanation="", criticality="low", correction="")
    assert put_draft(client, turn, 0, body(high, low)).status_code == 200, "a draft may be unfinished"
    refused = submit(client, turn, 1, body(high, low))
    assert codes(refused) == [(high["id"], "correction", "Write a correction.")]
    assert not Marking.objects.exists()
    high["correction"] = "الإفطار"
    answer = submit(client, turn, 1, body(high, low))
    assert answer.status_code == 200
    expected = [{"span": None, "field": "spans", "code": "too_many", "message": "One is enough."}]
    assert answer.json()["warnings"] == expected


def bring(project, *spans: dict, kind: str = "human"):
    line = {"kind": "spans", "item": "koshari", "rater": "Salma", "rater_kind": kind, "spans": list(spans)}
    if kind == "judge":
        line |= {"model": "simba-1", "laboratory": "Other Lab"}
    return run_import(project, Source(io.BytesIO(json.dumps(line).encode())), "answers", "jsonl")


def test_a_file_of_peoples_answers_is_held_to_the_rules_that_a_stage_has_of_its_own(stage, project, koshari):
    marked = {"id": "s1", "quote": "السحور", "criticality": "high"}
    change_rules(stage, HIGH)
    outcome = bring(project, marked)
    [problem] = outcome.problems
    assert (problem.line, problem.field, problem.message) == (1, "spans[0].correction", "Write a correction.")
    assert not Marking.objects.exists()
    two = [{**marked, "correction": "الإفطار"}, {"id": "s2", "quote": "الفراعنة", "criticality": "low"}]
    outcome = bring(project, *two)
    assert (outcome.problems, outcome.counts["warnings"], outcome.counts["answers"]) == ([], 1, 1)


def test_judges_and_studies_that_asked_by_other_rules_come_in(stage, project, koshari):
    """Nobody is held to the rules of the kind for what was marked elsewhere, and no judge to those of people."""
    assert bring(project, {"id": "s1", "quote": "السحور", "criticality": "high"}).problems == []
    change_rules(stage, HIGH)
    assert bring(project, {"id": "j1", "quote": "السحور", "criticality": "high"}, kind="judge").problems == []


# --- Versions ---


def test_rules_change_in_place_until_answers_rest_on_them(stage, turn, mona, nour):
    change_rules(stage, HIGH, nour)
    change_rules(stage, [{"most": 3}], nour)
    assert list(StageRules.objects.values_list("number", "rules")) == [(1, [{"most": 3}])]
    submit(signed_in(mona), turn, 0, body(no_errors=True))
    change_rules(stage, [{"most": 2}], nour)
    assert list(StageRules.objects.values_list("number", "rules")) == [(1, [{"most": 3}]), (2, [{"most": 2}])]
    assert change_rules(stage, [{"most": 2}], nour) is None
    assert AuditEvent.objects.filter(action="stage.rules", actor=nour).count() == 3


def test_the_rules_of_the_kind_are_version_one_where_answers_rest_on_them(stage, turn, mona, nour):
    submit(signed_in(mona), turn, 0, body(no_errors=True))
    Assignment.objects.filter(status="submitted").update(submitted_at=timezone.now() - timedelta(minutes=1))
    change_rules(stage, HIGH, nour)
    assert StageRules.objects.get().number == 2
    page = signed_in(nour).get(f"/p/feasts/stages/{stage.pk}/rules/")
    shown = [(each.number, each.text.splitlines()[0], each.answers) for each in page.context["versions"]]
    assert shown == [(2, "- needs: correction", 0), (1, "- {needs: explanation}", 1)]


# --- The page and the file ---


def test_a_lead_reads_and_changes_the_rules_on_their_page(stage, nour):
    client, address = signed_in(nour), f"/p/feasts/stages/{stage.pk}/rules/"
    assert address in client.get("/p/feasts/stages/").content.decode()
    assert "needs: explanation" in client.get(address).content.decode()
    assert client.post(address, {"text": "- {needs: correction, criticality: [high]}"}).status_code == 302
    assert rules_of(stage) == HIGH[:1]
    assert client.post(address, {"text": ""}).status_code == 302
    assert rules_of(stage) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- {needs: poetry}", "rules[0].needs"),
        ("- {warns: true}", "A rule says one of"),
        ("- {needs: explanation, most: 2}", "A rule says one of"),
        ("- {needs: explanation, criticality: [grave]}", "rules[0].criticality"),
        ("- {most: -1}", "rules[0].most"),
        ("other: 1", ""),
        ("- {needs: explanation", ""),
        ("- &a {needs: explanation}", ""),
    ],
)
def test_what_is_no_rule_changes_nothing(stage, nour, text, told):
    answer = signed_in(nour).post(f"/p/feasts/stages/{stage.pk}/rules/", {"text": text})
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert text in answer.context["form"]["text"].value()
    assert rules_of(stage) == EXPLAINED


def test_kinds_of_work_without_rules_have_no_page_for_them(project, nour):
    stage = project.stages.create(kind="reviews", name="Validation", position=2)
    assert signed_in(nour).get(f"/p/feasts/stages/{stage.pk}/rules/").status_code == 404


def test_the_project_file_holds_them_and_takes_them_back(stage, project):
    assert b"rules" not in file_of(project)
    change_rules(stage, HIGH)
    with_rules = file_of(project)
    assert b"- needs: correction\n    criticality: [high]" in with_rules
    change_rules(stage, [])
    assert b"rules: []" in file_of(project)
    apply_file(project, with_rules)
    assert (rules_of(stage), file_of(project)) == (HIGH, with_rules)
    apply_file(project, b"format: mizan.project/1\nstages:\n- {name: Marking, kind: spans}\n")
    assert rules_of(stage) == EXPLAINED


def test_a_file_with_rules_for_other_work_is_told_so(stage, project):
    with pytest.raises(Invalid) as refused:
        apply_file(
            project,
            b"format: mizan.project/1\nstages:\n- {name: Marking, kind: spans}\n"
            b"- {name: Other, kind: reviews, rules: [{most: 3}]}\n",
        )
    assert [each.field for each in refused.value.problems] == ["stages[1].rules"]
