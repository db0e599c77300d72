"""Nour brings in how people and judges rated pairs of responses elsewhere."""

import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.models import Rating
from formats.importing.running import run_import
from formats.reading import Source
from projects.models import Laboratory, Rater, ResponsePair, TargetModel
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.people import add_response
from workflow.models import Assignment, Stage, WorkItem

JUDGE = {"rater": "Judge", "rater_kind": "judge", "model": "judge-1", "laboratory": "Omega"}


def line(**changes) -> dict:
    full = {"kind": "ratings", "pair": "invitation", "rater": "Salma", "rater_kind": "human", "first": 4, "second": 2}
    return {name: value for name, value in {**full, **changes}.items() if value is not ...}


def of_response(**changes) -> dict:
    about = {"pair": ..., "first": ..., "second": ..., "item": "invitation-a", "grade": 3}
    return line(**{**about, **changes})


def by_judge(**changes) -> dict:
    return line(**{**JUDGE, **changes})


def bring(project, *lines: dict, **options):
    content = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines).encode()
    return run_import(project, Source(io.BytesIO(content)), "answers", **options)


def stored(project, *lines: dict):
    outcome = bring(project, *lines)
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]
    return outcome.counts


def refused(project, *lines: dict) -> list[tuple]:
    """(line, field, code) of every problem; nothing was stored."""
    before = Rating.objects.count(), Rater.objects.count()
    outcome = bring(project, *lines)
    assert not outcome.is_stored
    assert before == (Rating.objects.count(), Rater.objects.count())
    return [(problem.line, problem.field, problem.code) for problem in outcome.problems]


@pytest.fixture(autouse=True)
def formality(project):
    return question_type(make_ratings_project(project), "formality")


@pytest.fixture
def invitation(project, formality) -> ResponsePair:
    return pair_of(project, "invitation", question=formality)


@pytest.fixture
def better(project):
    return question_type(project, "better", lowest=None, highest=None)


# --- What is stored ---


def test_grades_speak_of_the_pair_whatever_was_shown_first(project, invitation, formality):
    said = {"preference": "first", "swapped": True, "comment": "التانية ناشفة", "metadata": {"batch": 7}}
    counts = stored(project, line(**said), line(rater="Hoda", first=1, second=5))
    assert (counts["ratings"], counts["new raters"]) == (2, 2)
    rating = Rating.objects.get(rater__name="Salma")
    assert (rating.pair, rating.response, rating.question, rating.round) == (invitation, None, formality, 1)
    assert (rating.first_grade, rating.second_grade, rating.preference) == (4, 2, "first")
    assert (rating.is_swapped, rating.comment, rating.metadata) == (True, "التانية ناشفة", {"batch": 7})
    assert not rating.is_check


def test_a_single_response_has_one_grade(project, invitation):
    stored(project, of_response())
    rating = Rating.objects.get()
    assert (rating.response, rating.pair) == (invitation.first, None)
    assert (rating.first_grade, rating.second_grade) == (3, None)


def test_an_expert_is_one_from_then_on(project, invitation, mona):
    stored(project, line(rater="Mona Adel", expert=True), line(expert=False))
    assert Rater.objects.get(user=mona).is_expert
    assert not Rater.objects.get(name="Salma").is_expert


def test_a_judge_gives_fractions_and_answers_in_both_orders(project, invitation):
    orders = by_judge(first=4.25, both_orders=True), by_judge(first=3, both_orders=True, swapped=True)
    stored(project, *orders)
    rows = Rating.objects.order_by("is_swapped").values_list("first_grade", "is_swapped", "is_of_both_orders")
    assert list(rows) == [(4.25, False, True), (3, True, True)]
    judge = Rater.objects.get(kind="judge")
    assert (judge.model, judge.laboratory.slug) == ("judge-1", "omega")


def test_an_unreadable_verdict_is_a_state_without_grades(project, invitation):
    stored(project, by_judge(first=..., second=..., unparseable=True))
    rating = Rating.objects.get()
    assert (rating.is_unparseable, rating.first_grade, rating.preference) == (True, None, "")


