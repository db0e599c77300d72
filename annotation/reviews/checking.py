"""Are these reviews well-formed, and are they an answer? No database.

A body is {"reviews": [{"span", "verdict", "first_verdict", "comment", "start", "end", "quote", "type", "category",
"criticality", "explanation", "correction"}]}; all but "span" may be absent, null or empty. Offsets are half-open code
points.
The fields after "comment" hold what the error should have been; they count with the verdict "correct" alone, and
one that is empty or as marked leaves what was marked. "first_verdict" was given before the explanation was shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from annotation.models import AnchorKind, ErrorCategory, ReviewVerdict, Span
from annotation.spans.checking import check_span
from annotation.spans.storing import SpanData
from formats.limits import MAX_COMMENT
from projects.problems import Invalid, Problem
from projects.stored_text import UNSTORABLE
from projects.vocabularies import Vocabularies

CORRECTED_FIELDS = ("start", "end", "quote", "type", "category", "criticality", "explanation", "correction")
FIELDS = ("span", "verdict", "first_verdict", "comment", *CORRECTED_FIELDS)
VERDICTS = frozenset(ReviewVerdict.values)


@dataclass(frozen=True, slots=True)
class ReviewData:
    """One checked review. `corrected` holds the fields that differ from the span, and only those."""

    span: Span
    verdict: str
    comment: str
    corrected: dict
    first_verdict: str = ""


def blank(key: str) -> dict:
    """A review nobody has begun."""
    return {"span": key, "verdict": "", "comment": "", "start": None, "end": None} | dict.fromkeys(
        ("first_verdict", "quote", "type", "category", "criticality", "explanation", "correction"), ""
    )


def check_reviews(
    body: object,
    text: str,
    spans: Mapping[str, Span],
    categories: Mapping[str, ErrorCategory],
    words: Vocabularies,
) -> dict[str, ReviewData]:
    """The reviews by the span's key, decided or not. Raises Invalid with every problem of all of them."""
    if not isinstance(body, Mapping) or set(body) != {"reviews"} or not isinstance(body["reviews"], list):
        raise Invalid(Problem("not_reviews", _("A draft of this work is a list of reviews."), "reviews"))
    checked: dict[str, ReviewData] = {}
    problems: list[Problem] = []
    for raw in body["reviews"]:
        key = raw.get("span") if isinstance(raw, Mapping) else None
        if not isinstance(key, str) or key not in spans:
            problems.append(Problem("unknown_span", _("This span is not among those to be reviewed."), "span"))
        elif key in checked:
            problems.append(Problem("repeated", _("This span is reviewed twice."), "span", span=key))
        else:
            try:
                checked[key] = check_review(raw, text, spans[key], categories, words)
            except Invalid as refused:
                problems += [Problem(each.code, each.message, each.field, span=key) for each in refused.problems]
    if problems:
        raise Invalid(problems)
    return checked


def check_review(
    raw: Mapping[str, object],
    text: str,
    span: Span,
    categories: Mapping[str, ErrorCategory],
    words: Vocabularies,
) -> ReviewData:
    problems = [
        Problem("unknown_field", _("There is no such field."), str(name)[:40]) for name in raw if name not in FIELDS
    ]
    verdict, comment = raw.get("verdict") or "", raw.get("comment") or ""
    first_verdict = raw.get("first_verdict") or ""
    for field, given in (("verdict", verdict), ("first_verdict", first_verdict)):
        if given and (not isinstance(given, str) or given not in VERDICTS):
            problems.append(Problem("unknown", _("Choose one of the verdicts."), field))
    if not isinstance(comment, str):
        problems.append(Problem("not_text", _("This must be text."), "comment"))
    elif len(comment) > MAX_COMMENT:
        message = _("This is longer than %(limit)d characters.") % {"limit": MAX_COMMENT}
        problems.append(Problem("too_long", message, "comment"))
    elif UNSTORABLE.search(comment):
        problems.append(Problem("unstorable", _("This holds a character that cannot be stored."), "comment"))
    corrected: dict = {}
    try:
        corrected = differences(span, check_span(text, as_span(raw), categories, words))
    except Invalid as refused:
        problems += refused.problems
    if problems:
        raise Invalid(problems)
    assert isinstance(verdict, str)
    assert isinstance(comment, str)
    assert isinstance(first_verdict, str)
    kept = corrected if verdict == ReviewVerdict.CORRECT else {}
    return ReviewData(span, verdict, comment.strip(), kept, first_verdict)


def as_span(raw: Mapping[str, object]) -> dict:
    """The corrected fields in the shape that spans are checked in; without new boundaries it needs no place."""
    values = {name: raw.get(name) for name in CORRECTED_FIELDS}
    moved = values["start"] is not None or values["end"] is not None or values["quote"]
    return {"id": "-", "anchor": AnchorKind.WORDS if moved else AnchorKind.RESPONSE, **values}


def differences(span: Span, wanted: SpanData) -> dict:
    """Columns of a review for what is given and is not as marked."""
    changed: dict = {}
    if wanted.start is not None and (wanted.start, wanted.end) != (span.start, span.end):
        changed |= {"start": wanted.start, "end": wanted.end, "quote": wanted.quote}
    for name in ("error_type", "criticality", "explanation", "correction"):
        value = getattr(wanted, name).strip()
        if value and value != getattr(span, name).strip():
            changed[name] = value
    if wanted.category is not None and wanted.category.pk != span.category_id:
        changed["category"] = wanted.category
    return changed


def check_complete(
    reviews: Mapping[str, ReviewData], spans: Mapping[str, Span], *, verdict_first: bool = False
) -> None:
    """Raise Invalid where a span is undecided, or is to be corrected and nothing about it is different; with
    `verdict_first` also where there was no verdict before the explanation was shown."""
    problems = []
    for key in spans:
        review = reviews.get(key)
        if review is None or not review.verdict or (verdict_first and not review.first_verdict):
            problems.append(Problem("required", _("Decide about this error."), "verdict", span=key))
        elif review.verdict == ReviewVerdict.CORRECT and not review.corrected:
            message = _("Change what should be different, or keep the error as it is.")
            problems.append(Problem("nothing_corrected", message, "verdict", span=key))
    if problems:
        raise Invalid(problems)
