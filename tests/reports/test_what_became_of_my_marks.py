"""Mona reads what became of her marks, how her answers have stood, and what checks that are over had asked."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Adjudication, Marking, Rating
from projects.models import Rater
from reports.dashboard.first_answers import FIRST_ANSWERS
from rubrics.models import Grade, Verdict
from screening.models import CheckResult, GoldCheck
from tests.annotation.marked import mark, rater_of, review
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response, signed_in
from tests.rubrics.rubrics import frozen_rubric, make_rubrics_project
from tests.screening.quizzes import add_check
from tests.workflow.working import marking_stage
from workflow.models import Assignment, FeedbackRules, FirstAnswer, Stage, Status, WorkItem

pytestmark = pytest.mark.django_db
ADDRESS = "/p/feasts/my-work/marks/"


def page(person, **asked) -> str:
    answer = signed_in(person).get(ADDRESS, asked)
    assert answer.status_code == 200
    return answer.content.decode()


def tell(project, **what) -> None:
    FeedbackRules.objects.update_or_create(project=project, defaults=what)


def last_week(model, **which) -> None:
    model.objects.filter(**which).update(created_at=timezone.now() - timedelta(days=8))


@pytest.fixture
def settled(project, koshari, mona, karim, hana):
    """Mona marked three places; Karim, who marked nothing, kept one, corrected one and rejected one."""
    spans = mark(koshari, mona, "الكشري أكلة", "السحور", "الفراعنة")
    mark(koshari, karim)
    review(spans[0], karim, "keep")
    start = koshari.text.index("سحور")
    shorter = {"quote": "سحور", "start": start, "end": start + 4}
    review(spans[1], karim, "correct", comment="أقصر 🙂", criticality="low", **shorter)
    review(spans[2], karim, "reject", comment="<b>لا</b> أرى خطأ")
    return spans


def test_before_anything_came_back_the_page_says_when_it_will(project, mona):
    told = page(mona)
    assert "Nothing has come back yet" in told
    assert "once everybody who reviews them has" in told


def test_each_settled_mark_says_how_it_fared_and_the_share_with_its_n(settled, mona):
    told = page(mona)
    for words in ("الكشري أكلة", "Kept and corrected", "Rejected", "Marks that others kept", "0.67", "n = 3"):
        assert words in told
    assert "too few to say much" in told
    assert "retained_share" in told


def test_reviewers_words_are_shown_where_the_project_says_so_alone_and_never_their_names(
    project, settled, mona, karim, hana
):
    Adjudication.objects.create(span=settled[0], rater=rater_of(hana, project), is_kept=True, reason="Settled so.")
    assert "أقصر" not in page(mona)
    assert "Settled so." not in page(mona)
    assert "does not show what reviewers wrote" in page(mona)
    tell(project, shows_words=True)
    told = page(mona)
    assert "أقصر 🙂" in told
    assert "Settled so." in told
    assert "سحور" in told
    assert "&lt;b&gt;لا&lt;/b&gt;" in told
    for name in ("Karim", "Hana", rater_of(karim, project).pseudonym, rater_of(hana, project).pseudonym, "Nile-7B"):
        assert name not in told


def test_a_judges_review_is_told_nowhere(project, settled, mona, simba):
    tell(project, shows_words=True)
    review(settled[0], simba, "reject", comment="As a model I reject it.")
    assert "As a model" not in page(mona)


def test_a_mark_that_waits_is_not_told_of(project, koshari, mona, karim):
    spans = mark(koshari, mona, "السحور")
    mark(koshari, karim)
    told = page(mona)
    assert "السحور" not in told
    review(spans[0], karim, "keep")
    assert "السحور" in page(mona)


@pytest.mark.parametrize("state", ["to be claimed", Status.CLAIMED])
def test_nothing_is_told_while_she_has_still_to_review_the_same_response(project, koshari, settled, mona, state):
    stage = Stage.objects.create(project=project, kind="reviews", name="Reviewing")
    item = WorkItem.objects.create(
        stage=stage, response=koshari, variety=koshari.variety, position=1, slots=2, open_slots=1
    )
    if state == Status.CLAIMED:
        Assignment.objects.create(
            item=item, stage=stage, rater=rater_of(mona, project), status=state, lease_expires_at=timezone.now()
        )
    assert "السحور" not in page(mona)
    Assignment.objects.update_or_create(
        item=item,
        stage=stage,
        rater=rater_of(mona, project),
        defaults={"status": Status.SUBMITTED, "submitted_at": timezone.now(), "lease_expires_at": None},
    )
    assert "السحور" in page(mona)


def test_the_project_may_tell_nothing_of_single_marks(project, settled, mona):
    tell(project, shows_outcomes=False, shows_words=True)
    told = page(mona)
    assert "السحور" not in told
    assert "Marks that others kept" not in told
    assert "does not tell what became of single marks" in told


def test_marks_are_narrowed_to_those_that_fared_so_and_other_words_are_ignored(settled, mona):
    assert "الفراعنة" in page(mona, fate="rejected")
    assert "الكشري أكلة" not in page(mona, fate="rejected")
    assert "الكشري أكلة" in page(mona, fate="'; drop table", page="-5")


def test_nobody_reads_anothers_marks(settled, karim, nour, omar):
    assert "الفراعنة" not in page(karim)
    assert signed_in(nour).get(ADDRESS).status_code == 404
    assert signed_in(omar).get(ADDRESS).status_code == 404


def test_weeks_are_apart_and_everything_stands_below(project, settled, mona, karim):
    older = add_response(project, "older", "خطأ قديم هنا", "ar-EG")
    [span] = mark(older, mona, "قديم")
    mark(older, karim)
    review(span, karim, "reject")
    last_week(Marking, response=older)
    [standing] = signed_in(mona).get(ADDRESS).context["standings"]
    # This week two of three were kept, the week before none of one: two of four together.
    assert [week.figure.n for week in standing.weeks] == [3, 1, 4]
    assert [week.figure.value for week in standing.weeks] == [pytest.approx(2 / 3), 0, 0.5]


def test_grades_are_compared_with_those_of_others_once_the_week_is_over(project, mona, karim, hana):
    question = question_type(make_ratings_project(project))
    near, far = (pair_of(project, key, question=question) for key in ("near", "far"))
    # Of Karim's four grades hers lie within one step of three: 4|5, 2|2, 1|2 and not 1|5.
    for pair, hers, his in ((near, (4, 2), (5, 2)), (far, (1, 1), (2, 5))):
        rate(pair, mona, question, *hers)
        rate(pair, karim, question, *his)
    assert "Grades near those of others" not in page(mona)
    last_week(Rating)
    [standing] = signed_in(mona).get(ADDRESS).context["standings"]
    assert (standing.name, standing.weeks[-1].figure.value, standing.weeks[-1].figure.n) == (
        "within_one_of_others",
        0.75,
        4,
    )


def first_given(person, about, kind: str, body: dict) -> Assignment:
    """A turn of theirs in which something else stands by now."""
    stage = Stage.objects.create(project=about.project, kind=kind, name=kind)
    subject = {"pair": about} if kind == "pairs" else {"response": about}
    item = WorkItem.objects.create(stage=stage, variety=about.variety, position=1, slots=1, open_slots=0, **subject)
    now = timezone.now()
    turn = Assignment.objects.create(
        item=item, stage=stage, rater=rater_of(person, about.project), status=Status.SUBMITTED, submitted_at=now
    )
    FirstAnswer.objects.create(assignment=turn, body=body, submitted_at=now)
    return turn


def test_of_grades_that_were_amended_the_first_are_compared(project, mona, karim):
    question = question_type(make_ratings_project(project))
    pair = pair_of(project, "tea", question=question)
    rate(pair, mona, question, 1, 1)
    # Within one step of both of his that stand, and of one alone that he gave first.
    first = {"question": question.slug, "first": 5, "second": 2, "preference": "", "comment": ""}
    turn = first_given(karim, pair, "pairs", {"ratings": [first]})
    rate(pair, karim, question, 1, 1, assignment=turn)
    last_week(Rating)
    [standing] = signed_in(mona).get(ADDRESS).context["standings"]
    assert (standing.weeks[-1].figure.value, standing.weeks[-1].figure.n) == (0.5, 2)
    assert standing.recipe.settings["answers"] == FIRST_ANSWERS


@pytest.mark.parametrize(("first", "share"), [({"score": 5}, 0), ({"score": None}, None)])
def test_so_is_the_first_score_beside_marks(project, mona, karim, first, share):
    """And one that was not given at first is none: it came on second thoughts."""
    question = question_type(make_ratings_project(project))
    koshari = add_response(project, "koshari", "كشري", "ar-EG")
    rate(koshari, mona, question, 1)
    turn = first_given(karim, koshari, "spans", {"no_errors": True, "spans": [], **first})
    Stage.objects.filter(pk=turn.stage_id).update(scored_on=question)
    rate(koshari, karim, question, 1, assignment=turn)
    last_week(Rating)
    [standing] = signed_in(mona).get(ADDRESS).context["standings"]
    assert standing.weeks[-1].figure.value == share


def test_where_nobody_else_graded_the_share_is_undefined_with_its_reason(project, mona):
    question = question_type(make_ratings_project(project))
    rate(pair_of(project, "alone", question=question), mona, question, 4, 2)
    last_week(Rating)
    assert "undefined: no items" in page(mona)


def graded(rubric, response, person, *values: str, round: int = 1) -> Grade:
    """A complete grade with these verdicts on the rubric's criteria, in their order."""
    rater = rater_of(person, response.project)
    numbers = {"raw": 0, "maximum": 37, "role": "regrade", "round": round}
    grade = Grade.objects.create(response=response, rubric=rubric, rater=rater, **numbers)
    criteria = rubric.criteria.filter(grade=None).order_by("pk")
    Verdict.objects.bulk_create(
        Verdict(grade=grade, criterion=criterion, value=value)
        for criterion, value in zip(criteria, values, strict=True)
    )
    return grade


