"""Nour reads what Mona and Karim say of her questions, side by side, and decides with one click."""

import pytest

from benchmark.freezing import freeze
from benchmark.models import Question, QuestionCheck, QuestionRevision, QuestionSet
from benchmark.question_check.agreement import agreement_of, rounds_of, said_of_set
from projects.models import AuditEvent
from tests.benchmark.checks import check_stage, checked, draft_set
from tests.benchmark.sets import open_line
from tests.people import signed_in

pytestmark = pytest.mark.django_db
ADDRESS = "/p/feasts/question-sets/own/1/"
KEYS = ("tea", "coffee", "milk", "water")
NEW = "الشاي مشروب ساخن."


@pytest.fixture
def own(project, nour, mona, karim) -> QuestionSet:
    """Both keep milk and water; of tea they differ; coffee both drop."""
    own = draft_set(project, *(open_line(key) for key in KEYS))
    stage = check_stage(project)
    for user in (mona, karim):
        for key in ("milk", "water"):
            checked(user, stage, key)
        checked(user, stage, "coffee", "drop", fault="ambiguous")
    checked(mona, stage, "tea", "repair", fault="reference", reference=NEW, note="ساخن لا دافئ")
    checked(karim, stage, "tea")
    return own


@pytest.fixture
def lead(nour):
    return signed_in(nour)


def keys(lead, **chosen: str) -> list[str]:
    page = lead.get(f"{ADDRESS}checks/", chosen)
    assert page.status_code == 200
    return [line.question.key for line in page.context["lines"]]


def test_both_checkers_stand_side_by_side(own, lead):
    page = lead.get(f"{ADDRESS}checks/")
    line = next(line for line in page.context["lines"] if line.question.key == "tea")
    assert [check.decision for check in line.checks] == ["repair", "keep"]
    text = page.content.decode()
    for words in (NEW, "ساخن لا دافئ", "Wrong reference", "Keep 2 questions that all keep"):
        assert words in text


def test_the_list_can_be_narrowed(own, lead):
    assert sorted(keys(lead)) == sorted(KEYS)
    assert keys(lead, decision="repair") == ["tea"]
    assert keys(lead, fault="ambiguous") == ["coffee"]
    assert keys(lead, state="differ") == ["tea"]
    assert keys(lead, state="decided") == []
    lead.post(f"{ADDRESS}checks/keep/")
    assert sorted(keys(lead, state="decided")) == ["milk", "water"]
    assert sorted(keys(lead, state="open")) == ["coffee", "tea"]
    assert len(keys(lead, state="no such state")) == 4


def test_the_page_asks_as_much_for_twenty_questions_as_for_four(
    own, lead, project, mona, django_assert_max_num_queries
):
    page = f"{ADDRESS}checks/"
    lead.get(page)
    with django_assert_max_num_queries(25) as few:
        lead.get(page)
    for number in range(16):
        extra = own.questions.get(key="milk")
        prompt = extra.prompt
        prompt.pk, prompt.key = None, f"own/more-{number}"
        prompt.save(force_insert=True)
        extra.pk, extra.key, extra.prompt = None, f"more-{number}", prompt
        extra.save(force_insert=True)
        QuestionCheck.objects.create(
            question=extra, rater=mona.raters.get(), answer="x", is_aligned=True, decision="keep"
        )
    with django_assert_max_num_queries(len(few)):
        assert len(lead.get(page).context["lines"]) == 20


def test_nour_takes_the_wording_of_one_checker_over(own, lead, nour):
    check = QuestionCheck.objects.get(decision="repair")
    answer = lead.post(f"{ADDRESS}checks/{check.pk}/take-over/", {"state": "open", "page": "1", "next": "//evil"})
    assert answer.headers["Location"] == f"{ADDRESS}checks/?state=open&page=1"
    assert own.questions.get(key="tea").reference == NEW
    revision = QuestionRevision.objects.get()
    assert (revision.decision, revision.round, revision.decided_by, revision.after["reference"]) == (
        "repair",
        1,
        nour,
        NEW,
    )
    assert {each["decision"] for each in revision.checks} == {"repair", "keep"}
    page = lead.get(f"{ADDRESS}changes/").content.decode()
    assert NEW in page
    assert revision.before["reference"] in page


def test_she_keeps_or_drops_whatever_they_said(own, lead):
    tea, coffee = (own.questions.get(key=key) for key in ("tea", "coffee"))
    lead.post(f"{ADDRESS}questions/{tea.pk}/decide/", {"decision": "keep"})
    lead.post(f"{ADDRESS}questions/{coffee.pk}/decide/", {"decision": "drop"})
    assert list(QuestionRevision.objects.values_list("key", "decision")) == [("tea", "keep"), ("coffee", "drop")]
    assert not Question.objects.filter(key="coffee").exists()
    assert AuditEvent.objects.filter(action="question.kept").count() == 1


