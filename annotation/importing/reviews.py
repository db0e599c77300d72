"""Lines of reviews: what one rater says of spans that others marked in one response."""

from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _

from annotation.importing.markings import in_code_points, say_all
from annotation.importing.parts import Batch, Line, ResponsePart, SpanFacts
from annotation.importing.renewing import Settled
from annotation.models import Adjudication, AnchorKind, Review
from formats.answer import BOUNDARIES
from formats.problems import ProblemLog
from projects.among import Among
from projects.anchors import check_anchor, locate
from projects.insertion import column_of, insert_rows
from projects.models import Rater
from projects.problems import Invalid, Problem

# What a review is known by: the span's id, the rater's, and the round.
Place = tuple[int, int, int]
# In the order of `review_row`.
SAID_FIELDS = (
    "verdict",
    "first_verdict",
    "comment",
    "start",
    "end",
    "quote",
    "error_type",
    "category",
    "criticality",
    "explanation",
    "correction",
)
STORED_FIELDS = ("span", "rater", "round", *SAID_FIELDS, "created_at", "came_with")


class ReviewLines(ResponsePart):
    kind = "reviews"

    def store(self, lines: Sequence[Line], batch: Batch) -> None:
        spans = batch.spans_of(lines)
        raters = [(line, batch.rater(line)) for line in lines]
        known = [(line, rater) for line, rater in raters if rater is not None]
        given = reviews_of(lines, {rater.pk for _line, rater in known})
        said: set[Place] = set()
        coming, settled = [], Settled[tuple](batch)
        for line, rater in known:
            for index, entry in enumerate(line.fields["reviews"]):
                place = f"reviews[{index}]"
                span = batch.span(spans, line, entry["span"], f"{place}.span")
                if not span or not may_review(span, rater, line, place, said, batch.problems):
                    continue
                try:
                    row = review_row(span, rater, line, entry, place, batch)
                except Invalid as refused:
                    say_all(refused, line.number, batch.problems)
                    continue
                before = given.get(row[:3])
                if before is None:
                    coming.append(row)
                else:
                    settled.settle(before, row, row[3:] == as_said(before), line.number, f"{place}.span")
        decided = Adjudication.objects.filter(span__in=Among(each.span_id for each in settled.before))
        renewed = settled.renewed(Review, held={*decided.values_list("span", flat=True)}, by="span_id")
        rows = [*coming, *renewed]
        insert_rows(Review, STORED_FIELDS, [(*row, batch.now, batch.came_with()) for row in rows])
        batch.counts["reviews"] += len(coming)


def reviews_of(lines: Sequence[Line], raters: Collection[int]) -> dict[Place, Review]:
    """What these raters said of the spans of these responses already."""
    responses = {line.response.pk for line in lines}
    reviews = Review.objects.filter(span__response_id__in=responses, rater__in=raters)
    return {(each.span_id, each.rater_id, each.round): each for each in reviews}


def as_said(review: Review) -> tuple:
    """The values of a stored review from its verdict on, as `review_row` gives them."""
    return tuple(getattr(review, column_of(Review, name)) for name in SAID_FIELDS)


def may_review(span: SpanFacts, rater: Rater, line: Line, place: str, said: set[Place], problems: ProblemLog) -> bool:
    """True for the first review of someone else's span by this rater in this round, which is then noted."""
    key = (span.id, rater.pk, line.fields.get("round") or 1)
    if span.rater_id == rater.pk:
        message = _("%(rater)s marked this span; nobody reviews a span of their own.")
        problems.say(line.number, "own_span", message % {"rater": rater.name}, f"{place}.span")
    elif key in said:
        message = _("The rater has reviewed this span in this round already.")
        problems.say(line.number, "already_there", message, f"{place}.span")
    else:
        said.add(key)
        return True
    return False


def review_row(span: SpanFacts, rater: Rater, line: Line, entry: dict, place: str, batch: Batch) -> tuple:
    """The values of STORED_FIELDS for one entry, but for the last two. Raises Invalid with what is wrong."""
    start, end, quote = corrected_boundaries(span, line, entry, place)
    category = entry.get("category")
    if category and category not in batch.categories:
        message = _("The project has no category “%(slug)s”.")
        raise Invalid(Problem("unknown", message % {"slug": category}, f"{place}.category"))
    known = {"type": batch.words.error_types, "criticality": batch.words.criticality}
    problems = [
        Problem("unknown", words.refusal(), f"{place}.{field}")
        for field, words in known.items()
        if entry.get(field) and entry[field] not in words
    ]
    if problems:
        raise Invalid(problems)
    return (
        span.id,
        rater.pk,
        line.fields.get("round") or 1,
        entry["verdict"],
        entry.get("first_verdict") or "",
        entry.get("comment") or "",
        start,
        end,
        quote,
        entry.get("type") or "",
        batch.categories[category].pk if category else None,
        entry.get("criticality") or "",
        entry.get("explanation") or "",
        entry.get("correction") or "",
    )


def corrected_boundaries(span: SpanFacts, line: Line, entry: dict, place: str) -> tuple[int | None, int | None, str]:
    """Code-point offsets and quote of corrected boundaries; (None, None, "") where they stay."""
    if all(entry.get(field) is None for field in BOUNDARIES):
        return None, None, ""
    if span.anchor != AnchorKind.WORDS:
        message = _("The span marks something missing and has no boundaries to correct.")
        raise Invalid(Problem("not_with_anchor", message, f"{place}.start"))
    response_text = line.response.text
    if line.fields.get("offset_unit") == "utf16":
        entry = in_code_points(response_text, entry, place)
    start, end, quote = entry.get("start"), entry.get("end"), entry.get("quote")
    try:
        if start is None and end is None:
            start, end = locate(response_text, quote or "", entry.get("occurrence"))
        return start, end, check_anchor(response_text, start, end, quote)
    except Invalid as refused:
        problems = [Problem(each.code, each.message, f"{place}.{each.field}") for each in refused.problems]
        raise Invalid(problems) from None
