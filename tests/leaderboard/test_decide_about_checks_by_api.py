"""A program reads what Mona and Karim say of Nour's questions, and decides as she does on the page."""

import json

import pytest

from benchmark.freezing import freeze
from benchmark.models import Question, QuestionCheck, QuestionRevision, QuestionSet
from tests.benchmark.checks import check_stage, checked, draft_set
from tests.benchmark.sets import CANARY, open_line
from tests.people import signed_in

pytestmark = pytest.mark.django_db
API = "/api/v1/projects/feasts/question-sets/own/1/"
NEW = "الشاي مشروب ساخن. 🍵"


@pytest.fixture
def own(project, nour, mona, karim) -> QuestionSet:
    """Both keep milk and water; of tea they differ; coffee both drop."""
    own = draft_set(project, *(open_line(key, held_back=key == "milk") for key in ("tea", "coffee", "milk", "water")))
    stage = check_stage(project)
    for user in (mona, karim):
        for key in ("milk", "water"):
            checked(user, stage, key)
        checked(user, stage, "coffee", "drop", fault="ambiguous")
    checked(mona, stage, "tea", "repair", fault="reference", reference=NEW, note="ساخن لا دافئ")
    checked(karim, stage, "tea")
    return own


def read(user, address="checks/", **asked):
    return signed_in(user).get(f"{API}{address}", asked)


def post(user, address="checks/decide/", **said):
    return signed_in(user).post(f"{API}{address}", json.dumps(said), content_type="application/json")


def codes(answer) -> list[str]:
    assert answer.status_code == 422, answer.content
    return [problem["code"] for problem in answer.json()["problems"]]


def test_every_checked_question_with_what_was_said_of_it(own, nour, mona):
    rows = {row["id"]: row for row in read(nour).json()["results"]}
    assert set(rows) == {"tea", "coffee", "milk", "water"}
    tea = rows["tea"]
    assert [(check["decision"], check["reference"]) for check in tea["checks"]] == [("repair", NEW), ("keep", "")]
    assert tea["checks"][0]["note"] == "ساخن لا دافئ"
    assert (tea["round"], tea["is_decided"], tea["decided"], tea["canary"]) == (1, False, None, CANARY)
    assert (rows["milk"]["held_back"], tea["held_back"]) == (True, False)
    assert [row["id"] for row in read(nour, state="differ").json()["results"]] == ["tea"]
    assert [row["id"] for row in read(nour, decision="drop", fault="ambiguous").json()["results"]] == ["coffee"]
    assert read(nour, state="any").status_code == 400
    for address in ("checks/", "checks/rounds/", "changes/"):
        assert read(mona, address).status_code == 404
    assert post(mona, question="tea", decision="drop").status_code == 404
    assert post(mona, "checks/keep/").status_code == 404


def test_a_page_of_checks_asks_as_much_for_four_as_for_one(own, nour, django_assert_max_num_queries):
    read(nour)
    with django_assert_max_num_queries(25) as few:
        assert len(read(nour, page_size=1).json()["results"]) == 1
    with django_assert_max_num_queries(len(few)):
        assert len(read(nour).json()["results"]) == 4


def test_a_wording_is_taken_over_and_one_of_her_own_goes_first(own, nour):
    check = QuestionCheck.objects.get(decision="repair")
    before = own.questions.get(key="tea").reference
    decided = post(nour, question="tea", decision="repair", check=check.pk)
    assert decided.status_code == 200, decided.content
    said = decided.json()
    assert (said["before"]["reference"], said["after"]["reference"]) == (before, NEW)
    assert (said["decision"], said["round"], said["decided_by"]) == ("repair", 1, nour.name)
    assert codes(post(nour, question="tea", decision="repair", check=check.pk)) == ["unchanged"]
    own_words = post(nour, question="tea", decision="repair", check=check.pk, reference="كوب شاي.", input="مع الحليب")
    assert own_words.json()["after"] | {"instruction": ""} == {
        "instruction": "",
        "input": "مع الحليب",
        "reference": "كوب شاي.",
    }
    assert codes(post(nour, question="tea", decision="repair")) == ["unchanged"]


