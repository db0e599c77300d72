"""Which overlap counts as a match: word IoU against what a judge says of pairs of errors, at each threshold."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import overlap_calibration as calibration
from agreement.figures import Figure
from agreement.spans import word_iou
from projects.enumeration import in_parts
from reports.dashboard.columns import Flags, Floats, Integers, positions
from reports.dashboard.intervals import Block, with_intervals
from reports.dashboard.parts import pooled, split
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import no_figure_yet
from reports.spans.context import Context
from reports.spans.measures.matching import THRESHOLDS
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "same issues"
PAIRS = "an error of the gold and one that a judge marked, which share a character and are not one error already"


@dataclass(frozen=True, eq=False)
class Compared:
    """Pairs that are still there: ids of response and prompt, of the judge that was asked and the one that marked, the
    overlap and what was said; shape (P,)."""

    response: Integers
    prompt: Integers
    oracle: Integers
    detector: Integers
    iou: Floats
    is_same: Flags


def statistics(loaded: Loaded, context: Context) -> dict[int, Compared]:
    pairs, responses = loaded.compared, loaded.responses
    gold, mark = positions(loaded.gold.id, pairs.gold), positions(loaded.marks.id, pairs.marked)
    there = np.flatnonzero((gold >= 0) & (mark >= 0))
    gold, mark = gold[there], mark[there]
    response = loaded.gold.places.response[gold]
    return split(
        Compared,
        loaded.varieties,
        responses.variety[response],
        response=responses.id[response],
        prompt=responses.prompt[response],
        oracle=pairs.oracle[there],
        detector=loaded.answers.rater[loaded.marks.answer[mark]],
        iou=word_iou(loaded.marks.places.taken(mark), loaded.gold.places.taken(gold)),
        is_same=pairs.is_same[there],
    )


def figures(parts: Sequence[Compared], is_total: bool) -> dict[str, Any]:
    """Of all varieties together: by oracle precision, recall and F1 at each of THRESHOLDS, with intervals over prompts;
    and by oracle and detector the threshold at which F1 is highest, with F1 there and the number of pairs."""
    pool = pooled(parts)
    result: dict[str, Any] = {"by_oracle": {}, "by_detector": {}, "responses": len(np.unique(pool.response))}
    result["judges"] = len(np.unique(pool.detector))
    for oracle in np.unique(pool.oracle).tolist() if is_total else ():
        own = pool.oracle == oracle
        counts = calibration.pair_counts(pool.iou[own], pool.is_same[own], THRESHOLDS.tolist())
        result["by_oracle"][oracle] = at_each(counts, pool.prompt[own])
        detectors = pool.detector[own]
        result["by_detector"][oracle] = {
            one: best_of(counts[detectors == one], pool.prompt[own][detectors == one])
            for one in np.unique(detectors).tolist()
        }
    return result


def at_each(counts: Integers, prompt: Integers) -> list[tuple[Figure, ...]]:
    """Precision, recall and F1 at each threshold."""
    blocks = [
        Block(calibration.figures_at(counts, place), counts, calibration.statistics_at(place))
        for place in range(len(THRESHOLDS))
    ]
    return [tuple(figures) for figures in with_intervals(blocks, prompt)]


def best_of(counts: Integers, prompt: Integers) -> tuple[Figure, Figure]:
    """The threshold at which F1 is highest, and F1 there; the threshold has no interval."""
    place = calibration.best_place(counts)
    if place is None:
        of_none = calibration.figures_at(counts, 0)[2]
        return of_none, of_none
    n = len(counts)
    return Figure(float(THRESHOLDS[place]), n), at_each(counts, prompt)[place][2]


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [thresholds(results), best(results)] if results.total()["by_oracle"] else []


def settings_of(results: Results) -> dict[str, Any]:
    prompts = {judge: list(each) for judge, each in results.names.own.apart.items()}
    return {
        "pairs": PAIRS,
        "truth": "what the oracle, a judge that is shown both errors, says: one issue or two",
        "match": "word IoU above the threshold; at 1 the very same words",
        "thresholds": "0 to 1 by 0.05",
        "prompts": prompts or None,
    }


def thresholds(results: Results) -> Table:
    by_oracle = results.total()["by_oracle"]
    rows = tuple(
        results.row(one, (results.rater(one), f"{threshold:.2f}"), of_threshold)
        for one, steps in by_oracle.items()
        for threshold, of_threshold in zip(THRESHOLDS.tolist(), steps, strict=True)
    )
    chosen = results.context.scope.threshold
    place = int(np.argmin(np.abs(THRESHOLDS - chosen)))
    at_page = results.figure_texts({one: steps[place][0] for one, steps in by_oracle.items()})
    return Table(
        id="same-issue-thresholds",
        headline=NO_HEADLINE,
        title=_("Is an overlap the same issue?"),
        summary=_("Of the pairs that overlap by more than %(threshold)s, the share that is one issue. %(shares)s.")
        % {"threshold": f"{THRESHOLDS[place]:.2f}", "shares": at_page}
        if at_page
        else no_figure_yet(),
        dimensions=(_("asked"), _("threshold")),
        measures=(_("precision"), _("recall"), _("F1")),
        rows=rows,
        recipe=results.recipe("overlap_against_semantic_oracle", gold=True, drawn=True, **settings_of(results)),
        chart="lines",
    )


def best(results: Results) -> Table:
    rows, medians = [], []
    for oracle, by_detector in results.total()["by_detector"].items():
        known = [figures[0].number for figures in by_detector.values() if figures[0].value is not None]
        if known:
            medians.append(f"{results.rater(oracle)} {median(known):.2f}")
        rows += [
            Row((results.rater(oracle), results.rater(one)), figures, results.by_rater(one), results.marks(oracle, one))
            for one, figures in by_detector.items()
        ]
    return Table(
        id="same-issue-best-threshold",
        headline=NO_HEADLINE,
        title=_("The overlap that fits best, judge by judge"),
        summary=_("Median over judges of the threshold with the highest F1. %(medians)s.")
        % {"medians": in_parts(medians)}
        if medians
        else no_figure_yet(),
        dimensions=(_("asked"), _("judge")),
        measures=(_("threshold"), _("F1")),
        rows=tuple(rows),
        recipe=results.recipe(
            "overlap_against_semantic_oracle",
            gold=True,
            drawn=True,
            best="the lowest threshold with the highest F1; then the median over judges",
            **settings_of(results),
        ),
        chart="none",
        unit="points",
        units={_("F1"): "share"},
    )
