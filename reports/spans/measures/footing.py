"""Judges and people on the same footing: errors of both against those that somebody else found.

A row is a person's answer to a response that the judge answered too. Its reference is the gold of the response without
the errors that only this person and this judge found.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import spans
from agreement.figures import NO_ITEMS, Figure
from agreement.numbering import distinct
from reports.dashboard import footing
from reports.dashboard.columns import Flags, Integers, positions
from reports.dashboard.footing import Compared, Footing, Sides, pairs_of
from reports.dashboard.parts import pooled
from reports.dashboard.tables import Table
from reports.spans.context import Context
from reports.spans.measures.ceiling import matching
from reports.spans.measures.matching import counts_of, sided
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "footing"
SCORES = {"precision": spans.precision, "recall": spans.recall, "f1": spans.f1}


@dataclass(frozen=True, eq=False)
class BothSides:
    """Of one judge: response, person and prompt of each row, match counts of the judge and of the person against the
    errors others found, and of the judge against the full gold, (N, 4) each."""

    response: Integers
    rater: Integers
    prompt: Integers
    judge: Integers
    person: Integers
    full: Integers


def statistics(loaded: Loaded, context: Context) -> dict[int, dict[int, BothSides]]:
    """By variety and judge."""
    found = _Found(loaded)
    parts: dict[int, dict[int, BothSides]] = {variety: {} for variety in loaded.varieties}
    for judge in loaded.judges:
        rows = _rows(loaded, context, found, judge)
        if rows is None:
            continue
        both, variety = rows
        for one in loaded.varieties:
            chosen = variety == one
            parts[one][judge] = BothSides(*(getattr(both, field.name)[chosen] for field in fields(BothSides)))
    return parts


class _Found:
    """Who found which errors of the gold."""

    def __init__(self, loaded: Loaded):
        marks = loaded.marks
        linked = np.flatnonzero(marks.gold >= 0)
        rater = loaded.answers.rater[marks.answer[linked]]
        self.width = int(loaded.answers.rater.max(initial=0)) + 1
        self.keys = distinct(marks.gold[linked] * self.width + rater)
        self.finders = np.bincount(self.keys // self.width, minlength=len(loaded.gold))

    def by_others(self, error: Integers, first: Integers, second: Integers) -> Flags:
        """Whether somebody beside these two raters found each error; what nobody's marks are linked to stays."""
        own = sum((positions(self.keys, error * self.width + rater) >= 0).astype(int) for rater in (first, second))
        return (self.finders[error] == 0) | (self.finders[error] > own)


def _rows(loaded: Loaded, context: Context, found: _Found, judge: int) -> tuple[BothSides, Integers] | None:
    answers, gold = loaded.answers, loaded.gold
    settled = gold.settled[answers.response]
    people, judged = np.flatnonzero(answers.by_human & settled), np.flatnonzero(settled & (answers.rater == judge))
    person, other = pairs_of(answers.response[people], answers.response[judged])
    if not len(person):
        return None
    person, other = people[person], judged[other]
    response = answers.response[person]
    _, of_person = sided(loaded.marks.places, loaded.marks.answer, person)
    _, of_judge = sided(loaded.marks.places, loaded.marks.answer, other)
    error, reference = sided(gold.places, gold.places.response, response)
    row = reference.response
    by_others = found.by_others(error, answers.rater[person][row], answers.rater[other][row])
    full = spans.overlap(of_judge, reference)
    overlaps = full.narrowed(by_others), spans.overlap(of_person, reference.taken(by_others)), full
    counts = [counts_of(one, context.scope) for one in overlaps]
    # A response without an answer of two people has no reference of others.
    n_people = np.bincount(answers.response[people], minlength=len(loaded.responses))
    kept = n_people[response] >= 2
    of_row = (loaded.responses.id[response], answers.rater[person], loaded.responses.prompt[response])
    both = BothSides(*(column[kept] for column in (*of_row, *counts)))
    return both, loaded.responses.variety[response][kept]


def figures(parts: Sequence[dict[int, BothSides]], is_total: bool) -> dict[str, Any]:
    """Of all varieties together, "footing" by judge: both sides in each of SCORES, and the judge against the full gold;
    and what they rest on."""
    if not is_total:
        return {}
    made: dict[int, list[tuple[Footing, Figure]]] = {}
    responses: set[int] = set()
    people: set[int] = set()
    for judge in sorted({one for part in parts for one in part}):
        rows = pooled([part[judge] for part in parts if judge in part])
        responses, people = responses.union(rows.response.tolist()), people.union(rows.rater.tolist())
        n = len(rows.prompt)
        sides = Sides(rows.judge, rows.person, rows.prompt, rows.rater, np.ones(n), n)
        full = [_alone(rows.full, statistic) for statistic in SCORES.values()]
        made[judge] = list(zip(footing.compared(sides, list(SCORES.values())), full, strict=True))
    return {"footing": made, "responses": len(responses), "people": len(people), "judges": len(made)}


def _alone(counts: Integers, statistic: Any) -> Figure:
    return spans.figure(counts, statistic) if len(counts) else Figure.without_value(NO_ITEMS)


# --- Table -----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    titles = (_("precision"), _("recall"), _("F1"))
    rows = [
        Compared(judge, title, both, full)
        for judge, measures in results.total()["footing"].items()
        for title, (both, full) in zip(titles, measures, strict=True)
    ]
    return [footing.table(results, rows, matching(results))]
