"""Mona says what she wants to say of herself and takes it back; Nour sees how many said what, never who."""

from itertools import product

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.models import Marking
from formats.project_file.applying import apply_file
from formats.project_file.describing import described, file_of
from projects.models import Membership, Project, Rater, User
from projects.problems import Invalid
from screening.background.answering import keep, lets_work
from screening.background.counting import counted
from screening.models import BackgroundAnswer, BackgroundQuestion
from tests.annotation.marked import rater_of
from tests.people import join, person, signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next
from workflow.models import Stage
from workflow.refusals import Refused

pytestmark = pytest.mark.django_db
PAGE = "/p/feasts/about-me/"
COUNTS = "/p/feasts/people/background/"

FILE = """\
format: mizan.project/1
background:
- slug: native
  text: What is your native language?
  purpose: We look for people who grew up with Egyptian Arabic.
  kind: choice
  required: true
  options: ['العربية المصرية 🇪🇬', Another]
  eligible: ['العربية المصرية 🇪🇬']
- slug: years
  text: How many years have you lived in Egypt?
  kind: number
  required: true
  bands: [0, 10, 20]
  at_least: 10
- slug: school
  text: What was your last school?
  purpose: To say in the paper who took part.
  kind: choice
  options: [School, University]
"""
EGYPTIAN = "العربية المصرية 🇪🇬"
GOOD = {"answer-native": EGYPTIAN, "answer-years": "25", "answer-school": ""}


@pytest.fixture
def stage(project, koshari) -> Stage:
    return marking_stage(project)


@pytest.fixture
def asked(stage, project) -> Project:
    apply_file(project, FILE.encode())
    return project


def refused(person: User, stage: Stage) -> str:
    stage.refresh_from_db()
    with pytest.raises(Refused) as found:
        claim_next(rater_of(person, stage.project), stage)
    assert found.value.url == PAGE
    return found.value.code


# --- The person -----------------------------------------------------------------------------------------


def test_mona_reads_what_it_is_for_and_is_handed_work_once_she_has_answered(asked, stage, mona):
    browser = signed_in(mona)
    assert refused(mona, stage) == "background"
    assert "A few questions about you come first" in browser.get("/p/feasts/my-work/").content.decode()
    page = browser.get(PAGE).content.decode()
    assert "We look for people who grew up with Egyptian Arabic." in page
    assert "Nobody reads them" in page
    assert browser.post(PAGE, GOOD).status_code == 302
    assert claim_next(rater_of(mona, asked), stage) is not None
    assert not BackgroundAnswer.objects.filter(question__slug="school").exists()


def test_who_does_not_fit_is_told_kindly_and_handed_nothing(asked, stage, mona):
    browser = signed_in(mona)
    browser.post(PAGE, {**GOOD, "answer-native": "Another"})
    assert refused(mona, stage) == "not_eligible"
    assert "Thank you for your interest" in browser.get("/p/feasts/my-work/").content.decode()
    browser.post(PAGE, {**GOOD, "answer-years": "9"})
    assert refused(mona, stage) == "not_eligible"
    browser.post(PAGE, {**GOOD, "answer-years": "10"})
    assert claim_next(rater_of(mona, asked), stage) is not None


def test_what_is_begun_can_be_finished_after_everything_is_taken_back(asked, stage, mona):
    browser = signed_in(mona)
    browser.post(PAGE, GOOD)
    begun = claim_next(rater_of(mona, asked), stage)
    assert browser.post("/p/feasts/about-me/take-back/").status_code == 302
    assert not BackgroundAnswer.objects.exists()
    assert claim_next(rater_of(mona, asked), stage) == begun
    assert browser.get(f"/tasks/{begun.uuid}/").status_code == 200


def test_one_answer_is_changed_and_left_open_again(asked, mona):
    browser, answers = signed_in(mona), BackgroundAnswer.objects.order_by("question__position")
    browser.post(PAGE, {**GOOD, "answer-school": "School"})
    browser.post(PAGE, {**GOOD, "answer-school": "University"})
    browser.post(PAGE, {**GOOD, "answer-school": "University"})
    assert list(answers.values_list("value", flat=True)) == [EGYPTIAN, 25, "University"]
    browser.post(PAGE, {"answer-native": EGYPTIAN})
    assert list(answers.values_list("value", flat=True)) == [EGYPTIAN]


@pytest.mark.parametrize(
    "wrong",
    [
        {"answer-native": "Made up"},
        {"answer-years": "-1"},
        {"answer-years": "2.5"},
        {"answer-years": "9" * 30},
        {"answer-years": "a\0b"},
        {"answer-native": "x" * 48_000},
    ],
)
def test_what_is_no_answer_is_refused_and_nothing_changes(asked, mona, wrong):
    browser = signed_in(mona)
    browser.post(PAGE, GOOD)
    assert browser.post(PAGE, {**GOOD, "answer-school": "School", **wrong}).status_code == 422
    assert set(BackgroundAnswer.objects.values_list("value", flat=True)) == {EGYPTIAN, 25}


