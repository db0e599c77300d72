"""Judges and people on the same footing: scores of both against the mean of the others who graded the response.

People did one of two tasks (`tasks.py`), and are nearer to each other on the one than on the other: so a judge stands
beside each apart. Who did one task is compared with the first gradings and with the others of the same task.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.deviation import deviation
from agreement.figures import Figure
from reports.dashboard import footing
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.footing import Compared, Footing, Sides
from reports.dashboard.parts import pooled
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import Table
from reports.rubrics.measures.tasks import GIVEN, OWN, TASKS, own_errors_of
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

GROUP = "footing"


@dataclass(frozen=True, eq=False)
class ScoresOfRaters:
    """Scores of people, or of one judge: response, rater, prompt, P, whether they were given the recorded errors, and
    whether it is the first grading; shape (G,)."""

    response: Integers
    rater: Integers
    prompt: Integers
    percent: Floats
    is_given: Flags
    is_first: Flags

    def on(self, task: str) -> "tuple[ScoresOfRaters, Flags]":
        """The scores among which people on a task are compared, and which of them are of the task: the first gradings
        recorded errors of their own, as calibration does, and are what second gradings were given the errors of."""
        if task == GIVEN:
            among, of_task = self.is_given | self.is_first, self.is_given
        else:
            among, of_task = ~self.is_given, ~self.is_given
        return ScoresOfRaters(**{name: column[among] for name, column in vars(self).items()}), of_task[among]


@dataclass(frozen=True, eq=False)
class ScoresOfVariety:
    people: ScoresOfRaters
    judges: dict[int, ScoresOfRaters]
    errors: dict[int, Floats]
    own_errors: frozenset[int] = frozenset()


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, ScoresOfVariety]:
    """Per variety."""
    grades = loaded.grades
    variety = loaded.responses.variety[grades.response]
    parts = {}
    for one in loaded.varieties:
        rows = np.flatnonzero((variety == one) & grades.is_latest)
        of_judges = {judge: _scores(loaded, rows[grades.rater[rows] == judge]) for judge in loaded.judges}
        parts[one] = ScoresOfVariety(
            _scores(loaded, rows[grades.by_human[rows]]),
            of_judges,
            {judge: scores.percent - loaded.human[scores.response] for judge, scores in of_judges.items()},
            own_errors_of(loaded),
        )
    return parts


def _scores(loaded: Loaded, rows: Integers) -> ScoresOfRaters:
    grades = loaded.grades
    response = grades.response[rows]
    return ScoresOfRaters(
        response,
        grades.rater[rows],
        loaded.responses.prompt[response],
        grades.percent[rows],
        grades.is_given[rows],
        grades.is_reference[rows],
    )


def figures(parts: Sequence[ScoresOfVariety], is_total: bool) -> dict[str, Any]:
    """Of all varieties together, "footing" by (judge, task of the people beside it): MAD and signed error of both
    sides, and of the judge against the first gradings; "own errors" the judges that record errors of their own; and
    what they rest on. A response lies in one variety, so parts are compared each for itself and put together."""
    if not is_total:
        return {}
    own_errors = frozenset().union(*(part.own_errors for part in parts))
    made: dict[tuple[int, str], tuple[list[Footing], tuple[Figure, Figure]]] = {}
    judges = sorted({one for part in parts for one in part.judges})
    for judge in judges:
        error = np.concatenate([part.errors[judge] for part in parts if judge in part.errors])
        full = deviation(error[~np.isnan(error)], np.zeros(int((~np.isnan(error)).sum())))
        for task in (OWN, GIVEN) if judge in own_errors else (GIVEN, OWN):
            sides = [_sides(part, judge, task) for part in parts if judge in part.judges]
            made[judge, task] = (footing.deviations_compared(pooled(sides)), (full.mad, full.signed_error))
    people = {rater for part in parts for rater in part.people.rater.tolist()}
    responses = sum(len(np.unique(part.people.response)) for part in parts)
    return {
        "footing": made,
        "own errors": own_errors,
        "responses": responses,
        "people": len(people),
        "judges": len(judges),
    }


def _sides(part: ScoresOfVariety, judge: int, task: str) -> Sides:
    (people, of_task), judged = part.people.on(task), part.judges[judge]
    scores = people.response, people.percent, people.prompt, people.rater
    return footing.deviations(*scores, judged.response, judged.percent, of_task)


# --- Table -----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    total = results.total()
    rows = [
        Compared(judge, title, both, full, is_better, str(TASKS[task]), (task == OWN) == (judge in total["own errors"]))
        for (judge, task), (sides, of_full) in total["footing"].items()
        for title, both, full, is_better in zip(
            (_("MAD"), _("signed error")), sides, of_full, (False, None), strict=True
        )
    ]
    recipe = {
        "full": "the first grading of the response",
        "tasks": "people beside the judge did one of two tasks; their others are the first gradings and those who did "
        "the same task. Sentences speak of people on the judge's own task",
        "own_task": "errors given, where a grade of the judge was asked about the recorded errors; else own errors",
    }
    return [footing.table(results, rows, recipe, "pp", by_task=True)]
