"""Nour lets a judge grade by the rubric: a verdict with its reason on every criterion the first grader graded by."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.engine import runs
from judging.engine.planning import Plan, plan
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.models import Call, CallState
from projects.models import Laboratory, Rater, Response
from projects.problems import Invalid
from providers.models import ModelMapping, Provider
from rubrics.models import Criterion, Grade, GradeRole
from rubrics.scoring.storing import store_grades
from tests.judging.grading import (
    KOSHARI,
    LENTILS,
    MAXIMUM,
    PHARAOHS,
    RAMADAN,
    RICE,
    TRUE_RAW,
    VINEGAR,
    ask,
    freeze,
    graded_response,
    grading_judge,
    reference,
    reference_data,
    respond,
    run_through,
    target,
)


@pytest.fixture
def grader(project, mona) -> Rater:
    return Rater.objects.get(user=mona)


@pytest.fixture
def judge(project, provider):
    return grading_judge(project, provider)


def planned(judge) -> Plan:
    return plan(judge, Response.objects.filter(project=judge.project))


def states(run) -> dict[str, int]:
    return {state: n for state, n in runs.counts(run).items() if n}


def test_the_grade_is_what_the_verdicts_add_up_to(project, judge, grader):
    """10 for lentils and 8 for rice and pasta; no vinegar; -5 for the Pharaohs, nothing of Ramadan: 13 of 24."""
    graded_response(project, grader)
    run = run_through(judge)

    assert states(run) == {"scored": 1}
    grade = Grade.objects.get(role=GradeRole.JUDGE)
    assert (grade.raw, grade.maximum) == (TRUE_RAW, MAXIMUM) == (13, 24)
    assert (grade.rater, grade.round, grade.is_complete) == (judge.rater, 1, True)
    assert dict(grade.verdicts.values_list("criterion__text", "value")) == {
        LENTILS: "pass",
        RICE: "pass",
        VINEGAR: "fail",
        PHARAOHS: "present",
        RAMADAN: "absent",
    }
    assert all(said.startswith("Simulated") for said in grade.verdicts.values_list("justification", flat=True))
    assert grade.metadata["run"] == str(run.uuid)
    assert grade.metadata["prompt"].startswith("rubric/masked v1 ")


def test_nothing_is_asked_before_a_person_has_graded(project, judge, grader):
    respond(ask(project, "unfrozen"))
    waiting = ask(project, "frozen")
    response, rubric = respond(waiting), freeze(waiting, grader)
    found = planned(judge)
    assert (found.size, found.not_ready, found.responses) == (0, 2, 2)
    with pytest.raises(Invalid, match="a person has graded it"):
        run_through(judge)
    reference(response, rubric, grader)
    found = planned(judge)
    assert (found.size, found.not_ready) == (1, 1)


def test_errors_that_other_graders_found_are_not_asked_about(project, judge, grader, karim):
    """A second grader's own errors are theirs: the judge is asked about what the first one graded by."""
    first = graded_response(project, grader)
    second = reference_like(first, Rater.objects.get(user=karim))
    run_through(judge)
    assert second.negative_criteria.count() == 1
    asked = Grade.objects.get(role=GradeRole.JUDGE).verdicts.values_list("criterion__text", flat=True)
    assert sorted(asked) == sorted([LENTILS, RICE, VINEGAR, PHARAOHS, RAMADAN])


def reference_like(first: Grade, rater: Rater) -> Grade:
    data = reference_data(first.response, first.rubric, rater, (), {"Spells «koshari» wrongly.": -2})
    data.role = GradeRole.REGRADE
    return store_grades([data])[0]


def test_output_of_its_own_laboratory_is_never_asked_about(project, judge, grader):
    grade = graded_response(project, grader)
    own = respond(grade.response.prompt, "Rice.", target("Simba", "simulated"))
    reference(own, grade.rubric, grader)
    found = planned(judge)
    assert [response for response, _unit in found.calls] == [grade.response_id]
    assert found.excluded == {"Simba": 1}
    run_through(judge)
    assert not Grade.objects.filter(response=own, role=GradeRole.JUDGE).exists()