def test_keep_and_drop_are_said_once(own, nour):
    for _time in range(2):
        assert post(nour, question="coffee", decision="keep").json()["decision"] == "keep"
    assert QuestionRevision.objects.count() == 1
    dropped = post(nour, question="tea", decision="drop").json()
    assert (dropped["question"], dropped["after"]) == ("tea", {})
    assert {check["decision"] for check in dropped["checks"]} == {"repair", "keep"}
    assert post(nour, question="tea", decision="drop").status_code == 404
    assert not Question.objects.filter(key="tea").exists()


def test_whoever_decides_about_words_that_changed_meanwhile_is_told(own, nour):
    [seen] = [row["seen"] for row in read(nour).json()["results"] if row["id"] == "tea"]
    post(nour, question="tea", decision="repair", reference=NEW, seen=seen)
    for decision in ("keep", "drop", "repair"):
        wording = {"reference": "أخرى"} if decision == "repair" else {}
        assert codes(post(nour, question="tea", decision=decision, seen=seen, **wording)) == ["changed_meanwhile"]
    assert own.questions.get(key="tea").reference == NEW
    assert QuestionRevision.objects.count() == 1


def test_odd_decisions_change_nothing(own, nour):
    of_coffee = QuestionCheck.objects.filter(question__key="coffee").first()
    assert post(nour, question="tea", decision="repair", check=of_coffee.pk).status_code == 404
    assert post(nour, question="tea", decision="repair", check=10**30).status_code == 400
    assert post(nour, question="tea", decision="perhaps").status_code == 400
    assert post(nour, question="tea", decision="repair", reference="x" * 100_001).status_code == 400
    assert post(nour, question="nothing", decision="keep").status_code == 404
    lost = post(nour, question="tea", decision="keep", reference=NEW, check=of_coffee.pk)
    assert (lost.status_code, set(lost.json())) == (400, {"reference", "check"})
    freeze(own)
    assert codes(post(nour, question="tea", decision="drop")) == ["frozen_set"]
    assert post(nour, "checks/keep/").json() == {"kept": 0}
    assert not QuestionRevision.objects.exists()


def test_what_both_keep_is_kept_at_once_and_rounds_and_changes_say_so(own, nour):
    assert post(nour, "checks/keep/").json() == {"kept": 2}
    assert post(nour, "checks/keep/").json() == {"kept": 0}
    post(nour, question="coffee", decision="drop")
    found = read(nour, "checks/rounds/").json()
    [first] = found["rounds"]
    assert first["decided"] == {"keep": 2, "repair": 0, "drop": 1}
    assert {fault: n for fault, n in first["faults"].items() if n} == {"ambiguous": 2, "reference": 1}
    # Of four questions they decide alike on three: test_decide_about_checks works the others out.
    assert (found["agreement"]["same"]["value"], found["agreement"]["same"]["n"]) == (0.75, 4)
    changes = read(nour, "changes/").json()["results"]
    assert [(row["question"], row["decision"]) for row in changes] == [
        ("milk", "keep"),
        ("water", "keep"),
        ("coffee", "drop"),
    ]
    assert {row["canary"] for row in changes} == {CANARY}
    assert [row["question"] for row in read(nour, "changes/", decision="drop").json()["results"]] == ["coffee"]
    assert read(nour, "changes/", decision="all").status_code == 400


def test_an_empty_set_has_empty_lists(project, nour):
    draft_set(project)
    assert read(nour).json()["results"] == read(nour, "changes/").json()["results"] == []
    assert read(nour, "checks/rounds/").json()["rounds"] == []
    assert signed_in(nour).get(API.replace("/1/", "/9/") + "checks/").status_code == 404
