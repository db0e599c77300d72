"""A lead plans a study: from what a pilot's people answered, or from what they assume."""

import io
import re

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agreement.planning import Components
from projects.models import Rater
from reports.planning.form import PlanForm
from reports.planning.pilot import pilot_of, sources
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response, signed_in
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project

pytestmark = pytest.mark.django_db

PAGE = "/p/feasts/plan/"
#: Prompts alone vary, by 1: a mean's interval is 2 t / root(n), 0.791 of 27 prompts and 0.808 of 26.
PLAIN = {
    "source": "assumptions",
    "width": "0.8",
    "spread_prompts": "1",
    "spread_raters": "0",
    "spread_residual": "0",
}


@pytest.fixture
def pilot(project, mona, karim):
    """Mona and Karim grade three responses to a prompt each: 1 3 5 and 3 4 5.

    Means of responses 2, 3.5, 5 and of raters 3 and 4; mean squares: rest 1 / 2 = 0.5, raters 3 * 0.5 = 1.5, responses
    2 * 2.25 = 4.5. So the variances are rest 0.5, raters (1.5 - 0.5) / 3 = 1/3, prompts (4.5 - 0.5) / 2 = 2.
    """
    question = question_type(make_ratings_project(project))
    for number, grades in enumerate([(1, 3), (3, 4), (5, 5)]):
        response = add_response(project, f"meal-{number}", "كشري", "ar-EG")
        for person, grade in zip((mona, karim), grades, strict=True):
            rate(response, person, question, grade)
    return question


def asked(project, **given):
    """The plan; fails with the form's errors where there is none."""
    form = PlanForm(project, given)
    assert form.is_valid(), form.errors
    return form.plan


def test_what_a_pilot_varies_by_is_the_analysis_of_variance(project, pilot):
    found = pilot_of(project, "question-formality").components()
    assert isinstance(found, Components)
    assert (found.prompts, found.responses, found.raters, found.residual) == pytest.approx((2, 0, 1 / 3, 0.5))
    plan = asked(project, source="question-formality", width=4)
    assert plan.twice.agreement == pytest.approx(2 / (2 + 1 / 3 + 0.5))


def test_judges_checks_and_earlier_rounds_are_no_pilot(project, pilot, mona, simba):
    response = project.responses.get(key="meal-0")
    rate(response, simba, pilot, 5)
    rate(project.responses.get(key="meal-1"), Rater.objects.get(name="Mona Adel"), pilot, 1, is_check=True, round=2)
    before = pilot_of(project, "question-formality")
    assert (len(before), before.responses, before.raters, before.prompts) == (6, 3, 2, 3)
    rate(response, mona, pilot, 2, round=2)
    after = pilot_of(project, "question-formality")
    assert sorted(after.grade) == [2, 3, 3, 4, 5, 5]


def test_a_pilot_is_read_once_and_a_new_answer_is_seen_at_once(project, pilot, mona):
    wanted = {"source": "question-formality", "width": "4"}
    before = PlanForm(project, wanted)
    assert before.is_valid()
    with CaptureQueriesContext(connection) as again:
        assert PlanForm(project, {**wanted, "width": "3"}).is_valid()
    assert not [query for query in again if "pair_id" in query["sql"]]
    rate(add_response(project, "late", "كشري", "ar-EG"), mona, pilot, 2)
    after = PlanForm(project, wanted)
    assert after.is_valid()
    assert (before.pilot.grades, after.pilot.grades) == (6, 7)


def test_of_a_pair_both_responses_are_graded_and_share_a_prompt(project, mona, karim):
    question = question_type(make_ratings_project(project))
    pair = pair_of(project, "feast", question=question)
    rate(pair, mona, question, 2, 4)
    rate(pair, karim, question, 3, 5)
    found = pilot_of(project, "question-formality")
    assert (sorted(found.grade), found.responses, found.prompts) == ([2, 3, 4, 5], 2, 1)
    # Alone, one of the two again: the latest counts.
    rate(pair.first, mona, question, 1)
    assert sorted(pilot_of(project, "question-formality").grade) == [1, 3, 4, 5]


def test_rubric_scores_are_a_pilot_in_percent(project, salma, zaid):
    """Of 10 points one response earns 10 and 5, the other nothing and, 5 taken off for an error, -5.

    So rows have the means 75 and -25, raters 50 and 0, and nothing is left: raters 2 * 1250 / 2, prompts 2 * 5000 / 2.
    """
    make_rubrics_project(project)
    salma, zaid = (Rater.objects.get(project=project, user=person) for person in (salma, zaid))
    passed = [(["c1", "c2"], ["c1"], ()), ([], [], (-5,))]
    for number, (of_salma, of_zaid, errors) in enumerate(passed):
        response = add_response(project, f"meal-{number}", "كشري", "ar-EG")
        rubric = frozen_rubric(response.prompt, salma, (5, 5))
        graded(response, salma, rubric, of_salma)
        graded(response, zaid, rubric, of_zaid, errors, role="regrade")
    assert sources(project)[0][0] == "rubric-scores"
    assert PlanForm(project).initial["source"] == "rubric-scores"
    found = pilot_of(project, "rubric-scores")
    assert sorted(found.grade) == [-50, 0, 50, 100]
    variances = asked(project, source="rubric-scores", width="900").variances
    assert (variances.prompts, variances.raters, variances.residual) == pytest.approx((5000, 1250, 0), abs=1e-6)