def test_a_mapping_that_comes_late_still_keeps_a_judge_from_its_own(project, grader, fake_provider):
    """The guard is asked again when the call is made: what it forbids by then leaves no grade."""
    grade = graded_response(project, grader)
    gateway = Provider.objects.create(name="gateway", base_url=fake_provider.url, concurrency=4)
    run = runs.create_run(grading_judge(project, gateway, "gpt-5.4"), Response.objects.filter(project=project))
    ModelMapping.objects.create(pattern="Nile-", laboratory=Laboratory.objects.get(slug="openai"))
    for shard in runs.start_here(run):
        work_through(shard)
    call = Call.objects.get(response=grade.response)
    assert (call.state, call.problem) == (CallState.FAILED, "own_laboratory")
    assert not Grade.objects.filter(role=GradeRole.JUDGE).exists()


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        ("refuse", "refused"),
        ("filter", "refused"),
        ("truncate", "truncated"),
        ("cut", "truncated"),
        ("malformed", "malformed"),
        ("astray", "malformed"),
        ("echo", "malformed"),
        ("null", "malformed"),
        ("empty", "malformed"),
        ("toolcall", "malformed"),
        ("errorbody", "failed"),
        ("othermodel", "failed"),
        ("badrequest", "failed"),
    ],
)
def test_a_declined_evaluation_leaves_no_grade(fault, state, project, provider, grader):
    """Its call says what became of it; no verdict is filled in."""
    graded_response(project, grader)
    run = run_through(grading_judge(project, provider, f"simulated-1:{fault}"))
    assert states(run) == {state: 1}
    assert not Grade.objects.filter(role=GradeRole.JUDGE).exists()


def test_one_judge_can_refuse_one_response(project, provider, grader, fake_provider):
    graded_response(project, grader)
    graded_response(project, grader, "fatta", "Rice with bread. Do not grade this.")
    fake_provider.tell(refused={"simulated-2": ["Do not grade"]})
    one, other = grading_judge(project, provider), grading_judge(project, provider, "simulated-2")
    assert states(run_through(one)) == {"scored": 2}
    assert states(run_through(other)) == {"scored": 1, "refused": 1}
    assert Grade.objects.filter(rater=other.rater).count() == 1


def test_what_failed_is_asked_again_and_graded_then(project, judge, grader, fake_provider):
    graded_response(project, grader)
    graded_response(project, grader, "fatta")
    fake_provider.tell(faults=["badrequest"])
    run = run_through(judge)
    assert states(run) == {"scored": 1, "failed": 1}
    kept = Grade.objects.get(role=GradeRole.JUDGE).pk
    assert runs.retry_failed(run)
    for shard in run.shards.values_list("pk", flat=True):
        work_through(shard)
    assert states(run) == {"scored": 2}
    assert Grade.objects.filter(role=GradeRole.JUDGE).count() == 2
    assert Grade.objects.filter(pk=kept).exists()


def test_nothing_is_asked_twice_but_in_another_round(project, judge, grader):
    graded_response(project, grader)
    run_through(judge)
    found = planned(judge)
    assert (found.size, found.already_marked) == (0, 1)
    with pytest.raises(Invalid):
        run_through(judge)
    run_through(judge, round=2)
    assert set(Grade.objects.filter(rater=judge.rater).values_list("round", flat=True)) == {1, 2}


def test_a_later_version_of_the_rubric_is_asked_about_anew(project, judge, grader):
    """The grade under the older version stays as it was given; the judge grades by the newer one beside it."""
    first = graded_response(project, grader)
    run_through(judge)
    second = freeze(first.response.prompt, grader, {LENTILS: 4})
    assert planned(judge).not_ready == 1, "nobody has graded by the second version yet"
    reference(first.response, second, grader, errors={})
    run_through(judge)

    by_version = dict(Grade.objects.filter(rater=judge.rater).values_list("rubric__version", "raw"))
    assert by_version == {1: TRUE_RAW, 2: 4}
    assert set(Call.objects.values_list("state", flat=True)) == {"scored"}


