"""Mona and Karim check the questions of Nour's draft: they answer first, and see the reference only then."""

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from benchmark.editing import drop, repair
from benchmark.freezing import freeze
from benchmark.models import OwnAnswer, QuestionCheck
from benchmark.question_check.checking import read_draft
from projects.problems import Invalid
from tests.benchmark.checks import (
    REFERENCE,
    answer_of,
    answered,
    check_stage,
    checked,
    configuration,
    draft_set,
    own_turn,
    post_json,
    put_draft,
    said,
    submit,
    turn_of,
)
from tests.benchmark.sets import open_line
from tests.people import signed_in
from workflow.models import WorkItem
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db

SECRET = "جواب لا يعرفه النموذج"


@pytest.fixture
def tea(project, nour):
    """A draft with one question that two models answered."""
    [question] = draft_set(project, open_line()).questions.all()
    answer_of(configuration(project, "Nile-7B"), question, "الشاي من الهند.")
    answer_of(configuration(project, "Delta-9B"), question, "لا أعرف الشاي.")
    return question


@pytest.fixture
def own(project, tea, mona):
    return own_turn(mona, check_stage(project))


def faults(answer) -> list[tuple[str, str]]:
    assert answer.status_code == 422
    return [(one["code"], one["field"]) for one in answer.json()["error"]["problems"]]


# --- The reference is shown after the own answer ----------------------------------------------------------


def test_nothing_of_the_reference_is_in_any_answer_before_mona_has_answered(own, mona):
    client = signed_in(mona)
    put_draft(client, own, 0, said(answer="الشاي مشروب"))
    for address in ("", "saved"):
        page = client.get(f"/tasks/{own.uuid}/{address}").content.decode()
        assert "الشاي مشروب" in page or "\\u0627\\u0644\\u0634\\u0627\\u064a" in page, "her own words are there"
        for secret in ("يحبه الناس", "من الهند", "Nile-7B", "\\u064a\\u062d\\u0628\\u0647"):
            assert secret not in page
    assert client.get(f"/tasks/{own.uuid}/own-answer").status_code == 405


def test_an_empty_answer_reveals_nothing(own, mona):
    assert faults(post_json(signed_in(mona), own, "own-answer", text=" \n ")) == [("required", "answer")]
    assert faults(post_json(signed_in(mona), own, "own-answer")) == [("required", "answer")]
    assert not OwnAnswer.objects.exists()


def test_after_her_answer_she_sees_the_reference_and_masked_answers(own, mona):
    shown = answered(mona, own, "الشاي مشروب")
    assert shown["revealed"]["reference"] == REFERENCE
    assert [answer["label"] for answer in shown["revealed"]["answers"]] == ["A", "B"]
    assert {answer["text"] for answer in shown["revealed"]["answers"]} == {"الشاي من الهند.", "لا أعرف الشاي."}
    page = signed_in(mona).get(f"/tasks/{own.uuid}/").context["task"]
    assert page["revealed"] == shown["revealed"], "the same order whenever she comes back"
    whole = signed_in(mona).get(f"/tasks/{own.uuid}/").content.decode()
    assert "Nile-7B" not in whole
    assert "Delta" not in whole


def test_her_first_answer_stays_whatever_is_sent_later(own, mona):
    answered(mona, own, "الأول")
    assert answered(mona, own, "الثاني")["revealed"]["own"] == "الأول"
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        OwnAnswer.objects.update(text="الثاني")
    assert submit(signed_in(mona), own, 0, said(answer="الثالث")).status_code == 200
    assert QuestionCheck.objects.get().answer == "الأول"


def test_nobody_else_can_answer_in_her_turn(own, karim, nour):
    for user in (karim, nour):
        assert post_json(signed_in(user), own, "own-answer", text="أنا").status_code == 404


def test_a_check_cannot_be_handed_in_without_an_answer(own, mona):
    assert faults(submit(signed_in(mona), own, 0, said(answer="كتبتها هنا فقط"))) == [("required", "answer")]


# --- What is decided --------------------------------------------------------------------------------------


def test_keeping_a_question_is_stored_with_what_was_checked(own, mona, tea):
    answered(mona, own)
    assert submit(signed_in(mona), own, 0, said(note=" جيد ", fault="other")).status_code == 200
    check = QuestionCheck.objects.get()
    assert (check.question, check.rater.user, check.round, check.decision) == (tea, mona, 1, "keep")
    assert (check.fault, check.note, check.is_aligned) == ("", "جيد", True)
    assert check.checked == {"instruction": tea.instruction, "input": "", "reference": REFERENCE}


def test_what_is_missing_is_named(own, mona):
    answered(mona, own)
    client = signed_in(mona)
    assert faults(submit(client, own, 0, said("", is_aligned=None))) == [
        ("required", "is_aligned"),
        ("required", "decision"),
    ]
    assert faults(submit(client, own, 0, said("drop"))) == [("required", "fault")]
    assert faults(submit(client, own, 0, said("repair", fault="reference"))) == [("required", "instruction")]
    assert faults(submit(client, own, 0, said("repair", fault="reference", reference=REFERENCE))) == [
        ("required", "instruction")
    ]


def test_a_repair_is_the_new_wording_of_what_differs(own, mona, tea):
    answered(mona, own)
    words = {"instruction": tea.instruction, "reference": "الشاي مشروب ساخن."}
    assert submit(signed_in(mona), own, 0, said("repair", fault="reference", **words)).status_code == 200
    check = QuestionCheck.objects.get()
    assert (check.repaired_instruction, check.repaired_reference) == ("", "الشاي مشروب ساخن.")
    tea.refresh_from_db()
    assert tea.reference == REFERENCE, "the lead decides"