def test_verdicts_are_compared_with_those_of_others_once_the_week_is_over(project, salma, mona, karim, simba):
    make_rubrics_project(project)
    response = add_response(project, "notes", "النص", "ar-EG")
    rubric = frozen_rubric(response.prompt, rater_of(salma, project))
    n = rubric.criteria.count()
    others = ["fail"] * (n - 1)
    graded(rubric, response, mona, "pass", *others)
    graded(rubric, response, karim, "fail", *others)
    graded(rubric, response, karim, "pass", *others, round=2)  # the first answer counts
    graded(rubric, response, salma, "pass", "pass", *others[1:])
    graded(rubric, response, simba, *["pass"] * n)  # of judges nothing is told
    assert "Verdicts as those of others" not in page(mona)
    last_week(Grade)
    [standing] = signed_in(mona).get(ADDRESS).context["standings"]
    # Of her first verdict Salma gave the same and Karim not, of her second Karim and Salma not, of the others both.
    assert (standing.name, standing.weeks[-1].figure.n) == ("same_verdict_as_others", n)
    assert standing.weeks[-1].figure.value == pytest.approx((0.5 + 0.5 + (n - 2)) / n)
    assert standing.weeks[-1].figure.low is None  # one prompt has no interval
    assert "Verdicts as those of others" in page(mona)


