"""Mona looks up what ratings and verdicts on criteria came to; what judges said has no part in it."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.casebook.indexing_jobs import CASE_BOOK, IndexCases, begin_indexing
from annotation.casebook.kinds import case_kinds
from annotation.models import CaseNote, IndexedKind, Rating, SettledCase
from jobs.models import Job
from jobs.working import work_on
from projects.models import Rater, RaterKind
from rubrics.models import Verdict
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.annotation.test_look_up_settled_cases import API, open_book, page, stage_of, turn
from tests.people import add_response, signed_in
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project
from workflow.models import FeedbackRules, Stage, Status, WorkItem

pytestmark = pytest.mark.django_db


def bring_up(project) -> Any:
    """The job that brings the book up, worked off."""
    job = begin_indexing(project)
    assert work_on(job.pk)
    job.refresh_from_db()
    result = job.result
    Job.objects.filter(kind=CASE_BOOK).delete()
    return result


def stranger(project, name: str, **fields) -> Rater:
    return Rater.objects.get_or_create(project=project, kind="human", name=name, defaults=fields)[0]


def cases(person, **asked) -> list[dict]:
    answer = signed_in(person).get(API, asked)
    assert answer.status_code == 200
    return answer.json()["cases"]


@pytest.fixture
def rated(project, mona):
    """Samia and Wael graded a response 4, and a pair 5 to 2 and 4 to 2; Mona has answered something else."""
    make_ratings_project(project)
    open_book(project)
    question = question_type(project)
    alone = add_response(project, "alone", "طبق الملوخية بالأرانب 🍲", "ar-EG")
    pair = pair_of(project, "greeting", question=question)
    samia, wael = stranger(project, "Samia Stranger"), stranger(project, "Wael Stranger")
    rate(alone, samia, question, 4, comment="لهجة سليمة")
    rate(alone, wael, question, 4)
    rate(pair, samia, question, 5, 2)
    rate(pair, wael, question, 5, 2, comment="الأولى طبيعية")
    turn(project, mona, add_response(project, "hers", "نص تاني خالص", "ar-EG"), stage=stage_of(project, "ratings"))
    Stage.objects.update(locked_at=timezone.now())
    assert bring_up(project) == {"cases": 2}
    return alone, pair, question


def test_a_response_and_a_pair_with_what_they_came_to(rated, mona):
    of_pair, of_response = cases(mona)
    assert (of_response["kind"], of_response["title"], of_response["outcome"]) == ("ratings", "Formality", "")
    assert of_response["sides"] == [{"title": "", "text": "طبق الملوخية بالأرانب 🍲", "outcome": "4 · Good"}]
    assert of_pair["outcome"] == "First is better"
    assert [side["outcome"] for side in of_pair["sides"]] == ["5 · Excellent", "2 · Minor failure"]
    told = page(mona)
    assert "4 · Good" in told
    for name in ("Samia", "Wael", "Nile-7B", "لهجة سليمة"):
        assert name not in told


def test_reasons_stand_there_where_the_project_shows_them_and_are_found_then(project, rated, mona):
    assert cases(mona, q="لهجة") == []
    open_book(project, shows_words=True)
    assert IndexCases().sweep() == 1
    bring_up(project)
    [found] = cases(mona, q="لَهجه")
    assert [(said["verdict"], said["comment"]) for said in found["said"]] == [("4 · Good", "لهجة سليمة")]


def test_words_of_the_texts_find_them_folded(rated, mona):
    [found] = cases(mona, q="المُلوخيّة")
    assert found["title"] == "Formality"


def test_one_person_settles_nothing_an_expert_does(project, rated, mona, simba):
    _alone, _pair, question = rated
    lonely = add_response(project, "lonely", "كلام وحيد", "ar-EG")
    rate(lonely, stranger(project, "Samia Stranger"), question, 3)
    rate(lonely, simba, question, 1, comment="a judge said so")
    bring_up(project)
    assert cases(mona, q="وحيد") == []
    rate(lonely, stranger(project, "Expert Stranger", is_expert=True), question, 5)
    bring_up(project)
    [found] = cases(mona, q="وحيد")
    assert found["sides"][0]["outcome"] == "5 · Excellent"


def test_a_judge_changes_nothing_of_what_is_read(project, rated, mona, simba):
    alone, pair, question = rated
    before = cases(mona)
    open_book(project, shows_words=True)
    with_words = cases(mona)
    assert simba.kind == RaterKind.JUDGE
    rate(alone, simba, question, 1, comment="a judge said so")
    rate(pair, simba, question, 1, 5, comment="a judge said so")
    assert cases(mona) == with_words
    open_book(project, shows_words=False)
    assert cases(mona) == before


def test_while_another_answer_is_waited_for_it_is_not_shown(project, rated, mona, nour):
    alone, _pair, _question = rated
    item = WorkItem.objects.create(
        stage=Stage.objects.create(project=project, kind="ratings", name="More", position=9),
        response=alone,
        variety=alone.variety,
        position=1,
        slots=1,
        open_slots=1,
    )
    assert len(cases(nour)) == 1, "a lead has nothing to answer, but it may come to something else"
    item.open_slots = 0
    item.save()
    assert len(cases(nour)) == 2


def test_of_what_she_has_still_to_rate_nothing_is_found(project, rated, mona):
    alone, _pair, _question = rated
    stage = Stage.objects.create(project=project, kind="ratings", name="Hers", position=9)
    turn(project, mona, alone, Status.CLAIMED, stage=stage)
    assert [case["outcome"] for case in cases(mona)] == ["First is better"]
    assert cases(mona, q="الملوخية") == []


def test_a_lead_excludes_a_pair_and_not_what_shares_its_first_response(project, rated, nour, mona):
    _alone, pair, question = rated
    for name in ("Samia Stranger", "Wael Stranger"):
        rate(pair.first, stranger(project, name), question, 2)
    bring_up(project)
    of_pair = SettledCase.objects.get(pair=pair)
    assert signed_in(nour).put(f"{API}{of_pair.pk}/", {"is_excluded": True}, "application/json").status_code == 204
    assert CaseNote.objects.get().pair == pair
    assert [case["outcome"] for case in cases(mona)] == ["", ""]
    signed_in(nour).put(f"{API}{of_pair.pk}/", {"why": "مثال"}, "application/json")
    assert "مثال" in page(mona)


def test_the_book_follows_answers_that_change_and_go(project, rated, mona):
    alone, _pair, question = rated
    kept = SettledCase.objects.get(pair=None).pk
    assert IndexCases().sweep() == 0
    for name in ("Samia Stranger", "Wael Stranger"):
        rate(alone, stranger(project, name), question, 1, round=2)
    assert IndexCases().sweep() == 1
    bring_up(project)
    assert SettledCase.objects.filter(pk=kept).exists(), "its words are the same, and it is not written again"
    assert cases(mona)[-1]["sides"][0]["outcome"] == "1 · Major failure"
    Rating.objects.filter(response=alone).delete()
    bring_up(project)
    assert [case["outcome"] for case in cases(mona)] == ["First is better"]


def test_a_book_that_took_long_rests_before_it_is_gone_through_again(project, rated):
    alone, _pair, question = rated
    job, now = begin_indexing(project), timezone.now()
    assert work_on(job.pk)
    rate(alone, stranger(project, "Samia Stranger"), question, 1, round=2)

    def took_ten_minutes(ended_minutes_ago):
        ended = now - timedelta(minutes=ended_minutes_ago)
        Job.objects.filter(pk=job.pk).update(started_at=ended - timedelta(minutes=10), ended_at=ended)

    took_ten_minutes(ended_minutes_ago=39)
    assert IndexCases().sweep() == 0
    took_ten_minutes(ended_minutes_ago=41)
    assert IndexCases().sweep() == 1


def test_like_her_own_answer_compares_the_texts_that_she_rated(project, rated, mona):
    _alone, pair, question = rated
    twin = pair_of(project, "again", "اتفضلي يا ست", "كيف الصحة", question=question)
    given = turn(project, mona, twin.first, stage=Stage.objects.get(name="Stage of ratings"), pair=twin)
    found = cases(mona, answer=given.uuid)
    assert [case["outcome"] for case in found] == ["First is better"], "كيف stands in both"
    assert pair.second.text.split()[1] == "كيف"


def test_a_longer_page_costs_no_more_questions(project, rated, mona, django_assert_max_num_queries):
    _alone, _pair, question = rated
    for at in range(12):
        more = add_response(project, f"more-{at}", f"كلام رقم {at}", "ar-EG")
        for name in ("Samia Stranger", "Wael Stranger"):
            rate(more, stranger(project, name), question, 3)
    bring_up(project)
    browser = signed_in(mona)
    browser.get(API)
    with django_assert_max_num_queries(45):
        assert len(browser.get(API).json()["cases"]) == 14


@pytest.fixture
def judged_by_criteria(project, mona, koshari):
    """Samia graded koshari by its rubric: c1 passed, c2 failed, and she found an error."""
    make_rubrics_project(project)
    open_book(project)
    author = stranger(project, "Amal Author")
    rubric = frozen_rubric(koshari.prompt, author, weights=(10, 8))
    grade = graded(koshari, author, rubric, passed=["c1"], errors=[-4])
    Verdict.objects.filter(grade=grade, criterion__key="c1").update(justification="قالها في أول سطر")
    turn(project, mona, add_response(project, "hers", "نص تاني خالص", "ar-EG"), stage=stage_of(project, "scoring"))
    Stage.objects.update(locked_at=timezone.now())
    assert bring_up(project) == {"cases": 4}, "her verdicts, and the rubric itself"
    return grade


def test_verdicts_of_the_first_grading_are_cases(project, judged_by_criteria, mona):
    found = {case["title"]: case["outcome"] for case in cases(mona) if case["kind"] == "verdicts"}
    expected = {"Names thing 1.": "Pass", "Names thing 2.": "Fail", "Invents something.": "Error present"}
    assert found == expected
    assert [case["title"] for case in cases(mona, q="invents")] == ["Invents something."]
    assert "قالها" not in page(mona)
    open_book(project, shows_words=True)
    assert "قالها في أول سطر" in page(mona)
    assert "Amal" not in page(mona)


def test_grades_of_judges_are_no_cases(project, judged_by_criteria, mona, simba, koshari):
    before = cases(mona)
    rubric = judged_by_criteria.rubric
    graded(koshari, simba, rubric, passed=["c2"], role="judge")
    bring_up(project)
    assert cases(mona) == before


def test_of_a_response_that_is_graded_again_no_verdict_is_shown(project, judged_by_criteria, mona, koshari):
    stage = Stage.objects.create(project=project, kind="regrading", name="Again", position=9)
    given = turn(project, mona, koshari, Status.CLAIMED, stage=stage)
    assert cases(mona) == []
    assert "Names thing" not in page(mona)
    assert given.item.response == koshari


def test_a_project_of_ratings_opens_its_book_on_the_page_of_rules(project, rated, nour, mona):
    FeedbackRules.objects.all().delete()
    lead = signed_in(nour)
    assert 'name="case_book"' in lead.get("/p/feasts/feedback/").content.decode()
    lead.post("/p/feasts/feedback/", {"shows_outcomes": "on", "case_book": "after_first"})
    assert Job.objects.filter(kind=CASE_BOOK, project=project).count() == 1
    assert "search settled cases" in signed_in(mona).get("/p/feasts/guidelines/").content.decode()


def test_a_project_without_settled_answers_has_no_book(project, nour):
    project.areas = ["leaderboard"]
    project.save()
    assert case_kinds(project) == []
    assert 'name="case_book"' not in signed_in(nour).get("/p/feasts/feedback/").content.decode()
    assert not IndexedKind.objects.exists()
