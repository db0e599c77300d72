"""Stage 1 in figures: how many errors people and judges mark, and how people agree with each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from agreement import bootstrap, characters, kappa, rater_pairs, spans
from agreement.figures import NO_ITEMS, Figure
from agreement.unitizing import unitizing_alpha
from reports.dashboard.columns import Integers, people_in
from reports.dashboard.draws import SEED, with_detail
from reports.dashboard.findings import first_of
from reports.dashboard.names import PEOPLE
from reports.dashboard.tables import Table
from reports.dashboard.wording import figure_text, no_figure_yet
from reports.spans.context import Context, numbers_of
from reports.spans.reader import CRITICALITIES, ERROR_TYPES, Loaded
from reports.spans.results import SpanResults as Results
from reports.spans.scope import ONE_TO_ONE, SpanScope

GROUP = "marking"

Floats = NDArray[np.float64]

NO_CRITICALITY = "no criticality given"
NO_CATEGORIES = "no matched spans with a category"


@dataclass(frozen=True, eq=False)
class Counted:
    """Errors per answer: rater (0 for a person), prompt, counts (A, 4) by criticality, the last without any."""

    detector: Integers
    prompt: Integers
    counts: Integers


@dataclass(frozen=True, eq=False)
class Pairs:
    """People's answers against each other, one row per unordered pair; what alpha needs beside it.

    matches, covered        (P, 4) and (P, 3).
    categories, error_types confusion of matched spans, by category id and by type.
    answers                 per answer: index of its response; lengths  of the responses' texts.
    unit_answer, start, end of every anchored span.
    """

    item: Integers
    prompt: Integers
    matches: Integers
    covered: Integers
    categories: Integers
    error_types: Integers
    lengths: Integers
    answers: Integers
    unit_answer: Integers
    start: Integers
    end: Integers


@dataclass(frozen=True, eq=False)
class MarkingCounts:
    counted: Counted
    pairs: Pairs
    people: frozenset[int]
    responses: int
    panels: frozenset[int]


def statistics(loaded: Loaded, context: Context) -> dict[int, MarkingCounts]:
    """Per variety: everything that figures of this group are made of. Matching is done once for all varieties."""
    counted = _counted(loaded)
    human = _People(loaded, context)
    parts = {}
    for variety in loaded.varieties:
        in_variety = loaded.responses.variety == variety
        rows = in_variety[loaded.answers.response]
        people = np.unique(loaded.answers.rater[rows & loaded.answers.by_human])
        part = Counted(counted.detector[rows], counted.prompt[rows], counted.counts[rows])
        parts[variety] = MarkingCounts(
            part, human.pairs_of(in_variety), frozenset(people.tolist()), int(in_variety.sum()), loaded.panels
        )
    return parts


def _counted(loaded: Loaded) -> Counted:
    """An annotation of several spans is one error, with the criticality of its first span."""
    marks, answers = loaded.marks, loaded.answers
    _, first = np.unique(marks.unit, return_index=True)
    level = np.where(marks.criticality[first] < 0, len(CRITICALITIES), marks.criticality[first])
    levels = len(CRITICALITIES) + 1
    counts = np.bincount(marks.answer[first] * levels + level, minlength=len(answers) * levels)
    detector = np.where(answers.by_human, PEOPLE, answers.rater)
    return Counted(detector, loaded.responses.prompt[answers.response], counts.reshape(-1, levels))


class _People:
    """Pairs of people's answers over all varieties, and the part of them that belongs to one."""

    def __init__(self, loaded: Loaded, context: Context):
        self.loaded, self.context = loaded, context
        scope = context.scope
        answers, marks = loaded.answers, loaded.marks
        self.human = np.flatnonzero(answers.by_human)
        number = np.full(len(answers), -1)
        number[self.human] = np.arange(len(self.human))
        self.chosen = np.flatnonzero(answers.by_human[marks.answer])
        self.answer = number[marks.answer[self.chosen]]
        self.response = answers.response[self.human]
        self.pairs = rater_pairs.rater_pairs(self.response)
        self.places = marks.places.taken(self.chosen)
        self.one, self.other = rater_pairs.sides(self.places, self.answer, self.pairs)
        if scope.matching == ONE_TO_ONE:
            self.matches = spans.one_to_one_counts(self.one, self.other, scope.threshold)
        else:
            self.matches = spans.match_counts(spans.overlap(self.one, self.other), scope.threshold)
        self.covered = characters.character_counts(self.one, self.other)
        self.matched = self._matched(scope)

    def _matched(self, scope: SpanScope) -> tuple[Integers, Integers, Integers]:
        """Pair, and the two spans (indices into all spans), of the one-to-one matching."""
        own, other, _ = spans.assignment(self.one, self.other, scope.threshold)
        sides = [rater_pairs.side_index(self.answer, side)[0] for side in (self.pairs.first, self.pairs.second)]
        return self.one.response[own], self.chosen[sides[0][own]], self.chosen[sides[1][other]]

    def confusion(self, in_pair: NDArray[np.bool_], codes: Integers, n: int) -> Integers:
        pair, first, second = self.matched
        both = in_pair[pair] & (codes[first] >= 0) & (codes[second] >= 0)
        return kappa.confusion(codes[first[both]], codes[second[both]], n)

    def pairs_of(self, in_variety: NDArray[np.bool_]) -> Pairs:
        responses, marks = self.loaded.responses, self.loaded.marks
        in_pair = in_variety[self.pairs.item] if len(self.pairs) else np.zeros(0, dtype=bool)
        item = self.pairs.item[in_pair]
        answers = np.flatnonzero(in_variety[self.response])
        units = np.flatnonzero(self.places.anchored & in_variety[self.places.response])
        categories = self.context.categories
        category = numbers_of(categories, marks.category, -1)
        renumbered = np.cumsum(in_variety) - 1
        return Pairs(
            responses.id[item],
            responses.prompt[item],
            self.matches[in_pair],
            self.covered[in_pair],
            self.confusion(in_pair, category, len(categories)),
            self.confusion(in_pair, marks.error_type, len(ERROR_TYPES)),
            np.array([responses.words[row].length for row in np.flatnonzero(in_variety).tolist()], dtype=np.int64),
            renumbered[self.response[answers]],
            np.searchsorted(answers, self.answer[units]),
            self.places.start[units],
            self.places.end[units],
        )


