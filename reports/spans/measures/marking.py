"""Stage 1 in figures: how many errors people and judges mark, and how people agree with each other."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import scipy
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from agreement import characters, crossed, inference, kappa, rater_pairs, spans, unitizing
from agreement.figures import NO_ITEMS, Figure
from agreement.intersection import Answers
from agreement.parts import stretches
from agreement.statistics import Statistic, mean_columns, rate_of_sums, share_of_sums
from reports.dashboard.columns import Integers, people_in
from reports.dashboard.findings import first_of
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.names import PEOPLE
from reports.dashboard.sureness import somebody_unsure
from reports.dashboard.tables import Table
from reports.dashboard.wording import figure_text, no_figure_yet
from reports.spans.context import Context, numbers_of
from reports.spans.measures import unsure
from reports.spans.measures.matching import counts_of
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results
from reports.spans.scope import SpanScope

GROUP = "marking"

Floats = NDArray[np.float64]

NO_CRITICALITY = "no criticality given"
NO_CATEGORIES = "no matched spans with a category"


@dataclass(frozen=True, eq=False)
class Counted:
    """Errors per answer: rater (0 for a person), prompt, counts (A, L + 1) by criticality, the last without any."""

    detector: Integers
    prompt: Integers
    counts: Integers


@dataclass(frozen=True, eq=False)
class Pairs:
    """People's answers against each other, one row per unordered pair; what alpha needs beside it.

    first, second           the raters of each pair, by id; the two sides of a pair are in this order.
    matches, covered        (P, 4) and (P, 3).
    matched                 (M, 5) of spans matched one to one: pair, and of both sides the category and the type, by
                            place, -1 without one.
    lengths, text_prompt    of the responses' texts.
    answers, answer_rater   per answer: index of its response, and its rater.
    unsure                  (P,) whether anybody was unsure of the response, NaN where nobody marked it here.
    unit_answer, start, end of every stretch that an anchored span lies on: of one in several places, of each part.
    """

    item: Integers
    prompt: Integers
    first: Integers
    second: Integers
    matches: Integers
    covered: Integers
    matched: Integers
    n_categories: int
    n_types: int
    lengths: Integers
    text_prompt: Integers
    answers: Integers
    answer_rater: Integers
    unit_answer: Integers
    start: Integers
    end: Integers
    unsure: Floats


@dataclass(frozen=True, eq=False)
class MarkingCounts:
    counted: Counted
    pairs: Pairs
    people: frozenset[int]
    responses: int
    panels: frozenset[int]


def statistics(loaded: Loaded, context: Context) -> dict[int, MarkingCounts]:
    """Per variety: everything that figures of this group are made of. Matching is done once for all varieties.

    Errors are counted in the answers that stand, people are held against each other by what they first handed in."""
    counted = _counted(loaded, len(context.levels))
    human = _People(loaded.at_first or loaded, context)
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


def _counted(loaded: Loaded, n_levels: int) -> Counted:
    """An annotation of several spans is one error, with the criticality of its first span."""
    marks, answers = loaded.marks, loaded.answers
    _, first = np.unique(marks.unit, return_index=True)
    level = np.where(marks.criticality[first] < 0, n_levels, marks.criticality[first])
    levels = n_levels + 1
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
        self.response, self.rater = answers.response[self.human], answers.rater[self.human]
        self.pairs = rater_pairs.rater_pairs(self.response)
        self.places = marks.places.taken(self.chosen)
        self.one, self.other = rater_pairs.sides(self.places, self.answer, self.pairs)
        self.matches = counts_of(spans.overlap(self.one, self.other), scope)
        self.covered = characters.character_counts(self.one, self.other)
        self.matched = self._matched(scope)
        sure = np.full(len(answers), np.nan) if loaded.sure is None else loaded.sure
        self.unsure = somebody_unsure(self.response, sure[self.human])

    def _matched(self, scope: SpanScope) -> Integers:
        """Pair, category and type of both sides of what is matched one to one, shape (M, 5)."""
        own, other, _ = spans.assignment(self.one, self.other, scope.threshold)
        sides = [rater_pairs.side_index(self.answer, side)[0] for side in (self.pairs.first, self.pairs.second)]
        first, second = self.chosen[sides[0][own]], self.chosen[sides[1][other]]
        category = numbers_of(self.context.categories, self.loaded.marks.category, -1)
        error_type = self.loaded.marks.error_type
        codes = (category[first], category[second], error_type[first], error_type[second])
        return np.column_stack((self.one.response[own], *codes)).astype(np.int64)

    def pairs_of(self, in_variety: NDArray[np.bool_]) -> Pairs:
        responses = self.loaded.responses
        in_pair = in_variety[self.pairs.item] if len(self.pairs) else np.zeros(0, dtype=bool)
        item = self.pairs.item[in_pair]
        answers = np.flatnonzero(in_variety[self.response])
        span, start, end = stretches(self.places)
        units = np.flatnonzero((self.places.anchored & in_variety[self.places.response])[span])
        renumbered = np.cumsum(in_variety) - 1
        matched = self.matched[in_pair[self.matched[:, 0]]]
        matched[:, 0] = (np.cumsum(in_pair) - 1)[matched[:, 0]]
        return Pairs(
            responses.id[item],
            responses.prompt[item],
            self.rater[self.pairs.first[in_pair]],
            self.rater[self.pairs.second[in_pair]],
            self.matches[in_pair],
            self.covered[in_pair],
            matched,
            len(self.context.categories),
            len(self.context.types),
            responses.words.lengths[in_variety],
            responses.prompt[in_variety],
            renumbered[self.response[answers]],
            self.rater[answers],
            np.searchsorted(answers, self.answer[span[units]]),
            start[units],
            end[units],
            self.unsure[self.pairs.first[in_pair]],
        )


def figures(parts: Sequence[MarkingCounts], is_total: bool) -> dict[str, Any]:
    """Of one variety, or of several put together."""
    errors = errors_per_response(parts)
    return {
        "errors": errors,
        "agreement": agreement_of_people(parts),
        "unsure": unsure.figures(_joined([part.pairs for part in parts])) if is_total else {},
        "people": people_in(parts),
        "judges": len({one for one in errors if one != PEOPLE}.difference(*(part.panels for part in parts))),
        "responses": sum(part.responses for part in parts),
    }


def errors_per_response(parts: Sequence[MarkingCounts]) -> dict[int, tuple[Figure, ...]]:
    """Detector to (all, then each criticality in the project's order): mean errors per answer, an answer being one
    rater on one response."""
    detector, prompt, counts = (
        np.concatenate([getattr(part.counted, name) for part in parts]) for name in ("detector", "prompt", "counts")
    )
    figures = {}
    for detector_id in np.unique(detector).tolist():
        rows = detector == detector_id
        mean, of_detector = (
            inference.mean(counts[rows].sum(axis=1), statistic=rate_of_sums, cluster=prompt[rows]),
            counts[rows],
        )
        given = of_detector[:, :-1].sum() > 0 or of_detector.sum() == 0
        levels = [
            Figure(int(total) / len(of_detector), len(of_detector), detail={"errors": int(total)})
            if given
            else Figure.without_value(NO_CRITICALITY, len(of_detector))
            for total in of_detector[:, :-1].sum(axis=0)
        ]
        figures[detector_id] = (mean.with_detail(errors=int(of_detector.sum())), *levels)
    return figures


def agreement_of_people(parts: Sequence[MarkingCounts]) -> tuple[Figure, ...]:
    """F1 mean over responses, F1 pooled, presence, character F1, mean character IoU, two kappas, unitizing alpha.

    They speak of people in general: their intervals are of prompts and people (`inference`).
    """
    pool = _joined([part.pairs for part in parts])
    if not len(pool.item):
        return tuple(Figure.without_value(NO_ITEMS) for _ in range(8))
    pooled = spans.figure(pool.matches, spans.symmetric_f1)
    pooled = pooled.with_detail(pairs=len(pool.item), responses=len(np.unique(pool.item)))
    per_pair, iou = spans.symmetric_f1(pool.matches), characters.character_iou(pool.covered)
    either = np.where(np.isnan(iou), 1.0, iou)  # pairs that marked nothing agree
    return (
        _mean_over_items(pool, per_pair, rater_pairs.mean_over_items(per_pair, pool.item)),
        _of_pairs(pool, pooled, pool.matches, spans.symmetric_f1),
        _of_pairs(
            pool,
            rater_pairs.presence_agreement(pool.matches),
            rater_pairs.presence_columns(pool.matches),
            share_of_sums,
        ),
        _of_pairs(pool, characters.micro_character_f1(pool.covered), pool.covered, characters.character_f1),
        _mean_over_items(pool, either, rater_pairs.mean_over_items(iou, pool.item, both_empty="agree")),
        _kappa(pool, 1, pool.n_categories),
        _kappa(pool, 3, pool.n_types),
        _alpha(pool),
    )


def _joined(parts: Sequence[Pairs]) -> Pairs:
    """The pairs of several varieties as one; what is numbered within a part is numbered on."""
    counted = {"matched": "item", "answers": "lengths", "unit_answer": "answers"}
    columns: dict[str, Any] = {"n_categories": parts[0].n_categories, "n_types": parts[0].n_types}
    for name in (field.name for field in fields(Pairs) if field.name not in columns):
        pieces = [getattr(part, name).copy() for part in parts]
        if name in counted:
            before = 0
            for piece, part in zip(pieces, parts, strict=True):
                numbers = piece[:, 0] if name == "matched" else piece
                numbers += before
                before += len(getattr(part, counted[name]))
        columns[name] = np.concatenate(pieces)
    return Pairs(**columns)


def _of_pairs(pool: Pairs, figure: Figure, columns: NDArray[Any], statistic: Statistic) -> Figure:
    without = crossed.without_each_of_pairs(columns, pool.first, pool.second)
    answers = Answers.of_pairs(columns, pool.first, pool.second, pool.prompt)
    options: dict[str, Any] = {"cluster": pool.prompt, "without_rater": without, "answers": answers}
    return inference.with_interval(figure, columns, statistic, **options)


def _mean_over_items(pool: Pairs, per_pair: Floats, figure: Figure) -> Figure:
    """A mean over pairs of an item, then over items; an item weighs the same however many people marked it."""
    known = ~np.isnan(per_pair)
    items, first, index = np.unique(pool.item[known], return_index=True, return_inverse=True)
    means = np.bincount(index, per_pair[known], minlength=len(items)) / np.bincount(index, minlength=len(items))
    of_raters = crossed.PairMeans(per_pair, pool.item, pool.first, pool.second)
    prompt = pool.prompt[known][first]
    options: dict[str, Any] = {"without_rater": of_raters.without_each(), "answers": of_raters.answers(prompt)}
    return inference.with_interval(figure, mean_columns(means), share_of_sums, cluster=prompt, **options)


def _kappa(pool: Pairs, at: int, n: int) -> Figure:
    """Cohen's kappa of what is matched, of the codes that stand at this place of `matched` and the next."""
    pair, codes = pool.matched[:, 0], pool.matched[:, at : at + 2]
    both = (codes >= 0).all(axis=1)
    if not both.any():
        return Figure.without_value(NO_CATEGORIES)
    pair, cell = pair[both], codes[both, 0] * n + codes[both, 1]
    figure = kappa.cohen_kappa(np.bincount(cell, minlength=n * n).reshape(n, n))
    columns = scipy.sparse.csr_array((np.ones(len(cell)), (np.arange(len(cell)), cell)), shape=(len(cell), n * n))
    first, second, prompt = pool.first[pair], pool.second[pair], pool.prompt[pair]
    return inference.with_interval(
        figure,
        columns,
        kappa.kappa_of_flat_tables(n),
        cluster=prompt,
        without_rater=crossed.without_each_of_pairs(columns, first, second),
        answers=Answers.of_pairs(columns, first, second, prompt),
    )


def _alpha(pool: Pairs) -> Figure:
    units = (pool.unit_answer, pool.start, pool.end)
    figure = unitizing.unitizing_alpha(pool.lengths, pool.answers, *units)
    return inference.with_interval(
        figure,
        unitizing.unitizing_columns(pool.lengths, pool.answers, *units),
        unitizing.alpha_of_unitizings,
        cluster=pool.text_prompt,
        without_rater=unitizing.unitizings_without_each_rater(pool.lengths, pool.answers, pool.answer_rater, *units),
    )


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [errors_marked(results), human_human(results), *unsure.tables(results)]


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
        measures=(_("all"), *(level.label for level in results.context.levels)),
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
        headline=first_of(rows, 0),
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
            answers=FIRST_ANSWERS,
            threshold=scope.threshold,
            matching=scope.matching,
            f1="matched spans of both sides / spans of both sides; unordered pairs of people",
            mean_f1="pairs of one response, then responses; pairs that marked nothing left out",
            mean_character_iou="pairs that marked nothing agree (1)",
            kappa="one-to-one matched spans, first against second by order of answers",
            alpha="Krippendorff's unitizing alpha, binary, overlapping spans of one rater put together, each part of a "
            "span in several places a stretch of its own",
        ),
        note=_(
            "Neither person is the gold, so F1 is the same whichever comes first. Omissions have no words to compare."
        ),
    )
