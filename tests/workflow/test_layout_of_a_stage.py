"""Nour writes what a screen shows and asks, on a page and in a file; what was answered stays as it is."""

import pytest

from formats.project_file.applying import apply_file
from projects.models import AuditEvent
from projects.problems import Invalid
from tests.annotation.questionnaires import RIGHT, WRONG, questionnaire, responses_of, said, turn_of
from tests.people import signed_in
from tests.workflow.working import submit
from workflow.models import Stage
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db
ONE_CHOICE = "show: [prompt, response]\nask:\n- {choice: 'صح؟', of: ['أيوه', 'لأ'], key: right}\n"


@pytest.fixture
def stage(project):
    responses_of(project, "feast", 2)
    return questionnaire(project, RIGHT, WRONG)


@pytest.fixture
def answered(stage, mona):
    assert submit(signed_in(mona), turn_of(mona, stage), 0, said(right="Yes")).status_code == 200
    return stage


def address(stage: Stage) -> str:
    return f"/p/feasts/stages/{stage.pk}/layout/"


def file(*lines: str, kind: str = "questionnaire") -> bytes:
    head = ["format: mizan.project/1", "stages:", "- name: Answering", f"  kind: {kind}", "  seed: 7"]
    return "\n".join([*head, *(f"  {line}" for line in lines)]).encode()


def refused(project, content: bytes) -> list[tuple[str, str, int | None]]:
    with pytest.raises(Invalid) as problems:
        apply_file(project, content)
    return [(problem.code, problem.field, problem.line) for problem in problems.value.problems]


# --- By page ---------------------------------------------------------------------------------------------


def test_a_stage_is_made_its_layout_written_and_its_items_planned_without_a_file(project, nour):
    responses_of(project, "feast", 2)
    client = signed_in(nour)
    fields = {"kind": "questionnaire", "name": "Own", "overlap": 2, "lease_minutes": 30, "policy": "unanimous"}
    made = client.post("/p/feasts/stages/new/", fields)
    stage = project.stages.get()
    assert made.url == address(stage)
    assert plan_items(stage) == 0
    assert b"Is the response right?" in client.get(made.url).content  # an example to rewrite
    looked = client.post(made.url, {"text": ONE_CHOICE.replace("\n", "\r\n"), "only_look": "1"})
    assert "أيوه".encode() in looked.content
    stage.refresh_from_db()
    assert stage.ask == []
    assert client.post(made.url, {"text": ONE_CHOICE.replace("\n", "\r\n")}).status_code == 302
    stage.refresh_from_db()
    assert (stage.show, stage.ask) == (
        ["prompt", "response"],
        [{"key": "right", "choice": "صح؟", "of": ["أيوه", "لأ"]}],
    )
    assert AuditEvent.objects.filter(action="stage.layout", actor=nour).count() == 1
    project.refresh_from_db()
    assert "questionnaires" in project.areas
    assert plan_items(stage) == 2


def test_the_same_text_again_changes_nothing(stage, nour):
    client = signed_in(nour)
    page = client.get(address(stage))
    text = page.context["form"]["text"].value()
    assert client.post(address(stage), {"text": text}).status_code == 302
    assert AuditEvent.objects.filter(action="stage.layout", actor=nour).count() == 0


