"""Nour says in a few lines what a screen shows and asks; Mona and Karim answer it."""

import json
import re
import uuid
from html import unescape
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction

from annotation.models import QuestionnaireAnswer
from formats.project_file.applying import create_from_file
from formats.project_file.describing import described, file_of
from formats.project_file.reading import read_yaml
from projects import derived
from projects.creation import create_project
from projects.models import DerivationStep, Project, Response
from tests.annotation.questionnaires import (
    RANK,
    RIGHT,
    WRONG,
    prompt_of,
    questionnaire,
    responses_of,
    said,
    turn_of,
)
from tests.annotation.rated import pair_of
from tests.people import EGYPTIAN, add_response, join, person, signed_in
from tests.workflow.working import post_json, put_draft, submit
from workflow.as_shown import shown_hash
from workflow.claims import claim_next
from workflow.models import Assignment, Draft, Status
from workflow.planning import plan_items
from workflow.task_types import task_type

pytestmark = pytest.mark.django_db
STUDIES = re.findall(
    r"```yaml\n(.*?)```", (Path(__file__).parents[2] / "docs" / "layouts.md").read_text(encoding="utf-8"), re.DOTALL
)


@pytest.fixture
def koshari(project):
    return add_response(project, "koshari", EGYPTIAN, "ar-EG")


@pytest.fixture
def stage(project, koshari):
    return questionnaire(project, RIGHT, WRONG)


@pytest.fixture
def turn(stage, mona):
    return turn_of(mona, stage)


def page_of(client, turn) -> tuple[str, dict]:
    """The screen, and what its script is told."""
    page = client.get(f"/tasks/{turn.uuid}/").content.decode()
    [task] = re.findall(r'<script id="rate-task" type="application/json">(.*?)</script>', page, re.DOTALL)
    return page, json.loads(task)


def problems_of(answer) -> list[tuple[str, str]]:
    assert answer.status_code == 422, answer.content
    return [(problem["span"], problem["code"]) for problem in answer.json()["error"]["problems"]]


# --- The studies of the documents ----------------------------------------------------------------


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_of_the_documents_takes_ten_lines_at_most_and_comes_back_as_it_is(study, nour):
    assert len(study.splitlines()) <= 10
    project = create_from_file(study.encode(), "study", nour).project
    written = file_of(project)
    again = create_from_file(written, "again", nour).project
    assert described(again) == described(project)
    [stage] = read_yaml(study.encode())[0]["stages"]
    [exported] = described(project)["stages"]
    for part in exported["ask"]:
        part.pop("key", None)  # marks have none
    assert exported == {"show": ["prompt", "response"], **stage}


def test_there_are_five_of_them():
    assert len(STUDIES) == 5


def in_study(number: int, nour) -> Project:
    return create_from_file(STUDIES[number].encode(), "study", nour).project


def handed_in(project: Project, body: dict) -> QuestionnaireAnswer:
    """A speaker of Egyptian Arabic takes the only item, and hands this in."""
    mona = join(person("speaker@x.org", "Mona"), project, "annotator", varieties=("ar-EG",))
    stage = project.stages.get()
    assert plan_items(stage) == 1
    turn = turn_of(mona, stage)
    assert submit(signed_in(mona), turn, 0, body).status_code == 200
    return QuestionnaireAnswer.objects.get()


def test_a_choice_and_a_text_about_a_prompt_and_its_response(nour):
    project = in_study(0, nour)
    response = add_response(project, "koshari", EGYPTIAN, "ar-EG")
    answers = {"is-the-response-right": "Partly", "what-is-wrong-with-it": "مش في السحور 🍲"}
    stored = handed_in(project, {"answers": answers})
    assert (stored.response, stored.answers) == (response, answers)


