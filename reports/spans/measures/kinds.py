"""People against each other on place and kind together: do they find the same error, and call it the same?

The kind of an error is its category, or its type. Spans to which their rater gave no kind say nothing here and are
left out on both sides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from agreement import crossed, inference, rater_pairs, spans
from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.intersection import Answers
from agreement.span_agreement import category_counts, category_figure, gamma_parts, gamma_statistic, samples_for
from reports.dashboard.columns import Floats, Integers, people_in
from reports.dashboard.findings import first_of
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.parts import pooled
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import figure_text, no_figure_yet
from reports.spans.context import Context, numbers_of
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results
from reports.spans.scope import ONE_TO_ONE

GROUP = "kinds"

#: What a span can be told apart by, in this order in every part.
CATEGORY, TYPE = "category", "type"
KINDS = (CATEGORY, TYPE)
NO_KINDS = "no spans with a kind"
ONE_TO_ONE_HAS_NO_HALVES = "one-to-one matches have no half credit"


@dataclass(frozen=True, eq=False)
class KindsOfPairs:
    """People's spans of one variety that have a kind.

    first, second, prompt  of each pair of answers: raters and prompt by id, shape (P,).
    same, half             match counts of the pairs where the kind must be the same, or another counts a half, (P, 4).
    lengths, text_prompt   of the responses' texts, shape (T,).
    answers, rater         index of its response and rater of each answer, shape (A,).
    unit_answer, start, end, kind  of each span that lies in words, shape (S,).
    without                spans without a kind, and all, shape (1, 2).
    """

    first: Integers
    second: Integers
    prompt: Integers
    same: Floats
    half: Floats
    lengths: Integers
    text_prompt: Integers
    answers: Integers
    rater: Integers
    unit_answer: Integers
    start: Integers
    end: Integers
    kind: Integers
    without: Integers


@dataclass(frozen=True, eq=False)
class Kinds:
    """By category and by type, in the order of KINDS."""

    by_kind: tuple[KindsOfPairs, ...]
    people: frozenset[int]
    responses: int


def statistics(loaded: Loaded, context: Context) -> dict[int, Kinds]:
    """Of answers as first handed in."""
    loaded = loaded.at_first or loaded
    codes = (numbers_of(context.categories, loaded.marks.category, -1), loaded.marks.error_type)
    by_kind = [_People(loaded, context, kind) for kind in codes]
    parts = {}
    for variety in loaded.varieties:
        in_variety = loaded.responses.variety == variety
        people = loaded.answers.rater[in_variety[loaded.answers.response] & loaded.answers.by_human]
        parts[variety] = Kinds(
            tuple(of_kind.within(in_variety) for of_kind in by_kind), frozenset(people.tolist()), int(in_variety.sum())
        )
    return parts


class _People:
    """People's answers in pairs, over all varieties, with the spans that have a kind."""

    def __init__(self, loaded: Loaded, context: Context, kind: Integers):
        answers, marks = loaded.answers, loaded.marks
        self.responses, threshold = loaded.responses, context.scope.threshold
        human = np.flatnonzero(answers.by_human)
        number = np.full(len(answers), -1)
        number[human] = np.arange(len(human))
        self.response, self.rater = answers.response[human], answers.rater[human]
        of_people = np.flatnonzero(answers.by_human[marks.answer])
        self.marked = marks.places.response[of_people], kind[of_people] < 0
        chosen = of_people[~self.marked[1]]
        self.places, self.kind, self.answer = marks.places.taken(chosen), kind[chosen], number[marks.answer[chosen]]
        self.pairs = rater_pairs.rater_pairs(self.response)
        one, other = rater_pairs.sides(self.places, self.answer, self.pairs)
        of_one, of_other = (
            self.kind[rater_pairs.side_index(self.answer, side)[0]] for side in (self.pairs.first, self.pairs.second)
        )
        is_one_to_one = context.scope.matching == ONE_TO_ONE
        self.same = category_counts(one, other, of_one, of_other, threshold, one_to_one=is_one_to_one)
        # With half credits the best assignment would be another for each weight, so there is none.
        self.half = (
            np.full(self.same.shape, np.nan)
            if is_one_to_one
            else category_counts(one, other, of_one, of_other, threshold, credit="half")
        )

    def within(self, in_variety: NDArray[np.bool_]) -> KindsOfPairs:
        here = in_variety[self.pairs.item] if len(self.pairs) else np.zeros(0, dtype=bool)
        answers = np.flatnonzero(in_variety[self.response])
        units = np.flatnonzero(self.places.anchored & in_variety[self.places.response])
        response, is_without = self.marked
        in_text = in_variety[response]
        return KindsOfPairs(
            self.rater[self.pairs.first[here]],
            self.rater[self.pairs.second[here]],
            self.responses.prompt[self.pairs.item[here]],
            self.same[here],
            self.half[here],
            self.responses.words.lengths[in_variety],
            self.responses.prompt[in_variety],
            (np.cumsum(in_variety) - 1)[self.response[answers]],
            self.rater[answers],
            np.searchsorted(answers, self.answer[units]),
            self.places.start[units],
            self.places.end[units],
            self.kind[units],
            np.array([[int((in_text & is_without).sum()), int(in_text.sum())]]),
        )


