"""Detectors against the final set of errors: every judge, and people under the same comparison as the ceiling.

A detector's rows are its answers on responses whose gold is settled. A judge has one answer per response; people
have as many as annotated it, and only responses that two annotated count for them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

import numpy as np

from agreement import bootstrap, sentences, spans
from agreement.figures import NO_GOLD_SPANS, Figure, share
from agreement.rater_pairs import side_index
from agreement.spans import Overlap, Spans
from reports.dashboard.draws import SEED, Block, with_detail, with_intervals
from reports.spans.groups import (
    DEPTHS,
    PEOPLE,
    Context,
    Flags,
    Integers,
    numbers_of,
    people_in,
)
from reports.spans.habits import of_marks
from reports.spans.loading import Asked, Loaded, sentences_of
from reports.spans.outcomes import OPEN, PENDING
from reports.spans.scope import ONE_TO_ONE

THRESHOLDS = np.round(np.arange(0, 1.0001, 0.05), 2)
SCORES = (spans.precision, spans.recall, spans.f1)
SENTENCE_SCORES = (sentences.accuracy, sentences.precision, sentences.recall, sentences.f1)
NOT_ASKED = "no responses planned"
NO_COMMON = "no responses answered by both"
NO_SETTLED = "no responses with settled errors"


@dataclass(frozen=True, eq=False)
class Detected:
    """One detector in one setting, a row per answer on a settled response, N of them.

    response, prompt      ids, shape (N,).
    matches               match counts (N, 4) against all gold errors, `of_people` against those a person found,
                          `without_own` against those that somebody else found too.
    sweep                 match counts summed over the rows at each of THRESHOLDS, (T, 4).
    categories            gold errors found and all, by category and then by depth, (N, C + D, 2);
                          `categories_of_people` likewise.
    sentences             sentence counts (N, 4).
    planned, scored, unlocatable, normalised, waiting, omissions
                          of the whole setting: responses asked and answered, quotes not found, quotes found in other
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
    planned: int
    scored: int
    unlocatable: int
    normalised: int
    waiting: int
    omissions: int


@dataclass(frozen=True, eq=False)
class Statistics:
    """By detector; and the gold errors each found, by category, the last without any: (C + 1,)."""

    detected: dict[int, Detected]
    found: dict[int, Integers]
    gold: Integers
    responses: int
    settled: int
    people: frozenset[int]
    panels: frozenset[int]


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    """Per variety. Matching is done once per detector for all settings together."""
    n_categories = len(context.categories)
    category = numbers_of(context.categories, loaded.gold.category, n_categories)
    measured = {detector: _Rows(loaded, rows, context, category) for detector, rows in _rows(loaded)}
    finders = _finders(loaded)
    found = {}
    for variety in loaded.varieties:
        here = loaded.responses.variety == variety
        of_gold = here[loaded.gold.places.response]
        counts = {
            detector: np.bincount(category[mine & of_gold], minlength=n_categories + 1)
            for detector, mine in finders.items()
        }
        found[variety] = Statistics(
            {detector: rows.of(here, loaded.judges.get(detector)) for detector, rows in measured.items()},
            counts,
            np.bincount(category[of_gold], minlength=n_categories + 1),
            int(here.sum()),
            int((here & loaded.gold.settled).sum()),
            frozenset(loaded.answers.rater[here[loaded.answers.response] & loaded.answers.by_human].tolist()),
            loaded.panels,
        )
    return found


def _rows(loaded: Loaded) -> Iterator[tuple[int, Integers]]:
    """Each detector and its answers on settled responses; people only where two of them answered."""
    answers = loaded.answers
    settled = loaded.gold.settled[answers.response]
    people = np.bincount(answers.response[answers.by_human], minlength=len(loaded.responses))
    yield PEOPLE, np.flatnonzero(answers.by_human & settled & (people[answers.response] >= 2))
    for judge in loaded.judges:
        yield judge, np.flatnonzero(settled & (answers.rater == judge))


def _finders(loaded: Loaded) -> dict[int, Flags]:
    """Which gold errors each detector found, shape (G,) each, by the spans that became them."""
    marks, gold = loaded.marks, loaded.gold
    linked = marks.gold >= 0
    rater = loaded.answers.rater[marks.answer]
    found = {PEOPLE: gold.by_human.copy()}
    for judge in loaded.judges.keys() - loaded.panels:  # whose spans make no gold
        flags = np.zeros(len(gold), dtype=bool)
        flags[marks.gold[linked & (rater == judge)]] = True
        found[judge] = flags
    return found


