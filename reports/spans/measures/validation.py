"""Stage 2 in figures: which errors the others retained, by who found them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.figures import Figure
from agreement.validation import retained_share
from reports.dashboard.columns import Integers, people_in
from reports.dashboard.findings import first_of
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.names import PEOPLE
from reports.dashboard.tables import NO_HEADLINE, Table
from reports.dashboard.wording import count_text, no_figure_yet
from reports.spans.context import Context
from reports.spans.outcomes import KEPT, OPEN, OUTCOMES, PENDING, REJECTED, VERDICTS
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "validation"

# What becomes of an annotation of several spans: kept where any span is, and settled only when all are.
_PRECEDENCE = np.array([KEPT, PENDING, OPEN, REJECTED])


@dataclass(frozen=True, eq=False)
class VerdictCounts:
    """Per detector (0 for people): annotations by outcome (4,); of those settled the prompt and whether it was kept,
    (A, 2); and verdicts on them (4,), a person and error once."""

    outcomes: dict[int, Integers]
    settled: dict[int, Integers]
    verdicts: dict[int, Integers]
    people: frozenset[int]
    responses: int


def statistics(loaded: Loaded, context: Context) -> dict[int, VerdictCounts]:
    """Outcomes go by the verdicts that stand; counted of reviewers' verdicts are those they first handed in."""
    marks, answers, reviews = loaded.marks, loaded.answers, loaded.first_reviews or loaded.reviews
    n_units = int(marks.unit.max(initial=-1)) + 1
    _, first = np.unique(marks.unit, return_index=True)
    rank = np.full(n_units, len(_PRECEDENCE))
    np.minimum.at(rank, marks.unit, np.argsort(_PRECEDENCE)[marks.outcome])
    outcome = _PRECEDENCE[rank] if n_units else rank
    detector = np.where(answers.by_human, PEOPLE, answers.rater)[marks.answer[first]]
    # The spans of several judges as one are put to nobody: their members' are validated. Nor are those of a judge that
    # is evaluated.
    is_put = ~np.isin(detector, list(loaded.panels)) & ~answers.is_evaluation[marks.answer[first]]
    variety = loaded.responses.variety[marks.places.response[first]]
    is_settled = (outcome == KEPT) | (outcome == REJECTED)
    prompt = loaded.responses.prompt[marks.places.response[first]]
    settled = np.column_stack((prompt, outcome == KEPT))[is_settled]
    # A reviewer's verdict on the annotation is the one on its first span.
    order = np.lexsort((reviews.span, reviews.rater, marks.unit[reviews.span]))
    key = np.column_stack((marks.unit[reviews.span], reviews.rater))[order]
    fresh = order[np.append(True, np.any(key[1:] != key[:-1], axis=1))[: len(order)]] if len(order) else order
    unit_of_verdict, verdict = marks.unit[reviews.span[fresh]], reviews.verdict[fresh]
    parts = {}
    for pk in loaded.varieties:
        in_variety = (variety == pk) & is_put
        is_counted = in_variety[unit_of_verdict]
        detectors = np.unique(detector[in_variety]).tolist()
        parts[pk] = VerdictCounts(
            {one: np.bincount(outcome[in_variety & (detector == one)], minlength=4) for one in detectors},
            {one: settled[in_variety[is_settled] & (detector[is_settled] == one)] for one in detectors},
            {
                one: np.bincount(verdict[is_counted & (detector[unit_of_verdict] == one)], minlength=4)
                for one in detectors
            },
            frozenset(reviews.rater[fresh][is_counted].tolist()),
            int((loaded.responses.variety == pk).sum()),
        )
    return parts


def figures(parts: Sequence[VerdictCounts], is_total: bool) -> dict[str, Any]:
    """Detector to (share retained, 4 counts of verdicts, 4 of outcomes), and how much they rest on."""
    detectors = sorted({one for part in parts for one in part.outcomes})
    return {
        "retained": {one: _retained(parts, one) for one in detectors},
        "people": people_in(parts),
        "responses": sum(part.responses for part in parts),
    }


def _retained(parts: Sequence[VerdictCounts], detector: int) -> tuple[Figure, ...]:
    nothing = np.zeros(4, dtype=np.int64)
    outcomes = sum((part.outcomes.get(detector, nothing) for part in parts), nothing)
    verdicts = sum((part.verdicts.get(detector, nothing) for part in parts), nothing)
    detail = {
        "outcomes": dict(zip(OUTCOMES, outcomes.tolist(), strict=True)),
        "verdicts": dict(zip(VERDICTS, verdicts.tolist(), strict=True)),
    }
    settled = np.concatenate([part.settled[detector] for part in parts if detector in part.settled])
    n_verdicts = int(verdicts.sum())
    return (
        retained_share(settled[:, 1], settled[:, 0]).with_detail(**detail),
        *(Figure(int(count), n_verdicts) for count in verdicts),
        *(Figure(int(count), int(outcomes.sum())) for count in outcomes),
    )


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [retained(results), verdicts(results)]


def retained(results: Results) -> Table:
    rows = results.pool_rows(lambda pool: {one: figures[:1] for one, figures in pool["retained"].items()})
    figures_by_detector = results.total()["retained"]
    shares = results.figure_texts({one: figures[0] for one, figures in figures_by_detector.items()})
    return Table(
        id="retained",
        headline=first_of(rows),
        title=_("Errors retained in validation"),
        summary=_("Share of settled errors that the others kept, by who found them. %(shares)s.") % {"shares": shares}
        if shares
        else no_figure_yet()
        if figures_by_detector
        else _("There is nothing to validate yet."),
        dimensions=(_("variety"), _("detector")),
        measures=(_("retained"),),
        rows=tuple(rows),
        recipe=results.recipe(
            "retained_share",
            policy=results.policy,
            unit="annotation: spans of one rater grouped together count once, kept where any of them is",
            verdicts="people's, each with the latest round; an expert's decision is the last word",
            interval="Wilson, 95 %, for as many trials as the spread between prompts makes of them",
        ),
        x=_("variety"),
        series=_("detector"),
        note=_("Errors that are open or still wait for verdicts are counted beside the share, not in it."),
    )


def verdicts(results: Results) -> Table:
    rows = results.pool_rows(lambda pool: {one: figures[1:] for one, figures in pool["retained"].items()})
    measures = (_("keep"), _("correct"), _("differs by region"), _("reject"))
    outcomes = (_("kept"), _("rejected"), _("open"), _("pending"))
    all_figures = results.total()["retained"].values()
    said_so = sum(figures[1].n for figures in all_figures)
    waiting = int(sum(figures[7].number + figures[8].number for figures in all_figures))
    return Table(
        id="verdicts",
        headline=NO_HEADLINE,
        title=_("Verdicts and outcomes"),
        summary=_("%(verdicts)s verdicts; %(waiting)s errors are open or wait for more.")
        % {"verdicts": count_text(said_so), "waiting": count_text(waiting)},
        dimensions=(_("variety"), _("detector")),
        measures=(*measures, *outcomes),
        rows=tuple(rows),
        recipe=results.recipe(
            "verdict_counts",
            policy=results.policy,
            unit="annotation: spans of one rater grouped together count once, with the verdict on the first of them",
            verdicts=f"{FIRST_ANSWERS}; outcomes go by the verdicts that stand",
        ),
        unit="count",
        chart="none",
    )
