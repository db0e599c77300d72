"""Stage 2 in figures: which errors the others retained, by who found them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement.figures import Figure
from agreement.validation import retained_share
from reports.dashboard.draws import with_detail
from reports.spans.groups import PEOPLE, Context, Integers, people_in
from reports.spans.loading import Loaded
from reports.spans.outcomes import KEPT, OPEN, OUTCOMES, PENDING, REJECTED, VERDICTS

# What becomes of an annotation of several spans: kept where any span is, and settled only when all are.
_PRECEDENCE = np.array([KEPT, PENDING, OPEN, REJECTED])


@dataclass(frozen=True, eq=False)
class Statistics:
    """Per detector (0 for people): annotations by outcome (4,), and verdicts on them (4,), a person and error once."""

    outcomes: dict[int, Integers]
    verdicts: dict[int, Integers]
    people: frozenset[int]
    responses: int


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    marks, answers, reviews = loaded.marks, loaded.answers, loaded.reviews
    n_units = int(marks.unit.max(initial=-1)) + 1
    _, first = np.unique(marks.unit, return_index=True)
    rank = np.full(n_units, len(_PRECEDENCE))
    np.minimum.at(rank, marks.unit, np.argsort(_PRECEDENCE)[marks.outcome])
    outcome = _PRECEDENCE[rank] if n_units else rank
    detector = np.where(answers.by_human, PEOPLE, answers.rater)[marks.answer[first]]
    # The spans of several judges as one are put to nobody: their members' are validated.
    is_put = ~np.isin(detector, list(loaded.panels))
    variety = loaded.responses.variety[marks.places.response[first]]
    # A reviewer's verdict on the annotation is the one on its first span.
    said = np.lexsort((reviews.span, reviews.rater, marks.unit[reviews.span]))
    key = np.column_stack((marks.unit[reviews.span], reviews.rater))[said]
    fresh = said[np.append(True, np.any(key[1:] != key[:-1], axis=1))[: len(said)]] if len(said) else said
    unit_of_verdict, verdict = marks.unit[reviews.span[fresh]], reviews.verdict[fresh]
    found = {}
    for pk in loaded.varieties:
        here = (variety == pk) & is_put
        there = here[unit_of_verdict]
        detectors = np.unique(detector[here]).tolist()
        found[pk] = Statistics(
            {one: np.bincount(outcome[here & (detector == one)], minlength=4) for one in detectors},
            {one: np.bincount(verdict[there & (detector[unit_of_verdict] == one)], minlength=4) for one in detectors},
            frozenset(reviews.rater[fresh][there].tolist()),
            int((loaded.responses.variety == pk).sum()),
        )
    return found


def figures(parts: Sequence[Statistics], is_total: bool) -> dict[str, Any]:
    """Detector to (share retained, 4 counts of verdicts, 4 of outcomes), and how much they rest on."""
    detectors = sorted({one for part in parts for one in part.outcomes})
    return {
        "retained": {one: _retained(parts, one) for one in detectors},
        "people": people_in(parts),
        "responses": sum(part.responses for part in parts),
    }


def _retained(parts: Sequence[Statistics], detector: int) -> tuple[Figure, ...]:
    nothing = np.zeros(4, dtype=np.int64)
    outcomes = sum((part.outcomes.get(detector, nothing) for part in parts), nothing)
    verdicts = sum((part.verdicts.get(detector, nothing) for part in parts), nothing)
    detail = {
        "outcomes": dict(zip(OUTCOMES, outcomes.tolist(), strict=True)),
        "verdicts": dict(zip(VERDICTS, verdicts.tolist(), strict=True)),
    }
    settled = int(outcomes[KEPT] + outcomes[REJECTED])
    said = int(verdicts.sum())
    return (
        with_detail(retained_share(int(outcomes[KEPT]), settled), **detail),
        *(Figure(int(count), said) for count in verdicts),
        *(Figure(int(count), int(outcomes.sum())) for count in outcomes),
    )