def test_a_question_without_a_scale_is_answered_by_a_preference(project, invitation, better):
    invitation.prompt.question = better
    invitation.prompt.save()
    stored(project, line(first=..., second=..., preference="tie"))
    assert Rating.objects.get().preference == "tie"
    assert refused(project, line(rater="B", first=..., second=...)) == [(1, "preference", "required")]
    graded = {code for _line, _field, code in refused(project, line(rater="B", preference="tie"))}
    assert graded == {"no_scale"}
    assert refused(project, of_response(rater="B")) == [(1, "grade", "no_scale")]


def test_a_judge_may_prefer_without_grading_but_a_person_may_not(project, invitation):
    stored(project, by_judge(first=..., second=..., preference="second"))
    without_grades = refused(project, line(first=..., second=..., preference="second"))
    assert without_grades == [(1, "first", "required"), (1, "second", "required")]


# --- Which question ---


def test_the_question_is_that_of_the_prompt(project, invitation, better):
    stored(project, line(), line(rater="B", question="formality"))
    assert refused(project, line(rater="C", question="better")) == [(1, "question", "other_question")]
    assert refused(project, line(rater="C", question="betetr")) == [(1, "question", "unknown_question")]


def test_a_prompt_without_one_is_rated_on_any_that_the_line_names(project, formality):
    pair_of(project, "invitation")
    stored(project, line())  # the project has but one
    question_type(project, "warmth")
    assert refused(project, line(rater="B")) == [(1, "question", "missing")]
    stored(project, line(rater="B", question="warmth"), line(rater="B", question="formality"))


def test_a_project_without_question_types_says_so(other_project):
    pair_of(other_project, "invitation")
    assert refused(other_project, line()) == [(1, "question", "no_question")]


# --- What is refused ---


BAD_LINES = [
    (line(first=6), "first", "off_scale"),
    (line(first=0), "first", "off_scale"),
    (line(second=2.5), "second", "not_whole_number"),
    (line(second=2.0), "second", "not_whole_number"),
    (line(first=True), "first", "not_a_number"),
    (line(first="4"), "first", "not_a_number"),
    (line(first=...), "first", "required"),
    (line(second=None), "second", "required"),
    (line(preference="left"), "preference", "not_a_choice"),
    (line(grade=4), "grade", "not_with_subject"),
    (line(pair="nowhere"), "pair", "unknown_pair"),
    (line(pair=...), "pair", "missing"),
    (line(item="invitation-a"), "pair", "not_alone"),
    (line(pair=7), "pair", "not_text"),
    (of_response(second=0), "second", "not_with_subject"),
    (of_response(preference="tie"), "preference", "not_with_subject"),
    (of_response(swapped=True), "swapped", "not_with_subject"),
    (line(both_orders=True), "both_orders", "judge_field"),
    (line(unparseable=True, first=..., second=...), "unparseable", "judge_field"),
    (line(model="m"), "model", "judge_field"),
    (line(round=0), "round", "out_of_range"),
    (line(comment=3), "comment", "not_text"),
    (line(comment="x" * 10_001), "comment", "too_long"),
    (line(metadata=[1]), "metadata", "not_object"),
    (line(is_check=True), "is_check", "unknown_field"),
    (line(assignment=1), "assignment", "unknown_field"),
    (line(expert="yes"), "expert", "not_boolean"),
    (line(rater=""), "rater", "empty"),
    (line(rater_kind="lead"), "rater_kind", "not_a_choice"),
    (by_judge(expert=True), "expert", "not_a_person"),
    (by_judge(first=5.5), "first", "off_scale"),
    (by_judge(first="NaN"), "first", "not_a_number"),
    (by_judge(unparseable=True, second=...), "first", "contradiction"),
    (by_judge(unparseable=True, first=..., second=..., preference="tie"), "first", "contradiction"),
    (by_judge(model=...), "model", "missing"),
]


