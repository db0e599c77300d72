"""Mona looks up what questionnaires came to and what rubrics others froze, and narrows what she finds."""

import pytest
from django.utils import timezone

from annotation.casebook.filters import filters_of
from annotation.casebook.finding import Reader
from annotation.models import CaseLabel, CaseNote, QuestionnaireAnswer, SettledCase
from tests.annotation.marked import rater_of
from tests.annotation.questionnaires import RANK, RIGHT, WRONG, make_questionnaires_project, questionnaire, responses_of
from tests.annotation.test_look_up_settled_cases import API, open_book, page, quotes, settle, stage_of, turn
from tests.people import add_response, signed_in
from tests.reports.test_look_up_settled_ratings_and_verdicts import bring_up, cases, stranger
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project
from workflow.models import Assignment, Stage, Status, WorkItem

pytestmark = pytest.mark.django_db
KINDS = {"choices": "Which?", "key": "kinds", "of": ["Facts", "Style"], "optional": True}


def answered(stage, rater, answers, **about) -> None:
    QuestionnaireAnswer.objects.create(stage=stage, rater=rater, answers=answers, **about)


@pytest.fixture
def asked(project, mona):
    """Two strangers say "Partly" of bread and "No" of fish, of fish for facts and style; one writes why."""
    make_questionnaires_project(project)
    open_book(project)
    bread = add_response(project, "bread", "الخبز البلدي ساخن", "ar-EG")
    fish = add_response(project, "fish", "الفسيخ في شم النسيم", "ar-EG")
    stage = questionnaire(project, RIGHT, KINDS, WRONG)
    for name in ("Samia Stranger", "Wael Stranger"):
        answered(stage, stranger(project, name), {"right": "Partly", "kinds": []}, response=bread)
        said = {"right": "No", "kinds": ["Facts", "Style"], "wrong": f"كلام غريب {name[:1]}"}
        answered(stage, stranger(project, name), said, response=fish)
    turn(
        project, mona, add_response(project, "hers", "نص تاني خالص", "ar-EG"), stage=stage_of(project, "questionnaire")
    )
    Stage.objects.update(locked_at=timezone.now())
    assert bring_up(project) == {"cases": 4}, "two parts of two responses; free text comes to nothing"
    return stage, bread, fish


def test_each_part_is_a_case_with_what_it_came_to(asked, mona):
    found = {(case["title"], case["sides"][0]["text"]): case["outcome"] for case in cases(mona)}
    assert found == {
        ("Is it right?", "الخبز البلدي ساخن"): "Partly",
        ("Is it right?", "الفسيخ في شم النسيم"): "No",
        ("Which?", "الخبز البلدي ساخن"): "",
        ("Which?", "الفسيخ في شم النسيم"): "Facts · Style",
    }
    told = page(mona)
    for name in ("Samia", "Wael", "Nile-7B", "غريب"):
        assert name not in told


def test_free_text_stands_there_where_the_project_shows_words(project, asked, mona):
    assert cases(mona, q="غريب") == []
    open_book(project, shows_words=True)
    bring_up(project)
    found = cases(mona, q="غريب")
    assert {case["title"] for case in found} == {"Is it right?", "Which?"}
    assert [said["comment"] for said in found[0]["said"]] == ["كلام غريب S", "كلام غريب W"]


def test_one_person_settles_nothing_and_an_expert_does(project, asked, mona, simba):
    stage, _bread, _fish = asked
    lonely = add_response(project, "lonely", "كلام وحيد", "ar-EG")
    answered(stage, stranger(project, "Samia Stranger"), {"right": "Yes"}, response=lonely)
    answered(stage, simba, {"right": "Yes"}, response=lonely)
    bring_up(project)
    assert cases(mona, q="وحيد") == []
    answered(stage, stranger(project, "Expert Stranger", is_expert=True), {"right": "No"}, response=lonely)
    bring_up(project)
    [found] = [case for case in cases(mona, q="وحيد") if case["title"] == "Is it right?"]
    assert found["outcome"] == "No"


