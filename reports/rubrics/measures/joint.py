"""What draws each judge's scores away from people's, all at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from reports.dashboard.drawn_by import Laboratories, doublings, markup_of
from reports.dashboard.joint_biases import Effects, Errors, effects_of, table, within
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import Table
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

GROUP = "joint"


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, dict[int, Errors]]:
    """Per variety, by judge; with grades of its own laboratory's models, which are what one of the effects is of."""
    loaded = loaded.with_own or loaded
    responses, grades, human = loaded.responses, loaded.grades, loaded.human
    laboratories = Laboratories(loaded.project, np.unique(responses.model))
    marks, length = markup_of(loaded.project, responses.id), doublings(responses.length)
    by_judge = {}
    for judge in loaded.judges:
        rows = np.flatnonzero(grades.rater == judge)
        error = grades.percent[rows] - human[grades.response[rows]]
        rows, error = rows[~np.isnan(error)], error[~np.isnan(error)]
        at = grades.response[rows]
        own = laboratories.is_own(judge, responses.model[at]).astype(float)
        # A response is graded alone: none is shown first.
        features = np.column_stack((length[at], np.zeros(len(at)), own, marks[at]))
        by_judge[judge] = Errors(error, responses.prompt[at], responses.variety[at], responses.domain[at], features)
    return {variety: within(by_judge, variety) for variety in loaded.varieties}


def figures(parts: Sequence[dict[int, Errors]], is_total: bool) -> dict[str, Any]:
    """Of all varieties together "effects" by judge, and what they rest on. Of one among several nothing is shown."""
    if not is_total:
        return {}
    judges = sorted({judge for part in parts for judge in part})
    effects = {judge: effects_of([part[judge] for part in parts if judge in part]) for judge in judges}
    return {
        "effects": effects,
        "responses": max((_size(one) for one in effects.values()), default=0),
        "judges": len(judges),
    }


def _size(effects: Effects) -> int:
    return max(figure.n for figure in effects.figures.values())


# --- Table -----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [
        table(
            "errors-drawn-by",
            results,
            _("What draws judges' scores away from people's"),
            results.total()["effects"],
            "pp",
            {"error": "score of the judge less that of the first grading", "held": "domains"},
        )
    ]