def test_a_repair_that_the_rules_cannot_score_is_refused(project, mona):
    draft_set(project)
    turn = turn_of(mona, check_stage(project), "capital")
    answered(mona, turn)
    refused = submit(signed_in(mona), turn, 0, said("repair", fault="reference", reference="القاهرة"))
    assert faults(refused) == [("not_an_option", "reference")]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ([], "body"),
        ({"decision": "burn"}, "decision"),
        ({"fault": 1}, "fault"),
        ({"is_aligned": "yes"}, "is_aligned"),
        ({"note": 5}, "note"),
        ({"reveal": True}, "reveal"),
    ],
)
def test_what_is_no_draft_is_refused(body, field):
    with pytest.raises(Invalid) as raised:
        read_draft(body)
    assert [problem.field for problem in raised.value.problems] == [field]


def test_she_can_take_it_back_until_nour_has_decided(own, mona, tea, nour):
    answered(mona, own, "الشاي")
    client = signed_in(mona)
    submit(client, own, 0, said("drop", fault="ambiguous"))
    client.post(f"/tasks/{own.uuid}/amend")
    assert not QuestionCheck.objects.exists()
    page = client.get(f"/tasks/{own.uuid}/").context["task"]
    assert (page["draft"]["decision"], page["draft"]["fault"], page["read_only"]) == ("drop", "ambiguous", False)
    assert page["revealed"]["own"] == "الشاي", "what was revealed stays so"
    assert submit(client, own, page["version"], said("keep")).status_code == 200
    repair(tea, reference="الشاي مشروب.", actor=nour)
    client.post(f"/tasks/{own.uuid}/amend")
    assert QuestionCheck.objects.get().decision == "keep"
    page = client.get(f"/tasks/{own.uuid}/").context["task"]
    assert page["revealed"]["reference"] == REFERENCE, "she reads again what she had checked"


# --- Which questions there are ----------------------------------------------------------------------------


def test_the_items_are_the_questions_of_drafts(project, nour):
    own = draft_set(project)
    freeze(draft_set(project, open_line("old"), id="frozen", canary=...))
    stage = check_stage(project)
    keys = set(WorkItem.objects.filter(stage=stage).values_list("prompt__key", flat=True))
    assert keys == {"own/capital", "own/tea"}
    freeze(own)
    assert plan_items(check_stage(project)) == 0


def test_the_next_round_asks_about_what_was_repaired_since(project, nour, mona, karim):
    own = draft_set(project, *(open_line(key) for key in ("tea", "coffee", "milk")))
    first = check_stage(project)
    for user in (mona, karim):
        checked(user, first, "tea", "repair", fault="reference", reference="الشاي مشروب ساخن.")
        checked(user, first, "coffee", "repair", fault="ambiguous", instruction="اكتب جملة عن القهوة.")
        checked(user, first, "milk")
    repair(own.questions.get(key="tea"), reference="الشاي مشروب ساخن.", actor=nour)
    repair(own.questions.get(key="coffee"), instruction="اكتب جملة عن القهوة.", actor=nour)
    assert plan_items(first) == 0, "what is worded anew is the next round's"
    second = check_stage(project)
    assert set(WorkItem.objects.filter(stage=second).values_list("prompt__key", flat=True)) == {
        "own/tea",
        "own/coffee/v1",
    }
    checked(mona, second, "tea")
    assert set(QuestionCheck.objects.filter(question__key="tea").values_list("round", "checked__reference")) == {
        (1, REFERENCE),
        (2, "الشاي مشروب ساخن."),
    }
    assert WorkItem.objects.filter(stage=check_stage(project)).count() == 0, "nothing was repaired in the second"


def test_a_question_worded_anew_meanwhile_cannot_be_checked_as_it_was(own, mona, karim, tea, nour):
    answered(mona, own)
    repair(tea, instruction="اكتب جملتين.", actor=nour)
    assert faults(submit(signed_in(mona), own, 0, said())) == [("gone", "")]
    page = signed_in(mona).get(f"/tasks/{own.uuid}/")
    assert page.context["task"]["is_gone"]
    assert "changed or dropped meanwhile" in page.content.decode()
    answer = signed_in(karim).post(f"/p/feasts/my-work/{own.stage_id}/next")
    assert answer.headers["Location"] == "/p/feasts/my-work/", "Karim is not handed it"
    drop(tea, nour)
    assert signed_in(mona).get(f"/tasks/{own.uuid}/").status_code == 200


def test_a_held_back_question_is_read_in_its_turn_alone(project, mona, nour):
    draft_set(project, open_line(output=SECRET, instruction=f"{SECRET}؟", held_back=True))
    turn = own_turn(mona, check_stage(project))
    assert f"{SECRET}؟" in signed_in(mona).get(f"/tasks/{turn.uuid}/").content.decode()
    assert answered(mona, turn)["revealed"]["reference"] == SECRET
    for address in ("/p/feasts/question-sets/own/1/", "/api/v1/projects/feasts/question-sets/own/1/questions/"):
        assert SECRET not in signed_in(mona).get(address).content.decode()


def test_the_database_takes_one_check_a_round(own, mona, tea):
    answered(mona, own)
    submit(signed_in(mona), own, 0, said())
    with pytest.raises(IntegrityError), transaction.atomic():
        QuestionCheck.objects.create(
            question=tea, rater=own.rater, round=1, answer="x", is_aligned=True, decision="keep"
        )


def test_the_front_page_says_how_many_checks_there_are(project, nour, mona):
    draft_set(project)
    lead = signed_in(nour)
    assert "Native speakers answer each question" in lead.get("/p/feasts/").content.decode()
    checked(mona, check_stage(project), "tea")
    assert "1 check is handed in." in lead.get("/p/feasts/").content.decode()