@pytest.mark.parametrize(("bad", "field", "code"), BAD_LINES)
def test_a_faulty_line_is_named_and_nothing_is_stored(project, invitation, bad, field, code):
    assert refused(project, line(rater="Amal"), bad) == [(2, field, code)]


@pytest.mark.parametrize("grade", ["NaN", "1e999", "-Infinity", "9" * 5000])
def test_what_is_no_number_of_json_is_no_grade(project, invitation, grade):
    content = json.dumps(line()).replace('"first": 4', f'"first": {grade}').encode()
    outcome = run_import(project, Source(io.BytesIO(content)), "answers")
    assert (outcome.is_stored, outcome.problem_count, outcome.problems[0].line) == (False, 1, 1)
    assert not Rating.objects.exists()


def test_pairs_of_other_projects_do_not_exist_here(project, other_project, invitation):
    question_type(other_project, "formality")
    assert refused(other_project, line()) == [(1, "pair", "unknown_pair")]
    assert refused(other_project, of_response()) == [(1, "item", "unknown_item")]


def test_an_answer_comes_once_in_a_round(project, invitation):
    assert refused(project, line(), line(first=1)) == [(2, "pair", "already_there")]
    assert refused(project, of_response(), of_response()) == [(2, "item", "already_there")]
    stored(project, line(), line(round=2), of_response())


def test_each_order_comes_once_and_not_beside_an_answer_in_one(project, invitation):
    orders = by_judge(both_orders=True), by_judge(both_orders=True, swapped=True)
    assert refused(project, *orders, by_judge(both_orders=True)) == [(3, "pair", "already_there")]
    assert refused(project, orders[0], by_judge(swapped=True)) == [(2, "pair", "already_there")]
    stored(project, *orders)
    assert refused(project, by_judge(round=1)) == [(1, "pair", "already_there")]


@pytest.mark.parametrize("model", ["Nile-7B", "Delta-9B"])
def test_a_judge_that_rates_a_pair_with_a_response_of_its_own_laboratory_is_counted(project, invitation, model):
    omega, _is_new = Laboratory.objects.get_or_create(slug="omega", defaults={"name": "Omega"})
    TargetModel.objects.filter(name=model).update(laboratory=omega)
    assert stored(project, by_judge())["own laboratory"] == 1


GRADES = st.one_of(st.none(), st.integers(-2, 8), st.floats(allow_nan=False), st.booleans(), st.just("4"))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(
        {"first": GRADES, "second": GRADES},
        optional={
            "preference": st.sampled_from(["", "first", "tie", "none"]),
            "unparseable": st.booleans(),
            "both_orders": st.booleans(),
            "swapped": st.booleans(),
        },
    ),
    st.booleans(),
)
def test_whatever_stands_on_a_line_nothing_off_the_scale_is_stored(project, invitation, said, judged):
    Rating.objects.all().delete()
    outcome = bring(project, (by_judge if judged else line)(**said))
    assert outcome.is_stored == Rating.objects.exists()
    assert [problem.code for problem in outcome.problems if problem.code == "refused_by_database"] == []
    for rating in Rating.objects.all():
        grades = [grade for grade in (rating.first_grade, rating.second_grade) if grade is not None]
        assert all(1 <= grade <= 5 and (judged or grade == int(grade)) for grade in grades)


# --- At size, and beside the work here ---


def test_hundreds_of_ratings_cost_few_queries(project, formality, django_assert_max_num_queries):
    for number in range(60):
        pair_of(project, f"x-{number}", question=formality)
    lines = [line(pair=f"x-{number}", rater=f"R {rater}") for number in range(60) for rater in range(10)]
    with django_assert_max_num_queries(40):  # ten of them for the raters
        assert stored(project, *lines)["ratings"] == 600


def test_a_dry_run_stores_no_rating_and_makes_nobody_an_expert(project, invitation, mona):
    assert bring(project, line(rater="Mona Adel", expert=True), dry_run=True).is_clean
    assert not Rating.objects.exists()
    assert not Rater.objects.get(user=mona).is_expert


