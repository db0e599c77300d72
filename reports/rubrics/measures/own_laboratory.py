"""Judges' scores of models of their own laboratory, beside those of others."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reports.dashboard import self_preference
from reports.dashboard.drawn_by import Laboratories
from reports.dashboard.scope import BaseContext
from reports.dashboard.self_preference import GROUP, Said
from reports.dashboard.tables import Table
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

__all__ = ["GROUP", "figures", "statistics", "tables"]


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, dict[int, Said]]:
    """Per variety, by judge."""
    if loaded.with_own is None:  # no judge has answered about its own laboratory
        return {variety: {} for variety in loaded.varieties}
    loaded = loaded.with_own
    responses, grades, human = loaded.responses, loaded.grades, loaded.human
    laboratories = Laboratories(loaded.project, np.unique(responses.model))
    by_judge = {}
    for judge in loaded.judges:
        rows = np.flatnonzero(grades.rater == judge)
        at = grades.response[rows]
        own = laboratories.is_own(judge, responses.model[at])
        by_judge[judge] = Said(grades.percent[rows], human[at], own, responses.prompt[at], responses.variety[at])
    return self_preference.by_variety(loaded.varieties, by_judge)


def figures(parts: Sequence[Mapping[int, Said]], is_total: bool) -> dict[str, Any]:
    """Of all varieties together; of one among several nothing is shown."""
    made = self_preference.figures_of(parts) if is_total else {}
    return {
        "judged": made,
        "responses": max((one[1].n for one in made.values()), default=0),
        "judges": len(made),
    }


def tables(results: Results) -> list[Table]:
    recipe = {"says": "score in percent", "people": "the first grading by a person"}
    return self_preference.tables(results, results.total()["judged"], unit="pp", recipe=recipe)
