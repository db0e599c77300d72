"""Categories given by two coders to the same spans: how far they agree beyond chance."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy
from django.utils.translation import gettext as _

from agreement import alpha, crossed, inference, kappa
from agreement.figures import NO_ITEMS, Figure
from agreement.intersection import Answers, Cells
from projects.enumeration import enumerated
from reports.dashboard.columns import Integers
from reports.dashboard.parts import pooled, split
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import count_text, figure_text, no_figure_yet
from reports.spans.context import Context
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "coding"


@dataclass(frozen=True, eq=False)
class CodedSpans:
    """Every category given to a span that two coders or more have coded, in order of id; ids, shape (K,)."""

    span: Integers
    prompt: Integers
    rater: Integers
    category: Integers


def statistics(loaded: Loaded, context: Context) -> dict[int, CodedSpans]:
    codings = loaded.codings.taken(loaded.codings.by_human)
    _, index, times = np.unique(codings.span, return_inverse=True, return_counts=True)
    doubly = times[index] >= 2 if len(index) else np.zeros(0, dtype=bool)
    variety = np.where(doubly, loaded.responses.variety[codings.response], 0)  # 0 is no variety
    return split(
        CodedSpans,
        loaded.varieties,
        variety,
        span=codings.span,
        prompt=loaded.responses.prompt[codings.response],
        rater=codings.rater,
        category=codings.category,
    )


def figures(parts: Sequence[CodedSpans], is_total: bool) -> dict[str, Any]:
    """Cohen's kappa of each pair of coders on the spans both coded, and alpha over all coders."""
    pool = pooled(parts)
    span, rater, category = pool.span, pool.rater, pool.category
    categories, code = np.unique(category, return_inverse=True)
    of_coded = _Coded(span, pool.prompt, rater, code, len(categories))
    raters = np.unique(rater).tolist()
    pairs = {(one, other): of_coded.kappa(one, other) for one, other in combinations(raters, 2)}
    overall = (
        alpha.alpha_with_interval(span, category, rater, pool.prompt, "nominal")
        if len(span)
        else Figure.without_value(NO_ITEMS)
    )
    return {
        "pairs": {pair: figure for pair, figure in pairs.items() if figure.n},
        "alpha": overall,
        "people": len(raters),
        "responses": len(np.unique(span)),
    }


@dataclass(frozen=True, eq=False)
class _Coded:
    """Which of n categories each coder gave each span, by place."""

    span: Integers
    prompt: Integers
    rater: Integers
    code: Integers
    n: int

    def kappa(self, one: int, other: int) -> Figure:
        """Of these two coders and no others: its interval is over prompts."""
        first, second = (np.flatnonzero(self.rater == coder) for coder in (one, other))
        _, at, beside = np.intersect1d(self.span[first], self.span[second], return_indices=True)
        if not len(at):
            return Figure.without_value(NO_ITEMS)
        return kappa_of_codes(self.code[first][at], self.code[second][beside], self.prompt[first][at], self.n)


def kappa_of_codes(
    first: Integers, second: Integers, prompt: Integers, n: int, person: Integers | None = None
) -> Figure:
    """Cohen's kappa of two sides' categories of the same spans, with its interval over prompts.

    first, second  which of n categories each side gave, shape (S,). prompt  of each span.
    person         who gave the first, where it speaks of people in general: they are drawn too.
    """
    cell = first * n + second
    figure = kappa.cohen_kappa(np.bincount(cell, minlength=n**2).reshape(n, n))
    columns = scipy.sparse.csr_array((np.ones(len(cell)), (np.arange(len(cell)), cell)), (len(cell), n**2))
    options: dict[str, Any] = {"cluster": prompt}
    if person is not None:
        options["without_rater"] = crossed.without_each(columns, columns, person)
        options["answers"] = Answers(columns, np.arange(len(cell)), Cells(prompt, person))
    return inference.with_interval(figure, columns, kappa.kappa_of_flat_tables(n), **options)


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    total = results.total()
    raters = results.names.raters
    rows = [
        Row(
            (raters[one].label, raters[other].label),
            (figure,),
            {"rater": raters[one].pseudonym},
            results.marks(one, other),
        )
        for (one, other), figure in total["pairs"].items()
    ]
    if rows:
        coders = [rater for pair in total["pairs"] for rater in pair]
        rows.append(Row((_("All coders"), _("alpha")), (total["alpha"],), {}, results.marks(*coders)))
    best = [figure_text(figure) for figure in total["pairs"].values() if figure.value is not None]
    return [
        Table(
            id="classification-kappa",
            title=_("Agreement on categories"),
            summary=_("%(spans)s errors were given a category by two coders; kappa %(kappa)s.")
            % {"spans": count_text(total["responses"]), "kappa": enumerated(best)}
            if best
            else no_figure_yet()
            if rows
            else _("No error has been given a category by two coders yet."),
            dimensions=(_("first coder"), _("second coder")),
            measures=(_("Cohen's kappa"),),
            rows=tuple(rows),
            recipe=results.recipe("cohen_kappa", weights="unweighted", all_coders="nominal alpha", drawn=True),
            chart="none",
            note=_(
                "Categories that judges propose stand in a table of their own. What people chose in sight of a "
                "proposal is left out."
            ),
        )
    ]
