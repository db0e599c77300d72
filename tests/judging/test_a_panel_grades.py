"""Several judges grade by rubric as one: a verdict of most on every criterion, or no grade at all."""

import pytest

from judging.ensembles.assembling import assemble
from projects.models import Rater
from rubrics.models import Grade
from tests.judging.grading import LENTILS, PHARAOHS, RAMADAN, RICE, VINEGAR, freeze, graded_response, reference
from tests.judging.panelling import grade_as, judges, panel_of, verdicts_of

ALL_TRUE = {LENTILS: "pass", RICE: "pass", VINEGAR: "fail", PHARAOHS: "present", RAMADAN: "absent"}
STRICT = {LENTILS: "fail", RICE: "fail", VINEGAR: "fail", PHARAOHS: "present", RAMADAN: "present"}


@pytest.fixture
def graded(project, salma) -> Grade:
    return graded_response(project, Rater.objects.get(user=salma))


def test_per_criterion_the_verdict_of_most_counts(project, graded):
    amber, birch, cedar = judges(project)
    grade_as(amber, graded, ALL_TRUE)
    grade_as(birch, graded, {**ALL_TRUE, LENTILS: "fail", RAMADAN: "present"})
    grade_as(cedar, graded, STRICT)
    panel = panel_of([amber, birch, cedar], "rubric")

    assert assemble(panel).counts == {"answers": 1, "written": 1}

    grade = Grade.objects.get(rater=panel.rater)
    # Lentils: 1 of 3; rice: 2 of 3; vinegar: none; Pharaohs: all; Ramadan: 2 of 3.
    assert verdicts_of(grade) == {
        LENTILS: "fail",
        RICE: "pass",
        VINEGAR: "fail",
        PHARAOHS: "present",
        RAMADAN: "present",
    }
    # 8 - 5 - 3 of 24 points.
    assert (grade.raw, grade.maximum, grade.role, grade.round) == (0, 24, "judge", 1)
    reasons = dict(grade.verdicts.values_list("criterion__text", "justification"))
    assert reasons[LENTILS] == f"Birch on {LENTILS}"  # the first who said so
    assert reasons[RICE] == f"Amber on {RICE}"
    assert [member["rater"] for member in grade.metadata["panel"]["members"]] == ["amber", "birch", "cedar"]


@pytest.mark.parametrize("rule", ["majority", "mean"])
def test_half_against_half_on_one_criterion_is_no_grade(project, graded, rule):
    amber, birch = judges(project, 2)
    grade_as(amber, graded, ALL_TRUE)
    grade_as(birch, graded, {**ALL_TRUE, VINEGAR: "pass"})
    panel = panel_of([amber, birch], "rubric", rule=rule)
    done = assemble(panel)
    assert (done.counts, done.undecided) == ({"ties": 1}, [("ties", graded.response.key)])
    assert not Grade.objects.filter(rater=panel.rater).exists()


def test_too_few_members_are_counted(project, graded):
    amber, birch, cedar = judges(project)
    grade_as(amber, graded, ALL_TRUE)
    grade_as(birch, graded, ALL_TRUE)
    other = graded_response(project, graded.rater, key="other")
    grade_as(cedar, other, ALL_TRUE)
    panel = panel_of([amber, birch, cedar], "rubric", least_members=2)
    assert assemble(panel).counts == {"answers": 1, "written": 1, "too_few": 1}


def test_a_grade_under_an_older_version_of_the_rubric_is_no_vote(project, graded, salma):
    amber, birch = judges(project, 2)
    grade_as(amber, graded, ALL_TRUE)
    grade_as(birch, graded, ALL_TRUE)
    panel = panel_of([amber, birch], "rubric")
    assemble(panel)
    newer = freeze(graded.response.prompt, graded.rater, {LENTILS: 10}, hidden="newer")
    again = reference(graded.response, newer, graded.rater)
    assert assemble(panel).counts == {}
    assert Grade.objects.get(rater=panel.rater).rubric == graded.rubric  # it stays with its version
    said = {**{each.text: "present" for each in again.negative_criteria.all()}, LENTILS: "pass"}
    grade_as(amber, again, said)
    assert assemble(panel).counts == {"too_few": 1}
    grade_as(birch, again, said)
    assert assemble(panel).counts == {"answers": 1, "written": 1}
    assert Grade.objects.filter(rater=panel.rater).count() == 2


def test_verdicts_on_other_criteria_than_those_of_now_are_no_vote(project, graded):
    amber, birch, cedar = judges(project)
    for each in (amber, birch, cedar):
        grade_as(each, graded, ALL_TRUE)
    gone = Grade.objects.get(rater=cedar).verdicts.first()
    gone.delete()
    panel = panel_of([amber, birch, cedar], "rubric", least_members=3)
    assert assemble(panel).counts == {"too_few": 1}


def test_a_response_without_a_first_grading_is_not_ready(project, graded):
    amber, birch = judges(project, 2)
    for each in (amber, birch):
        grade_as(each, graded, ALL_TRUE)
    Grade.objects.filter(pk=graded.pk).update(role="regrade")
    panel = panel_of([amber, birch], "rubric")
    assert assemble(panel).counts == {"not_ready": 1}


def test_the_latest_round_of_each_member_counts_and_only_what_changed_is_written(project, graded):
    amber, birch, cedar = judges(project)
    others = [graded_response(project, graded.rater, key=f"other-{n}") for n in range(2)]
    for each in (amber, birch, cedar):
        for one in (graded, *others):
            grade_as(each, one, ALL_TRUE)
    panel = panel_of([amber, birch, cedar], "rubric")
    assert assemble(panel).counts["written"] == 3
    before = dict(Grade.objects.filter(rater=panel.rater).values_list("response__key", "pk"))
    assert assemble(panel).counts == {"answers": 3}
    grade_as(amber, graded, STRICT, round=2)
    grade_as(birch, graded, STRICT, round=2)
    assert assemble(panel).counts == {"answers": 3, "written": 1}
    after = dict(Grade.objects.filter(rater=panel.rater).values_list("response__key", "pk"))
    assert {key for key in after if after[key] != before[key]} == {graded.response.key}
    rounds = Grade.objects.get(rater=panel.rater, response=graded.response).metadata["panel"]["members"]
    assert [(member["rater"], member["round"]) for member in rounds] == [("amber", 2), ("birch", 2), ("cedar", 1)]


def test_statements_do_not_grow_with_the_grades(project, graded, django_assert_max_num_queries):
    members = judges(project)
    for number in range(12):
        one = graded_response(project, graded.rater, key=f"more-{number}")
        for member in members:
            grade_as(member, one, ALL_TRUE)
    panel = panel_of(members, "rubric")
    with django_assert_max_num_queries(47):
        assert assemble(panel).counts["written"] == 12
    with django_assert_max_num_queries(38):
        assert assemble(panel).counts == {"answers": 12}
