"""Errors that judges mark in what models of their own laboratory wrote, beside those of others."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reports.dashboard import self_preference
from reports.dashboard.columns import means_at
from reports.dashboard.drawn_by import Laboratories
from reports.dashboard.self_preference import GROUP, Said
from reports.dashboard.tables import Table
from reports.spans.context import Context
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

__all__ = ["GROUP", "figures", "statistics", "tables"]


def statistics(loaded: Loaded, context: Context) -> dict[int, dict[int, Said]]:
    """Per variety, by judge. Spans of one rater that stand in one group are one error, as in errors per response."""
    if loaded.with_own is None:  # no judge has answered about its own laboratory
        return {variety: {} for variety in loaded.varieties}
    loaded = loaded.with_own
    responses, answers, marks = loaded.responses, loaded.answers, loaded.marks
    of_unit = np.zeros(int(marks.unit.max(initial=-1)) + 1, dtype=np.int64)
    of_unit[marks.unit] = marks.answer
    errors = np.bincount(of_unit, minlength=len(answers)).astype(float)
    people = answers.by_human
    by_people = means_at(answers.response[people], errors[people], len(responses))
    laboratories = Laboratories(loaded.project, np.unique(responses.model))
    by_judge = {}
    for judge in loaded.judges:
        rows = np.flatnonzero(answers.rater == judge)
        at = answers.response[rows]
        own = laboratories.is_own(judge, responses.model[at])
        by_judge[judge] = Said(errors[rows], by_people[at], own, responses.prompt[at], responses.variety[at])
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
    recipe = {"says": "errors marked in a response", "people": "mean of the errors that people marked in it"}
    return self_preference.tables(
        results, results.total()["judged"], unit="per response", recipe=recipe, fewer_is_better=True
    )
