"""How scores are spread, and the single responses on which a judge is furthest from people."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.figures import Figure
from agreement.quartiles import RULE, box
from reports.dashboard.columns import Floats, joined
from reports.dashboard.findings import first_of
from reports.dashboard.names import PEOPLE
from reports.dashboard.tables import NO_HEADLINE, Table
from reports.dashboard.wording import figure_text
from reports.rubrics.context import ALL
from reports.rubrics.results import RubricResults as Results

#: How many of its widest misses a judge is shown with.
MISSES = 10


def boxes_of(known: Sequence[int], scores: Floats, human: Floats) -> dict[int, tuple[Figure, ...]]:
    """The six figures of people's scores and of each judge's, on the responses a person graded."""
    columns = {PEOPLE: human} | {judge: scores[:, at] for at, judge in enumerate(known)}
    boxes: dict[int, tuple[Figure, ...]] = {}
    for rater, values in columns.items():
        drawn = box(values[~np.isnan(values) & ~np.isnan(human)])
        six = (drawn.low, drawn.lower_quartile, drawn.median, drawn.upper_quartile, drawn.high, drawn.mean)
        outliers = [round(value, 2) for value in drawn.outliers]
        boxes[rater] = (*six[:4], six[4].with_detail(outliers=outliers), six[5])
    return boxes


def misses_of(
    parts: Sequence[Any], known: Sequence[int], scores: Floats, human: Floats
) -> Mapping[int, list[tuple[str, str, float, float]]]:
    """Of each judge the responses it is furthest off on: uuid, key, its score and the person's, furthest first."""
    uuid, key = joined(parts, "uuid"), joined(parts, "key")
    misses = {}
    for at, judge in enumerate(known):
        distance = np.abs(scores[:, at] - human)
        graded = np.flatnonzero(~np.isnan(distance))
        furthest = graded[np.lexsort((key[graded].astype(str), -distance[graded]))][:MISSES]
        misses[judge] = [
            (str(uuid[row]), str(key[row]), float(scores[row, at]), float(human[row]))
            for row in furthest
            if distance[row] > 0
        ]
    return misses


# --- Tables ----------------------------------------------------------------------------------------


def nobody() -> str:
    return _("No judge has graded a response yet.")


def score_spread(results: Results) -> Table:
    boxes = results.total()["boxes"]
    mean = results.total("scores")["scores"].get((ALL, ALL))
    people = boxes.get(PEOPLE)
    rows = results.rater_rows(boxes)
    return Table(
        id="score-spread",
        headline=first_of(rows, 2),
        title=_("How scores are spread"),
        summary=_("Half of people's scores lie between %(low)s and %(high)s percent; the line is their mean, %(mean)s.")
        % {
            "low": figure_text(people[1], "percent"),
            "high": figure_text(people[3], "percent"),
            "mean": figure_text(mean, "percent"),
        }
        if people and mean and None not in (people[1].value, people[3].value, mean.value)
        else nobody(),
        dimensions=(_("rater"),),
        measures=(
            _("lower whisker"),
            _("lower quartile"),
            _("median"),
            _("upper quartile"),
            _("upper whisker"),
            _("mean"),
        ),
        rows=tuple(rows) if people and people[1].value is not None else (),
        recipe=results.recipe("five_numbers_and_mean", drawn=False, rule=RULE),
        unit="percent",
        chart="boxes",
        ceilings={_("mean"): mean} if mean and rows else {},
        line_name=_("Mean of people's scores"),
        note=_("A judge has no box of its own laboratory's responses, so boxes may be of different responses."),
    )


def widest_misses(results: Results) -> Table:
    misses = results.total()["misses"]
    rows = [
        results.row(
            one,
            (results.rater(one), key),
            [Figure(number, 1) for number in (judge - human, judge, human)],
            response=uuid,
        )
        for one, misses_of_judge in misses.items()
        for uuid, key, judge, human in misses_of_judge
    ]
    widest = max((row for row in rows), key=lambda row: abs(row.figures[0].number), default=None)
    return Table(
        id="widest-misses",
        headline=NO_HEADLINE,
        title=_("Where judges miss most"),
        summary=_("The widest miss: %(judge)s on %(response)s, %(error)s percentage points.")
        % {"judge": widest.labels[0], "response": widest.labels[1], "error": figure_text(widest.figures[0], "pp")}
        if widest
        else _("No judge has missed a person's score yet."),
        dimensions=(_("judge"), _("response")),
        measures=(_("error"), _("judge's score"), _("person's score")),
        rows=tuple(rows),
        marked=_("judge"),
        recipe=results.recipe("widest_misses", drawn=False, per_judge=10, order="absolute error"),
        unit="percent",
        units={_("error"): "pp"},
        chart="none",
        note=_("Each leads to its response, with the verdicts and reasons side by side."),
    )
