"""What people write: how many criteria a rubric has and what they weigh, how many errors a first grading records and
what they cost. Who writes more of them, or heavier ones, grades more strictly whatever the response is like.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from agreement.figures import NO_ITEMS, Figure
from agreement.statistics import of_columns, rate_of_sums
from reports.dashboard.columns import Flags, Integers, each_variety
from reports.dashboard.findings import first_of
from reports.dashboard.intervals import Block, with_intervals
from reports.dashboard.parts import pooled
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import Table
from reports.dashboard.wording import known_figures, no_figure_yet
from reports.rubrics.context import ALL
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

GROUP = "authoring"

# Columns of what was written at once: how many criteria, what they weigh, and 1.
COUNT, WEIGHT, ONE = range(3)


@dataclass(frozen=True, eq=False)
class Written:
    """Of one variety: rubrics with their author, first gradings with their grader; ids, shape (P,) and (R,).

    positive, negative  criteria of each, the sum of their weights (of errors what they cost, above 0), and 1, (., 3).
    """

    author: Integers
    rubric_prompt: Integers
    positive: Integers
    grader: Integers
    graded_prompt: Integers
    negative: Integers


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, Written]:
    """Per variety."""
    responses, rubrics, grades, criteria = loaded.responses, loaded.rubrics, loaded.grades, loaded.criteria
    in_rubric = np.where((criteria.weight > 0) & (criteria.rubric >= 0), criteria.rubric, -1)
    positive = _columns(in_rubric, criteria.weight, len(rubrics))
    negative = _columns(criteria.grade, -criteria.weight, len(grades))
    parts = {}
    for variety, in_variety in each_variety(loaded.varieties, rubrics.variety):
        graded = loaded.reference[(responses.variety == variety) & (loaded.reference >= 0)]
        parts[variety] = Written(
            rubrics.author[in_variety],
            rubrics.prompt[in_variety],
            positive[in_variety],
            grades.rater[graded],
            responses.prompt[grades.response[graded]],
            negative[graded],
        )
    return parts


def _columns(place: Integers, weight: Integers, n: int) -> Integers:
    """Criteria at each of n places and the sum of their weights, and 1; those at -1 are nowhere. Shape (n, 3)."""
    chosen = place >= 0
    counts = np.bincount(place[chosen], minlength=n)
    sums = np.bincount(place[chosen], weight[chosen], minlength=n).astype(np.int64)
    return np.column_stack((counts, sums, np.ones(n, dtype=np.int64)))


def figures(parts: Sequence[Written], is_total: bool) -> dict[int, tuple[Figure, ...]]:
    """By person, and ALL: rubrics, criteria in each and their mean weight; first gradings, errors in each and what one
    costs on average."""
    pool = pooled(parts)
    return {
        one: (
            *_figures(pool.positive[of_rubrics], pool.rubric_prompt[of_rubrics]),
            *_figures(pool.negative[of_grades], pool.graded_prompt[of_grades]),
        )
        for one, of_rubrics, of_grades in _people(pool)
    }


def _people(pool: Written) -> Iterator[tuple[int, Flags, Flags]]:
    for one in np.union1d(pool.author, pool.grader).tolist():
        yield one, pool.author == one, pool.grader == one
    if len(pool.author):
        yield ALL, np.ones(len(pool.author), dtype=bool), np.ones(len(pool.grader), dtype=bool)


def _figures(written: Integers, prompt: Integers) -> list[Figure]:
    """How many were written, criteria in each, and the mean weight of a criterion."""
    n = len(written)
    criteria, weight, _n = written.sum(axis=0).tolist()
    each = Figure(criteria / n, n, detail={"criteria": criteria}) if n else Figure.without_value(NO_ITEMS)
    mean = Figure(weight / criteria, criteria) if criteria else Figure.without_value(NO_ITEMS)
    statistics = [of_columns(rate_of_sums, [COUNT, ONE]), of_columns(rate_of_sums, [WEIGHT, COUNT])]
    [drawn] = with_intervals([Block([each, mean], written, statistics, prompt)])
    return [Figure(float(n), n), *drawn]


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    rows = tuple(
        results.people_row((label, _person(results, one)), of_one, {**drill, **_by_person(results, one)})
        for label, drill, pool in results.pools()
        for one, of_one in pool.items()
    )
    of_communities = [
        (row.labels[0], row.figures[4]) for row in rows if "rater" not in row.drill and "variety" in row.drill
    ]
    said = known_figures(of_communities, "per response")
    return [
        Table(
            id="criteria-authored",
            headline=first_of(rows, 4),
            title=_("Criteria that people write"),
            summary=_("Errors recorded in a first grading, by community. %(errors)s.") % {"errors": said}
            if said
            else no_figure_yet()
            if rows
            else _("No rubric with responses is frozen yet."),
            dimensions=(_("community"), _("author")),
            measures=measures(),
            units=dict(zip(measures(), ("count", "per response", "points") * 2, strict=True)),
            rows=rows,
            recipe=results.recipe(
                "criteria_authored",
                gold=False,
                criteria="positive ones, of the newest frozen version of each rubric with responses",
                errors="negative criteria of first gradings; what one costs is its weight without the sign",
            ),
            x=_("community"),
            series=_("author"),
            note=_(
                "Who writes more criteria, or heavier ones, takes more away from the same response. Before two "
                "communities' scores are compared, compare what their authors write."
            ),
        )
    ]


def measures() -> tuple[str, ...]:
    return (
        _("rubrics"),
        _("criteria in a rubric"),
        _("mean weight of a criterion"),
        _("first gradings"),
        _("errors in a first grading"),
        _("mean cost of an error"),
    )


def _person(results: Results, one: int) -> str:
    return _("All authors") if one == ALL else results.rater(one)


def _by_person(results: Results, one: int) -> dict[str, str]:
    return {} if one == ALL else {"rater": results.names.raters[one].pseudonym}
