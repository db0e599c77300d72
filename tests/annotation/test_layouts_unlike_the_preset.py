"""Layouts of marking that are written, changed and taken along otherwise than the ten lines of the documentation."""

import json

import pytest

from formats.project_file.applying import apply_file, clone, create_from_file
from formats.project_file.describing import described, file_of
from projects.models import Project
from projects.problems import Invalid
from tests.annotation.test_mark_and_answer_parts import CHANGE, FILE, SEND
from tests.people import EGYPTIAN, add_response, join, person, signed_in
from workflow.answer_rules import change_rules, rules_of
from workflow.layouts import change_layout
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db
FOLLOWS = {"ask": [CHANGE], "after": SEND, "answer": ["No"]}


@pytest.fixture
def study(db) -> Project:
    project = create_from_file(FILE.encode(), "letters").project
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    return project


def with_stage(study, **said) -> bytes:
    entry = {**described(study)["stages"][0], **said}
    return json.dumps({"format": "mizan.project/1", "stages": [entry]}).encode()


def test_a_page_takes_what_to_ask_alone_where_there_are_marks(study):
    """As a file does: prompt and response are shown where nothing else is said."""
    stage = study.stages.get()
    plan_items(stage)
    client = signed_in(join(person("nour@x.org", "Nour Hassan"), study, "lead"))
    address = f"/p/letters/stages/{stage.pk}/layout/"
    lines = {"text": "ask: [{spans: Find errors}, {text: What would you change?}]"}
    looked = client.post(address, {**lines, "only_look": "1"})
    assert looked.context["shown"] == ["Prompt", "Response"]
    assert client.post(address, lines).status_code == 302
    stage.refresh_from_db()
    assert (stage.show, stage.ask[0]) == (["prompt", "response"], {"spans": "Find errors"})
    stage.kind = "questionnaire"
    stage.save()
    assert client.post(address, lines).status_code == 422, "there it says what an item is about"


def test_what_marking_shows_stays_though_its_layout_said_nothing(study):
    stage = study.stages.get()
    stage.show, stage.ask = [], []
    stage.save()
    plan_items(stage)
    with pytest.raises(Invalid) as refused:
        apply_file(study, with_stage(study, show=["source", "target"], ask=[{"spans": "Mark"}]), None)
    assert [(problem.field, problem.code) for problem in refused.value.problems] == [("stages[0].show", "in_use")]
    assert apply_file(study, with_stage(study, show=["prompt", "response"], ask=[{"spans": "Mark"}]), None).changes


def test_rules_of_parts_come_with_the_parts_in_one_file(db):
    rules = [{"needs": "explanation"}, FOLLOWS]
    text = f"{FILE}  rules: {json.dumps(rules)}\n"
    assert rules_of(create_from_file(text.encode(), "ruled").project.stages.get()) == rules


@pytest.mark.parametrize("kind", ["spans", "questionnaire"])
def test_a_project_is_cloned_whose_rules_name_what_is_asked_no_more(study, kind):
    stage = study.stages.get()
    if kind == "questionnaire":
        stage.kind, stage.ask = kind, stage.ask[1:]
        stage.save()
    counted = {"most": 1, "question": [SEND, CHANGE], "answer": ["No"]}
    change_rules(stage, [FOLLOWS, counted, {"most": 1, "answer": ["Yes", "No"]}])
    change_layout(stage, stage.show, [{"choice": "Would you send it?", "of": ["No", "Never"]}], None)
    stage.refresh_from_db()
    left = [{"most": 1, "question": [SEND], "answer": ["No"]}, {"most": 1, "answer": ["No"]}]
    assert rules_of(clone(study, "again").project.stages.get()) == rules_of(stage) == left
    assert not apply_file(study, file_of(study), None).changes
