"""Nour reads scores by the tags of the criteria: a table of all tags, and everything narrowed to one."""

import pytest

from reports.dashboard.freshness.revisions import revisions
from reports.rubrics.tags import tags_of
from tests.people import EGYPTIAN, add_response, signed_in
from tests.rubrics.files import JUDGE, criterion, grade_line, negative, rubric_line, stored, verdicts
from tests.rubrics.rubrics import make_rubrics_project

pytestmark = pytest.mark.django_db
# Accuracy: 10 to reach, an error takes 6. Tone: 4 to reach. The third criterion has no tag.
RUBRIC = rubric_line(
    criterion("c1", 10, tags=["axis:accuracy"]),
    criterion("e1", -6, tags=["axis:accuracy"]),
    criterion("c2", 4, tags=["axis:tone", "دقة 🙂"]),
    criterion("c3", 2),
)


@pytest.fixture
def graded(project):
    """People: 10 - 6 of accuracy, 0 of tone, 2 untagged, less 5 of an error that was found: 1 of 16. Judge: all but the
    error: 16 of 16."""
    make_rubrics_project(project)
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    stored(project, "rubrics", RUBRIC)
    person = grade_line(negative(), verdicts=verdicts(c1="pass", e1="present", c2="fail", c3="pass"))
    said = verdicts(c1="pass", e1="absent", c2="pass", c3="pass", n1="absent")
    stored(project, "grades", person, grade_line(**{**JUDGE, "negatives": ...}, verdicts=said))
    return project


def table_of(user, project, name: str, **chosen: str) -> dict:
    answer = signed_in(user).get(f"/api/v1/projects/{project.slug}/agreement/", chosen).json()
    return next(table for table in answer["tables"] if table["id"] == name)


def values(table: dict, at: int = 0) -> dict[tuple, float | None]:
    return {tuple(row["labels"]): row["figures"][at]["value"] for row in table["rows"]}


def test_each_tag_has_the_scores_that_its_criteria_give(graded, nour):
    table = table_of(nour, graded, "scores-by-tag")
    scores = values(table)
    assert scores["axis:accuracy", "People"] == pytest.approx(40)
    assert scores["axis:tone", "People"] == pytest.approx(0)
    of_judge = {labels[0]: value for labels, value in scores.items() if labels[1] != "People"}
    assert of_judge == pytest.approx({"axis:accuracy": 100, "axis:tone": 100, "دقة 🙂": 100})
    distances = values(table, 1)
    assert [distances[labels] for labels in distances if labels[1] != "People"] == pytest.approx([60, 100, 100])


def test_narrowed_to_a_tag_every_score_is_of_its_criteria(graded, nour):
    whole = table_of(nour, graded, "human-scores")["rows"][-1]["figures"][0]["value"]
    assert whole == pytest.approx(100 * 1 / 16)
    accuracy = table_of(nour, graded, "human-scores", tag="axis:accuracy")
    assert accuracy["rows"][-1]["figures"][0]["value"] == pytest.approx(40)
    assert accuracy["recipe"]["filters"] == {"tag": "axis:accuracy"}
    judges = table_of(nour, graded, "judges-against-people", tag="axis:accuracy")
    assert judges["rows"][0]["figures"][0]["value"] == pytest.approx(60)


def test_a_tag_that_nothing_has_leaves_nothing(graded, nour):
    assert table_of(nour, graded, "human-scores", tag="axis:none")["rows"] == []


def test_the_page_offers_the_tags_and_the_list_keeps_the_filter(graded, nour):
    client = signed_in(nour)
    assert tags_of(graded, revisions(graded)) == ["axis:accuracy", "axis:tone", "دقة 🙂"]
    page = client.get(f"/p/{graded.slug}/rubric-results/").content.decode()
    assert '<option value="axis:tone"' in page
    listed = client.get(f"/p/{graded.slug}/rubric-results/responses/", {"tag": "axis:tone"})
    assert listed.status_code == 200
    assert "koshari" in listed.content.decode()


def test_without_tags_there_is_no_such_table(project, nour):
    make_rubrics_project(project)
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    stored(project, "rubrics", rubric_line())
    stored(project, "grades", grade_line())
    answer = signed_in(nour).get(f"/api/v1/projects/{project.slug}/agreement/").json()
    assert "scores-by-tag" not in [table["id"] for table in answer["tables"]]
