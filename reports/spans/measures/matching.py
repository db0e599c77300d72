"""A detector's answers matched with the gold of their responses: what the judges' figures are counts of.

A detector's rows are its answers on responses whose gold is settled. A judge has one answer per response; people have
as many as annotated it.
"""

from dataclasses import dataclass, replace

import numpy as np

from agreement import sentences, spans
from agreement.rater_pairs import side_index
from agreement.spans import Overlap, Spans
from reports.dashboard.columns import Flags, Integers
from reports.spans.context import Context
from reports.spans.measures.categories import by_category, sentences_by_category
from reports.spans.outcomes import OPEN, PENDING
from reports.spans.reader import Asked, Loaded
from reports.spans.scope import ONE_TO_ONE, SpanScope

THRESHOLDS = np.round(np.arange(0, 1.0001, 0.05), 2)


@dataclass(frozen=True, eq=False)
class Detected:
    """One detector in one variety, a row per answer on a settled response, N of them.

    response, prompt      ids, shape (N,).
    matches               match counts (N, 4) against all gold errors, `of_people` against those a person found,
                          `without_own` against those that somebody else found too.
    sweep                 match counts summed over the rows at each of THRESHOLDS, (T, 4).
    categories            gold errors found and all, by category and then by depth, (N, C + D, 2);
                          `categories_of_people` likewise.
    sentences             sentence counts (N, 4).
    sentence_categories   erroneous sentences found and all, as `categories`.
    planned, scored, unlocatable, normalised, waiting, omissions
                          of the whole variety: responses asked and answered, quotes not found, quotes found in other
                          characters, own spans that are not settled and so not in the gold, omissions marked, which
                          no match counts.
    """

    response: Integers
    prompt: Integers
    matches: Integers
    of_people: Integers
    without_own: Integers
    sweep: Integers
    categories: Integers
    categories_of_people: Integers
    sentences: Integers
    sentence_categories: Integers
    planned: int
    scored: int
    unlocatable: int
    normalised: int
    waiting: int
    omissions: int


class Matched:
    """A detector's answers matched with the gold of their responses, one row per answer."""

    def __init__(self, loaded: Loaded, rows: Integers, context: Context, category: Integers):
        self.loaded, self.rows, self.context, self.scope = loaded, rows, context, context.scope
        self.response = loaded.answers.response[rows]
        self.chosen, self.predicted = sided(loaded.marks.places, loaded.marks.answer, rows)
        self.gold_index, self.gold = sided(loaded.gold.places, loaded.gold.places.response, self.response)
        self.category = np.where(category < len(context.categories), category, -1)[self.gold_index]
        self.by_people = loaded.gold.by_human[self.gold_index]
        self.shared = ~self._only_own()
        self.found = spans.overlap(self.predicted, self.gold)
        self.found_of_people = self.found.narrowed(self.by_people)
        self.measure()

    def _only_own(self) -> Flags:
        """Gold errors that nobody but the row's own rater found."""
        pairs, answers = self.loaded.found, self.loaded.answers
        finders = np.bincount(pairs[:, 0], minlength=len(self.loaded.gold))
        single = np.full(len(self.loaded.gold), -1)
        single[pairs[:, 0]] = pairs[:, 1]
        single[finders != 1] = -1
        return single[self.gold_index] == answers.rater[self.rows][self.gold.response]

    def measure(self) -> None:
        self.matches = counts_of(self.found, self.scope)
        self.of_people = counts_of(self.found_of_people, self.scope)
        self.without_own = counts_of(self.found.narrowed(self.shared), self.scope)
        self.sweep = spans.sweep_counts(self.found, THRESHOLDS)
        self.categories = by_category(self.found, self.category, self.context)
        self.categories_of_people = by_category(self.found_of_people, self.category[self.by_people], self.context)
        cut = self.loaded.in_sentences
        sizes = cut.sizes[self.response]
        predicted = _placed(self.predicted, cut.marks.taken(self.chosen))
        gold = _placed(self.gold, cut.gold.taken(self.gold_index))
        self.sentences = sentences.touched_counts(predicted, gold, sizes)
        self.sentence_categories = sentences_by_category(predicted, gold, sizes, self.category, self.context)

    def of(self, in_variety: Flags, asked: Asked | None) -> Detected:
        """The part of it that lies in the responses chosen by `here`."""
        responses, marks = self.loaded.responses, self.loaded.marks
        rows = in_variety[self.response]
        own = self.chosen[rows[self.predicted.response]]
        # Nobody reviews the spans of several judges as one, or of a judge that is evaluated: none awaits a verdict.
        answers = self.loaded.answers
        put = ~np.isin(answers.rater[marks.answer[own]], list(self.loaded.panels))
        put &= ~answers.is_evaluation[marks.answer[own]]
        return Detected(
            response=responses.id[self.response[rows]],
            prompt=responses.prompt[self.response[rows]],
            matches=self.matches[rows],
            of_people=self.of_people[rows],
            without_own=self.without_own[rows],
            sweep=self.sweep[:, rows].sum(axis=1),
            categories=self.categories[rows],
            categories_of_people=self.categories_of_people[rows],
            sentences=self.sentences[rows],
            sentence_categories=self.sentence_categories[rows],
            planned=int(asked.planned[in_variety].sum()) if asked else int(rows.sum()),
            scored=int(asked.scored[in_variety].sum()) if asked else int(rows.sum()),
            unlocatable=int(asked.unlocatable[in_variety].sum()) if asked else 0,
            normalised=int(asked.normalised[in_variety].sum()) if asked else 0,
            waiting=int((np.isin(marks.outcome[own], (OPEN, PENDING)) & put).sum()),
            omissions=int((~marks.places.anchored[own]).sum()),
        )


def counts_of(overlap: Overlap, scope: SpanScope) -> Integers:
    """Match counts of each row, (N, 4), in the way of matching that was asked for."""
    if scope.matching == ONE_TO_ONE:
        return spans.one_to_one_counts(overlap.predicted, overlap.gold, scope.threshold)
    return spans.match_counts(overlap, scope.threshold)


def sided(places: Spans, owner: Integers, chosen: Integers) -> tuple[Integers, Spans]:
    """Spans of the chosen owners (answers, or responses), each owner's once per row that chose it."""
    index, row = side_index(owner, chosen)
    picked = places.taken(index)
    return index, Spans(
        row, picked.start, picked.end, picked.first, picked.last, picked.anchored, len(chosen), picked.more
    )


def _placed(row: Spans, place: Spans) -> Spans:
    """Spans in the rows of the one and the pieces of the other."""
    return replace(row, first=place.first, last=place.last, more=place.more)