class _Rows:
    """A detector's answers matched with the gold of their responses, one row per answer."""

    def __init__(self, loaded: Loaded, rows: Integers, context: Context, category: Integers):
        self.loaded, self.rows, self.context, self.scope = loaded, rows, context, context.scope
        self.response = loaded.answers.response[rows]
        self.chosen, self.predicted = _sided(loaded.marks.places, loaded.marks.answer, rows)
        gold_index, self.gold = _sided(loaded.gold.places, loaded.gold.places.response, self.response)
        self.category = np.where(category < len(context.categories), category, -1)[gold_index]
        self.by_people = loaded.gold.by_human[gold_index]
        self.shared = ~self._only_own(gold_index)
        self.found = spans.overlap(self.predicted, self.gold)
        self.found_of_people = _narrowed(self.found, self.by_people)
        self.measure()

    def _only_own(self, gold_index: Integers) -> Flags:
        """Gold errors that nobody but the row's own rater found."""
        marks, answers = self.loaded.marks, self.loaded.answers
        linked = np.flatnonzero(marks.gold >= 0)
        pairs = np.unique(np.column_stack((marks.gold[linked], answers.rater[marks.answer[linked]])), axis=0)
        finders = np.bincount(pairs[:, 0], minlength=len(self.loaded.gold))
        single = np.full(len(self.loaded.gold), -1)
        single[pairs[:, 0]] = pairs[:, 1]
        single[finders != 1] = -1
        return single[gold_index] == answers.rater[self.rows][self.gold.response]

    def measure(self) -> None:
        self.matches = self.counts(self.found)
        self.of_people = self.counts(self.found_of_people)
        self.without_own = self.counts(_narrowed(self.found, self.shared))
        self.sweep = spans.sweep_counts(self.found, THRESHOLDS)
        self.categories = self.by_category(self.found, self.category)
        self.categories_of_people = self.by_category(self.found_of_people, self.category[self.by_people])
        cut = [sentences_of(self.loaded.responses.texts[row]) for row in self.response]
        self.sentences = sentences.sentence_counts(self.predicted, self.gold, cut)

    def by_category(self, found: Overlap, category: Integers) -> Integers:
        """Gold errors found and all, by category and then by depth, (N, C + D, 2)."""
        categories = self.context.categories
        counts = spans.class_counts(found, category, len(categories), self.scope.threshold)
        depths = [
            counts[:, [category.depth == depth for category in categories]].sum(axis=1, keepdims=True)
            for depth in DEPTHS
        ]
        return np.concatenate((counts, *depths), axis=1)

    def counts(self, found: Overlap) -> Integers:
        if self.scope.matching == ONE_TO_ONE:
            return spans.one_to_one_counts(found.predicted, found.gold, self.scope.threshold)
        return spans.match_counts(found, self.scope.threshold)

    def of(self, here: Flags, asked: Asked | None) -> Detected:
        """The part of it that lies in the responses chosen by `here`."""
        responses, marks = self.loaded.responses, self.loaded.marks
        rows = here[self.response]
        own = self.chosen[rows[self.predicted.response]]
        # Nobody reviews the spans of several judges as one: none of them awaits a verdict.
        put = ~np.isin(self.loaded.answers.rater[marks.answer[own]], list(self.loaded.panels))
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
            planned=int(asked.planned[here].sum()) if asked else int(rows.sum()),
            scored=int(asked.scored[here].sum()) if asked else int(rows.sum()),
            unlocatable=int(asked.unlocatable[here].sum()) if asked else 0,
            normalised=int(asked.normalised[here].sum()) if asked else 0,
            waiting=int((np.isin(marks.outcome[own], (OPEN, PENDING)) & put).sum()),
            omissions=int((~marks.places.anchored[own]).sum()),
        )


def _sided(places: Spans, owner: Integers, chosen: Integers) -> tuple[Integers, Spans]:
    """Spans of the chosen owners (answers, or responses), each owner's once per row that chose it."""
    index, row = side_index(owner, chosen)
    picked = places.taken(index)
    return index, Spans(
        row, picked.start, picked.end, picked.first, picked.last, picked.anchored, n_responses=len(chosen)
    )


def _narrowed(found: Overlap, kept: Flags) -> Overlap:
    """The overlap with some gold spans alone; the predicted side's best is looked for anew among them."""
    return spans.overlap(found.predicted, found.gold.taken(kept))


def figures(parts: Sequence[Statistics], is_total: bool) -> dict[str, Any]:
    """Of one setting; of several put together (`is_total`) also what is only shown for all of them."""
    detectors = sorted({detector for part in parts for detector in part.detected})
    joined = {one: _joined([part.detected[one] for part in parts if one in part.detected]) for one in detectors}
    result: dict[str, Any] = {
        "scores": {},
        "scores_of_people": {},
        "sentences": {},
        "categories": {},
        "found": _found(parts),
        "people": people_in(parts),
        "judges": len({one for one in detectors if one != PEOPLE}.difference(*(part.panels for part in parts))),
        "responses": sum(part.responses for part in parts),
        "settled": sum(part.settled for part in parts),
    }
    for one, rows in joined.items():
        for name, found in measured(rows, is_total).items():
            result[name][one] = found
    if is_total:
        judges = [one for one in detectors if one != PEOPLE]
        result["sweep"] = {one: sweep(rows) for one, rows in joined.items()}
        result["pairs"] = {pair: difference(*(joined[one] for one in pair)) for pair in combinations(judges, 2)}
        result["evidence"] = {}
        for one, rows in joined.items():  # people first
            of_people = result["evidence"].get(PEOPLE, {})
            result["evidence"][one] = of_marks(rows.matches, rows.categories, rows.prompt, of_people)
    return result