def test_of_verdicts_that_were_amended_the_first_are_compared(project, salma, mona, karim):
    make_rubrics_project(project)
    response = add_response(project, "notes", "النص", "ar-EG")
    rubric = frozen_rubric(response.prompt, rater_of(salma, project))
    keys = list(rubric.criteria.filter(grade=None).order_by("pk").values_list("key", flat=True))
    graded(rubric, response, mona, *["pass"] * len(keys))
    grade = graded(rubric, response, karim, *["pass"] * len(keys))
    said = dict.fromkeys(keys, "pass") | {keys[0]: "fail"}
    turn = first_given(karim, response, "scoring", {"verdicts": said, "negatives": [], "comment": ""})
    Grade.objects.filter(pk=grade.pk).update(assignment=turn)
    last_week(Grade)
    [standing] = signed_in(mona).get(ADDRESS).context["standings"]
    assert standing.weeks[-1].figure.value == pytest.approx((len(keys) - 1) / len(keys))


def test_what_somebody_may_still_grade_and_what_nobody_else_graded_tells_nothing(project, salma, mona, karim):
    make_rubrics_project(project)
    response = add_response(project, "notes", "النص", "ar-EG")
    rubric = frozen_rubric(response.prompt, rater_of(salma, project))
    n = rubric.criteria.count()
    grade = graded(rubric, response, mona, *["pass"] * n)
    last_week(Grade)
    assert "undefined: no items" in page(mona)
    stage = Stage.objects.create(project=project, kind="scoring", name="Scoring")
    item = WorkItem.objects.create(
        stage=stage, response=response, variety=response.variety, position=1, slots=2, open_slots=1
    )
    turn = Assignment.objects.create(
        item=item, stage=stage, rater=rater_of(mona, project), status=Status.SUBMITTED, submitted_at=timezone.now()
    )
    Grade.objects.filter(pk=grade.pk).update(assignment=turn)
    graded(rubric, response, karim, *["pass"] * n)
    last_week(Grade)
    assert "Verdicts as those of others" not in page(mona)