def figures(parts: Sequence[MarkingCounts], is_total: bool) -> dict[str, Any]:
    """Of one variety, or of several put together."""
    errors = errors_per_response(parts)
    return {
        "errors": errors,
        "agreement": agreement_of_people(parts),
        "people": people_in(parts),
        "judges": len({one for one in errors if one != PEOPLE}.difference(*(part.panels for part in parts))),
        "responses": sum(part.responses for part in parts),
    }


def errors_per_response(parts: Sequence[MarkingCounts]) -> dict[int, tuple[Figure, ...]]:
    """Detector to (all, high, medium, low): mean errors per answer, an answer being one rater on one response."""
    detector, prompt, counts = (
        np.concatenate([getattr(part.counted, name) for part in parts]) for name in ("detector", "prompt", "counts")
    )
    figures = {}
    for detector_id in np.unique(detector).tolist():
        rows = detector == detector_id
        mean, of_detector = bootstrap.mean(counts[rows].sum(axis=1), seed=SEED, cluster=prompt[rows]), counts[rows]
        given = of_detector[:, :-1].sum() > 0 or of_detector.sum() == 0
        levels = [
            Figure(int(total) / len(of_detector), len(of_detector), detail={"errors": int(total)})
            if given
            else Figure.without_value(NO_CRITICALITY, len(of_detector))
            for total in of_detector[:, :-1].sum(axis=0)
        ]
        figures[detector_id] = (with_detail(mean, errors=int(of_detector.sum())), *levels)
    return figures


def agreement_of_people(parts: Sequence[MarkingCounts]) -> tuple[Figure, ...]:
    """F1 mean over responses, F1 pooled, presence, character F1, mean character IoU, two kappas, unitizing alpha."""
    item, prompt, matches, covered = (
        np.concatenate([getattr(part.pairs, name) for part in parts])
        for name in ("item", "prompt", "matches", "covered")
    )
    if not len(item):
        return tuple(Figure.without_value(NO_ITEMS) for _ in range(8))
    per_pair = spans.symmetric_f1(matches)
    mean = rater_pairs.mean_over_items(per_pair, item)
    items, index = np.unique(item, return_inverse=True)
    prompt_of_item = np.zeros(len(items), dtype=np.int64)
    prompt_of_item[index] = prompt
    present = ~np.isnan(per_pair)
    pairs_of_item = np.bincount(index[present], minlength=len(items))
    sums = np.bincount(index[present], per_pair[present], minlength=len(items))
    of_item = np.divide(sums, pairs_of_item, out=np.full(len(items), np.nan), where=pairs_of_item > 0)
    columns = bootstrap.mean_columns(of_item)
    mean = bootstrap.with_interval(mean, columns, bootstrap.ratio_of_sums, seed=SEED, cluster=prompt_of_item)
    pooled = with_detail(spans.figure(matches, spans.symmetric_f1), pairs=len(item), responses=len(items))
    pooled = bootstrap.with_interval(pooled, matches, spans.symmetric_f1, seed=SEED, cluster=prompt)
    return (
        mean,
        pooled,
        rater_pairs.presence_agreement(matches),
        characters.micro_character_f1(covered),
        rater_pairs.mean_over_items(characters.character_iou(covered), item, both_empty="agree"),
        _kappa(sum(part.pairs.categories for part in parts)),
        _kappa(sum(part.pairs.error_types for part in parts)),
        _alpha([part.pairs for part in parts]),
    )