def _joined(parts: Sequence[Detected]) -> Detected:
    """Rows one after the other; what counts whole settings is added up."""
    added = {"sweep", "planned", "scored", "unlocatable", "normalised", "waiting", "omissions"}
    columns = {field.name: [getattr(part, field.name) for part in parts] for field in fields(Detected)}
    joined: dict[str, Any] = {name: sum(of) if name in added else np.concatenate(of) for name, of in columns.items()}
    return Detected(**joined)


def measured(rows: Detected, with_categories: bool) -> dict[str, Any]:
    """A detector's figures, with intervals over prompts; the responses drawn are the same for all of them.

    "scores" (against all gold errors) and "scores_of_people" (those a person found): precision, recall, F1 and the
    share of planned responses that were answered. "sentences": accuracy, precision, recall, F1. "categories": recall
    per category and depth, of all errors and of those a person found.
    """
    blocks = {
        "scores": _scores(rows.matches, spans.figure, SCORES),
        "scores_of_people": _scores(rows.of_people, spans.figure, SCORES),
        "sentences": _scores(rows.sentences, sentences.figure, SENTENCE_SCORES),
    }
    if with_categories:
        blocks |= {"all": _recalls(rows.categories), "of_people": _recalls(rows.categories_of_people)}
    found = dict(zip(blocks, with_intervals(list(blocks.values()), rows.prompt), strict=True))
    without_own = spans.figure(rows.without_own, spans.f1).value
    found["scores"][2] = with_detail(found["scores"][2], f1_without_own=without_own)
    answered = _answered(rows)
    result: dict[str, Any] = {name: (*found[name], answered) for name in ("scores", "scores_of_people")}
    result["sentences"] = tuple(found["sentences"])
    if with_categories:
        result["categories"] = {name: found[name] for name in ("all", "of_people")}
    return result


def _scores(counts: Integers, figure: Callable, statistics: Sequence[Callable]) -> Block:
    if len(counts):
        return Block([figure(counts, one) for one in statistics], counts, statistics)
    return Block([Figure.without_value(NO_SETTLED) for _ in statistics], counts, statistics)


def _answered(rows: Detected) -> Figure:
    return share(
        rows.scored,
        rows.planned,
        NOT_ASKED,
        scored=rows.scored,
        planned=rows.planned,
        with_gold=len(rows.response),
        unlocatable=rows.unlocatable,
        normalised=rows.normalised,
        omissions=rows.omissions,
        waiting=rows.waiting,
    )


def _recalls(counts: Integers) -> Block:
    """Found over all of each class; counts (N, classes, 2)."""
    columns = counts.reshape(len(counts), counts.shape[1] * 2)
    totals = columns.sum(axis=0).reshape(-1, 2)
    figures = [share(found, every, NO_GOLD_SPANS, found=int(found)) for found, every in totals]
    statistics = [
        lambda sums, at=2 * number: bootstrap.ratio_of_sums(sums[..., at : at + 2]) for number in range(len(figures))
    ]
    return Block(figures, columns, statistics)


def sweep(rows: Detected) -> list[tuple[Figure, ...]]:
    """Precision, recall and F1 at each of THRESHOLDS."""
    n = len(rows.response)
    found = []
    for counts in rows.sweep:
        values = [spans.figure(counts[None, :], statistic) for statistic in SCORES]
        found.append(tuple(Figure(figure.value, n, undefined=figure.undefined) for figure in values))
    return found


def difference(first: Detected, second: Detected) -> Figure:
    """F1 of the first judge less that of the second, on the responses that both answered."""
    _, one, other = np.intersect1d(first.response, second.response, return_indices=True)
    if not len(one):
        return Figure.without_value(NO_COMMON)
    return bootstrap.paired_difference(
        first.matches[one], second.matches[other], spans.f1, seed=SEED, cluster=first.prompt[one]
    )


def _found(parts: Sequence[Statistics]) -> dict[int | None, Integers]:
    """Gold errors by category, of each detector that found them, and of all (None)."""
    detectors = sorted({detector for part in parts for detector in part.found})
    found: dict[int | None, Integers] = {None: np.sum([part.gold for part in parts], axis=0)}
    for detector in detectors:
        found[detector] = np.sum([part.found[detector] for part in parts if detector in part.found], axis=0)
    return found