@pytest.fixture
def rating_stage(project) -> Stage:
    return Stage.objects.create(project=project, kind="pairs", name="Rating", overlap=3)


def planned(stage: Stage, **subject) -> WorkItem:
    about = next(iter(subject.values()))
    return WorkItem.objects.create(
        stage=stage, variety=about.variety, position=1, slots=stage.overlap, open_slots=stage.overlap, **subject
    )


def test_what_a_member_rated_elsewhere_counts_as_done(project, invitation, mona, rating_stage):
    item = planned(rating_stage, pair=invitation)
    stored(project, line(rater="Mona Adel"), line(rater="Somebody"))
    turn = Assignment.objects.get()
    assert (turn.item, turn.rater.user, turn.status) == (item, mona, "submitted")
    assert Rating.objects.get(rater__user=mona).assignment == turn
    item.refresh_from_db()
    assert item.open_slots == 2


def test_an_item_is_done_once_every_question_type_is_answered(project, formality, mona, rating_stage):
    pair = pair_of(project, "invitation")
    question_type(project, "warmth")
    planned(rating_stage, pair=pair)
    stored(project, line(rater="Mona Adel", question="formality"))
    assert not Assignment.objects.exists()
    stored(project, line(rater="Mona Adel", question="warmth"))
    assert Assignment.objects.get().ratings.count() == 2


def test_a_single_response_that_was_rated_elsewhere_counts_as_done(project, invitation, mona, rating_stage):
    planned(rating_stage, response=invitation.first)
    stored(project, of_response(rater="Mona Adel"))
    assert Assignment.objects.get().ratings.get().response == invitation.first


def test_a_check_is_not_done_by_what_was_rated_elsewhere(project, invitation, mona, rating_stage):
    item = planned(rating_stage, pair=invitation)
    WorkItem.objects.filter(pk=item.pk).update(is_check=True)
    stored(project, line(rater="Mona Adel"))
    assert not Assignment.objects.exists()


def test_ratings_and_spans_may_stand_in_one_file(project, invitation):
    add_response(project, "koshari", "الكشري أكلة مصرية", "ar-EG")
    spans = {
        "kind": "spans",
        "item": "koshari",
        "rater": "Salma",
        "rater_kind": "human",
        "no_errors": True,
        "spans": [],
    }
    counts = stored(project, line(), spans)
    assert (counts["ratings"], counts["answers"]) == (1, 1)


# --- How sure a judge is ----------------------------------------------------------------------------------


def test_a_judge_may_say_how_sure_it_is(project, invitation):
    chances = [0.1, 0.2, 0.4, 0.2, 0.1]
    stored(
        project,
        of_response(**JUDGE, probabilities=chances),
        by_judge(rater="Other", probabilities=[0.7, 0.1, 0.2]),
        by_judge(rater="Third", probabilities=None),
    )
    given = dict(Rating.objects.filter(question__project=project).values_list("rater__name", "probabilities"))
    assert given == {"Judge": chances, "Other": [0.7, 0.1, 0.2], "Third": None}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"probabilities": [0.5, 0.5]}, "wrong_number"),
        ({"probabilities": [0.2, 0.2, 0.2, 0.2, 0.1]}, "not_one"),
        ({"probabilities": [1.2, -0.2, 0, 0, 0]}, "not_a_number"),
        ({"probabilities": "0.2"}, "not_list"),
        ({"probabilities": []}, "not_list"),
    ],
)
def test_what_is_no_probability_of_every_grade_is_named(project, invitation, changes, code):
    assert refused(project, of_response(**JUDGE, **changes)) == [(1, "probabilities", code)]


def test_of_a_pair_three_probabilities_are_expected_and_of_people_none(project, invitation):
    assert refused(project, by_judge(probabilities=[0.2, 0.2, 0.2, 0.2, 0.2])) == [(1, "probabilities", "wrong_number")]
    assert refused(project, line(probabilities=[0.2, 0.2, 0.6])) == [(1, "probabilities", "judge_field")]