def test_from_assumptions_the_designs_are_the_textbook_s(project):
    plan = asked(project, **PLAIN, cost="2", panel="3")
    first = plan.options[0]
    assert (first.design.prompts, first.design.each, first.figure.n, first.cost) == (27, 1, 27, 54)
    assert first.width == pytest.approx(2 * 2.0555 / 27**0.5, abs=1e-4)
    assert first.chief == ("prompts", pytest.approx(1))
    # A fifth of 27 with one rater more: 27 + 5.4, so 33 answers.
    assert [(one.figure.n, one.design.double) for one in plan.options[:2]] == [(27, 0), (33, 0.2)]
    assert plan.twice is None  # raters agree wholly


def test_how_much_is_graded_twice_follows_from_the_agreement(project):
    """Prompts and rest vary alike: agreement 0.5, and 8 * 1.96^2 * 0.25 * 2.25 / (2 * 0.04) + 1 = 217.1."""
    plan = asked(project, **{**PLAIN, "spread_residual": "1", "width": "0.3"})
    assert plan.twice.agreement == pytest.approx(0.5)
    assert plan.twice.coded == 218
    assert plan.twice.share == pytest.approx(218 / plan.options[0].design.prompts)


@pytest.mark.parametrize("judge", [{"judge_correlation": "0.8"}, {"judge_error": "0.6"}])
def test_a_judge_saves_the_square_of_its_correlation(project, judge):
    """People's grades spread by 1, so an error of 0.6 is a correlation of 0.8: 27 * (1 - 0.64) = 9.72."""
    saved = asked(project, **PLAIN, **judge, cost="2").saved
    assert (saved.alone, saved.labelled, saved.saved, saved.cost) == (27, 10, 17, 34)
    assert saved.correlation == pytest.approx(0.8)


def test_a_judge_that_grades_no_more_than_people_saves_nothing(project):
    assert asked(project, **PLAIN, judge_correlation="0.9", judged="27").saved.saved == 0
    assert asked(project, **PLAIN, judge_correlation="0.9", judged="5").saved.saved == 0
    assert asked(project, **PLAIN, judge_correlation="0").saved.saved == 0
    # 27 * 0.19 / (1 - 27 * 0.81 / 100) = 6.57.
    assert asked(project, **PLAIN, judge_correlation="0.9", judged="100").saved.labelled == 7


def test_a_spread_that_is_given_replaces_the_pilot_s(project, pilot):
    plan = asked(project, source="question-formality", width="4", spread_raters="2", panel="10")
    assert (plan.variances.raters, plan.variances.prompts) == pytest.approx((4, 2))


def test_nobody_of_a_panel_is_without_work(project):
    """Two prompts would do for a width of 20; ten raters of one response each need ten."""
    for option in asked(project, **{**PLAIN, "width": "20"}).options:
        assert option.responses * option.design.each >= option.design.panel
        assert option.width <= 20
    [ten] = [
        option
        for option in asked(project, **{**PLAIN, "width": "20", "panel": "10"}).options
        if option.design.each == 1 and not option.design.double
    ]
    assert (ten.design.prompts, ten.figure.n) == (10, 10)
    assert ten.width == pytest.approx(2 * 2.2622 / 10**0.5, abs=1e-4)  # t with 9 degrees of freedom


def test_few_raters_alone_may_make_it_too_wide_and_the_page_says_what_to_do(project, nour):
    asked_for = {**PLAIN, "spread_raters": "1", "panel": "3"}
    assert asked(project, **asked_for).options == []
    assert "so few of them alone make it wider" in page(nour, **asked_for)
    # Of these very raters their severity is no error.
    assert asked(project, **asked_for, these_raters="on").options[0].design.prompts == 27


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("source", {"source": "question-none"}),
        ("width", {"width": ""}),
        ("width", {"width": "0"}),
        ("width", {"width": "-1"}),
        ("width", {"width": "nan"}),
        ("width", {"width": "wide"}),
        ("spread_prompts", {"spread_prompts": "-1"}),
        ("spread_prompts", {"spread_prompts": "1e300"}),
        ("spread_prompts", {"spread_prompts": ""}),
        ("spread_raters", {"spread_raters": ""}),
        ("spread_residual", {"spread_residual": ""}),
        ("spread_prompts", {"spread_prompts": "0"}),  # nothing varies at all
        ("spread_prompts", {"spread_prompts": "0", "spread_raters": "1", "these_raters": "on"}),
        ("responses", {"responses": "0"}),
        ("panel", {"panel": "1"}),
        ("cost", {"cost": "-1"}),
        ("agreement_width", {"agreement_width": "0"}),
        ("judge_correlation", {"judge_correlation": "1.1"}),
        ("judge_correlation", {"judged": "100"}),
        ("judge_error", {"judge_correlation": "0.5", "judge_error": "1"}),
        ("judge_error", {"judge_error": "-1"}),
        ("judged", {"judge_correlation": "0.5", "judged": "0"}),
    ],
)
def test_what_cannot_be_is_said_at_its_field(project, nour, field, given):
    form = PlanForm(project, {**PLAIN, **given})
    assert list(form.errors) == [field]
    assert f'id="id_{field}_error"' in page(nour, **{**PLAIN, **given})


