"""Whether a target model's longer responses are graded higher, by people and by each judge."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.figures import Figure
from agreement.lengths import against_length, places
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.findings import first_of
from reports.dashboard.names import PEOPLE
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import known_figures, no_figure_yet
from reports.ratings.results import RatingResults as Results

#: In place of a model's id: all of them together.
ALL = 0


def length_figures(
    model: Integers, length: Integers, prompt: Integers, grades: Mapping[int, Floats], apart: str
) -> dict[tuple[int, int], tuple[Figure, ...]]:
    """By model, or ALL, and rater: correlation of grade and length, change of the grade for twice the length,
    mean length and mean grade.

    model, length, prompt  of each item, shape (I,). grades  of PEOPLE and each judge, NaN where there is none.
    apart  why these grades cannot be compared; "" where they can.
    """
    figures: dict[tuple[int, int], tuple[Figure, ...]] = {}
    for target in [*np.unique(model).tolist(), ALL]:
        chosen = (model == target) | (target == ALL)
        for rater, grade in grades.items():
            known = chosen & ~np.isnan(grade)
            if not known.any():
                continue
            of_items = (length[known], grade[known], prompt[known])
            figures[target, rater] = (
                (Figure.without_value(apart, int(known.sum())),) * 4
                if apart
                else (*against_length(*of_items), *places(*of_items))
            )
    return figures


def length_of_targets(results: Results) -> Table:
    figures: Mapping[tuple[int, int], Any] = results.total()["lengths"]
    names = results.names.models
    rows = [
        Row(
            (_("All target models") if target == ALL else names[target], results.rater(rater)),
            of_one,
            {**results.by_rater(rater), **({} if target == ALL else {"model": names[target]})},
            results.marks(rater),
        )
        for (target, rater), of_one in figures.items()
    ]
    by_people = [(row.labels[0], row.figures[0]) for (_t, rater), row in zip(figures, rows, strict=True) if not rater]
    said = known_figures(by_people)
    return Table(
        id="grade-against-length",
        headline=first_of([row for (_t, rater), row in zip(figures, rows, strict=True) if rater == PEOPLE]),
        title=_("Grades of target models against length"),
        summary=_("Correlation of people's grade and the response's length. %(models)s.") % {"models": said}
        if said
        else no_figure_yet()
        if rows
        else _("No response has been graded yet."),
        dimensions=(_("target model"), _("rater")),
        measures=(_("correlation"), _("change for twice the length"), _("mean characters"), _("mean grade")),
        units={_("change for twice the length"): "grade", _("mean characters"): "length", _("mean grade"): "grade"},
        chart="scatter",
        rows=tuple(rows),
        recipe=results.recipe(
            "grade_against_length",
            length="characters of the response, in doublings",
            people="gold of each item",
            judges="the mean of a judge's grades of an item",
        ),
        x=_("target model"),
        series=_("rater"),
        marked=_("rater"),
        note=_(
            "A correlation says what goes together, not what makes what. Where a judge's is further from 0 than "
            "people's, see what the judge does again and again. Of all target models together: one that writes more "
            "may be better."
        ),
    )