def test_a_ranking_of_four_responses(nour):
    project = in_study(1, nour)
    four = responses_of(project, "feast", 4)
    ranks = dict(zip((str(one.uuid) for one in four), (3, 1, 4, 2), strict=True))
    stored = handed_in(project, said(**{"rank-them-from-the-best-to-the-worst": ranks}))
    assert (stored.prompt, stored.response) == (four[0].prompt, None)
    expected = {"feast-0": 3, "feast-1": 1, "feast-2": 4, "feast-3": 2}
    assert stored.answers == {"rank-them-from-the-best-to-the-worst": expected}


def test_of_a_response_and_what_was_made_of_it_one_is_ranked(nour):
    """One response to a prompt is nothing to rank, however many texts were made of it; twelve are, though of each
    another was made."""
    project = in_study(1, nour)
    step = DerivationStep.objects.create(project=project, name="Cut", change="words", limit=1)
    alone, twelve = responses_of(project, "alone", 1), responses_of(project, "feast", 2)
    for at in range(10):
        twelve.append(add_response(project, f"more-{at}", f"جواب {at}", "ar-EG"))
    Response.objects.filter(pk__in=[one.pk for one in twelve]).update(prompt=twelve[0].prompt)
    every = Response.objects.select_related("variety").filter(pk__in=[one.pk for one in (*alone, *twelve)])
    derived.store(step, [derived.Made(one, one.text.split()[0]) for one in every])
    stage = project.stages.get()
    assert plan_items(stage) == 1
    assert stage.items.get().prompt == twelve[0].prompt


def test_a_conversation_of_several_turns_with_a_reference(nour):
    project = in_study(2, nour)
    response = add_response(project, "koshari", EGYPTIAN, "ar-EG")
    response.metadata = {
        "turns": [
            {"role": "user", "text": "What shall I cook?"},
            {"role": "assistant", "text": "Koshari <b>of course</b>."},
            {"role": "oracle", "text": "Whoever else"},
            {"role": "user"},
            "no turn at all",
        ],
        "reference": "Rice, lentils, pasta.",
    }
    response.save(update_fields=["metadata"])
    mona = join(person("mona2@x.org", "Mona"), project, "annotator", varieties=("ar-EG",))
    stage = project.stages.get()
    plan_items(stage)
    turn = turn_of(mona, stage)
    page, task = page_of(signed_in(mona), turn)
    shown = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page)))
    assert re.search(
        r"User What shall I cook\?.*Assistant Koshari <b>of course</b>\..*User Whoever else.*"
        r"User Question of koshari.*Reference Rice, lentils, pasta\.",
        shown,
    )
    assert [part["type"] for part in task["questions"]] == ["choices", "scale"]
    assert task["questions"][1]["labels"] == {"0": "Useless", "100": "Perfect"}
    body = {"answers": {"what-went-wrong": ["It was rude", "It forgot"], "how-helpful-was-it": 37}}
    assert submit(signed_in(mona), turn, 0, body).status_code == 200
    stored = QuestionnaireAnswer.objects.get()
    assert stored.answers == {"what-went-wrong": ["It forgot", "It was rude"], "how-helpful-was-it": 37}


def test_the_preset_is_a_questionnaire_to_be_rewritten(nour):
    project = create_project(Project(slug="own", name="Own", preset="questionnaires"), nour)
    [stage] = project.stages.all()
    assert (stage.kind, stage.show) == ("questionnaire", ["prompt", "response"])
    assert [part["key"] for part in stage.ask] == ["right", "wrong"]


# --- An answer on its way in -----------------------------------------------------------------------------


def test_a_draft_is_kept_and_shown_again_and_may_be_unfinished(mona, turn):
    client = signed_in(mona)
    assert put_draft(client, turn, 0, said(wrong="The second line")).status_code == 200
    assert Draft.objects.get().body == said(wrong="The second line")
    _page, task = page_of(client, turn)
    assert (task["draft"], task["version"]) == (said(wrong="The second line"), 1)


def test_two_tabs_end_in_a_conflict_and_neither_is_lost(mona, turn):
    client = signed_in(mona)
    assert put_draft(client, turn, 0, said(right="Yes")).status_code == 200
    assert put_draft(client, turn, 0, said(right="No"), tab="tab-2").status_code == 412
    assert Draft.objects.get().body == said(right="Yes")


