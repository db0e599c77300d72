"""Recall by category compared: one category with all others of the same detector, and two judges on one category.

Both come as a difference with its interval and a p-value, corrected (Holm) for all comparisons of the table. With as
many gold errors of the category on every prompt, the comparison of two judges is the paired t-test over prompts by
which JuICE compares settings; elsewhere errors weigh alike, not prompts.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.each_class import estimates_of_each, paired_differences_of_each
from agreement.figures import NO_GOLD_SPANS, Figure, share
from agreement.multiplicity import LEVEL, corrected
from agreement.statistics import Floats, share_of_sums
from reports.dashboard.columns import Integers
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import no_figure_yet
from reports.spans.context import DEPTHS
from reports.spans.measures.categories import class_names
from reports.spans.measures.ceiling import builders_note, matching
from reports.spans.measures.matching import Detected
from reports.spans.results import SpanResults as Results

#: Rows on the page; the files hold all.
SHOWN = 60
Pair = tuple[int, int]


def against_the_rest(counts: Integers, prompt: Integers) -> list[tuple[Figure, Figure, Figure]]:
    """Of each category, then of each depth: its recall, that of all other errors with a category, and the difference.

    counts  gold errors found and all by category and then by depth, (N, C + D, 2). prompt  of each row, (N,).
    The difference is undefined where either side has no error, or with fewer than ten prompts.
    """
    n_categories = counts.shape[1] - len(DEPTHS)
    of_all = np.stack([counts[:, :n_categories].sum(axis=1), counts[:, n_categories:].sum(axis=1)], axis=1)
    rest = np.repeat(of_all, (n_categories, len(DEPTHS)), axis=1) - counts
    differences = estimates_of_each(np.concatenate((counts, rest), axis=2), _apart, prompt)
    rows = []
    for number, difference in enumerate(differences):
        one, other = (_recall(side[:, number]) for side in (counts, rest))
        both = one.value is not None and other.value is not None
        rows.append((one, other, difference if both else Figure.without_value(NO_GOLD_SPANS, one.n)))
    return rows


def _recall(counts: Integers) -> Figure:
    found, in_gold = counts.sum(axis=0).tolist()
    return share(found, in_gold, NO_GOLD_SPANS)


def _apart(sums: Floats) -> Floats:
    return share_of_sums(sums[..., :2]) - share_of_sums(sums[..., 2:])


def of_two(first: Detected, second: Detected) -> list[Figure]:
    """Recall of the first judge less that of the second by category and depth, on responses that both answered."""
    _same, one, other = np.intersect1d(first.response, second.response, return_indices=True)
    sides = first.categories[one], second.categories[other]
    errors = sides[0][..., 1].sum(axis=0).tolist()
    differences = paired_differences_of_each(*sides, share_of_sums, cluster=first.prompt[one])
    return [
        difference.with_detail(errors=number) if number else Figure.without_value(NO_GOLD_SPANS)
        for difference, number in zip(differences, errors, strict=True)
    ]


def of_all_pairs(joined: Mapping[int, Detected], judges: Sequence[int]) -> dict[Pair, list[Figure]]:
    return {(one, other): of_two(joined[one], joined[other]) for one, other in combinations(judges, 2)}


# --- Tables ----------------------------------------------------------------------------------------


def category_differences(results: Results) -> Table:
    names = class_names(results)
    compared: Mapping[int, list] = {one: both["apart"] for one, both in results.total()["categories"].items()}
    kept = [
        (one, name, figures)
        for one, of_detector in compared.items()
        for name, figures in zip(names, of_detector, strict=True)
        if figures[0].n
    ]
    adjusted = corrected([figures[2] for _one, _name, figures in kept])
    rows = [
        results.row(one, (results.rater(one), label), (*figures, p), **drill)
        for (one, (label, drill), figures), p in zip(kept, adjusted, strict=True)
    ]
    named = [row for row in rows if row.figures[3].value is not None and row.figures[3].number <= LEVEL]
    return Table(
        id="category-differences",
        headline=NO_HEADLINE,
        title=_("Categories found more or less than the others"),
        summary=_(
            "%(named)d of %(rows)d recalls by category differ from the same detector's recall of all other errors."
        )
        % {"named": len(named), "rows": len(rows)}
        if rows
        else no_figure_yet(),
        dimensions=(_("detector"), _("category")),
        measures=(_("recall"), _("recall of all other errors"), _("difference"), _("p, corrected")),
        units={_("p, corrected"): "p"},
        rows=tuple(rows),
        recipe=results.recipe(
            "span_recall_of_category_less_others",
            gold=True,
            drawn=True,
            category="of the gold error",
            correction="Holm, over all categories, depths and detectors",
            **matching(results),
        ),
        chart="none",
        note=builders_note(results),
    )


def category_pairs(results: Results) -> Table:
    names = class_names(results)
    pairs: Mapping[Pair, list[Figure]] = results.total()["category_pairs"]
    kept = [
        (pair, name, figure)
        for pair, figures in pairs.items()
        for name, figure in zip(names, figures, strict=True)
        if figure.n
    ]
    adjusted = corrected([figure for _pair, _name, figure in kept])
    rows = [
        Row(
            (results.rater(pair[0]), results.rater(pair[1]), label),
            (figure, p),
            {**results.by_rater(pair[0]), **drill},
            results.marks(*pair),
        )
        for (pair, (label, drill), figure), p in zip(kept, adjusted, strict=True)
    ]
    rows.sort(key=_surest_first)
    named = [row for row in rows if row.figures[1].value is not None and row.figures[1].number <= LEVEL]
    return Table(
        id="category-recall-pairs",
        headline=NO_HEADLINE,
        title=_("Judges against each other, by category"),
        summary=_(
            "%(named)d of %(rows)d recalls by category differ between two judges by more than chance would have it."
        )
        % {"named": len(named), "rows": len(rows)}
        if rows
        else _("There are not two judges to compare yet."),
        dimensions=(_("first judge"), _("second judge"), _("category")),
        measures=(_("difference in recall"), _("p, corrected")),
        units={_("p, corrected"): "p"},
        rows=tuple(rows),
        recipe=results.recipe(
            "paired_recall_difference_by_category",
            gold=True,
            drawn=True,
            items="responses both answered",
            category="of the gold error",
            correction="Holm, over all pairs, categories and depths",
            **matching(results),
        ),
        chart="none",
        shown=SHOWN,
        note=builders_note(results),
    )


def _surest_first(row: Row) -> tuple[Any, ...]:
    difference, p = row.figures
    # What differs in the last digit alone stands in the order of names, on every machine.
    numbers = (p.value or 0.0, p.detail.get("uncorrected", 1.0), -abs(difference.value or 0.0))
    return (p.value is None, *(float(f"{number:.12g}") for number in numbers), row.labels)