@pytest.mark.parametrize(
    ("text", "said_there"),
    [
        ("", "This field is required"),
        ("words", "Two lists are expected"),
        ("[1, 2]", "Two lists are expected"),
        ("show: [prompt]\nask: []\n", "Two lists are expected"),
        ("show: [prompt\n", "not YAML as it should be"),
        ("show: &a [prompt]\nask: *a\n", "Anchors"),
        (ONE_CHOICE + "sing: loudly\n", "line 4: sing: There is no such field."),
        (ONE_CHOICE + "- {text: A, text: B}\n", "line 4: ask[1].text: The key stands twice."),
        (ONE_CHOICE + "- {text: A, scale: B}\n", "line 4: ask[1].text: One of these is expected"),
        (ONE_CHOICE + "- {text: A, of: [a, b]}\n", "line 4: ask[1].of: A part of this type has no such field."),
        (ONE_CHOICE + "- {choice: A}\n", "line 4: ask[1].of: The field is missing."),
        (ONE_CHOICE + "- {choice: A, of: [a]}\n", "line 4: ask[1].of: A list of 2 to 60 answers"),
        (ONE_CHOICE + "- {choice: A, of: [a, a]}\n", "line 4: ask[1].of: The same answer stands twice."),
        (ONE_CHOICE + "- {scale: A, highest: 102}\n", "line 4: ask[1].highest: A whole number from -100 to 100"),
        (ONE_CHOICE + "- {scale: A, lowest: -100, highest: 1}\n", "line 4: ask[1].highest: A scale has 101 grades"),
        (ONE_CHOICE + "- {scale: A, lowest: 5}\n", "line 4: ask[1].highest: The highest grade lies above the lowest."),
        (ONE_CHOICE + "- {scale: A, lowest: 0.5}\n", "line 4: ask[1].highest: A whole number"),
        (ONE_CHOICE + "- {scale: A, gold: mode}\n", "line 4: ask[1].gold: One of these is expected: majority, median"),
        (ONE_CHOICE + "- {number: A, gold: majority}\n", "line 4: ask[1].gold: Of a part like this"),
        (ONE_CHOICE + "- {choice: A, of: [a, b], gold: median}\n", "line 4: ask[1].gold: Of a part like this"),
        (ONE_CHOICE + "- {text: A, gold: mean}\n", "line 4: ask[1].gold: A part of this type has no such field."),
        (ONE_CHOICE + "- {ranking: A}\n", "line 4: ask[1].ranking: To be ranked there must be several responses"),
        (ONE_CHOICE + "- {text: A, key: right}\n", "line 4: ask[1].key: “right” stands twice"),
        (ONE_CHOICE + "- {text: A, key: 'no key'}\n", "line 4: ask[1].key: Latin letters"),
        (ONE_CHOICE.replace("prompt, response", "prompt, video"), "line 1: show: One of these is expected"),
        (ONE_CHOICE.replace("prompt, response", "prompt, prompt"), "line 1: show: A part is shown once."),
        (ONE_CHOICE.replace("prompt, response", "pair, response"), "line 1: show: Only one of these is shown"),
        (ONE_CHOICE.replace("prompt, response", "prompt, source"), "line 1: show: Only one of these is shown"),
        (ONE_CHOICE.replace("prompt, response", "reference"), "line 1: show: A reference stands beside"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_nothing_is_kept(stage, nour, text, said_there):
    page = signed_in(nour).post(address(stage), {"text": text})
    assert page.status_code == 422
    errors = " ".join(page.context["form"].errors["text"])
    assert said_there in errors
    before = stage.ask
    stage.refresh_from_db()
    assert stage.ask == before


def test_only_leads_and_only_of_what_is_made_of_parts(stage, project, nour, mona, omar):
    assert signed_in(mona).get(address(stage)).status_code == 404
    assert signed_in(omar).post(address(stage), {"text": ONE_CHOICE}).status_code == 404
    other = Stage.objects.create(project=project, kind="ratings", name="Rating")
    assert signed_in(nour).get(address(other)).status_code == 404


# --- What stays once it was answered ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["show: [prompt, response]", "ask: [{text: What is wrong?, key: wrong}]"], ("in_use", "stages[0].ask")),
        (
            ["show: [prompt, response]", "ask:", "- {text: Is it right?, key: right}", "- {text: W, key: wrong}"],
            ("in_use", "stages[0].ask[0]"),
        ),
        (
            [
                "show: [prompt, response]",
                "ask:",
                "- {choice: Is it right?, key: right, of: ['Yes', 'No'], ordered: true}",
                "- {text: W, key: wrong}",
            ],
            ("in_use", "stages[0].ask[0]"),
        ),
        (
            [
                "show: [source, target]",
                "ask:",
                "- {choice: Is it right?, key: right, of: ['Yes', 'Partly', 'No'], ordered: true}",
                "- {text: W, key: wrong}",
            ],
            ("in_use", "stages[0].show"),
        ),
    ],
)
def test_what_was_answered_cannot_be_taken_away_or_asked_otherwise(project, answered, lines, problem):
    [(code, field, _line)] = refused(project, file(*lines))
    assert (code, field) == problem


def test_words_can_change_and_more_can_be_asked(project, answered):
    lines = [
        "show: [prompt, response]",
        "ask:",
        "- {choice: Does it hold?, key: right, of: ['Yes', 'Partly', 'No', 'Cannot say'], ordered: true, gold: median}",
        "- {text: What is wrong?, key: wrong, optional: true, help: In a sentence.}",
        "- {number: How many errors?, lowest: 0, optional: true}",
    ]
    assert apply_file(project, file(*lines)).changes
    answered.refresh_from_db()
    assert [part["key"] for part in answered.ask] == ["right", "wrong", "how-many-errors"]
    assert answered.ask[0]["gold"] == "median"
    assert not apply_file(project, file(*lines)).changes


def test_other_work_has_no_parts(project):
    lines = ("show: [prompt, response]", "ask: [{text: Why?}]")
    content = file(*lines, kind="ratings")
    assert [problem[:2] for problem in refused(project, content)] == [
        ("not_with_kind", "stages[0].show"),
        ("not_with_kind", "stages[0].ask"),
    ]


def test_keys_are_made_of_the_question_in_whatever_script(project):
    asked = ["{text: Why?}", "{text: Why!}", "{text: ليه؟}", "{text: কেন?}", "{text: " + "word " * 30 + "end}"]
    assert apply_file(project, file("show: [prompt]", "ask:", *(f"- {one}" for one in asked))).changes
    keys = [part["key"] for part in project.stages.get().ask]
    assert keys[:4] == ["why", "why-2", "question", "question-2"]
    assert len(keys[4]) <= 40
    assert not keys[4].endswith("-")