def test_sent_twice_it_is_stored_once(mona, turn):
    key = uuid.uuid4()
    for _time in range(2):
        assert submit(signed_in(mona), turn, 0, said(right="Yes"), key).status_code == 200
    assert QuestionnaireAnswer.objects.get().answers == said(right="Yes")["answers"]


def test_what_is_open_is_named_and_what_is_optional_is_not(mona, turn):
    assert problems_of(submit(signed_in(mona), turn, 0, said(wrong="   "))) == [("right", "required")]
    assert not QuestionnaireAnswer.objects.exists()


@pytest.mark.parametrize(
    ("part", "value", "code"),
    [
        (RIGHT, "yes", "not_a_choice"),
        (RIGHT, ["Yes"], "not_a_choice"),
        (RIGHT, {"Yes": 1}, "not_a_choice"),
        (RIGHT, 1, "not_a_choice"),
        ({"choices": "Which?", "key": "x", "of": ["A", "B", "C"], "most": 2}, ["A", "A"], "not_a_choice"),
        ({"choices": "Which?", "key": "x", "of": ["A", "B", "C"], "most": 2}, ["A", "B", "C"], "too_many"),
        ({"choices": "Which?", "key": "x", "of": ["A", "B", "C"]}, [["A"]], "not_a_choice"),
        ({"choices": "Which?", "key": "x", "of": ["A", "B", "C"]}, "A", "not_a_choice"),
        ({"scale": "How good?", "key": "x"}, 6, "off_scale"),
        ({"scale": "How good?", "key": "x"}, 4.5, "off_scale"),
        ({"scale": "How good?", "key": "x"}, True, "off_scale"),
        ({"scale": "How good?", "key": "x", "lowest": 0, "highest": 100}, 101, "off_scale"),
        ({"number": "How many?", "key": "x", "lowest": 0}, -1, "off_scale"),
        ({"number": "How many?", "key": "x"}, "many", "not_a_number"),
        ({"number": "How many?", "key": "x"}, 1e300, "not_a_number"),
        ({"text": "What?", "key": "x"}, "ا" * 48_000, "too_long"),
        ({"text": "What?", "key": "x"}, ["words"], "not_text"),
        (RIGHT | {"key": "x"}, False, "not_a_choice"),
    ],
)
def test_a_value_that_is_no_answer_is_refused_and_nothing_is_stored(project, koshari, mona, part, value, code):
    turn = turn_of(mona, questionnaire(project, part))
    for answer in (
        put_draft(signed_in(mona), turn, 0, said(**{part["key"]: value})),
        submit(signed_in(mona), turn, 0, said(**{part["key"]: value})),
    ):
        assert problems_of(answer) == [(part["key"], code)]
    assert not Draft.objects.exists()
    assert not QuestionnaireAnswer.objects.exists()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("words", "not_an_object"),
        ({"answers": ["Yes"]}, "not_an_object"),
        ({"answer": {}}, "unknown_field"),
        ({"answers": {"left": "Yes"}}, "unknown_question"),
        ({"answers": {str(at): 1 for at in range(300)}}, "too_many"),
    ],
)
def test_a_body_that_is_no_draft_is_refused(mona, turn, body, code):
    answer = put_draft(signed_in(mona), turn, 0, body)
    assert [code for _span, code in problems_of(answer)] == [code]


def test_an_answer_is_taken_back_into_a_draft_and_handed_in_again(mona, turn):
    client = signed_in(mona)
    assert submit(client, turn, 0, said(right="Yes", wrong="Nothing")).status_code == 200
    client.post(f"/tasks/{turn.uuid}/amend")
    assert not QuestionnaireAnswer.objects.exists()
    _page, task = page_of(client, turn)
    assert task["draft"] == said(right="Yes", wrong="Nothing")
    assert submit(client, turn, task["version"], said(right="No")).status_code == 200
    assert QuestionnaireAnswer.objects.get().answers == {"right": "No"}