def test_what_she_has_still_to_answer_is_hidden_and_what_others_have_is_not_shown(project, asked, mona, nour):
    _stage, _bread, fish = asked
    hers = Stage.objects.create(project=project, kind="questionnaire", name="Hers", position=9)
    turn(project, mona, fish, Status.CLAIMED, stage=hers)
    assert {case["sides"][0]["text"] for case in cases(mona)} == {"الخبز البلدي ساخن"}
    assert {case["sides"][0]["text"] for case in cases(nour)} == {"الخبز البلدي ساخن"}, "it may come to something else"


def test_a_ranking_is_a_case_of_its_prompt_the_best_first(project, mona, nour):
    make_questionnaires_project(project)
    open_book(project)
    first, second = responses_of(project, "feast", 2)
    stage = questionnaire(project, RANK, show=("prompt", "responses"))
    for name in ("Samia Stranger", "Wael Stranger"):
        answered(
            stage, stranger(project, name), {"rank": {str(first.uuid): 2, str(second.uuid): 1}}, prompt=first.prompt
        )
    turn(project, mona, add_response(project, "hers", "نص تاني", "ar-EG"), stage=stage_of(project, "questionnaire"))
    Stage.objects.update(locked_at=timezone.now())
    assert bring_up(project) == {"cases": 1}
    [found] = cases(mona)
    sides = [(side["title"], side["text"], side["outcome"]) for side in found["sides"]]
    assert sides == [("A", second.text, "1"), ("B", first.text, "2")]
    assert signed_in(nour).put(f"{API}{found['id']}/", {"is_excluded": True}, "application/json").status_code == 204
    assert CaseNote.objects.get().prompt == first.prompt
    assert cases(mona) == []
    signed_in(nour).put(f"{API}{found['id']}/", {"why": "مثال"}, "application/json")
    assert "مثال" in page(mona)


def test_it_is_narrowed_by_question_and_outcome(project, asked, mona):
    stage, _bread, _fish = asked
    of_right = cases(mona, question=f"{stage.pk}:right")
    assert {case["outcome"] for case in of_right} == {"Partly", "No"}
    assert [case["outcome"] for case in cases(mona, outcome="Style")] == ["Facts · Style"]
    assert [case["outcome"] for case in cases(mona, question=f"{stage.pk}:right", outcome="No")] == ["No"]
    assert len(cases(mona, outcome="nothing of the kind")) == 4, "what is no value asks for nothing"
    assert 'name="question"' in page(mona)
    assert 'name="category"' not in page(mona)


def test_beside_her_answer_those_like_it_stand_alone_and_else_whatever_the_filter_leaves(project, asked, mona):
    hers = Assignment.objects.get(rater=rater_of(mona, project))
    assert cases(mona, beside=hers.uuid) == [], "nothing is like it"
    assert [case["outcome"] for case in cases(mona, beside=hers.uuid, outcome="No")] == ["No"]
    assert cases(mona, answer=hers.uuid, outcome="No") == []
    assert len(cases(mona, beside=hers.uuid, q="الفسيخ")) == 2, "words are looked for everywhere"


def test_an_outcome_that_changes_moves_the_case_without_writing_it_anew(project, asked, mona):
    stage, bread, _fish = asked
    before = SettledCase.objects.get(response=bread, key=f"{stage.pk}:right").pk
    for answer in QuestionnaireAnswer.objects.filter(response=bread):
        answer.answers["right"] = "Yes"
        answer.save()
    bring_up(project)
    assert set(CaseLabel.objects.filter(case=before).values_list("label", flat=True)) == {
        f"question:{stage.pk}:right",
        "outcome:Yes",
    }
    assert cases(mona, outcome="Partly") == []