def test_a_project_that_asks_nothing_says_so(project, stage, mona):
    assert "Nothing is asked about you here" in signed_in(mona).get(PAGE).content.decode()
    assert not Stage.objects.get().is_screened


def test_answers_are_ones_own(asked, mona, karim, nour):
    signed_in(mona).post(PAGE, {**GOOD, "answer-years": "77"})
    hers, his = (signed_in(one).get(PAGE).content.decode() for one in (mona, karim))
    assert 'value="77"' in hers
    assert 'value="77"' not in his
    assert signed_in(nour).get(PAGE).status_code == 404, "a lead is no rater"


def test_answers_go_with_the_account_and_with_the_last_role_and_the_work_stays(asked, koshari, mona, karim):
    for one in (mona, karim):
        signed_in(one).post(PAGE, GOOD)
    Marking.objects.create(response=koshari, rater=rater_of(mona, asked), no_errors=True)
    Membership.objects.create(project=asked, user=mona, role="validator")
    Membership.objects.get(user=mona, role="annotator").delete()
    assert BackgroundAnswer.objects.filter(rater__user=mona).exists(), "she still works here"
    Membership.objects.filter(user=mona).delete()
    assert set(BackgroundAnswer.objects.values_list("rater__user", flat=True)) == {karim.pk}
    karim.delete()
    assert not BackgroundAnswer.objects.exists()
    assert Marking.objects.count() == 1


def test_the_database_refuses_answers_of_a_stranger_and_two_to_one_question(asked, other_project, mona, zaid):
    question = BackgroundQuestion.objects.get(slug="years")
    stranger = join(person("else@example.org", "Else"), other_project, "annotator")
    with pytest.raises(IntegrityError), transaction.atomic():
        BackgroundAnswer.objects.create(question=question, rater=rater_of(stranger, other_project), value=3)
    BackgroundAnswer.objects.create(question=question, rater=rater_of(mona, asked), value=3)
    with pytest.raises(IntegrityError), transaction.atomic():
        BackgroundAnswer.objects.create(question=question, rater=rater_of(mona, asked), value=4)
    with pytest.raises(IntegrityError), transaction.atomic():
        BackgroundQuestion.objects.filter(pk=question.pk).update(is_required=False)


# --- The stages -----------------------------------------------------------------------------------------


def test_a_stage_that_comes_later_asks_as_well(asked, mona, nour):
    by_page = Stage.objects.create(project=asked, kind="spans", name="Second", position=2)
    stages = "[{name: Marking, kind: spans}, {name: Second, kind: spans}, {name: Third, kind: spans}]"
    apply_file(asked, f"format: mizan.project/1\nstages: {stages}\n".encode())
    for stage in (by_page, Stage.objects.get(name="Third")):
        assert refused(mona, stage) == "background"


def test_what_is_optional_keeps_nobody_out(project, stage, mona):
    apply_file(project, b"format: mizan.project/1\nbackground: [{slug: age, text: How old?, kind: number}]\n")
    stage.refresh_from_db()
    assert not stage.is_screened
    assert claim_next(rater_of(mona, project), stage) is not None


# --- The lead -------------------------------------------------------------------------------------------


def answer(project: Project, question: str, *counts: tuple[object, int]) -> None:
    """People with an account, so many for each answer; None says nothing."""
    asked_question = BackgroundQuestion.objects.get(project=project, slug=question)
    for value, count in counts:
        for _number in range(count):
            number = Rater.objects.count()
            rater = rater_of(join(person(f"p{number}@example.org", f"P {number}"), project, "annotator"), project)
            keep(rater, {asked_question.pk: value})


def cells(project: Project, question: str) -> dict[str, int | None]:
    [found] = [each for each in counted(project) if each.question.slug == question]
    return {cell.label: cell.people for cell in found.cells}


def test_nour_sees_cells_of_five_and_none_that_could_be_worked_out(asked):
    answer(asked, "school", ("School", 3), ("University", 9), (None, 6))
    # Of 18 people 9 and 6 would leave three: the smaller of the two is kept back as well.
    assert cells(asked, "school") == {"School": None, "University": 9, "not said": None}
    answer(asked, "school", ("School", 2))
    assert cells(asked, "school") == {"School": 5, "University": 9, "not said": 6}


def test_numbers_are_counted_in_their_bands(asked):
    answer(asked, "years", (0, 3), (9, 2), (10, 4), (19, 1), (20, 5), (1_000_000, 1), (None, 7))
    assert cells(asked, "years") == {"0–9": 5, "10–19": 5, "20 or more": 6, "not said": 7}


