"""Nour's project has no graders: judges grade alone from the freeze on, and whatever rests on them is marked."""

import pytest

from judging.kinds.rubric.criteria import asked_of
from projects.models import Rater
from reports.frames.registry import FRAMES
from rubrics.models import Criterion, Grade, RubricSettings
from tests.people import EGYPTIAN, add_response, signed_in
from tests.rubrics.files import JUDGE, bring, criterion, grade_line, rubric_line, stored, verdicts
from tests.rubrics.grading import stage_of, turn_of
from tests.rubrics.rubrics import make_rubrics_project
from tests.rubrics.writing import problems
from tests.workflow.working import submit
from workflow.claims import claim_next

pytestmark = pytest.mark.django_db
RUBRIC = rubric_line(criterion("c1", 10), criterion("e1", -6), criterion("c2", 4))
JUDGED = grade_line(**{**JUDGE, "negatives": ...}, verdicts=verdicts(c1="pass", e1="present", c2="fail"))
FORM = {
    "needs_review": "",
    "bands-TOTAL_FORMS": "0",
    "bands-INITIAL_FORMS": "0",
}


@pytest.fixture
def koshari(project):
    make_rubrics_project(project)
    response = add_response(project, "koshari", EGYPTIAN, "ar-EG")
    stored(project, "rubrics", RUBRIC)
    return response


def say(user, project, alone: bool):
    return signed_in(user).post(
        f"/p/{project.slug}/rubrics/settings/", {**FORM, **({"judges_alone": "on"} if alone else {})}
    )


def alone(project) -> None:
    RubricSettings.objects.update_or_create(project=project, defaults={"judges_alone": True})


def keys(response) -> list[str]:
    [asked] = asked_of([response.pk]).values()
    return [Criterion.objects.get(pk=pk).key for pk in asked.criteria]


def test_judges_are_asked_from_the_freeze_on(project, koshari, nour):
    assert asked_of([koshari.pk]) == {}, "where people grade, their first grading comes first"
    assert say(nour, project, True).status_code == 302
    assert keys(koshari) == ["c1", "e1", "c2"]
    stored(project, "rubrics", rubric_line(criterion("d1", 3), version=2))
    assert keys(koshari) == ["d1"], "of the newest version"


def test_nobody_is_handed_a_response_and_who_has_one_keeps_what_they_wrote(project, koshari, mona, karim):
    stage = stage_of(project, "scoring")
    turn = turn_of(mona, stage)
    alone(project)
    body = {"verdicts": {"c1": "pass", "e1": "absent", "c2": "pass"}, "negatives": [], "comment": ""}
    answer = submit(signed_in(mona), turn, 0, body)
    assert {code for _field, code in problems(answer)} == {"judges_alone"}
    assert not Grade.objects.exists()
    assert claim_next(Rater.objects.get(user=karim), stage) is None


def test_where_a_person_has_graded_it_cannot_be_said(project, koshari, nour):
    stored(project, "grades", grade_line(verdicts=verdicts(c1="pass", e1="absent", c2="pass")))
    assert say(nour, project, True).status_code == 422
    assert not RubricSettings.objects.filter(judges_alone=True).exists()


def test_files_bring_grades_of_judges_without_a_first_grading_and_none_of_people(project, koshari):
    refused = bring(project, "grades", JUDGED)
    assert [(each.field, each.code) for each in refused.problems] == [("role", "no_reference")]
    alone(project)
    stored(project, "grades", JUDGED)
    assert list(Grade.objects.values_list("raw", "maximum")) == [(4, 14)]
    person = bring(project, "grades", grade_line(verdicts=verdicts(c1="pass", e1="absent", c2="pass")))
    assert [(each.field, each.code) for each in person.problems] == [("role", "judges_alone")]


def test_results_and_files_are_marked(project, koshari, nour):
    """10 - 6 of 14 points."""
    alone(project)
    stored(project, "grades", JUDGED)
    answer = signed_in(nour).get(f"/api/v1/projects/{project.slug}/agreement/").json()
    [table] = [one for one in answer["tables"] if one["id"] == "scores-by-judges-alone"]
    assert table["rows"][0]["figures"][0]["value"] == pytest.approx(100 * 4 / 14)
    assert "No person has graded here" in table["summary"]
    [chunk] = list(FRAMES["grades"].chunks(project))
    assert list(chunk["by_judges_alone"]) == [True]


def test_with_people_there_is_no_such_table(project, koshari, nour):
    person = grade_line(verdicts=verdicts(c1="pass", e1="absent", c2="pass"))
    stored(project, "grades", person, JUDGED)
    answer = signed_in(nour).get(f"/api/v1/projects/{project.slug}/agreement/").json()
    assert "scores-by-judges-alone" not in [one["id"] for one in answer["tables"]]