def test_a_longer_page_costs_no_more_questions(project, asked, mona, django_assert_max_num_queries):
    stage, _bread, _fish = asked
    for at in range(12):
        more = add_response(project, f"more-{at}", f"كلام رقم {at}", "ar-EG")
        for name in ("Samia Stranger", "Wael Stranger"):
            answered(stage, stranger(project, name), {"right": "Yes"}, response=more)
    bring_up(project)
    browser = signed_in(mona)
    browser.get(API)
    with django_assert_max_num_queries(50):
        assert len(browser.get(API, {"outcome": "Yes"}).json()["cases"]) == 12


# --- Rubrics ------------------------------------------------------------------------------------------------


@pytest.fixture
def written(project, mona, koshari):
    """Amal froze two versions of a rubric for koshari; Mona has written one for something else."""
    make_rubrics_project(project)
    open_book(project)
    author = stranger(project, "Amal Author")
    frozen_rubric(koshari.prompt, author, weights=(10, 8))
    rubric = frozen_rubric(koshari.prompt, author, weights=(7,), version=2, text="يذكر العدس والأرز")
    turn(project, mona, add_response(project, "hers", "نص تاني خالص", "ar-EG"), stage=stage_of(project, "authoring"))
    Stage.objects.update(locked_at=timezone.now())
    assert bring_up(project) == {"cases": 1}, "the newest version is the case"
    return rubric


def test_a_frozen_rubric_of_another_is_a_case_without_a_name(project, written, mona, koshari):
    [found] = cases(mona, q="العدس")
    assert (found["kind"], found["title"], found["outcome"]) == ("rubrics", koshari.prompt.text, "1 criterion")
    assert found["points"] == [{"text": "يذكر العدس والأرز", "beside": "weight +7"}]
    assert found["language"] == "ar-EG"
    assert "Amal" not in page(mona)


def test_what_she_may_still_write_a_rubric_for_she_does_not_read(project, written, mona, koshari):
    stage = Stage.objects.create(project=project, kind="authoring", name="Next", position=9)
    given = WorkItem.objects.create(
        stage=stage, prompt=koshari.prompt, variety=koshari.variety, position=1, slots=1, open_slots=1
    )
    assert cases(mona) == []
    assert "العدس" not in page(mona, q="العدس").split("</form>")[-1]
    stage.locked_at = timezone.now()
    stage.save()
    assert given.prompt == koshari.prompt
    assert len(cases(mona)) == 1


def test_before_her_first_rubric_the_book_is_shut(project, written, karim):
    assert signed_in(karim).get(API).json()["state"] == "not_yet"


def test_verdicts_and_rubrics_are_narrowed_by_tag(project, written, mona, koshari):
    author = stranger(project, "Amal Author")
    tagged = frozen_rubric(koshari.prompt, author, weights=(6, 5), version=3)
    # A frozen criterion is never changed; here it is told as if it had been written so.
    grade = graded(koshari, author, tagged, passed=["c1"])
    bring_up(project)
    assert {case["outcome"] for case in cases(mona, outcome="pass")} == {"Pass"}
    names = [each.name for each in filters_of(Reader(project, rater_of(mona, project), is_lead=False))]
    assert names == ["outcome"], "no criterion has a tag"
    assert grade.verdicts.count() == 2


# --- Errors -------------------------------------------------------------------------------------------------


def test_errors_are_narrowed_by_type_and_outcome(project, koshari, mona):
    project.areas = ["spans"]
    project.save()
    open_book(project)
    turn(project, mona, add_response(project, "own", "الخبز البلدي", "ar-EG"))
    settle(koshari, "السحور", error_type="cultural")
    settle(
        add_response(project, "fish", "أكلة الفسيخ عادة", "ar-EG"), "الفسيخ", verdict="reject", error_type="linguistic"
    )
    assert set(quotes(mona)) == {"السحور", "الفسيخ"}
    assert quotes(mona, type="cultural") == ["السحور"]
    assert quotes(mona, outcome="rejected") == ["الفسيخ"]
    assert quotes(mona, outcome="rejected", type="cultural") == []