def test_a_page_that_showed_other_words_cannot_save(mona, turn):
    client = signed_in(mona)
    stale = shown_hash(["Koshari is a dish"])
    assert (
        post_json(
            client, turn, "submit", submission=str(uuid.uuid4()), version=0, body=said(right="Yes"), shown=stale
        ).status_code
        == 409
    )
    fresh = shown_hash(task_type("questionnaire").judged_words(turn))
    assert (
        post_json(
            client, turn, "submit", submission=str(uuid.uuid4()), version=0, body=said(right="Yes"), shown=fresh
        ).status_code
        == 200
    )


def test_two_people_answer_each_item_and_nobody_twice(mona, karim, stage, turn):
    assert submit(signed_in(mona), turn, 0, said(right="Yes")).status_code == 200
    assert claim_next(mona.raters.get(), stage) is None
    assert submit(signed_in(karim), turn_of(karim, stage), 0, said(right="No")).status_code == 200
    assert not stage.items.filter(open_slots__gt=0).exists()


def test_who_answered_elsewhere_is_not_given_it(project, koshari, mona, stage):
    rater = mona.raters.get()
    QuestionnaireAnswer.objects.create(stage=stage, response=koshari, rater=rater, answers={"right": "Yes"})
    assert claim_next(rater, stage) is None


def test_nobody_else_sees_or_writes_it(karim, omar, nour, turn):
    for stranger in (karim, omar, nour):
        assert signed_in(stranger).get(f"/tasks/{turn.uuid}/").status_code == 404
        assert submit(signed_in(stranger), turn, 0, said(right="Yes")).status_code == 404


def test_no_model_and_no_key_stands_on_the_screen(project, mona):
    four = responses_of(project, "feast", 4)
    turn = turn_of(mona, questionnaire(project, RANK, show=("prompt", "responses")))
    page, task = page_of(signed_in(mona), turn)
    assert sorted(task["sides"]) == sorted(str(one.uuid) for one in four)
    for one in four:
        assert one.target_model.name not in page
    for one in four[1:]:  # the prompt names the first
        assert one.key not in page
    assert [f"Response {letter}" in page for letter in "ABCDE"] == [True, True, True, True, False]


# --- Rankings --------------------------------------------------------------------------------------------


def test_responses_stand_in_an_order_drawn_for_each_rater_and_the_same_at_every_look(project, mona, karim):
    """Of 24 orders of four, all people seeing the same one of every prompt is as good as impossible."""
    for at in range(6):
        responses_of(project, f"feast{at}", 4)
    stage = questionnaire(project, RANK, show=("prompt", "responses"))
    orders = {}
    for user in (mona, karim):
        client = signed_in(user)
        for _item in range(6):
            turn = turn_of(user, stage)
            _page, task = page_of(client, turn)
            assert page_of(client, turn)[1]["sides"] == task["sides"]
            orders[user.pk, turn.item.prompt_id] = task["sides"]
            ranks = {name: place for place, name in enumerate(task["sides"], start=1)}
            assert submit(client, turn, 0, said(rank=ranks)).status_code == 200
    prompts = {prompt for _user, prompt in orders}
    assert any(orders[mona.pk, prompt] != orders[karim.pk, prompt] for prompt in prompts)


@pytest.mark.parametrize(
    ("ranks", "ties", "problems"),
    [
        ((1, 2, 3), False, []),
        ((1, 1, 2), False, [("rank", "tied")]),
        ((1, 1, 2), True, []),
        ((1, 2, None), True, [("rank", "required")]),
        ((1, 2, 4), True, [("rank", "off_scale")]),
        ((0, 1, 2), True, [("rank", "off_scale")]),
        (("1", 2, 3), True, [("rank", "off_scale")]),
    ],
)
def test_each_response_has_a_rank_of_its_own_unless_ties_are_allowed(project, mona, ranks, ties, problems):
    three = responses_of(project, "feast", 3)
    turn = turn_of(mona, questionnaire(project, RANK | {"ties": ties}, show=("prompt", "responses")))
    answer = submit(
        signed_in(mona), turn, 0, said(rank=dict(zip((str(one.uuid) for one in three), ranks, strict=True)))
    )
    if problems:
        assert problems_of(answer) == problems
    else:
        assert answer.status_code == 200


