"""Nour imports answers about more responses than a statement has parameters: each is looked up a few at a time."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from annotation.models import Marking, Rating
from projects.models import Project, Response
from rubrics.models import Grade
from tests.annotation.rated import make_ratings_project, question_type
from tests.annotation.test_import_answers import bring
from tests.preset_parts import add_taxonomy
from tests.rubrics.files import bring as bring_kind
from tests.rubrics.files import grade_line
from tests.rubrics.grading import banknotes, iraqi_annotator, iraqi_author, stage_of
from tests.workflow.working import add_responses, marking_stage
from workflow.models import Stage
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db

# More lines than an importer takes at once (1,000); and twice as many.
FEW, MANY = 1_100, 2_200


class Parameters:
    """Counts the values that each statement carries; of an executemany each row is a statement."""

    most = 0

    def __call__(self, execute, sql, params, many, context):
        if not many:
            self.most = max(self.most, len(params or ()))
        return execute(sql, params, many, context)


def most_parameters(act: Callable[[], object]) -> int:
    """The largest number of values that a statement carried meanwhile."""
    counted = Parameters()
    with connection.execute_wrapper(counted):
        act()
    return counted.most


def add(like: Response, count: int, name: str) -> list[str]:
    """The keys of so many more responses like it."""
    add_responses(like, count, name)
    return [f"{name}-{number}" for number in range(count)]


def grows_not(project: Project, like: Response, stages: list[Stage], bring_answers: Callable[[list[str]], object]):
    """Twice as many answers are brought in with statements of the same size."""
    sizes = []
    for count, name in ((FEW, "few"), (MANY, "many")):
        keys = add(like, count, name)
        for stage in stages:
            plan_items(stage)
        sizes.append(most_parameters(partial(bring_answers, keys)))
    assert sizes[0] == sizes[1] < 5 * FEW


def test_markings_of_any_number_of_responses(project, koshari, mona):
    add_taxonomy(project)
    stage = marking_stage(project, overlap=1)
    Stage.objects.create(project=project, kind="reviews", name="Reviews", position=2)
    validation = Stage.objects.create(project=project, kind="validation", name="Experts", position=3)
    found = {"id": "s1", "quote": "Answer", "type": "cultural", "criticality": "high", "explanation": "غلط"}

    def bring_markings(keys: list[str]) -> None:
        line = {"kind": "spans", "rater": "Mona Adel", "rater_kind": "human", "spans": [found]}
        outcome = bring(project, *({**line, "item": key} for key in keys))
        assert outcome.is_stored, outcome.problems[:3]

    grows_not(project, koshari, [stage], bring_markings)
    assert Marking.objects.filter(assignment__status="submitted").count() == FEW + MANY
    assert stage.items.filter(open_slots=0).count() == FEW + MANY
    assert validation.items.filter(open_slots=2).count() == FEW + MANY


def test_ratings_of_any_number_of_responses(project, koshari, mona):
    make_ratings_project(project)
    question_type(project, "formality")
    stage = stage_of(project, "ratings", overlap=1)

    def bring_ratings(keys: list[str]) -> None:
        line = {"kind": "ratings", "rater": "Mona Adel", "rater_kind": "human", "question": "formality", "grade": 3}
        outcome = bring(project, *({**line, "item": key} for key in keys))
        assert outcome.is_stored, outcome.problems[:3]

    grows_not(project, koshari, [stage], bring_ratings)
    assert Rating.objects.filter(assignment__status="submitted").count() == FEW + MANY
    assert stage.items.filter(open_slots=0).count() == FEW + MANY


def test_grades_of_any_number_of_responses(project):
    response, _rubric = banknotes(project, iraqi_author(project))
    iraqi_annotator(project, name="Ali Hasan")
    stage = stage_of(project, "scoring")
    verdicts = [{"criterion": f"c{number}", "value": "pass"} for number in range(1, 6)]

    def bring_grades(keys: list[str]) -> None:
        lines = (grade_line(item=key, rater="Ali Hasan", verdicts=verdicts, negatives=[]) for key in keys)
        outcome = bring_kind(project, "grades", *lines)
        assert outcome.is_stored, outcome.problems[:3]

    grows_not(project, response, [stage], bring_grades)
    assert Grade.objects.filter(assignment__status="submitted").count() == FEW + MANY
    assert stage.items.filter(open_slots=0).count() == FEW + MANY
