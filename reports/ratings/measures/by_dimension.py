"""Judges on each dimension by itself: where a machine may stand in for a person, and where not."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from django.utils.translation import gettext as _

from reports.dashboard.findings import highest
from reports.dashboard.parts import pooled
from reports.dashboard.tables import Table
from reports.dashboard.wording import labelled_figure
from reports.ratings.measures.judged import Judged, measures, recipe
from reports.ratings.measures.predictions import OF_CONTESTS, OF_ITEMS, OF_ORDERS, Predictions, PredictionsByRater
from reports.ratings.results import RatingResults as Results

#: Measures of the map: those of the question's own scale, and the preference.
MAPPED = ("macro_f1", "accuracy", "preference", "alpha")


def on_each_dimension(parts: Sequence[PredictionsByRater], judges: Sequence[int]) -> dict[tuple[int, int], dict]:
    """By judge and id of the dimension, figures by name of MAPPED, without intervals; of one dimension alone nothing,
    for it is the table of judges."""
    dimensions = sorted({one for part in parts for one in part.dimension_of.values()})
    if len(dimensions) < 2:
        return {}
    questions = {dimension: questions_of(parts, dimension) for dimension in dimensions}
    asked: dict[tuple[int, int], list[Predictions]] = {}
    for judge in judges:
        own = pooled([part.predictions[judge] for part in parts if judge in part.predictions])
        for dimension in dimensions:
            kept = within(own, questions[dimension])
            if len(kept.item) or len(kept.contest):
                asked[judge, dimension] = [kept]
    judged = Judged.of_each(asked, parts[0]) if asked else {}
    by_name = {cell: one.by_name() for cell, one in judged.items()}
    return {cell: {name: figures[name] for name in MAPPED} for cell, figures in by_name.items()}


def questions_of(parts: Sequence[PredictionsByRater], dimension: int) -> np.ndarray:
    """Ids of the question types of a dimension."""
    of_parts = {question: one for part in parts for question, one in part.dimension_of.items()}
    return np.array([question for question, one in of_parts.items() if one == dimension])


def within(predictions: Predictions, questions: np.ndarray) -> Predictions:
    """Those on these question types; whether both orders agree is told of no question."""
    of_items = np.isin(predictions.question, questions)
    of_contests = np.isin(predictions.contest_question, questions)
    columns = {name: getattr(predictions, name)[of_items] for name in OF_ITEMS}
    columns |= {name: getattr(predictions, name)[of_contests] for name in OF_CONTESTS}
    columns |= {name: getattr(predictions, name)[:0] for name in OF_ORDERS}
    return replace(predictions, **columns)


def by_dimension(results: Results) -> Table:
    figures = results.total().get("by_dimension", {})
    rows = []
    for (judge, dimension), by_name in figures.items():
        label, drill = results.dimension(dimension)
        rows.append(results.row(judge, (results.rater(judge), label), by_name.values(), **drill))
    best = highest(rows, MAPPED.index("preference"))
    worst = min(
        (row for row in rows if row.figures[1].value is not None), key=lambda row: row.figures[1].number, default=None
    )
    return Table(
        id="judges-by-dimension",
        headline=best,
        title=_("Judges by dimension"),
        summary=_("Least often right: %(figure)s of grades.")
        % {"figure": labelled_figure(", ".join(worst.labels), worst.figures[1])}
        if worst
        else _("There are not two dimensions that a judge was asked about."),
        dimensions=(_("judge"), _("dimension")),
        rows=tuple(rows),
        recipe=recipe(results, "judge_against_gold", split="dimension"),
        chart="heat",
        x=_("judge"),
        series=_("dimension"),
        marked=_("judge"),
        note=_("Intervals stand in the table of judges, for one dimension when it is chosen above."),
        **measures(MAPPED),
    )