def figures(parts: Sequence[Kinds], is_total: bool) -> dict[str, Any]:
    """Of one variety, or of several put together: of each kind F1 with the same kind, F1 with half credit, gamma."""
    agreement = {
        kind: _agreement([part.by_kind[place] for part in parts], is_total) for place, kind in enumerate(KINDS)
    }
    return {
        "agreement": {kind: figures for kind, figures in agreement.items() if figures},
        "people": people_in(parts),
        "judges": 0,
        "responses": sum(part.responses for part in parts),
    }


def _agreement(parts: Sequence[KindsOfPairs], is_total: bool) -> tuple[Figure, ...]:
    """Empty where no span has this kind."""
    pool = _joined(parts)
    missing, marked = pool.without.sum(axis=0).tolist()
    if missing == marked:
        return ()
    left_out = {"without_kind": missing}
    if not len(pool.first):
        return tuple(Figure.without_value(NO_ITEMS, **left_out) for _place in range(3))
    half = (
        Figure.without_value(ONE_TO_ONE_HAS_NO_HALVES, len(pool.first))
        if np.isnan(pool.half).any()
        else _f1(pool, pool.half)
    )
    return tuple(figure.with_detail(**left_out) for figure in (_f1(pool, pool.same), half, _gamma(pool)))


def _f1(pool: KindsOfPairs, counts: Floats) -> Figure:
    without = crossed.without_each_of_pairs(counts, pool.first, pool.second)
    answers = Answers.of_pairs(counts, pool.first, pool.second, pool.prompt)
    options: dict[str, Any] = {"cluster": pool.prompt, "without_rater": without, "answers": answers}
    return category_figure(counts, spans.symmetric_f1, **options)


def _gamma(pool: KindsOfPairs) -> Figure:
    """n = texts that two people or more answered."""
    answers = np.bincount(pool.answers, minlength=len(pool.lengths))
    n = int(((answers >= 2) & (pool.lengths > 0)).sum())
    samples = samples_for(n)
    columns, without = gamma_parts(
        pool.lengths,
        pool.answers,
        pool.rater,
        pool.unit_answer,
        pool.start,
        pool.end,
        pool.kind,
        samples=samples,
    )
    value = float(gamma_statistic(columns.sum(axis=0)))
    if np.isnan(value):
        return Figure.without_value(NO_VARIATION, n)
    figure = Figure(value, n, detail={"samples": samples})
    return inference.with_interval(figure, columns, gamma_statistic, cluster=pool.text_prompt, without_rater=without)


def _joined(parts: Sequence[KindsOfPairs]) -> KindsOfPairs:
    """The parts as one; what is numbered within a part is numbered on."""
    pool = pooled(parts)
    numbered = {"answers": "lengths", "unit_answer": "answers"}
    columns = {field.name: getattr(pool, field.name) for field in fields(KindsOfPairs)}
    for name, counted in numbered.items():
        before = np.cumsum([0] + [len(getattr(part, counted)) for part in parts[:-1]])
        pieces = [getattr(part, name) + start for part, start in zip(parts, before.tolist(), strict=True)]
        columns[name] = np.concatenate(pieces)
    return KindsOfPairs(**columns)


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    labels = {CATEGORY: _("category"), TYPE: _("type")}
    rows = [row for kind in KINDS for row in _rows(results, kind, labels[kind])]
    total: dict[str, tuple[Figure, ...]] = results.total()["agreement"]
    said = next(((kind, made) for kind, made in total.items() if None not in (made[0].value, made[2].value)), None)
    scope = results.context.scope
    return [
        Table(
            id="human-human-kinds",
            headline=first_of(tuple(rows), 2),
            title=_("People against each other, on place and kind together"),
            summary=_("Where a match needs the same %(kind)s, F1 of two people is %(f1)s; gamma is %(gamma)s.")
            % {"kind": labels[said[0]], "f1": figure_text(said[1][0]), "gamma": figure_text(said[1][2])}
            if said
            else no_figure_yet()
            if rows
            else _("No person has given a marked error a category or a type yet."),
            dimensions=(_("variety"), _("told apart by")),
            measures=(_("F1, same kind"), _("F1, another kind half"), _("gamma")),
            rows=tuple(rows),
            recipe=results.recipe(
                "human_human_span_agreement_by_kind",
                drawn=True,
                answers=FIRST_ANSWERS,
                threshold=scope.threshold,
                matching=scope.matching,
                f1="a match needs the same kind; or one of another kind alone counts a half; unordered pairs of people",
                gamma="Mathet et al. 2015, by pairs of people; place and kind weigh 1 each beside a missing unit",
                chance="random pairs of answers, moved along the text: 20 of each text, of many texts 2,000 in all",
                left_out="spans without a kind, on both sides",
            ),
            chart="none",
            note=_(
                "Gamma is 1 where people mark and name the same, 0 for what chance makes of their marks. Unitizing "
                "alpha, which knows places alone, stands with people against each other."
            ),
        )
    ]


def _rows(results: Results, kind: str, label: str) -> Iterator[Row]:
    for variety, drill, pool in results.pools():
        if pool["agreement"].get(kind):
            yield results.people_row((variety, label), pool["agreement"][kind], {**drill, "detector": "human"})
