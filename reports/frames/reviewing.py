"""The frame of reviews: what others said of each span."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.models import Review
from projects.models import Project
from reports.frames.columns import FLAG, IS_FIRST, RATER, RESPONSE, ROUND, TEXT, TIME, WORKED, Column, offsets
from reports.frames.first import OF_REVIEWS, First, Later, Placed, firsts_of, number_first_given, with_first
from reports.frames.frame import Columns, Frame, Row, by_column, responses_with_text
from reports.frames.marking import ERROR, by_id
from reports.frames.reading import Reading, Text

REVIEWS = (
    *RESPONSE,
    *RATER,
    ROUND,
    Column("span_key", TEXT, "key of the span it is about, as in the frame of spans"),
    Column("span_rater", TEXT, "who marked that span"),
    Column("verdict", TEXT, "keep, correct, differs (by region) or reject"),
    Column("first_verdict", TEXT, "given before the explanation was shown, where the stage has it so"),
    Column("comment", TEXT, "what the reviewer wrote"),
    *offsets("the span as corrected", "corrected_"),
    *(Column(f"corrected_{column.name}", TEXT, f"as corrected: {column.holds}") for column in ERROR),
    *WORKED,
    Column("is_counted", FLAG, "a person's latest verdict on a span; a judge's is an opinion, not a vote"),
    IS_FIRST,
    Column("created_at", TIME, "when it was stored"),
)
REVIEW_FIELDS = (
    *("id", "span_id", "rater_id", "round", "span__response_id", "span__key", "span__rater_id"),
    *("verdict", "first_verdict"),
    *(
        "comment",
        "start",
        "end",
        "quote",
        "error_type",
        "category_id",
        "criticality",
        "explanation",
        "correction",
        "created_at",
    ),
    *("assignment_id", "assignment__active_seconds"),
)


def review_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    texts, raters, categories = by_id(batch), reading.raters, reading.categories
    rows = list(
        Review.objects.filter(**reading.within("span__response", batch))
        .order_by("span__response_id", "span_id", "id")
        .values_list(*REVIEW_FIELDS)
    )
    latest: dict[tuple[int, int], tuple[int, int]] = {}
    for pk, span, rater, turn, *_others in rows:
        if raters[rater].is_human and turn > latest.get((span, rater), (0, 0))[0]:
            latest[span, rater] = (turn, pk)
    counted = {pk for _turn, pk in latest.values()}
    first = first_reviews(reading, batch, rows, counted)
    said_first = {(one.assignment, review["span"]) for one in first for review in verdicts_in(one)}
    made: list[Row] = []
    given: list[int] = []
    for pk, _span, rater, turn, response, key, author, verdict, first_verdict, *others in rows:
        comment, start, end, quote, *rest = others
        error_type, category, criticality, explanation, correction, created_at, assignment, seconds = rest
        if (text := texts.get(response)) is None:
            continue
        given.append(response)
        made.append(
            (
                text.cells,
                raters[rater].cells,
                turn,
                key,
                raters[author].cells[0],
                verdict,
                first_verdict,
                comment,
                *text.offsets(start, end),
                quote,
                error_type,
                categories[category],
                criticality,
                explanation,
                correction,
                *reading.worked(assignment, seconds, created_at),
                pk in counted,
                pk in counted and (assignment, key) not in said_first,
                created_at,
            )
        )
    return with_first(given, by_column(made), first_review_rows(reading, texts, first, rows))


def first_reviews(reading: Reading, batch: Sequence[Text], rows: Sequence[tuple], counted: set[int]) -> list[First]:
    """Of turns whose reviews were amended, what was first handed in."""
    later: dict[int, Later] = {}
    for pk, _span, rater, turn, response, *_others, assignment, _seconds in rows:
        if assignment is not None:
            later[assignment] = Later(response, rater, turn, pk in counted)
    return firsts_of(reading, batch, OF_REVIEWS, later)


def verdicts_in(first: First) -> Iterator[Mapping[str, Any]]:
    """One that is blank is about a span that came when the others had been handed in."""
    return (review for review in first.body.get("reviews", ()) if review["verdict"])


def first_review_rows(
    reading: Reading, texts: Mapping[int, Text], first: Sequence[First], rows: Sequence[tuple]
) -> list[Placed]:
    """On spans that are still there: those that the later verdicts are about."""
    authors = {(row[-2], row[5]): reading.raters[row[6]].cells[0] for row in rows} if first else {}
    made: list[Placed] = []
    for one in first:
        text = texts[one.response]
        for review in verdicts_in(one):
            if (author := authors.get((one.assignment, review["span"]))) is None:
                continue
            made.append(
                (
                    one.response,
                    (
                        text.cells,
                        reading.raters[one.rater].cells,
                        one.round,
                        review["span"],
                        author,
                        review["verdict"],
                        review["first_verdict"],
                        review["comment"],
                        *text.offsets(review["start"], review["end"]),
                        *(review[name] for name in ("quote", "type", "category", "criticality")),
                        *(review[name] for name in ("explanation", "correction")),
                        *one.worked(reading),
                        False,
                        one.is_counted,
                        one.at,
                    ),
                )
            )
    return made


def number_of_reviews(project: Project) -> int:
    stored = Review.objects.filter(span__response__project=project).count()
    return stored + number_first_given(project, OF_REVIEWS, "reviews")


reviews = Frame(
    "reviews",
    _("Every verdict on a span that somebody else marked, with what the reviewer corrected."),
    REVIEWS,
    review_rows,
    number_of_reviews,
    responses_with_text,
)
