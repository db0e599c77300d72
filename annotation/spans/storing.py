"""The one way a marking reaches the database, whether a person, a judge or an import made it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from annotation.models import ErrorCategory, Marking, Span, SpanPart
from annotation.spans.parts import Part
from projects.chunks import in_chunks
from projects.insertion import as_json, insert_rows
from projects.models import Rater, Response
from workflow.models import Assignment

# In the order of `_marking_row`.
MARKING_FIELDS = (
    "response",
    "rater",
    "round",
    "no_errors",
    "is_complete",
    "assignment",
    "metadata",
    "is_evaluation",
    "created_at",
    "came_with",
)
# In the order of `_row`. Group and gold error are given later, by refinement.
SPAN_FIELDS = (
    "marking",
    "response",
    "rater",
    "key",
    "anchor",
    "start",
    "end",
    "quote",
    "paragraph",
    "error_type",
    "category",
    "criticality",
    "explanation",
    "correction",
    "penalty",
    "metadata",
    "origin",
)
PART_FIELDS = ("span", "start", "end", "quote")


@dataclass(slots=True)
class SpanData:
    """One checked span: what annotation.spans.checking.check_span returns. Offsets are code points, half-open."""

    key: str
    anchor: str
    start: int | None
    end: int | None
    quote: str
    paragraph: int | None
    error_type: str
    category: ErrorCategory | None
    criticality: str
    explanation: str
    correction: str
    penalty: float | None = None
    metadata: dict = field(default_factory=dict)
    # Key of the mark that this one repeats on the same words elsewhere.
    origin: str = ""
    # Further parts, in reading order behind this one's own words.
    more: tuple[Part, ...] = ()


@dataclass(slots=True)
class MarkingData:
    """One rater's checked answer on one response: its spans, or that there are none."""

    response: Response
    rater: Rater
    round: int
    no_errors: bool
    is_complete: bool
    spans: Sequence[SpanData]
    assignment: Assignment | None = None
    metadata: dict = field(default_factory=dict)
    is_evaluation: bool = False
    # The entry of the file that brought it.
    came_with: int | None = None


def store_markings(markings: Sequence[MarkingData]) -> list[Marking]:
    """Write markings and their spans, all or none, in three statements; return the rows in the same order.

    The data is taken as checked. What the database itself guards (a quote at its place, one marking a rater
    and round, span keys unique in their response) is refused by it: IntegrityError, and nothing is stored.
    """
    now = timezone.now()
    with transaction.atomic():
        rows = [
            Marking(
                response=data.response,
                rater=data.rater,
                round=data.round,
                no_errors=data.no_errors,
                is_complete=data.is_complete,
                assignment=data.assignment,
                metadata=data.metadata,
                is_evaluation=data.is_evaluation,
                created_at=now,
                came_with_id=data.came_with,
            )
            for data in markings
        ]
        insert_rows(Marking, MARKING_FIELDS, [_marking_row(marking) for marking in rows])
        stored = Marking.objects.filter(response__in={data.response.pk for data in markings})
        ids = {tuple(place): pk for pk, *place in stored.values_list("id", "response_id", "rater_id", "round")}
        for marking in rows:
            marking.pk = ids[marking.response_id, marking.rater_id, marking.round]
            marking._state.adding = False
        store_spans([(marking.pk, data, data.spans) for marking, data in zip(rows, markings, strict=True)])
    return rows


def store_spans(answers: Iterable[tuple[int, MarkingData, Sequence[SpanData]]]) -> None:
    """Write these spans of markings that are there, given by their ids, in one statement; where any has further parts,
    in one more for each few hundred markings."""
    answers = list(answers)
    rows = [_row(span, marking, data) for marking, data, spans in answers for span in spans]
    insert_rows(Span, SPAN_FIELDS, rows)
    parts = {(marking, span.key): span.more for marking, _data, spans in answers for span in spans if span.more}
    for chunk in in_chunks({marking for marking, _key in parts}):
        known = Span.objects.filter(marking__in=chunk).values_list("id", "marking_id", "key")
        of_spans = [(pk, *part) for pk, marking, key in known for part in parts.get((marking, key), ())]
        insert_rows(SpanPart, PART_FIELDS, of_spans)


def _marking_row(marking: Marking) -> tuple:
    return (
        marking.response_id,
        marking.rater_id,
        marking.round,
        marking.no_errors,
        marking.is_complete,
        marking.assignment_id,
        as_json(marking.metadata),
        marking.is_evaluation,
        marking.created_at,
        marking.came_with_id,
    )


def _row(span: SpanData, marking: int, data: MarkingData) -> tuple:
    return (
        marking,
        data.response.pk,
        data.rater.pk,
        span.key,
        str(span.anchor),
        span.start,
        span.end,
        span.quote,
        span.paragraph,
        str(span.error_type),
        span.category.pk if span.category else None,
        str(span.criticality),
        span.explanation,
        span.correction,
        span.penalty,
        as_json(span.metadata),
        span.origin,
    )


def part_of(row: SpanPart) -> Part:
    """The stored part as data."""
    return Part(row.start, row.end, row.quote)


def further(span: Span) -> tuple[Part, ...]:
    """The further parts of a stored span in reading order, none of most; a query unless "more" is prefetched."""
    return tuple(map(part_of, span.more.all()))


def parts_of_responses(response_ids: Sequence[int]) -> dict[int, tuple[Part, ...]]:
    """By span, the further parts of those that have any, in reading order. One query."""
    parts: dict[int, tuple[Part, ...]] = {}
    rows = SpanPart.objects.filter(span__response_id__in=response_ids).order_by("span", "start")
    for span, start, end, quote in rows.values_list("span_id", "start", "end", "quote"):
        parts[span] = (*parts.get(span, ()), Part(start, end, quote))
    return parts


def span_data(span: Span) -> SpanData:
    """The stored span as data, for taking an answer back into a draft. Best with "more" prefetched."""
    return SpanData(
        key=span.key,
        anchor=span.anchor,
        start=span.start,
        end=span.end,
        quote=span.quote,
        paragraph=span.paragraph,
        error_type=span.error_type,
        category=span.category,
        criticality=span.criticality,
        explanation=span.explanation,
        correction=span.correction,
        penalty=span.penalty,
        metadata=span.metadata,
        origin=span.origin,
        more=further(span),
    )
