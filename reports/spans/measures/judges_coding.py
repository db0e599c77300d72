"""Categories given by people and by judges to the same spans: how far they agree beyond chance, beside people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.figures import NO_ITEMS, Figure
from reports.dashboard.columns import Flags, Integers
from reports.dashboard.findings import highest
from reports.dashboard.parts import pooled, split
from reports.dashboard.tables import Table
from reports.dashboard.wording import figure_text, no_figure_yet
from reports.spans.context import Context
from reports.spans.measures.coding import kappa_of_codes
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "judges coding"


@dataclass(frozen=True, eq=False)
class CodedByBoth:
    """Categories of spans that people or judges gave one, in order of id; ids, shape (K,)."""

    span: Integers
    prompt: Integers
    rater: Integers
    category: Integers
    by_human: Flags


def statistics(loaded: Loaded, context: Context) -> dict[int, CodedByBoth]:
    codings, responses = loaded.codings, loaded.responses
    return split(
        CodedByBoth,
        loaded.varieties,
        responses.variety[codings.response],
        span=codings.span,
        prompt=responses.prompt[codings.response],
        rater=codings.rater,
        category=codings.category,
        by_human=codings.by_human,
    )


def figures(parts: Sequence[CodedByBoth], is_total: bool) -> dict[str, Any]:
    """By judge: kappa with people; and, on the very spans that the judge coded too, kappa of people with each other,
    each two people who coded a span as one pair."""
    pool = pooled(parts)
    categories, code = np.unique(pool.category, return_inverse=True)
    people = np.flatnonzero(pool.by_human)
    judges = np.unique(pool.rater[~pool.by_human]).tolist()
    by_judge = {}
    shared: set[int] = set()
    for judge in judges:
        own = np.flatnonzero(pool.rater == judge)
        beside = _places(pool.span[own], pool.span[people])
        coded = people[beside >= 0]
        if not len(coded):
            continue
        shared |= set(pool.span[coded].tolist())
        of_judge = code[own[beside[beside >= 0]]]
        with_people = kappa_of_codes(
            code[coded], of_judge, pool.prompt[coded], len(categories), person=pool.rater[coded]
        )
        by_judge[judge] = (with_people, _among_people(pool, code, coded, len(categories)))
    return {
        "judges_coding": by_judge,
        "responses": len(shared),
        "people": len(np.unique(pool.rater[people])),
        "judges": len(by_judge),
    }


def _places(known: Integers, wanted: Integers) -> Integers:
    """Where each wanted span stands among the known ones, each there once; -1 where it does not."""
    order = np.argsort(known)
    at = np.minimum(np.searchsorted(known[order], wanted), len(known) - 1)
    return np.where(known[order][at] == wanted, order[at], -1)


def _among_people(pool: CodedByBoth, code: Integers, coded: Integers, n: int) -> Figure:
    """Kappa of the first two people who coded each of these spans, the earlier against the later."""
    _spans, times = np.unique(pool.span[coded], return_counts=True)
    twice = np.flatnonzero(times >= 2)
    if not len(twice):
        return Figure.without_value(NO_ITEMS)
    ordered = coded[np.argsort(pool.span[coded], kind="stable")]
    begin = np.cumsum(times) - times
    one, other = ordered[begin[twice]], ordered[begin[twice] + 1]
    return kappa_of_codes(code[one], code[other], pool.prompt[one], n)


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    by_judge = results.total()["judges_coding"]
    rows = tuple(results.rater_rows(by_judge))
    people = [figures[1] for figures in by_judge.values() if figures[1].value is not None]
    said = results.figure_texts({one: figures[0] for one, figures in by_judge.items()})
    summary = _("Kappa of judges with people on the category of an error. %(kappas)s.") % {"kappas": said}
    if people:
        summary += " " + _("Two people on the same errors: %(kappa)s.") % {"kappa": figure_text(people[0])}
    return [
        Table(
            id="classification-kappa-judges",
            headline=highest(rows),
            title=_("Agreement of judges and people on categories"),
            summary=summary
            if said
            else no_figure_yet()
            if rows
            else _("No error has been given a category by a person and by a judge yet."),
            dimensions=(_("judge"),),
            measures=(_("kappa with people"), _("kappa of two people")),
            rows=rows,
            recipe=results.recipe(
                "cohen_kappa",
                gold=False,
                weights="unweighted",
                spans="that the judge and a person gave a category; of two people, those of these that two people did",
                people="each person's category of a span is one pair with the judge's; what they chose in sight of a "
                "proposal is left out",
                prompts={judge: list(prompts) for judge, prompts in results.names.own.coders.items()} or None,
            ),
            note=_(
                "Judges propose categories for errors without one, and for the sample that people code twice. Who "
                "codes is shown no proposal before."
            ),
        )
    ]