def test_what_both_keep_is_kept_at_once(own, lead):
    lead.post(f"{ADDRESS}checks/keep/")
    assert set(QuestionRevision.objects.values_list("key", "decision")) == {("milk", "keep"), ("water", "keep")}
    assert sorted(AuditEvent.objects.get(action="questions.kept").detail["keys"]) == ["milk", "water"]
    lead.post(f"{ADDRESS}checks/keep/")
    assert QuestionRevision.objects.count() == 2


def test_one_checker_alone_or_one_that_finds_no_fit_keeps_nothing(own, lead):
    QuestionCheck.objects.filter(question__key="milk", rater__name="Karim Samir").delete()
    QuestionCheck.objects.filter(question__key="water", rater__name="Karim Samir").update(is_aligned=False)
    lead.post(f"{ADDRESS}checks/keep/")
    assert not QuestionRevision.objects.exists()


def test_agreement_of_two_checkers(own, lead):
    """Of four questions they decide alike on three. Ratings: keep 5, drop 2, repair 1; n = 8.

    D_o = 2 * 1 / 8 = 1/4, for each of the two ordered pairs of tea; D_e = 1 - (5*4 + 2*1 + 1*0) / (8*7) = 34/56.
    """
    agreement = agreement_of(said_of_set(own))
    assert (agreement.same.value, agreement.same.n) == (0.75, 4)
    assert agreement.same.detail["interval"] == "too few prompts"
    assert agreement.decision.value == pytest.approx(1 - (2 / 8) / (34 / 56))
    assert (agreement.decision.n, agreement.decision.detail["units"]) == (8, 4)
    assert agreement.aligned.undefined == "no variation"
    page = lead.get(f"{ADDRESS}checks/").content.decode()
    assert "75" in page


def test_a_dropped_question_stays_in_the_figures(own, lead):
    before = agreement_of(said_of_set(own))
    lead.post(f"{ADDRESS}questions/{own.questions.get(key='coffee').pk}/decide/", {"decision": "drop"})
    assert agreement_of(said_of_set(own)).decision.value == before.decision.value


def test_without_a_second_checker_agreement_is_undefined(project, nour, mona, lead):
    own = draft_set(project, open_line())
    checked(mona, check_stage(project), "tea")
    agreement = agreement_of(said_of_set(own))
    assert {agreement.same.undefined, agreement.decision.undefined} == {"no pairable values"}
    assert lead.get(f"{ADDRESS}checks/").status_code == 200


def test_rounds_say_what_changed(own, lead, project, mona, karim):
    lead.post(f"{ADDRESS}checks/{QuestionCheck.objects.get(decision='repair').pk}/take-over/")
    lead.post(f"{ADDRESS}questions/{own.questions.get(key='coffee').pk}/decide/", {"decision": "drop"})
    lead.post(f"{ADDRESS}checks/keep/")
    second = check_stage(project)
    for user in (mona, karim):
        checked(user, second, "tea")
    assert keys(lead, state="open") == ["tea"], "the second round's checks ask for another decision"
    lead.post(f"{ADDRESS}checks/keep/")
    one, two = rounds_of(own, said_of_set(own))
    assert (one.questions, one.checks, one.decided) == (4, 8, {"keep": 2, "repair": 1, "drop": 1})
    assert {fault: n for fault, n in one.faults.items() if n} == {"ambiguous": 2, "reference": 1}
    assert (two.questions, two.checks, two.decided) == (1, 2, {"keep": 1, "repair": 0, "drop": 0})


def test_of_a_frozen_set_nothing_is_decided(own, lead, mona):
    milk = own.questions.get(key="milk")
    freeze(own)
    lead.post(f"{ADDRESS}questions/{milk.pk}/decide/", {"decision": "drop"})
    lead.post(f"{ADDRESS}checks/keep/")
    assert not QuestionRevision.objects.exists()
    assert "Take this wording over" not in lead.get(f"{ADDRESS}checks/").content.decode()
    assert signed_in(mona).get(f"{ADDRESS}checks/").status_code == 404


def test_an_empty_page_says_what_to_do_next(project, nour, lead):
    draft_set(project)
    assert "Nothing has been checked yet" in lead.get(f"{ADDRESS}checks/").content.decode()
    assert "No question was changed yet" in lead.get(f"{ADDRESS}changes/").content.decode()
