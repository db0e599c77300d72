"""Beside the gold of an item stands how many people were unsure of it: in the files of all kinds, and in the frame."""

import io
import json

import jsonschema
import pytest
from django.utils import timezone

from annotation.gold import derive
from annotation.models import Marking, QuestionnaireAnswer, Rating
from formats import gold, rating_gold, rubric_gold
from formats.importing.running import run_import
from formats.reading import Source
from projects.models import Project, Rater, Response, ResponsePair
from reports.frames import questionnaire_gold
from reports.ratings import gold as ratings
from reports.rubrics import gold as rubrics
from reports.spans import gold as spans
from rubrics.models import Grade
from tests.annotation.marked import mark
from tests.annotation.questionnaires import RIGHT, make_questionnaires_project, questionnaire
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.people import add_response
from tests.rubrics.files import grade_line, negative, rubric_line, stored
from tests.rubrics.rubrics import make_rubrics_project
from workflow.models import Assignment, Stage, Status, WorkItem

pytestmark = pytest.mark.django_db


def unsure_turn(kind: str, rater: Rater, response: Response | None = None, pair: ResponsePair | None = None, **fields):
    """A turn that is handed in, of somebody who is unsure."""
    judged = response or pair
    assert judged
    variety = judged.variety
    stage, _is_new = Stage.objects.get_or_create(project=rater.project, kind=kind, name=kind)
    places = {"variety": variety, "position": 1, "slots": 3, "open_slots": 0}
    item, _is_new = WorkItem.objects.get_or_create(stage=stage, response=response, pair=pair, defaults=places)
    handed_in = {"status": Status.SUBMITTED, "submitted_at": timezone.now(), "is_unsure": True} | fields
    return Assignment.objects.create(item=item, stage=stage, rater=rater, **handed_in)


@pytest.fixture
def people(project) -> list[Rater]:
    return [Rater.objects.create(project=project, kind="human", name=name) for name in ("Mona", "Karim", "Hana")]


def said(area, declared, project: Project) -> dict[str, int | None]:
    """Of each line with an id what it says; every line keeps to the published schema."""
    file = [json.loads(line) for line in area.lines(project)]
    schema = jsonschema.Draft202012Validator(declared.FORMAT.schema)
    for line in file:
        schema.validate(line)
    return {line["id"]: line.get("unsure") for line in file if line.get("kind") in (None, "pair", "response")}


def test_of_errors(project, koshari, people):
    """Two of three are unsure of koshari, one of whom has not handed in; of the other text nobody was."""
    other = add_response(project, "other", "الكشري أكلة مصرية شعبية", "ar-EG")
    for at, rater in enumerate(people):
        mark(koshari, rater, "السحور")
        mark(other, rater)
        again = {"status": Status.CLAIMED, "submitted_at": None, "lease_expires_at": timezone.now()} if at == 2 else {}
        turn = unsure_turn("spans", rater, koshari, **again)
        Marking.objects.filter(response=koshari, rater=rater).update(assignment=turn)
    derive([koshari.pk, other.pk])
    file = b"".join(spans.lines(project))
    assert said(spans, gold, project) == {"koshari": 2, "other": None}

    # Read back into another project it is nobody's; all else is as it was.
    copy = Project.objects.create(slug="copy", name="copy")
    assert run_import(copy, Source(io.BytesIO(file), "gold.jsonl"), "items").problems == []
    assert b"".join(spans.lines(copy)) == file.replace(b'"unsure":2,', b"")
    assert not Assignment.objects.filter(stage__project=copy).exists()


def test_of_ratings_of_one_response_and_of_two(project, people):
    """Who is unsure on two question types is one person; an answer to a check says something of the rater alone."""
    make_ratings_project(project)
    questions = question_type(project), question_type(project, "warmth")
    one, pair = add_response(project, "one", "جواب", "ar-EG"), pair_of(project, "koshari")
    turn = unsure_turn("ratings", people[0], one)
    check = unsure_turn("ratings", people[1], one)
    for question in questions:
        given = {"question": question, "response": one, "first_grade": 3}
        Rating.objects.create(rater=people[0], assignment=turn, **given)
        Rating.objects.create(rater=people[1], assignment=check, is_check=True, **given)
    of_pair = unsure_turn("pairs", people[0], pair=pair)
    grades = {"question": questions[0], "pair": pair, "first_grade": 3, "second_grade": 2}
    Rating.objects.create(rater=people[0], assignment=of_pair, **grades)
    Rating.objects.create(rater=people[1], **grades)
    assert said(ratings, rating_gold, project) == {"one": 1, pair.key: 1}


def test_of_grades_under_a_rubric(project, koshari):
    make_rubrics_project(project)
    stored(project, "rubrics", rubric_line())
    stored(project, "grades", grade_line(negative()))
    assert said(rubrics, rubric_gold, project) == {"koshari": None}
    grade = Grade.objects.get(rater__kind="human")
    Grade.objects.filter(pk=grade.pk).update(assignment=unsure_turn("scoring", grade.rater, koshari))
    assert said(rubrics, rubric_gold, project) == {"koshari": 1}


def test_of_questionnaires(project, people):
    """Of "r0" two were unsure, one of whom left the second question open; of "r1" nobody."""
    make_questionnaires_project(project)
    stage = questionnaire(project, RIGHT, {"number": "How many?", "key": "count", "optional": True})
    for key, unsure in (("r0", 2), ("r1", 0)):
        response = add_response(project, key, f"جواب {key}", "ar-EG")
        for at, rater in enumerate(people):
            turn = unsure_turn("questionnaire", rater, response, is_unsure=at < unsure)
            answers = {"right": "Yes"} | ({"count": 3} if at else {})
            QuestionnaireAnswer.objects.create(
                stage=stage, rater=rater, answers=answers, response=response, assignment=turn
            )
    found = questionnaire_gold(project).set_index(["response_key", "question"]).unsure.to_dict()
    assert found == {("r0", "right"): 2, ("r0", "count"): 1, ("r1", "right"): 0, ("r1", "count"): 0}
