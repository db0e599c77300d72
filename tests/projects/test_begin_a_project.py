"""Nour begins another project from the preset."""

from annotation.models import ErrorCategory
from projects.models import Membership, Project
from tests.people import signed_in
from tests.preset_parts import preset_file
from workflow.models import Stage

FORM = {"name": "Weddings of the Nile", "slug": "nile", "preset": "spans", "description": ""}


def test_a_lead_begins_a_project_and_leads_it(nour):
    response = signed_in(nour).post("/projects/new/", FORM)
    assert response.url == "/p/nile/"
    project = Project.objects.get(slug="nile")
    assert Membership.objects.get(project=project).role == "lead"
    assert list(Stage.objects.filter(project=project).values_list("kind", flat=True)) == ["spans", "reviews"]
    depths = list(ErrorCategory.objects.filter(project=project).values_list("depth", flat=True))
    assert sorted(depths) == ["separate"] + ["thick"] * 5 + ["thin"] * 2


def test_a_project_of_ratings_begins_with_four_dimensions_and_fifteen_question_types(nour):
    """MENLO, appendix A.3: four, four, four and three question types, each with a scale of five."""
    signed_in(nour).post("/projects/new/", FORM | {"preset": "ratings"})
    project = Project.objects.get(slug="nile")
    per_dimension = [(one.slug, one.question_types.count()) for one in project.dimensions.all()]
    assert per_dimension == [("fluency", 4), ("tone", 4), ("localized-tone", 4), ("localized-factuality", 3)]
    for question in project.question_types.prefetch_related("levels"):
        assert list(question.scale) == [level.grade for level in question.levels.all()] == [1, 2, 3, 4, 5]
        labels = [level.label for level in question.levels.all()]
        assert labels == ["Major failure", "Minor failure", "Pass", "Good", "Excellent"]
        assert all(level.summary and level.detail for level in question.levels.all())
    stages = project.stages.values_list("kind", "overlap", "lease_minutes")
    assert list(stages) == [("localising", 1, 14 * 24 * 60), ("pairs", 3, 120)]


def test_no_two_levels_say_the_same():
    levels = [
        level
        for dimension in preset_file("ratings")["dimensions"]
        for question in dimension["questions"]
        for level in question["levels"]
    ]
    assert len(levels) == 75
    assert len({level["summary"] for level in levels}) == len({level["detail"] for level in levels}) == 75
    assert all(len(level["summary"]) <= 100 for level in levels), "one line beside the scale"


def test_an_annotator_cannot(mona):
    assert signed_in(mona).post("/projects/new/", FORM).status_code == 403
    assert not Project.objects.filter(slug="nile").exists()


def test_a_short_name_is_taken_once(nour, project):
    response = signed_in(nour).post("/projects/new/", FORM | {"slug": project.slug})
    assert response.status_code == 422


def test_a_project_of_others_does_not_exist(omar, project):
    assert signed_in(omar).get(f"/p/{project.slug}/").status_code == 404


def test_changing_the_guidelines_raises_their_version(nour, project):
    client = signed_in(nour)
    text = "# Mark what is wrong\n<script>alert(1)</script>"
    form = {"do": "publish", "language-left": "main", "state-left": "1.0", "text-left": text}
    client.post(f"/p/{project.slug}/guidelines/edit/", form)
    project.refresh_from_db()
    assert project.guidelines_version == 2
    page = client.get(f"/p/{project.slug}/guidelines/").content.decode()
    assert "<h1>Mark what is wrong</h1>" in page
    assert "<script>alert" not in page


def test_an_archived_project_leaves_the_list_and_comes_back(nour, project):
    client = signed_in(nour)
    client.post(f"/p/{project.slug}/archive/")
    assert f"/p/{project.slug}/" not in client.get("/").content.decode()
    client.post(f"/p/{project.slug}/archive/")
    assert f"/p/{project.slug}/" in client.get("/").content.decode()