def test_page_file_and_api_say_the_same_and_no_one_by_name(asked, nour, mona):
    answer(asked, "school", ("School", 5), ("University", 5), (None, 4))
    lead = signed_in(nour)
    page = lead.get(COUNTS).content.decode()
    assert "not shown" in page
    assert mona.name not in page
    assert rater_of(mona, asked).pseudonym not in page
    rows = lead.get("/api/v1/projects/feasts/background/").json()["cells"]
    school = {row["answer"]: (row["people"], row["kept_back"]) for row in rows if row["question"] == "school"}
    assert school == {"School": (5, False), "University": (5, False), "": (5, False)}, "Mona has said nothing either"
    table = lead.get("/p/feasts/people/background.csv").content.decode("utf-8-sig").splitlines()
    assert table[0] == "question,text,answer,people,kept_back"
    assert "school,What was your last school?,University,5,no" in table
    assert f"native,What is your native language?,{EGYPTIAN},,yes" in table


def test_the_page_costs_the_same_for_many_people(asked, nour):
    lead = signed_in(nour)
    lead.get(COUNTS)
    with CaptureQueriesContext(connection) as few:
        lead.get(COUNTS)
    answer(asked, "years", *((number, 1) for number in range(12)))
    with CaptureQueriesContext(connection) as many:
        lead.get(COUNTS)
    assert len(many) == len(few)


def test_an_empty_project_says_what_to_do(project, nour):
    assert "/p/feasts/file/" in signed_in(nour).get(COUNTS).content.decode()


# --- The file -------------------------------------------------------------------------------------------


def test_the_file_comes_back_as_it_went_in_without_what_anybody_said(asked, mona):
    signed_in(mona).post(PAGE, {**GOOD, "answer-years": "31415"})
    again = file_of(asked)
    assert b"31415" not in again
    assert [entry["slug"] for entry in described(asked)["background"]] == ["native", "years", "school"]
    apply_file(asked, again)
    assert file_of(asked) == again
    assert BackgroundAnswer.objects.count() == 2


def places(project: Project, content: str) -> set[str]:
    with pytest.raises(Invalid) as found:
        apply_file(project, content.encode())
    return {problem.field for problem in found.value.problems}


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ("kind: number\n  required: true", "kind: number", "background[1].required"),
        ("eligible: ['العربية المصرية 🇪🇬']", "eligible: [Klingon]", "background[0].eligible"),
        ("options: [School, University]", "options: [School, School]", "background[2].options"),
        ("options: [School, University]", "options: []", "background[2].options"),
        ("options: [School, University]", "options: [' School', University]", "background[2].options"),
        ("options: [School, University]", 'options: ["A\\nB", University]', "background[2].options"),
        ("options: [School, University]", "bands: [1]", "background[2].bands"),
        ("bands: [0, 10, 20]", "bands: [10, 0]", "background[1].bands"),
        ("bands: [0, 10, 20]", "options: [A, B]", "background[1].options"),
        ("at_least: 10", "at_least: 10\n  at_most: 9", "background[1].at_most"),
        ("kind: number", "kind: colour", "background[1].kind"),
        ("slug: years", "slug: native", "background[1].slug"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(project, before, after, place):
    assert place in places(project, FILE.replace(before, after))
    assert not BackgroundQuestion.objects.exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("at_least: 10", "at_least: 26"),
        ("Egypt?", "Sudan?"),
        ("grew up with Egyptian", "want to sell with Egyptian"),
        ("eligible: ['العربية المصرية 🇪🇬']", "eligible: [Another]"),
    ],
)
def test_no_answer_is_used_for_another_purpose_and_no_bound_moved_to_find_it_out(asked, mona, before, after):
    changed = FILE.replace(before, after)
    apply_file(asked, changed.encode())
    apply_file(asked, FILE.encode())
    signed_in(mona).post(PAGE, GOOD)
    assert places(asked, changed)


def test_a_question_that_goes_takes_its_answers_along_and_an_option_too(asked, stage, mona):
    signed_in(mona).post(PAGE, {**GOOD, "answer-school": "School"})
    apply_file(asked, FILE.replace("options: [School, University]", "options: [Primary, University]").encode())
    assert not BackgroundAnswer.objects.filter(question__slug="school").exists()
    apply_file(asked, b"format: mizan.project/1\nbackground: []\n")
    assert not BackgroundAnswer.objects.exists()
    assert claim_next(rater_of(mona, asked), stage) is not None


def test_all_pairs_of_bounds_let_in_whom_they_say(project):
    for low, high in product((None, 2, 5), (None, 5, 8)):
        question = BackgroundQuestion(kind="number", is_required=True, at_least=low, at_most=high)
        let_in = {number for number in range(10) if lets_work(question, number)}
        assert let_in == set(range(low or 0, 10 if high is None else high + 1))