def _kappa(table: Any) -> Figure:
    if not table.sum():
        return Figure.without_value(NO_CATEGORIES)
    return kappa.cohen_kappa(table)


def _alpha(parts: Sequence[Pairs]) -> Figure:
    texts = np.cumsum([0, *(len(part.lengths) for part in parts)])
    answers = np.cumsum([0, *(len(part.answers) for part in parts)])
    return unitizing_alpha(
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.answers + shift for part, shift in zip(parts, texts[:-1], strict=True)]),
        np.concatenate([part.unit_answer + shift for part, shift in zip(parts, answers[:-1], strict=True)]),
        np.concatenate([part.start for part in parts]),
        np.concatenate([part.end for part in parts]),
    )


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [errors_marked(results), human_human(results)]


def errors_marked(results: Results) -> Table:
    figures_by_detector = results.total()["errors"]
    mean = results.figure_texts({one: figures[0] for one, figures in figures_by_detector.items()}, "per response")
    rows = tuple(results.pool_rows(lambda pool: pool["errors"]))
    return Table(
        id="errors-per-response",
        headline=first_of(rows),
        title=_("Errors per response"),
        summary=_("Mean errors marked per response and rater. %(means)s.") % {"means": mean}
        if mean
        else no_figure_yet()
        if figures_by_detector
        else _("Nobody has marked a response yet."),
        dimensions=(_("variety"), _("detector")),
        measures=(_("all"), _("high"), _("medium"), _("low")),
        rows=rows,
        recipe=results.recipe(
            "errors_per_response",
            drawn=True,
            unit="annotation: spans of one rater grouped together count once; omissions count",
            answers="latest complete round of each rater and response",
        ),
        unit="per response",
        x=_("variety"),
        series=_("detector"),
    )


def human_human(results: Results) -> Table:
    scope = results.context.scope
    measures = (
        _("F1, mean over responses"),
        _("F1, pooled"),
        _("agree on presence"),
        _("F1 in characters"),
        _("mean character IoU"),
        _("kappa, category"),
        _("kappa, type"),
        _("unitizing alpha"),
    )
    agreement: tuple[Figure, ...] = results.total()["agreement"]
    summary = _(
        "Where two people marked the same response, %(f1)s of their errors meet (F1, pooled), and they agree on "
        "whether there is any error in %(presence)s of the pairs."
    )
    rows = tuple(results.people_rows(lambda pool: pool["agreement"], detector="human"))
    return Table(
        id="human-human",
        headline=first_of(rows, 1),
        title=_("People against each other"),
        summary=summary % {"f1": figure_text(agreement[1]), "presence": figure_text(agreement[2])}
        if None not in (agreement[1].value, agreement[2].value)
        else no_figure_yet()
        if agreement[1].n
        else _("No response has been marked by two people yet."),
        dimensions=(_("variety"),),
        measures=measures,
        rows=rows,
        recipe=results.recipe(
            "human_human_span_agreement",
            drawn=True,
            threshold=scope.threshold,
            matching=scope.matching,
            f1="matched spans of both sides / spans of both sides; unordered pairs of people",
            mean_f1="pairs of one response, then responses; pairs that marked nothing left out",
            mean_character_iou="pairs that marked nothing agree (1)",
            kappa="one-to-one matched spans, first against second by order of answers",
            alpha="Krippendorff's unitizing alpha, binary, overlapping spans of one rater put together",
        ),
        note=_(
            "Neither person is the gold, so F1 is the same whichever comes first. Omissions have no words to compare."
        ),
    )
