"""The responses behind a figure: those its filters select, each with what was marked in it and how far people agree."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from agreement.figures import NO_SPANS, TOO_FEW, Figure
from agreement.spans import Spans, figure, marked, match_counts, overlap, symmetric_f1
from agreement.words import words
from annotation.models import AnchorKind, GoldError, Marking, Span, SpanPart
from annotation.outcomes import outcomes
from projects.among import Among
from projects.models import Project, RaterKind, Response, Segmentation
from reports.dashboard.scope import name_of
from reports.spans.scope import KEPT, MISSED


def selected(project: Project, chosen: Mapping[str, str]) -> QuerySet[Response]:
    """Responses with an answer as chosen: by variety and model, and by who marked what with which outcome.

    variety, model   of the response.
    rater, detector  who marked: a pseudonym, "human" or "judge".
    category, depth  of an error of the final set: a category's slug; thin, thick or separate.
    outcome          what became of a span: kept, rejected, open, pending; or "missed": a final error that those
                     chosen did not mark.
    """
    responses = Response.objects.filter(project=project)
    if "variety" in chosen:
        responses = responses.filter(variety__tag=chosen["variety"])
    if "model" in chosen:
        responses = responses.filter(target_model__name=chosen["model"])
    outcome = chosen.get("outcome")
    if outcome == MISSED:
        errors = GoldError.objects.filter(response=OuterRef("pk"), **category_of(chosen))
        return responses.filter(Exists(errors.exclude(found_by(chosen))))
    marks = Span.objects.filter(response=OuterRef("pk"), **answered_by(chosen))
    if outcome == KEPT or (category_of(chosen) and answered_by(chosen)):
        return responses.filter(Exists(marks.filter(gold_error__isnull=False, **category_of(chosen, "gold_error__"))))
    if category_of(chosen):
        responses = responses.filter(Exists(GoldError.objects.filter(response=OuterRef("pk"), **category_of(chosen))))
    if outcome:
        return responses.filter(pk__in=Among(with_outcome(responses.filter(Exists(marks)), outcome, chosen)))
    if answered_by(chosen):
        answers = Marking.objects.filter(response=OuterRef("pk"), **answered_by(chosen))
        responses = responses.filter(Exists(answers))
    return responses


def answered_by(chosen: Mapping[str, str]) -> dict[str, str]:
    names = {"rater": "rater__pseudonym", "detector": "rater__kind"}
    return {names[key]: chosen[key] for key in names if key in chosen}


def category_of(chosen: Mapping[str, str], prefix: str = "") -> dict[str, str]:
    names = {"category": f"{prefix}category__slug", "depth": f"{prefix}category__depth"}
    return {names[key]: chosen[key] for key in names if key in chosen}


def found_by(chosen: Mapping[str, str]) -> Q:
    """Final errors with a span of those chosen; of anybody where nobody is chosen."""
    spans = Span.objects.filter(gold_error=OuterRef("pk"), **answered_by(chosen))
    return Q(Exists(spans))


def with_outcome(responses: QuerySet[Response], outcome: str, chosen: Mapping[str, str]) -> set[int]:
    """Ids of the responses with a span of those chosen that the project's policy left in this state."""
    settled = {span for span, state in outcomes(responses.values_list("pk", flat=True)).items() if state == outcome}
    spans = Span.objects.filter(response__in=responses.values("pk"), **answered_by(chosen))
    return {response for span, response in spans.values_list("pk", "response") if span in settled}


@dataclass
class Detected:
    """One rater's answer on one response."""

    name: str
    kind: str
    is_simulated: bool
    is_complete: bool
    spans: int


@dataclass
class Line:
    """One response of the list. `agreement` is the mean F1 of its pairs of people, undefined below two."""

    response: Response
    detected: list[Detected] = field(default_factory=list)
    agreement: Figure = field(default_factory=lambda: Figure.without_value(TOO_FEW))


def lines(responses: Sequence[Response]) -> list[Line]:
    """A line per response, in their order. Two queries, however many there are."""
    by_response = {response.pk: Line(response) for response in responses}
    markings = Marking.objects.filter(response__in=by_response).select_related("rater")
    latest: dict[tuple[int, int], Any] = {}  # markings with their number of spans
    for marking in markings.annotate(n_spans=Count("spans")).order_by("is_complete", "round", "pk"):
        latest[marking.response_id, marking.rater_id] = marking
    people = defaultdict(list)
    for marking in sorted(latest.values(), key=lambda marking: (marking.rater.kind, name_of(marking.rater))):
        rater = marking.rater
        detected = Detected(name_of(rater), rater.kind, rater.is_simulated, marking.is_complete, marking.n_spans)
        by_response[marking.response_id].detected.append(detected)
        if rater.kind == RaterKind.HUMAN:
            people[marking.response_id].append(marking.pk)
    spans = spans_of([pk for ids in people.values() for pk in ids])
    for response_id, ids in people.items():
        line = by_response[response_id]
        line.agreement = agreement(line.response, [spans[pk] for pk in ids])
    return list(by_response.values())


#: Where a span lies: its own words, then those of its further parts, as half-open offsets.
Places = Sequence[tuple[int, int]]


def spans_of(marking_ids: Sequence[int]) -> dict[int, list[Places]]:
    """Offsets of the spans on words by marking; omissions point at nothing in the text and cannot overlap."""
    parts: dict[int, list[tuple[int, int]]] = defaultdict(list)
    further = SpanPart.objects.filter(span__marking__in=marking_ids).order_by("span", "start")
    for span, *place in further.values_list("span_id", "start", "end"):
        parts[span].append((place[0], place[1]))
    offsets: dict[int, list[Places]] = defaultdict(list)
    rows = Span.objects.filter(marking__in=marking_ids, anchor=AnchorKind.WORDS).order_by("start", "end")
    for pk, marking_id, start, end in rows.values_list("pk", "marking_id", "start", "end"):
        if start is not None and end is not None:  # both stand in every span on words; the database sees to it
            offsets[marking_id].append([(start, end), *parts.get(pk, ())])
    return offsets


def agreement(response: Response, marked_by: Sequence[Sequence[Places]]) -> Figure:
    """Mean symmetric F1 over the pairs of people at the default threshold; n = people.

    Undefined: "n < 2", and "no spans" where no pair marked anything.
    """
    if len(marked_by) < 2:
        return Figure.without_value(TOO_FEW, len(marked_by))
    owned = [words(response.text, Segmentation(response.variety.segmentation).rule)]

    def placed(spans: Sequence[Places]) -> Spans:
        heads = [span[0] for span in spans]
        more = [(number, *part) for number, span in enumerate(spans) for part in span[1:]]
        whose, starts, ends = zip(*more, strict=True) if more else ((), (), ())
        return marked(
            owned,
            [0] * len(spans),
            [start for start, _ in heads],
            [end for _, end in heads],
            more=(whose, starts, ends),
        )

    pairs = combinations([placed(spans) for spans in marked_by], 2)
    scores = [figure(match_counts(overlap(first, second)), symmetric_f1) for first, second in pairs]
    defined = [score.number for score in scores if score.value is not None]
    if not defined:
        return Figure.without_value(NO_SPANS, len(marked_by))
    return Figure(fmean(defined), len(marked_by))