def test_a_pilot_nobody_answered_twice_cannot_tell(project, mona, karim):
    question = question_type(make_ratings_project(project))
    wanted = {"source": "question-formality", "width": "1"}
    assert "have not answered this yet" in PlanForm(project, wanted).errors["source"][0]
    for number, person in enumerate((mona, karim)):
        rate(add_response(project, f"meal-{number}", "كشري", "ar-EG"), person, question, 3)
    assert "No response was graded by two people" in PlanForm(project, wanted).errors["source"][0]
    for response, person in zip(project.responses.order_by("key"), (karim, mona), strict=True):
        rate(response, person, question, 3)
    assert "Nothing varies" in PlanForm(project, wanted).errors["source"][0]


def test_grades_without_an_order_and_preferences_are_no_source(project):
    make_ratings_project(project)
    dialect = question_type(project, "dialect")
    dialect.is_nominal = True
    dialect.save()
    question_type(project, "taste", None, None)
    question_type(project, "warmth")
    assert [source for source, _name in sources(project)] == ["question-warmth", "assumptions"]


@pytest.mark.parametrize("extreme", ["0.000001", "1000000"])
def test_numbers_at_their_ends_are_planned_with(project, extreme):
    spreads = dict.fromkeys(("spread_prompts", "spread_raters", "spread_residual", "spread_responses"), extreme)
    given = {**PLAIN, **spreads, "responses": "1000000", "judge_correlation": "-1", "cost": "1000000"}
    assert asked(project, **given) is not None


# --- Page and command ------------------------------------------------------------------------------------


def page(person, **given):
    answer = signed_in(person).get(PAGE, given)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_asks_first_and_stores_nothing(project, nour, pilot):
    empty = page(nour)
    assert "What you want to know" in empty
    assert "alert" not in re.findall(r'role="(\w+)"', empty)
    assert '<option value="question-formality" selected>' in empty
    assert signed_in(nour).post(PAGE).status_code == 405


def test_the_page_says_each_number_with_what_varies(project, nour, pilot):
    told = page(nour, source="question-formality", width="4", judge_correlation="0.8", cost="2")
    assert "6 grades of 3 responses to 3 prompts. People: 2." in told
    assert "told by 2 raters, so badly" in told
    assert "<bdi>1.41</bdi>" in told  # root 2 between prompts
    assert "Agreement is expected at 0.71" in told
    assert "prompts differ (" in told
    assert "Beside a judge at a correlation of 0.80" in told


def test_only_leads_plan(project, nour, mona, omar):
    assert signed_in(nour).get(PAGE).status_code == 200
    assert [signed_in(one).get(PAGE).status_code for one in (mona, omar)] == [404, 404]
    assert f'href="{PAGE}"' in signed_in(nour).get("/p/feasts/signals/").content.decode()


def test_the_number_of_queries_does_not_grow_with_the_pilot(project, nour, pilot, mona, karim):
    client, given = signed_in(nour), {"source": "question-formality", "width": "4"}
    with CaptureQueriesContext(connection) as few:
        client.get(PAGE, given)
    for number in range(20):
        response = add_response(project, f"more-{number}", "كشري", "ar-EG")
        rate(response, mona, pilot, 1 + number % 5)
        rate(response, karim, pilot, 1 + number % 4)
    with CaptureQueriesContext(connection) as many:
        client.get(PAGE, given)
    assert len(many) == len(few) < 35


def run(*arguments):
    out = io.StringIO()
    call_command("plan", "feasts", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_prints_the_page_s_table(project, nour):
    given = {**PLAIN, "cost": "2", "judge_correlation": "0.8", "panel": "3"}
    printed = run(*(f"--{name.replace('_', '-')}={value}" for name, value in given.items()))
    heads, first = printed.split("\n\n")[1].splitlines()[:2]
    assert re.split(r"  +", heads)[:6] == [
        "Prompts",
        "Responses",
        "Raters",
        "Raters of a response",
        "Answers in all",
        "Cost",
    ]
    assert re.split(r"  +", first) == ["27", "27", "3", "1", "27", "54.00", "0.79", "prompts differ (100%)"]
    shown = page(nour, **given)
    for cell in re.split(r"  +", first):
        assert f"<bdi>{cell}</bdi>" in shown
    assert "people grade 10 responses once, not 27" in printed
    assert "have people grade at least 30" in printed


def test_the_command_starts_from_the_pilot_and_names_what_is_wrong(project, pilot):
    assert "The pilot: 6 grades" in run("--width=4")
    with pytest.raises(CommandError, match="--judge-error: Give the correlation"):
        run("--width=4", "--judge-error=1", "--judge-correlation=0.5")
    with pytest.raises(CommandError, match="--width:"):
        run()
