"""Detectors against the final set of errors: every judge, and people under the same comparison as the ceiling."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import inference, sentences, spans
from agreement.figures import Figure, share
from agreement.multiplicity import LEVEL, corrected
from agreement.statistics import share_of_sums
from reports.dashboard.columns import Integers, people_in
from reports.dashboard.findings import highest
from reports.dashboard.intervals import Block, mean_block, with_intervals
from reports.dashboard.names import PEOPLE
from reports.dashboard.parts import pooled
from reports.dashboard.rounds import once_per_loading
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import figure_text, no_figure_yet
from reports.spans.context import Context, numbers_of
from reports.spans.measures.biases import biases, of_marks
from reports.spans.measures.categories import category_recall, finders, found_by, recalls, thin_thick
from reports.spans.measures.category_differences import (
    against_the_rest,
    category_differences,
    category_pairs,
    of_all_pairs,
)
from reports.spans.measures.ceiling import builders_note, by_judge_and_variety, judges_in, matching, note
from reports.spans.measures.matching import THRESHOLDS, Detected, Matched
from reports.spans.measures.sentences import SCORES as SENTENCE_SCORES
from reports.spans.measures.sentences import sentence_recall, sentence_scores
from reports.spans.measures.setup_gains import gains_of_setups
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "judging"

SCORES = (spans.precision, spans.recall, spans.f1)
NOT_ASKED = "no responses planned"
NO_COMMON = "no responses answered by both"
NO_SETTLED = "no responses with settled errors"


@dataclass(frozen=True, eq=False)
class DetectedErrors:
    """By detector; and the gold errors each found, by category, the last without any: (C + 1,)."""

    detected: dict[int, Detected]
    found: dict[int, Integers]
    gold: Integers
    responses: int
    settled: int
    people: frozenset[int]
    panels: frozenset[int]


@once_per_loading
def statistics(loaded: Loaded, context: Context) -> dict[int, DetectedErrors]:
    """Per variety. Matching is done once per detector for all varieties together."""
    n_categories = len(context.categories)
    category = numbers_of(context.categories, loaded.gold.category, n_categories)
    measured = {detector: Matched(loaded, rows, context, category) for detector, rows in _rows(loaded)}
    found_errors = finders(loaded)
    parts = {}
    for variety in loaded.varieties:
        in_variety = loaded.responses.variety == variety
        of_gold = in_variety[loaded.gold.places.response]
        counts = {
            detector: np.bincount(category[flags & of_gold], minlength=n_categories + 1)
            for detector, flags in found_errors.items()
        }
        parts[variety] = DetectedErrors(
            {detector: rows.of(in_variety, loaded.judges.get(detector)) for detector, rows in measured.items()},
            counts,
            np.bincount(category[of_gold], minlength=n_categories + 1),
            int(in_variety.sum()),
            int((in_variety & loaded.gold.settled).sum()),
            frozenset(loaded.answers.rater[in_variety[loaded.answers.response] & loaded.answers.by_human].tolist()),
            loaded.panels,
        )
    return parts


def _rows(loaded: Loaded) -> Iterator[tuple[int, Integers]]:
    """Each detector and its answers on settled responses; people only where two of them answered."""
    answers = loaded.answers
    settled = loaded.gold.settled[answers.response]
    people = np.bincount(answers.response[answers.by_human], minlength=len(loaded.responses))
    yield PEOPLE, np.flatnonzero(answers.by_human & settled & (people[answers.response] >= 2))
    for judge in loaded.judges:
        yield judge, np.flatnonzero(settled & (answers.rater == judge))


def figures(parts: Sequence[DetectedErrors], is_total: bool) -> dict[str, Any]:
    """Of one variety; of several put together (`is_total`) also what is only shown for all of them."""
    detectors = sorted({detector for part in parts for detector in part.detected})
    joined = {
        one: pooled([part.detected[one] for part in parts if one in part.detected], summed=("sweep",))
        for one in detectors
    }
    result: dict[str, Any] = {
        "scores": {},
        "scores_of_people": {},
        "sentences": {},
        "categories": {},
        "sentence_categories": {},
        "found": found_by(parts),
        "people": people_in(parts),
        "judges": len({one for one in detectors if one != PEOPLE}.difference(*(part.panels for part in parts))),
        "responses": sum(part.responses for part in parts),
        "settled": sum(part.settled for part in parts),
    }
    for one, rows in joined.items():
        for name, figures_of_detector in measured(rows, is_total).items():
            result[name][one] = figures_of_detector
    if is_total:
        judges = [one for one in detectors if one != PEOPLE]
        result["sweep"] = {one: sweep(rows) for one, rows in joined.items()}
        result["pairs"] = {pair: differences(*(joined[one] for one in pair)) for pair in combinations(judges, 2)}
        result["category_pairs"] = of_all_pairs(joined, judges)
        result["evidence"] = {}
        for one, rows in joined.items():  # people first
            of_people = result["evidence"].get(PEOPLE, {})
            result["evidence"][one] = of_marks(rows.matches, rows.categories, rows.prompt, of_people)
    return result


def measured(rows: Detected, with_categories: bool) -> dict[str, Any]:
    """A detector's figures, with intervals over prompts; the responses drawn are the same for all of them.

    "scores" (against all gold errors) and "scores_of_people" (those a person found): precision, recall, F1 and the
    share of planned responses that were answered; of "scores" then the same three against the gold without the errors
    that nobody but the detector found, and the mean of the responses' F1, which no setting of
    many errors can dominate. "sentences": accuracy, precision, recall, F1. "categories": recall
    per category and depth, of all errors and of those a person found, and "apart" each beside all other errors;
    "sentence_categories": recall of the sentences with such an error.
    """
    blocks = {
        "scores": _scores(rows.matches, spans.figure, SCORES),
        "scores_of_people": _scores(rows.of_people, spans.figure, SCORES),
        "without_own": _scores(rows.without_own, spans.figure, SCORES),
        "each_response": _each_response(rows.matches),
        "sentences": _scores(rows.sentences, sentences.figure, SENTENCE_SCORES),
    }
    if with_categories:
        blocks |= {
            "all": recalls(rows.categories),
            "of_people": recalls(rows.categories_of_people),
            "in_sentences": recalls(rows.sentence_categories, sentences.NO_ERRONEOUS),
        }
    drawn = dict(zip(blocks, with_intervals(list(blocks.values()), rows.prompt), strict=True))
    drawn["scores"][2] = drawn["scores"][2].with_detail(f1_without_own=drawn["without_own"][2].value)
    answered = _answered(rows)
    result: dict[str, Any] = {name: (*drawn[name], answered) for name in ("scores", "scores_of_people")}
    result["scores"] += (*drawn["without_own"], *drawn["each_response"])
    result["sentences"] = tuple(drawn["sentences"])
    if with_categories:
        result["categories"] = {name: drawn[name] for name in ("all", "of_people")}
        result["categories"]["apart"] = against_the_rest(rows.categories, rows.prompt)
        result["sentence_categories"] = drawn["in_sentences"]
    return result


def _scores(counts: Integers, figure: Callable, statistics: Sequence[Callable]) -> Block:
    if len(counts):
        return Block([figure(counts, one) for one in statistics], counts, statistics)
    return Block([Figure.without_value(NO_SETTLED) for _ in statistics], counts, statistics)


def _each_response(counts: Integers) -> Block:
    """F1 of each response (matched spans of both sides over spans of both sides), where either side has any."""
    of_response = spans.symmetric_f1(counts)
    block = mean_block(of_response, ~np.isnan(of_response), share_of_sums)
    return block if len(counts) else Block([Figure.without_value(NO_SETTLED)], block.columns, block.statistics)


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


def sweep(rows: Detected) -> list[tuple[Figure, ...]]:
    """Precision, recall and F1 at each of THRESHOLDS."""
    n = len(rows.response)
    values = [statistic(rows.sweep).tolist() for statistic in SCORES]
    return [
        tuple(
            Figure(value, n)
            if not np.isnan(value)
            else Figure.without_value(spans.undefined_reason(counts, statistic), n)
            for value, statistic in zip(of_step, SCORES, strict=True)
        )
        for counts, of_step in zip(rows.sweep, zip(*values, strict=True), strict=True)
    ]


def differences(first: Detected, second: Detected) -> tuple[Figure, ...]:
    """Each of SCORES of the first judge less that of the second, on the responses that both answered."""
    _, one, other = np.intersect1d(first.response, second.response, return_indices=True)
    if not len(one):
        return (Figure.without_value(NO_COMMON),) * len(SCORES)
    sides = first.matches[one], second.matches[other]
    return tuple(inference.paired_differences(*sides, SCORES, cluster=first.prompt[one]))


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [
        judge_scores(results),
        biases(results),
        judge_scores_human_detected(results),
        threshold_sweep(results),
        category_recall(results),
        category_differences(results),
        category_pairs(results),
        thin_thick(results),
        sentence_scores(results),
        sentence_recall(results),
        judge_pairs(results),
        gains_of_setups(results),
    ]


def judge_scores(results: Results) -> Table:
    total = results.total()
    best = results.figure_texts({one: total["scores"][one][2] for one in judges_in(results)})
    ceiling = total["scores"].get(PEOPLE)
    if not best:
        summary = no_figure_yet() if judges_in(results) else _("No judge has been asked yet.")
    else:
        summary = _("F1 of the judges against the final set of errors. %(scores)s.") % {"scores": best}
        if ceiling and ceiling[2].value is not None:
            summary += " " + _("People under the same comparison: %(f1)s.") % {"f1": figure_text(ceiling[2])}
    return by_judge_and_variety(
        results,
        "scores",
        (
            *(_("precision"), _("recall"), _("F1"), _("answered")),
            *(_("precision without own errors"), _("recall without own errors"), _("F1 without own errors")),
            _("F1, mean over responses"),
        ),
        id="judge-scores",
        headline=7,
        title=_("Judges against the gold"),
        summary=summary,
        recipe=results.recipe(
            "span_precision_recall_f1",
            gold=True,
            drawn=True,
            mean_f1="matched over all spans of both sides, of each response; responses without spans left out",
            **matching(results),
        ),
    )


def judge_scores_human_detected(results: Results) -> Table:
    scores = results.total()["scores_of_people"]
    shares = results.figure_texts({one: scores[one][1] for one in judges_in(results)})
    return by_judge_and_variety(
        results,
        "scores_of_people",
        (_("precision"), _("recall"), _("F1"), _("answered")),
        id="judge-scores-human-detected",
        headline=1,
        title=_("Judges against the errors people found"),
        summary=_("Share of the errors found by people that a judge finds too. %(shares)s.") % {"shares": shares}
        if shares
        else no_figure_yet()
        if judges_in(results)
        else _("No judge has been asked yet."),
        recipe=results.recipe(
            "span_precision_recall_f1", gold=True, drawn=True, subset="found by a person", **matching(results)
        ),
    )


def threshold_sweep(results: Results) -> Table:
    sweeps: Mapping[int, list] = results.total()["sweep"]
    rows = [
        results.row(one, (results.rater(one), f"{threshold:.2f}"), figures)
        for one, steps in sweeps.items()
        for threshold, figures in zip(THRESHOLDS.tolist(), steps, strict=True)
        if steps[0][0].n
    ]
    first, last = (results.figure_texts({one: steps[at][2] for one, steps in sweeps.items()}) for at in (0, 10))
    return Table(
        id="threshold-sweep",
        headline=highest([row for row in rows if row.labels[1] == "0.50"], 2),
        title=_("How the overlap asked for changes the scores"),
        summary=_("F1 where any common word counts: %(any)s. Where half the words must be common: %(half)s.")
        % {"any": first, "half": last}
        if first and last
        else no_figure_yet()
        if rows
        else _("There is nothing to compare yet."),
        dimensions=(_("detector"), _("threshold")),
        measures=(_("precision"), _("recall"), _("F1")),
        rows=tuple(rows),
        recipe=results.recipe(
            "span_precision_recall_f1",
            gold=True,
            thresholds="0 to 1 by 0.05; at 1 the very same words",
            matching="some",
        ),
        chart="lines",
        note=note(results),
    )


def judge_pairs(results: Results) -> Table:
    pairs = {pair: of_scores[-1] for pair, of_scores in results.total()["pairs"].items()}
    rows = [
        Row(tuple(results.rater(one) for one in pair), (figure, p), results.by_rater(pair[0]), results.marks(*pair))
        for (pair, figure), p in zip(pairs.items(), corrected(list(pairs.values())), strict=True)
    ]
    apart = [row for row in rows if row.figures[1].value is not None and row.figures[1].number <= LEVEL]
    return Table(
        id="judge-pairs",
        headline=NO_HEADLINE,
        title=_("Judges against each other"),
        summary=_("%(apart)d of %(pairs)d pairs of judges differ in F1 by more than chance would have it.")
        % {"apart": len(apart), "pairs": len(rows)}
        if rows
        else _("There are not two judges to compare yet."),
        dimensions=(_("first judge"), _("second judge")),
        measures=(_("difference in F1"), _("p, corrected")),
        units={_("p, corrected"): "p"},
        rows=tuple(rows),
        recipe=results.recipe(
            "paired_f1_difference",
            gold=True,
            drawn=True,
            items="responses both answered",
            correction="Holm, over all pairs",
            **matching(results),
        ),
        chart="none",
        note=builders_note(results),
    )
