"""Which answers people were sure of, and whether those that they were unsure of agree less with others."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.figures import NO_ITEMS, Figure
from agreement.inference import with_interval
from agreement.statistics import Statistic, of_columns
from projects.models import Project
from reports.dashboard.columns import Flags, Floats, Integers, columns
from reports.dashboard.results import Results
from reports.dashboard.tables import NO_HEADLINE, Table
from workflow.models import Assignment, Status

#: "unsure", "sure" and "difference": the figure, and how many rows it is of. Empty where nobody was unsure.
Found = Mapping[str, tuple[Figure, Figure]]


def sure_of(project: Project, turn: Integers) -> Floats:
    """Of each answer, by the id of its assignment, 1 where the person was sure and 0 where not; NaN where the id is 0,
    for nobody answered it here."""
    if not turn.any():
        return np.full(len(turn), np.nan)
    turns = Assignment.objects.filter(stage__project=project, is_unsure=True, status=Status.SUBMITTED)
    [unsure] = columns(turns.values_list("id"), "i")
    return np.where(turn > 0, ~np.isin(turn, unsure), np.nan)


def beside_each_other(columns: Any, statistic: Statistic, unsure: Flags, prompt: Integers) -> Found:
    """Of what somebody was unsure of and what nobody was: "unsure", "sure" and their "difference", each with its
    interval over prompts and the number of rows; nothing where nobody was unsure. Undefined: "no items" on a side
    without a row that says anything.

    columns  of which the statistic takes sums, shape (N, k); unsure  of each row; prompt  of each row; shape (N,) each.
    """
    if not unsure.any():
        return {}
    columns = np.asarray(columns, dtype=float)
    wide, k = np.hstack((columns * unsure[:, None], columns * ~unsure[:, None])), columns.shape[1]
    of_unsure, of_sure = of_columns(statistic, slice(0, k)), of_columns(statistic, slice(k, 2 * k))

    def difference(sums: Floats) -> Floats:
        return np.asarray(of_unsure(sums) - of_sure(sums))

    made = {}
    for name, of_sums, n in (
        ("unsure", of_unsure, int(unsure.sum())),
        ("sure", of_sure, int((~unsure).sum())),
        ("difference", difference, len(unsure)),
    ):
        value = float(of_sums(wide.sum(axis=0)))
        figure = Figure.without_value(NO_ITEMS, n) if np.isnan(value) else Figure(value, n)
        made[name] = (with_interval(figure, wide, of_sums, cluster=prompt), Figure(float(n), n))
    return made


def somebody_unsure(item: Integers, sure: Floats) -> Floats:
    """Of each answer whether anybody was unsure of an answer to the same item: 1 or 0, NaN where nobody answered the
    item here; shape (N,).

    item  index of each answer's item; sure  as `sure_of`.
    """
    said, size = ~np.isnan(sure), int(item.max(initial=-1)) + 1
    doubted = np.bincount(item[said & (sure == 0)], minlength=size) > 0
    known = np.bincount(item[said], minlength=size) > 0
    return np.where(known, doubted, np.nan)[item]


def table_of_sureness(results: Results, found: Found, **about: Any) -> list[Table]:
    """The three figures as a table; none where nobody was unsure. `about` is what the table says of itself."""
    names = {"unsure": _("unsure"), "sure": _("sure"), "difference": _("unsure less sure")}
    rows = tuple(results.people_row((label,), found[name], {}) for name, label in names.items()) if found else ()
    return [Table(rows=rows, headline=NO_HEADLINE, **about)] if found else []
