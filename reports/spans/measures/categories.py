"""Recall by category and depth of the gold errors, and who found thick errors."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import sentences, spans
from agreement.figures import NO_GOLD_SPANS, Figure, share
from agreement.spans import Overlap, Spans
from agreement.statistics import of_columns, share_of_sums
from annotation.models import Depth
from reports.dashboard.columns import Flags, Integers
from reports.dashboard.findings import highest
from reports.dashboard.intervals import Block
from reports.dashboard.names import PEOPLE
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import figure_text, no_figure_yet
from reports.spans.context import DEPTHS, Context
from reports.spans.measures.ceiling import judges_in, matching, note
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

NO_CATEGORIES = "no errors with a category"


def by_category(overlap: Overlap, category: Integers, context: Context) -> Integers:
    """Gold errors found and all, by category and then by depth, (N, C + D, 2)."""
    counts = spans.class_counts(overlap, category, len(context.categories), context.scope.threshold)
    depths = [
        counts[:, [category.depth == depth for category in context.categories]].sum(axis=1, keepdims=True)
        for depth in DEPTHS
    ]
    return np.concatenate((counts, *depths), axis=1)


def sentences_by_category(
    predicted: Spans, gold: Spans, sizes: Integers, category: Integers, context: Context
) -> Integers:
    """Erroneous sentences found and all, by category and then by depth of the errors in them, (N, C + D, 2).

    The spans are those `in_sentences`; sizes  how many sentences each response has."""
    n = len(context.categories)
    depths = np.array([DEPTHS.index(one.depth) for one in context.categories] + [-1])
    counts = [
        sentences.touched_class_counts(predicted, gold, sizes, classes, size)
        for classes, size in ((category, n), (depths[category], len(DEPTHS)))
    ]
    return np.concatenate(counts, axis=1)


def finders(loaded: Loaded) -> dict[int, Flags]:
    """Which gold errors each detector found, shape (G,) each, by the spans that became them."""
    gold, (error, rater) = loaded.gold, loaded.found.T
    flags_by_detector = {PEOPLE: gold.by_human.copy()}
    for judge in loaded.judges.keys() - loaded.panels:  # whose spans make no gold
        flags = np.zeros(len(gold), dtype=bool)
        flags[error[rater == judge]] = True
        flags_by_detector[judge] = flags
    return flags_by_detector


def recalls(counts: Integers, nothing: str = NO_GOLD_SPANS) -> Block:
    """Found over all of each class; counts (N, classes, 2). Undefined for `nothing` where there is none of a class."""
    columns = counts.reshape(len(counts), counts.shape[1] * 2)
    totals = columns.sum(axis=0).reshape(-1, 2)
    figures = [share(recalled, in_gold, nothing, found=int(recalled)) for recalled, in_gold in totals]
    statistics = [of_columns(share_of_sums, [2 * number, 2 * number + 1]) for number in range(len(figures))]
    return Block(figures, columns, statistics)


def found_by(parts: Sequence[Any]) -> dict[int | None, Integers]:
    """Gold errors by category, of each detector that found them, and of all (None); parts are `DetectedErrors`."""
    detectors = sorted({detector for part in parts for detector in part.found})
    counts: dict[int | None, Integers] = {None: np.sum([part.gold for part in parts], axis=0)}
    for detector in detectors:
        counts[detector] = np.sum([part.found[detector] for part in parts if detector in part.found], axis=0)
    return counts


# --- Tables ----------------------------------------------------------------------------------------


def class_names(results: Results) -> list[tuple[str, dict[str, str]]]:
    """Label and drill filters of each category, then of all errors of each depth."""
    names = [(category.name, {"category": category.slug}) for category in results.names.own.categories]
    return names + [
        (_("all of depth “%(depth)s”") % {"depth": Depth(depth).label}, {"depth": depth}) for depth in DEPTHS
    ]


def category_recall(results: Results) -> Table:
    recalls = results.total()["categories"]
    names = class_names(results)
    rows = [
        Row(
            (results.rater(one), label),
            (of_all, of_people),
            {**results.by_rater(one), **drill, "missed": "1"},
            results.marks(one),
        )
        for one, both in recalls.items()
        for (label, drill), of_all, of_people in zip(names, both["all"], both["of_people"], strict=True)
        if of_all.n
    ]
    thick = len(results.names.own.categories) + DEPTHS.index("thick")
    shares = results.figure_texts({one: both["all"][thick] for one, both in recalls.items() if one != PEOPLE})
    return Table(
        id="category-recall",
        headline=highest([row for row in rows if row.drill.get("depth") == "thick"]),
        title=_("Errors found, by category"),
        summary=_("Share of the thick errors that each judge finds. %(shares)s.") % {"shares": shares}
        if rows and shares
        else no_figure_yet()
        if rows
        else _("No error of the gold has a category yet."),
        dimensions=(_("detector"), _("category")),
        measures=(_("recall"), _("recall of errors found by people")),
        rows=tuple(rows),
        recipe=results.recipe(
            "span_recall_by_category", gold=True, drawn=True, category="of the gold error", **matching(results)
        ),
        chart="heat",
        note=note(results),
    )


def thin_thick(results: Results) -> Table:
    rows = []
    judges = judges_in(results)
    found_in_all = results.total()["found"]
    for label, drill, pool in results.pools():
        for detector, counts in pool["found"].items():
            # Who found none of the final set, as a judge that is evaluated against it, has no share of it.
            if detector is not None and not found_in_all[detector].sum():
                continue
            name = _("All errors") if detector is None else results.rater(detector)
            filters = drill if detector is None else {**drill, **results.by_rater(detector)}
            marks = results.marks(*judges) if detector is None else results.marks(detector)
            rows.append(Row((label, name), (_thick(results, counts),), filters, marks))
    of_all, of_people = (_thick(results, found_in_all[one]) for one in (None, PEOPLE))
    return Table(
        id="thin-thick",
        title=_("Thick errors, by who found them"),
        summary=_("Share of thick errors among all that were kept: %(all)s; among those people found: %(people)s.")
        % {"all": figure_text(of_all), "people": figure_text(of_people)}
        if None not in (of_all.value, of_people.value)
        else _("Share of thick errors among all that were kept: %(all)s.") % {"all": figure_text(of_all)}
        if of_all.value is not None
        else no_figure_yet()
        if found_in_all[None].sum()
        else _("No error has been kept yet."),
        dimensions=(_("variety"), _("found by")),
        measures=(_("share of thick errors"),),
        rows=tuple(rows),
        recipe=results.recipe("thick_share", gold=True, whole="gold errors with a category, omissions included"),
        x=_("variety"),
        series=_("found by"),
    )


def _thick(results: Results, counts: Integers) -> Figure:
    by_depth = dict.fromkeys(DEPTHS, 0)
    for category, count in zip(results.names.own.categories, counts.tolist(), strict=False):
        by_depth[category.depth] += count
    return share(by_depth["thick"], sum(by_depth.values()), NO_CATEGORIES, **by_depth, uncategorised=int(counts[-1]))
