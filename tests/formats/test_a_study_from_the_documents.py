"""The study of docs/project-file.md: made of at most sixty lines, worked on by two people, exported and read back."""

import re
from pathlib import Path
from uuid import uuid4

import pytest

from annotation.models import Rating, Span
from formats.project_file.applying import create_from_file
from formats.project_file.describing import described, file_of
from formats.project_file.reading import read_yaml
from projects.models import Project
from reports.frames import scores
from tests.people import EGYPTIAN, add_response, join, person, signed_in
from workflow.models import Assignment, Stage
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db
DOCUMENT = Path(__file__).parents[2] / "docs" / "project-file.md"


def example() -> str:
    [found] = re.findall(r"```yaml\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    return found


@pytest.fixture
def study(db, nour) -> Project:
    made = create_from_file(example().encode(), "esa", nour)
    assert made.notes == []
    return made.project


def answer(client, stage: Stage, body: dict) -> None:
    """Take the next item of the stage as the page does, and hand this in."""
    taken = client.post(f"/p/esa/my-work/{stage.pk}/next")
    [uuid] = re.findall(r"/tasks/([0-9a-f-]+)", taken.url)
    content = {"submission": str(uuid4()), "version": 0, "body": body}
    submitted = client.post(f"/tasks/{uuid}/submit", content, content_type="application/json")
    assert submitted.status_code == 200, submitted.content


def test_it_is_sixty_lines_at_most_and_comes_back_as_it_is(study):
    assert len(example().splitlines()) <= 60
    assert described(study) == read_yaml(example().encode())[0]


def test_two_people_mark_and_score_and_their_answers_leave(study):
    add_response(study, "koshari", EGYPTIAN, "ar-EG")
    marking = study.stages.get()
    assert plan_items(marking) == 1
    for name, quotes, grade in (("Mona", ["مصرية شعبية"], 70), ("Karim", [], 90)):
        user = join(person(f"{name}@x.org", name), study, "annotator", varieties=("ar-EG",))
        client = signed_in(user)
        spans = [
            {
                "id": f"{name}-{at}",
                "start": EGYPTIAN.index(quote),
                "end": EGYPTIAN.index(quote) + len(quote),
                "quote": quote,
                "category": "language",
                "criticality": "major",
                "explanation": "Nobody says so.",
            }
            for at, quote in enumerate(quotes)
        ]
        answer(client, marking, {"no_errors": not quotes, "spans": spans, "score": grade})
    assert Assignment.objects.filter(status="submitted").count() == 2
    assert [(span.category.slug, span.quote) for span in Span.objects.select_related("category")] == [
        ("language", "مصرية شعبية")
    ]
    assert sorted(Rating.objects.values_list("first_grade", flat=True)) == [70, 90]
    table = scores(study)
    assert sorted(table[table.measure == "grade"].score) == [70, 90]
    assert sorted(table[table.measure == "errors"].score) == [0, 1]
    again = create_from_file(file_of(study), "again").project
    assert file_of(again) == file_of(study) == file_of(Project.objects.get(slug="esa"))
