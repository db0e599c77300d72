"""Lines of reviews: what one rater says of spans that others marked in one response."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from annotation.importing.markings import in_code_points, say_all
from annotation.importing.parts import Batch, Line, ResponsePart, SpanFacts
from annotation.models import AnchorKind, Review
from formats.answer import BOUNDARIES
from formats.problems import ProblemLog
from projects.anchors import check_anchor, locate
from projects.insertion import insert_rows
from projects.models import Rater
from projects.problems import Invalid, Problem

# In the order of `review_row`.
STORED_FIELDS = (
    "span",
    "rater",
    "round",
    "verdict",
    "comment",
    "start",
    "end",
    "quote",
    "error_type",
    "category",
    "criticality",
    "explanation",
    "correction",
    "created_at",
)


class ReviewLines(ResponsePart):
    kind = "reviews"

    def store(self, lines: Sequence[Line], batch: Batch) -> None:
        spans = batch.spans_of(lines)
        reviews = Review.objects.filter(span__response_id__in={line.response.pk for line in lines})
        given = dict.fromkeys(reviews.values_list("span_id", "rater_id", "round"), 0)
        stored = []
        for line in lines:
            rater = batch.rater(line)
            if rater is None:
                continue
            for index, entry in enumerate(line.fields["reviews"]):
                place = f"reviews[{index}]"
                span = batch.span(spans, line, entry["span"], f"{place}.span")
                if span and may_review(span, rater, line, place, given, batch.problems):
                    try:
                        stored.append(review_row(span, rater, line, entry, place, batch))
                    except Invalid as refused:
                        say_all(refused, line.number, batch.problems)
        insert_rows(Review, STORED_FIELDS, stored)
        batch.counts["reviews"] += len(stored)


def may_review(
    span: SpanFacts, rater: Rater, line: Line, place: str, given: dict[tuple[int, int, int], int], problems: ProblemLog
) -> bool:
    """True for the first review of someone else's span by this rater in this round, which is then noted."""
    key = (span.id, rater.pk, line.fields.get("round") or 1)
    if span.rater_id == rater.pk:
        message = _("%(rater)s marked this span; nobody reviews a span of their own.")
        problems.say(line.number, "own_span", message % {"rater": rater.name}, f"{place}.span")
    elif key in given:
        message = _("The rater has reviewed this span in this round already.")
        problems.say(line.number, "already_there", message, f"{place}.span")
    else:
        given[key] = line.number
        return True
    return False


def review_row(span: SpanFacts, rater: Rater, line: Line, entry: dict, place: str, batch: Batch) -> tuple:
    """The values of STORED_FIELDS for one entry. Raises Invalid with the problems of its corrections."""
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
        entry.get("comment") or "",
        start,
        end,
        quote,
        entry.get("type") or "",
        batch.categories[category].pk if category else None,
        entry.get("criticality") or "",
        entry.get("explanation") or "",
        entry.get("correction") or "",
        batch.now,
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
