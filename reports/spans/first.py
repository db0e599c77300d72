"""Marks and verdicts as first handed in, where they were amended or sent back since: what agreement counts.

Written with what was read already, never read again: most projects have no such answer, and pay one statement.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from agreement.spans import Spans, marked
from annotation.error_scheme import Weights, categories_without_cost
from annotation.models import AnchorKind, Review
from annotation.outcomes import BY_ANNOTATORS, BY_VALIDATORS
from annotation.taxonomy import read_all_as
from reports.dashboard.columns import Integers, codes, positions
from reports.dashboard.first_answers import first_answers
from reports.spans.outcomes import PENDING, VERDICTS

OF_MARKS, OF_REVIEWS = ("spans",), (BY_ANNOTATORS, BY_VALIDATORS)

L = TypeVar("L", bound=Any)


def with_first_answers(reading: Any, loaded: L, level: int | None) -> L:
    """What was read, with `at_first` and `first_reviews` where any answer in it was amended.

    level  the one criticality that is read, None for all.
    """
    bodies = first_answers(reading.project, (*OF_MARKS, *OF_REVIEWS))
    turns = np.array(sorted(bodies), dtype=np.int64)
    verdicts = _first_verdicts(loaded, bodies, np.isin(loaded.reviews.turn, turns))
    amended = np.isin(reading.turn, turns)
    if not amended.any():
        return replace(loaded, first_reviews=verdicts)
    marks = _first_marks(reading, loaded, amended, bodies, level)
    kept = ~amended[loaded.marks.answer]
    span = positions(np.flatnonzero(kept), loaded.reviews.span)
    n_new = len(marks) - int(kept.sum())
    reviews = loaded.reviews.taken(span >= 0, span=span[span >= 0] + n_new)
    return replace(loaded, first_reviews=verdicts, at_first=replace(loaded, marks=marks, reviews=reviews))


def _first_verdicts(loaded: Any, bodies: Mapping[int, dict], amended: Any) -> Any:
    """The reviews with the verdicts that amended ones gave first; None where none was amended. On a span that came
    later the only verdict is the first."""
    if not amended.any():
        return None
    reviews = loaded.reviews
    turns = {turn: bodies[turn] for turn in np.unique(reviews.turn[amended]).tolist()}
    said = {
        (turn, review["span"]): review["verdict"] for turn, body in turns.items() for review in body.get("reviews", ())
    }
    rows = Review.objects.filter(assignment__first_answer__isnull=False, rater__project=loaded.project)
    key_of = dict(rows.order_by().values_list("span_id", "span__key"))
    verdict = reviews.verdict.copy()
    for at in np.flatnonzero(amended).tolist():
        key = key_of.get(int(loaded.marks.id[reviews.span[at]]), "")
        first = said.get((int(reviews.turn[at]), key))
        if first in VERDICTS:
            verdict[at] = VERDICTS.index(first)
    return replace(reviews, verdict=verdict)


def _first_marks(reading: Any, loaded: Any, amended: Any, bodies: Mapping[int, dict], level: int | None) -> Any:
    """The marks with those of amended answers as first given, before all others, with ids below 0: of them nobody has
    said anything, and each is an error of its own."""
    answers = np.flatnonzero(amended)
    spans = [(answer, span) for answer in answers.tolist() for span in _spans(bodies[int(reading.turn[answer])])]
    answer = np.array([answer for answer, _span in spans], dtype=np.int64)
    raw = [span for _answer, span in spans]
    criticality = codes([span["criticality"] for span in raw], reading.words.criticality.slugs)
    if level is not None:
        chosen = np.flatnonzero(criticality == level)
        answer, criticality, raw = answer[chosen], criticality[chosen], [raw[at] for at in chosen.tolist()]
    kept = loaded.marks.taken(~amended[loaded.marks.answer])
    n = len(raw)
    category = _categories(reading, raw)
    weights = Weights.of(reading.project)
    points = [weights.points(pk, span["criticality"]) for pk, span in zip(category.tolist(), raw, strict=True)]
    columns = {
        "id": np.arange(-n, 0),
        "answer": answer,
        "unit": np.arange(n),
        "outcome": np.full(n, PENDING),
        "criticality": criticality,
        "error_type": codes([span["type"] for span in raw], reading.words.error_types.slugs),
        "category": read_all_as(category, reading.replaced),
        "gold": np.full(n, -1),
        "penalty": np.array(points, dtype=np.float64),  # None is NaN
        "costs": ~np.isin(category, sorted(categories_without_cost(reading.project))),
    }
    unit = np.unique(kept.unit, return_inverse=True)[1].reshape(-1) + n
    both = {name: np.concatenate((column, getattr(kept, name))) for name, column in columns.items() if name != "unit"}
    places = _places(loaded, loaded.answers.response[answer], raw).followed_by(kept.places)
    return replace(kept, **both, unit=np.concatenate((columns["unit"], unit)), places=places)


def _spans(body: Mapping[str, Any]) -> Sequence[dict]:
    return body.get("spans", ())


def _categories(reading: Any, raw: Sequence[Mapping[str, Any]]) -> Integers:
    """Ids of the categories as they were chosen, 0 for none."""
    ids = dict(reading.project.error_categories.values_list("slug", "id"))
    return np.array([ids.get(span.get("category") or "", 0) for span in raw], dtype=np.int64)


def _places(loaded: Any, response: Integers, raw: Sequence[Mapping[str, Any]]) -> Spans:
    start, end = (np.array([span[name] or 0 for span in raw], dtype=np.int64) for name in ("start", "end"))
    more = [(at, part["start"], part["end"]) for at, span in enumerate(raw) for part in span.get("more", ())]
    span_of, begin, stop = np.array(more, dtype=np.int64).reshape(-1, 3).T
    is_missing = np.array([span["anchor"] != AnchorKind.WORDS for span in raw], dtype=bool)
    return marked(loaded.responses.words, response, start, end, is_missing, (span_of, begin, stop))
