"""What is imported can be seen: answers of an area open its dashboard, whatever the project was made for."""

import io
import json

import pytest

from formats.grade import FORMAT as GRADES
from formats.importing.registry import importers
from formats.importing.running import run_import
from formats.reading import Source
from formats.rubric import FORMAT as RUBRICS
from projects.models import Project, PromptTemplate, QuestionType
from reports.areas import areas
from tests.people import add_response, join, person, signed_in

pytestmark = pytest.mark.django_db

SPANS: dict[str, object] = {"kind": "spans", "item": "eg-1", "rater": "Zahra", "rater_kind": "human", "spans": []}
SPANS |= {"no_errors": True}
RATING = {"kind": "ratings", "item": "eg-1", "rater": "Zahra", "rater_kind": "human", "question": "q", "grade": 3}
QUESTION = {"id": "q", "dimension": "Tone", "name": "Warm", "lowest": 1, "highest": 5}


def imported(project: Project, kind: str, *lines: dict, **options):
    content = "\n".join(json.dumps(line) for line in lines).encode()
    return run_import(project, Source(io.BytesIO(content)), kind, **options)


@pytest.fixture
def closed(db) -> Project:
    """A project that shows no area; one response waits in it."""
    project = Project.objects.create(slug="plain", name="Plain", preset="none", areas=[])
    add_response(project, "eg-1", "الكشري أكلة مصرية", "ar-EG")
    return project


def test_spans_open_their_results_and_nothing_else(closed):
    assert imported(closed, "answers", SPANS).problems == []
    assert Project.objects.get(pk=closed.pk).areas == ["spans"]


def test_ratings_open_theirs(closed):
    """Questions alone do so as well, for they are the area's."""
    assert imported(closed, "questions", QUESTION).is_stored
    Project.objects.filter(pk=closed.pk).update(areas=["spans"])
    closed.refresh_from_db()
    assert imported(closed, "answers", RATING).problems == []
    assert Project.objects.get(pk=closed.pk).areas == ["spans", "ratings"]


def test_rubrics_open_theirs(closed):
    rubric = json.loads(RUBRICS.example)
    for criterion in rubric["criteria"]:
        del criterion["band"]  # the project has none
    outcome = imported(closed, "rubrics", rubric)
    assert outcome.problems == []
    assert Project.objects.get(pk=closed.pk).areas == ["rubrics"]
    assert GRADES.example  # grades are of the same area
    assert importers()["grades"].area == "rubrics"


def test_questions_of_a_benchmark_open_the_board(closed):
    kind = "benchmark-questions"
    outcome = imported(closed, kind, json.loads(importers()[kind].format.example))
    assert outcome.problems == []
    assert Project.objects.get(pk=closed.pk).areas == ["leaderboard"]


def test_a_refused_or_tried_file_opens_nothing(closed):
    assert imported(closed, "answers", SPANS, dry_run=True).is_clean
    assert not imported(closed, "answers", SPANS, SPANS | {"item": "nowhere"}).is_stored
    assert Project.objects.get(pk=closed.pk).areas == []


def test_responses_and_templates_of_every_project_open_none(closed):
    assert importers()["items"].area == ""
    assert QuestionType.objects.count() == PromptTemplate.objects.count() == 0


@pytest.mark.parametrize("name", [name for name in areas() if name])
def test_every_format_of_an_area_says_that_it_is_of_it(name, closed):
    for each in areas()[name].formats:
        shared = [other for other, area in areas().items() if each in area.formats]
        assert each.area == (name if len(shared) == 1 else ""), each.kind
        assert each.area or "areas" in vars(each), f"{each.kind} is of {shared} and does not say what was stored"


def test_nour_finds_the_dashboard_in_the_menu(closed):
    nour = join(person("nour@example.org", "Nour Haddad"), closed, "lead")
    client = signed_in(nour)
    assert "/p/plain/results/" not in client.get("/p/plain/").content.decode()
    imported(closed, "answers", SPANS)
    page = client.get("/p/plain/").content.decode()
    assert "/p/plain/results/" in page
    assert client.get("/p/plain/results/").status_code == 200