def test_a_response_that_came_meanwhile_is_asked_about_too(project, mona):
    two = responses_of(project, "feast", 2)
    turn = turn_of(mona, questionnaire(project, RANK, show=("prompt", "responses")))
    client = signed_in(mona)
    ranks = {str(one.uuid): place for place, one in enumerate(two, start=1)}
    assert put_draft(client, turn, 0, said(rank=ranks)).status_code == 200
    late = add_response(project, "late", "متأخر", "ar-EG", "Sinai-1B")
    type(late).objects.filter(pk=late.pk).update(prompt=two[0].prompt)
    assert problems_of(submit(client, turn, 1, said(rank=ranks))) == [("rank", "required")]
    assert submit(client, turn, 1, said(rank=ranks | {str(late.uuid): 3})).status_code == 200
    assert QuestionnaireAnswer.objects.get().answers == {"rank": {"feast-0": 1, "feast-1": 2, "late": 3}}


def test_a_prompt_with_one_response_or_with_thirteen_is_not_ranked(project):
    responses_of(project, "one", 1)
    many = responses_of(project, "many", 5)
    for at in range(8):
        extra = add_response(project, f"extra-{at}", "جواب", "ar-EG")
        type(extra).objects.filter(pk=extra.pk).update(prompt=many[0].prompt)
    responses_of(project, "three", 3)
    stage = questionnaire(project, RANK, show=("prompt", "responses"))
    assert [item.prompt.key for item in stage.items.all()] == ["p-three-0"]


def test_the_two_of_a_pair_are_ranked(project, mona):
    pair = pair_of(project, "greeting")
    turn = turn_of(mona, questionnaire(project, RANK | {"ties": True}, show=("prompt", "pair")))
    client = signed_in(mona)
    _page, task = page_of(client, turn)
    assert sorted(task["sides"]) == sorted((str(pair.first.uuid), str(pair.second.uuid)))
    assert submit(client, turn, 0, said(rank=dict.fromkeys(task["sides"], 1))).status_code == 200
    stored = QuestionnaireAnswer.objects.get()
    assert (stored.pair, stored.answers) == (pair, {"rank": {"greeting-a": 1, "greeting-b": 1}})


def test_a_prompt_alone_can_be_asked_about(project, mona):
    prompt = prompt_of(project, "ramadan", "إيه أحسن أكلة في رمضان؟")
    turn = turn_of(mona, questionnaire(project, {"choice": "Is it culture?", "of": ["Yes", "No"]}, show=("prompt",)))
    page, _task = page_of(signed_in(mona), turn)
    assert prompt.text in page
    assert submit(signed_in(mona), turn, 0, said(**{"is-it-culture": "Yes"})).status_code == 200
    assert QuestionnaireAnswer.objects.get().prompt == prompt


# --- What may change ---------------------------------------------------------------------------------------


def test_an_empty_project_has_nothing_to_plan_and_no_item(project):
    assert not questionnaire(project, RIGHT).items.exists()


def test_a_stage_that_asks_nothing_has_no_items(project, koshari):
    assert not questionnaire(project).items.exists()


def test_the_database_refuses_an_answer_across_projects(project, other_project, mona, stage):
    foreign = add_response(other_project, "wedding", "عرس", "ar-EG")
    with pytest.raises(IntegrityError), transaction.atomic():
        QuestionnaireAnswer.objects.create(stage=stage, response=foreign, rater=mona.raters.get())
    with pytest.raises(IntegrityError), transaction.atomic():
        QuestionnaireAnswer.objects.create(stage=stage, rater=mona.raters.get())


def test_a_skipped_item_keeps_its_reason(mona, turn):
    assert post_json(signed_in(mona), turn, "skip", reason="harmful", note="").status_code == 200
    assert Assignment.objects.get().status == Status.SKIPPED
