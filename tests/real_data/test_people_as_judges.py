"""A person who poses as a judge comes out equal to the others: two published studies, each person in turn.

Against the full gold, of which everybody's own answers are a part, a person would come out up to 18 points of accuracy
better than a judge as good as they are.
"""

from dataclasses import replace

import numpy as np
import pytest

from projects.models import Project, Response
from reports.ratings import reader
from reports.ratings.answers import Grades, Verdicts
from reports.ratings.context import Context
from reports.ratings.measures import footing
from reports.ratings.reader import Loaded
from reports.ratings.scope import RatingScope
from tests.real_data import llm_rubric, recipes_likert
from tests.real_data.test_import_published_ratings import bring

pytestmark = [pytest.mark.django_db, pytest.mark.real_data]

#: Fewer answers than this say nothing about one person.
ROWS = 40


def posing(loaded: Loaded, one: int) -> Loaded:
    """What was loaded, as if this person were a judge: no part of gold, of references or of people."""

    def turned(made: Grades | Verdicts) -> dict:
        return {"by_human": made.by_human & (made.rater != one), "by_expert": made.by_expert & (made.rater != one)}

    grades, verdicts = (
        replace(loaded.grades, **turned(loaded.grades)),
        replace(loaded.verdicts, **turned(loaded.verdicts)),
    )
    return replace(loaded, grades=grades, verdicts=verdicts, judges=(one,), asked={})


def differences(project: Project) -> dict[str, np.ndarray]:
    """Judge less person of each measure, for every person with enough answers in turn."""
    scope = RatingScope()
    context = Context.of(project, scope)
    varieties = list(Response.objects.filter(project=project).values_list("variety", flat=True).distinct())
    loaded = reader.load(project, varieties, scope)
    people = np.unique(loaded.grades.rater[loaded.grades.by_human]).tolist()
    found: dict[str, list[float]] = {
        name: [] for name in ("accuracy", "macro_f1", "quadratic_kappa", "mad", "signed_error")
    }
    for one in people:
        parts = list(footing.statistics(posing(loaded, one), context).values())
        measures = footing.figures(parts, is_total=True)[one]
        for name, values in found.items():
            figure = measures[name][0].difference
            if figure.value is not None and figure.n >= ROWS:
                values.append(figure.value)
    return {name: np.array(values) for name, values in found.items()}


def check_that_people_come_out_equal(project: Project, at_least: int) -> None:
    for name, values in differences(project).items():
        assert len(values) >= at_least
        error = values.std(ddof=1) / np.sqrt(len(values))
        assert abs(values.mean()) <= 2 * error, (name, values.mean(), error)


def test_recipes(project, tmp_path):
    bring(recipes_likert, project, tmp_path)
    check_that_people_come_out_equal(project, 80)


def test_conversations(project, tmp_path):
    bring(llm_rubric, project, tmp_path, llm_rubric.synthetic_items, (llm_rubric.synthetic_answers,))
    check_that_people_come_out_equal(project, 8)
