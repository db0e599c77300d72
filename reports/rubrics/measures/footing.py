"""Judges and people on the same footing: scores of both against the mean of the others who graded the response."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.deviation import deviation
from agreement.figures import Figure
from reports.dashboard import footing
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.footing import Compared, Footing, Sides
from reports.dashboard.parts import pooled
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import Table
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

GROUP = "footing"


@dataclass(frozen=True, eq=False)
class ScoresOfRaters:
    """Scores of people, or of one judge: response, rater, prompt, P; shape (G,)."""

    response: Integers
    rater: Integers
    prompt: Integers
    percent: Floats


@dataclass(frozen=True, eq=False)
class ScoresOfVariety:
    people: ScoresOfRaters
    judges: dict[int, ScoresOfRaters]
    errors: dict[int, Floats]


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
        )
    return parts


def _scores(loaded: Loaded, rows: Integers) -> ScoresOfRaters:
    response = loaded.grades.response[rows]
    return ScoresOfRaters(
        response, loaded.grades.rater[rows], loaded.responses.prompt[response], loaded.grades.percent[rows]
    )


def figures(parts: Sequence[ScoresOfVariety], is_total: bool) -> dict[str, Any]:
    """Of all varieties together, "footing" by judge: MAD and signed error of both sides, and of the judge against the
    first gradings; and what they rest on. A response lies in one variety, so parts are compared each for itself and put
    together."""
    if not is_total:
        return {}
    made: dict[int, tuple[list[Footing], tuple[Figure, Figure]]] = {}
    for judge in sorted({one for part in parts for one in part.judges}):
        sides = [_sides(part, judge) for part in parts if judge in part.judges]
        error = np.concatenate([part.errors[judge] for part in parts if judge in part.errors])
        full = deviation(error[~np.isnan(error)], np.zeros(int((~np.isnan(error)).sum())))
        made[judge] = (footing.deviations_compared(pooled(sides)), (full.mad, full.signed_error))
    people = {rater for part in parts for rater in part.people.rater.tolist()}
    responses = sum(len(np.unique(part.people.response)) for part in parts)
    return {"footing": made, "responses": responses, "people": len(people), "judges": len(made)}


def _sides(part: ScoresOfVariety, judge: int) -> Sides:
    people, judged = part.people, part.judges[judge]
    return footing.deviations(people.response, people.percent, people.prompt, judged.response, judged.percent)


# --- Table -----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    rows = [
        Compared(judge, title, both, full, is_better)
        for judge, (sides, of_full) in results.total()["footing"].items()
        for title, both, full, is_better in zip(
            (_("MAD"), _("signed error")), sides, of_full, (False, None), strict=True
        )
    ]
    return [footing.table(results, rows, {"full": "the first grading of the response"}, "pp")]
