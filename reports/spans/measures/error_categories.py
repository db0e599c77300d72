"""What kind of errors each detector finds in each variety: how many of each category, and their shares."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.figures import Figure, share
from agreement.statistics import of_columns, share_of_sums
from reports.dashboard.columns import Flags, Integers, joined
from reports.dashboard.findings import highest
from reports.dashboard.intervals import Block, with_intervals
from reports.dashboard.names import PEOPLE
from reports.dashboard.parts import split
from reports.dashboard.tables import Table
from reports.dashboard.wording import known_figures, no_figure_yet
from reports.spans.context import Context, numbers_of
from reports.spans.measures.categories import NO_CATEGORIES, finders
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "error categories"


@dataclass(frozen=True, eq=False)
class KeptErrors:
    """Errors of the gold in one variety, shape (G,): prompt by id, category by place, the number of categories for
    none. `found` says of each detector which of them it found, (G, D); `detectors` their ids."""

    prompt: Integers
    category: Integers
    found: Flags
    detectors: tuple[int, ...]
    n_categories: int


def statistics(loaded: Loaded, context: Context) -> dict[int, KeptErrors]:
    gold, n = loaded.gold, len(context.categories)
    by_detector = finders(loaded)
    found = np.column_stack(list(by_detector.values()))
    response = gold.places.response
    return split(
        KeptErrors,
        loaded.varieties,
        loaded.responses.variety[response],
        prompt=loaded.responses.prompt[response],
        category=numbers_of(context.categories, gold.category, n),
        found=found,
        detectors=tuple(by_detector),
        n_categories=n,
    )


def figures(parts: Sequence[KeptErrors], is_total: bool) -> dict[str, Any]:
    """By detector that found any error, and of each category: how many, and the share of those with a category."""
    detectors = sorted({one for part in parts for one in part.detectors})
    prompt, category = joined(parts, "prompt"), joined(parts, "category")
    by_detector = {}
    for one in detectors:
        found = np.concatenate([_found_by(part, one) for part in parts])
        if found.any():
            by_detector[one] = _shares(category[found], prompt[found], parts[0].n_categories)
    return {
        "categories": by_detector,
        "responses": len(prompt),
        "people": int(PEOPLE in by_detector),
        "judges": len(by_detector.keys() - {PEOPLE}),
    }


def _found_by(part: KeptErrors, detector: int) -> Flags:
    if detector not in part.detectors:
        return np.zeros(len(part.prompt), dtype=bool)
    return part.found[:, part.detectors.index(detector)]


def _shares(category: Integers, prompt: Integers, n: int) -> list[tuple[Figure, Figure]]:
    """Count and share, with its interval over prompts, of each category; (errors, n) columns of flags."""
    columns = (category[:, None] == np.arange(n)).astype(np.float64)
    columns = np.column_stack((columns, category < n))
    counts = columns.sum(axis=0).astype(int).tolist()
    without = int((category >= n).sum())
    points = [share(count, counts[-1], NO_CATEGORIES, errors=count, uncategorised=without) for count in counts[:-1]]
    block = Block(points, columns, [of_columns(share_of_sums, [place, n]) for place in range(n)], prompt)
    [drawn] = with_intervals([block])
    return [(Figure(float(count), len(category)), one) for count, one in zip(counts[:-1], drawn, strict=True)]


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [error_categories(results)]


def error_categories(results: Results) -> Table:
    categories = results.names.own.categories
    rows = [
        results.row(one, (results.rater(one), category.name, label), figures, **drill, category=category.slug)
        for label, drill, pool in results.pools()
        for one, by_category in pool["categories"].items()
        for category, figures in zip(categories, by_category, strict=True)
    ]
    commonest = [
        (f"{results.rater(one)}, {categories[most].name}", by_category[most][1])
        for one, by_category in results.total()["categories"].items()
        if categories
        for most in [max(range(len(categories)), key=lambda at: by_category[at][0].number)]
    ]
    said = known_figures(commonest)
    return Table(
        id="error-categories",
        headline=highest(rows, 1),
        title=_("Categories of errors, by who found them"),
        summary=_("The commonest category of each, as a share of the kept errors that it found. %(shares)s.")
        % {"shares": said}
        if said
        else no_figure_yet()
        if rows
        else _("No error of the gold has a category yet."),
        dimensions=(_("found by"), _("category"), _("variety")),
        measures=(_("errors"), _("share")),
        units={_("errors"): "count"},
        rows=tuple(rows),
        recipe=results.recipe(
            "error_category_shares",
            gold=True,
            whole="gold errors with a category that the detector found, omissions included",
        ),
        x=_("category"),
        series=_("found by"),
        marked=_("found by"),
        note=_(
            "An error that several found counts with each of them. Errors without a category are in no share; the "
            "detail of each figure says how many these are."
        ),
    )