def test_an_answer_about_criteria_that_changed_meanwhile_grades_nothing(project, judge, grader):
    """The first grader found another error while the judge was reading: its answer is about another rubric."""
    grade = graded_response(project, grader)
    run = runs.create_run(judge, Response.objects.filter(project=project))
    Criterion.objects.create(
        rubric=grade.rubric,
        response=grade.response,
        grade=grade,
        key="late",
        text="Claims it is «French».",
        weight=-4,
        failure_type="hallucination",
        objectivity="objective",
        explicitness="explicit",
    )
    for shard in runs.start_here(run):
        work_through(shard)

    call = Call.objects.get()
    assert (call.state, call.problem, call.parsed) == (CallState.FAILED, "criteria_changed", None)
    assert "Simulated" in call.raw_output
    assert not Grade.objects.filter(role=GradeRole.JUDGE).exists()
    assert planned(judge).size == 1, "it is asked about the criteria as they are now"
    run_through(judge)
    assert Grade.objects.get(role=GradeRole.JUDGE).verdicts.count() == 6


def test_a_criterion_that_is_gone_is_not_asked_about(project, judge, grader, fake_provider):
    grade = graded_response(project, grader)
    run = runs.create_run(judge, Response.objects.filter(project=project))
    grade.delete()
    for shard in runs.start_here(run):
        work_through(shard)
    call = Call.objects.get()
    assert (call.state, call.problem, call.raw_output) == (CallState.FAILED, "criterion_gone", "")
    assert fake_provider.counts()["served"] == 0


def test_a_cancelled_question_about_older_criteria_holds_no_grade_up(project, judge, grader):
    grade = graded_response(project, grader)
    stopped = runs.create_run(judge, Response.objects.filter(project=project))
    runs.cancel(stopped)
    grade.negative_criteria.get(text=RAMADAN).delete()
    run = run_through(judge)
    assert states(run) == {"scored": 1}
    assert Grade.objects.get(role=GradeRole.JUDGE).verdicts.count() == 4


def test_the_target_is_hidden_unless_the_judge_is_set_up_to_know_it(project, provider, grader, fake_provider):
    graded_response(project, grader)
    fake_provider.tell(record=True)
    masked = grading_judge(project, provider)
    named = grading_judge(project, provider, target="shown")
    assert (str(masked), str(named)) == ("simulated-1 (rubric)", "simulated-1 (rubric, model named)")
    run_through(masked)
    run_through(named)
    hidden, shown = (asked["body"]["messages"][1]["content"] for asked in fake_provider.asked())
    assert "Nile-7B" not in hidden
    assert "<<<program " not in hidden
    assert "Nile-7B" in shown
    assert shown.replace("Nile-7B", "").count("Nile-7B") == 0
    assert KOSHARI in hidden


@pytest.mark.parametrize(
    ("model", "sent"),
    [("gpt-5.4", 0.0), ("gpt-5-mini", None), ("o4-mini", None), ("openrouter/anthropic/claude-opus-4.7", None)],
)
def test_the_temperature_is_0_where_the_model_takes_one(model, sent, project, grader, fake_provider):
    graded_response(project, grader)
    gateway = Provider.objects.create(name="gateway", base_url=fake_provider.url, concurrency=4)
    fake_provider.tell(record=True)
    run_through(grading_judge(project, gateway, model))
    [asked] = fake_provider.asked()
    assert asked["body"].get("temperature") == sent


def test_a_lead_can_ask_any_model_without_a_temperature(project, provider):
    assert add_judge(project, provider, "simulated-1", kind="rubric", own_temperature=True).temperature is None


def test_storing_costs_the_same_number_of_statements_for_many(project, judge, grader):
    """A shard of eighty responses with five criteria each: no statement for each of them, or for each verdict."""
    graded_response(project, grader)
    alone = statements(judge)
    for number in range(80):
        graded_response(project, grader, f"dish-{number}")
    # what comes back is stored in batches as it comes; one batch has some 25 statements
    assert statements(judge) <= alone + 2 * 25
    assert Grade.objects.filter(rater=judge.rater).count() == 81


def statements(judge) -> int:
    run = runs.create_run(judge, Response.objects.filter(project=judge.project))
    [shard] = runs.start_here(run)
    with CaptureQueriesContext(connection) as asked:
        work_through(shard)
    return len(asked)


def test_planning_costs_the_same_number_of_statements_for_many(project, judge, grader, django_assert_max_num_queries):
    for number in range(30):
        graded_response(project, grader, f"dish-{number}")
    with django_assert_max_num_queries(9):
        assert planned(judge).size == 30