@pytest.fixture
def in_the_week_before(monkeypatch):
    """What is written meanwhile is eight days old: a result of a check is never changed."""
    now = timezone.now() - timedelta(days=8)
    with monkeypatch.context() as patched:
        patched.setattr(timezone, "now", lambda: now)
        yield patched


def checked(project, mona, *, is_right: bool, key: str = "check") -> CheckResult:
    stage = Stage.objects.filter(kind="spans").first() or marking_stage(project)
    check = add_check(stage, add_response(project, key, "كلمة كلمتان خطأ خمس", "ar-EG"), "خطأ")
    turn = Assignment.objects.create(
        item=check.item,
        stage=stage,
        rater=rater_of(mona, project),
        status=Status.SUBMITTED,
        submitted_at=timezone.now(),
    )
    return CheckResult.objects.create(
        check_item=check, stage=stage, rater=turn.rater, assignment=turn, is_right=is_right, score=float(is_right)
    )


def test_checks_are_counted_when_their_week_is_over_so_that_none_can_be_found_out(project, mona, in_the_week_before):
    checked(project, mona, is_right=True)
    checked(project, mona, is_right=False, key="another")
    assert "Nothing has come back yet" in page(mona)
    in_the_week_before.undo()
    [standing] = signed_in(mona).get(ADDRESS).context["standings"]
    # Wilson for 1 of 2: (0.5 + z²/4 ± z √(0.25/2 + z²/16)) / (1 + z²/2) with z = 1.96.
    figure = standing.weeks[-1].figure
    assert (figure.value, figure.n) == (0.5, 2)
    assert figure.bounds == pytest.approx((0.0945, 0.9055), abs=1e-4)


def test_a_check_is_explained_when_nobody_can_be_given_it_any_more_and_the_project_says_so(project, mona):
    result = checked(project, mona, is_right=False)
    tell(project, explains_checks=True)
    assert "Checks that are over" not in page(mona)
    GoldCheck.objects.update(is_active=False)
    told = page(mona)
    assert "Checks that are over" in told
    assert "otherwise than experts" in told
    assert "خطأ" in told
    tell(project, explains_checks=False)
    assert "Checks that are over" not in page(mona)
    tell(project, explains_checks=True)
    GoldCheck.objects.update(is_active=True)
    Stage.objects.filter(pk=result.stage_id).update(is_open=False)
    assert "Checks that are over" in page(mona)


def test_a_check_of_a_pair_names_the_sides_as_her_screen_did(project, mona, hana):
    from screening.checks.kinds.ratings import from_json, in_words

    gold = from_json({"question": "formality", "first": 5, "second": 2, "preference": ""})
    assert in_words(gold, is_swapped=False) == ["A: 5", "B: 2", "better: A"]
    assert in_words(gold, is_swapped=True) == ["A: 2", "B: 5", "better: B"]


def test_the_lead_says_what_people_are_told(project, nour, mona):
    lead = signed_in(nour)
    assert "checks are explained" in lead.get("/p/feasts/feedback/").content.decode().lower()
    assert lead.post("/p/feasts/feedback/", {"shows_words": "on"}).status_code == 302
    rules = FeedbackRules.objects.get(project=project)
    assert (rules.shows_outcomes, rules.shows_words, rules.explains_checks) == (False, True, False)
    assert signed_in(mona).get("/p/feasts/feedback/").status_code == 404


def test_the_page_costs_the_same_for_many_marks(project, koshari, mona, karim, django_assert_max_num_queries):
    tell(project, shows_words=True, explains_checks=True)
    client = signed_in(mona)

    def look() -> None:
        with django_assert_max_num_queries(45):
            assert client.get(ADDRESS).status_code == 200

    for number in range(40):
        response = add_response(project, f"more-{number}", f"نص رقم {number}", "ar-EG")
        [span] = mark(response, mona, "نص")
        mark(response, karim)
        review(span, karim, "correct", explanation="other words")
    checked(project, mona, is_right=True)
    GoldCheck.objects.update(is_active=False)
    look()


def test_an_expert_with_no_marks_and_a_person_of_another_language_find_an_empty_page(project, hana, rafia):
    for who in (hana, rafia):
        assert "Nothing has come back yet" in page(who)
    assert Rater.objects.filter(user__in=(hana, rafia)).count() == 2
