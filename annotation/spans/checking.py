"""Is this a span, and is this set of spans an answer? One path for people, judges and imports; no database.

A raw span is a mapping of plain JSON values:

    {"id", "anchor": "words"|"paragraph"|"response", "start", "end", "quote", "occurrence", "paragraph",
     "type", "category", "criticality", "explanation", "correction", "origin", "penalty", "metadata",
     "more": [{"start", "end", "quote", "occurrence"}]}

`start` and `end` are half-open code-point offsets. `origin` is the id of the mark that this one repeats on the same
words elsewhere in the text; that mark may have been taken back since. `more` holds further parts of the same error;
whichever order they are named in, the first in the text becomes the span's own words and the others follow it. All but
`id` may be absent, null or empty where the anchor does not need them; what an answer needs beyond that is asked by
`check_answer`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import orjson
from django.utils.translation import gettext as _

from annotation.models import AnchorKind
from annotation.spans.parts import Part
from annotation.spans.places import Findings, omission_of, parts_of
from annotation.spans.rules import DEFAULT, broken
from annotation.spans.storing import SpanData
from formats.limits import MAX_COMMENT, MAX_KEY, MAX_PENALTY, MAX_SPANS
from projects.problems import Invalid, Problem
from projects.stored_text import text_fault
from projects.vocabularies import Vocabularies, Words

if TYPE_CHECKING:
    from annotation.models import ErrorCategory

MAX_METADATA_BYTES = 20_000

MARKED_FIELDS = (
    "id",
    "anchor",
    "start",
    "end",
    "quote",
    "paragraph",
    "type",
    "criticality",
    "category",
    "explanation",
    "correction",
    "origin",
    "more",
)
# What the screen never sends: an import names an occurrence, a penalty scheme and what else it knows.
HANDED_IN_FIELDS = frozenset({*MARKED_FIELDS, "occurrence", "penalty", "metadata"})
ANCHORS = frozenset(AnchorKind.values)


def _text(raw: Mapping[str, Any], field: str, findings: Findings, limit: int = MAX_COMMENT) -> str:
    value = raw.get(field)
    if value is None:
        return ""
    if fault := text_fault(value, limit):
        findings.add(*fault, field)
        return ""
    return str(value)


def _choice(raw: Mapping[str, Any], field: str, known: Iterable[str], findings: Findings) -> str:
    value = _text(raw, field, findings)
    if value and value not in known:
        message = _("“%(value)s” is not one of the choices.")
        findings.add("unknown", message % {"value": value[:40]}, field)
        return ""
    return value


def _word(raw: Mapping[str, Any], field: str, known: Words, findings: Findings) -> str:
    value = _text(raw, field, findings)
    if value and value not in known:
        findings.add("unknown", known.refusal(), field)
        return ""
    return value


def _key(raw: Mapping[str, Any], findings: Findings) -> str:
    value = raw.get("id")
    if type(value) is not str or not value:
        findings.add("required", _("Each span needs an id of its own."), "id")
        return ""
    key = _text(raw, "id", findings, MAX_KEY)
    findings.key = key or None
    return key


def _penalty(raw: Mapping[str, Any], findings: Findings) -> float | None:
    value = raw.get("penalty")
    if value is None:
        return None
    if type(value) not in (int, float) or not -MAX_PENALTY <= value <= MAX_PENALTY:  # NaN is within no bounds
        findings.add("not_a_number", _("A penalty must be a number."), "penalty")
        return None
    return float(value)


def _metadata(raw: Mapping[str, Any], findings: Findings) -> dict:
    value = raw.get("metadata")
    if value is None:
        return {}
    if not isinstance(value, dict):
        findings.add("not_an_object", _("Metadata must be an object."), "metadata")
        return {}
    if value:
        try:
            encoded = orjson.dumps(value)
        except (TypeError, ValueError):
            findings.add("unstorable", _("This holds something that cannot be stored."), "metadata")
            return {}
        if len(encoded) > MAX_METADATA_BYTES or b"\\u0000" in encoded:
            findings.add("unstorable", _("This is too large, or holds a null character."), "metadata")
            return {}
    return value


def _origin(raw: Mapping[str, Any], anchor: str, key: str, findings: Findings) -> str:
    origin = _text(raw, "origin", findings, MAX_KEY)
    if origin and anchor != AnchorKind.WORDS:
        findings.add("not_with_anchor", _("Something that is missing has no words to point at."), "origin")
    if origin and origin == key:
        findings.add("itself", _("A mark cannot repeat itself."), "origin")
    return origin


def check_span(
    text: str,
    raw: object,
    categories: Mapping[str, "ErrorCategory"],
    words: Vocabularies,
    where: str = "",
    fields: Iterable[str] = HANDED_IN_FIELDS,
) -> SpanData:
    """The span as it may be stored: anchored in `text`, every value known or empty.

    `categories` holds the project's categories by slug, `words` its labels. `where` is put before the field's name in
    each problem (for example "spans[3]"). Keys other than `fields` are refused.
    Raises Invalid with every problem found, each naming the field and the span's id.
    """
    findings = Findings(where)
    if not isinstance(raw, Mapping):
        findings.add("not_an_object", _("A span must be an object."))
        raise Invalid(findings.problems)
    key = _key(raw, findings)
    for field in raw:
        if field not in fields:
            findings.add("unknown_field", _("There is no such field."), str(field)[:40])
    anchor = _choice(raw, "anchor", ANCHORS, findings) or AnchorKind.WORDS.value
    start: int | None = None
    end: int | None = None
    paragraph: int | None = None
    quote = ""
    more: tuple[Part, ...] = ()
    if anchor == AnchorKind.WORDS:
        if parts := parts_of(text, raw, findings, fields):
            (start, end, quote), more = parts[0], tuple(parts[1:])
        if raw.get("paragraph") is not None:
            findings.add("not_with_anchor", _("A span on words names no paragraph."), "paragraph")
    else:
        paragraph = omission_of(text, anchor, raw, findings)
    category = _choice(raw, "category", categories, findings)
    span = SpanData(
        key=key,
        anchor=anchor,
        start=start,
        end=end,
        quote=quote,
        paragraph=paragraph,
        error_type=_word(raw, "type", words.error_types, findings),
        category=categories[category] if category else None,
        criticality=_word(raw, "criticality", words.criticality, findings),
        explanation=_text(raw, "explanation", findings),
        correction=_text(raw, "correction", findings),
        penalty=_penalty(raw, findings),
        metadata=_metadata(raw, findings),
        origin=_origin(raw, anchor, key, findings),
        more=more,
    )
    if findings.problems:
        raise Invalid(findings.problems)
    return span


def check_spans(
    text: str,
    raws: object,
    categories: Mapping[str, "ErrorCategory"],
    words: Vocabularies,
    fields: Iterable[str] = HANDED_IN_FIELDS,
) -> list[SpanData]:
    """Every span of one marking. Raises Invalid with the problems of all of them, two of one id among them."""
    if not isinstance(raws, Sequence) or isinstance(raws, str):
        raise Invalid(Problem("not_a_list", _("The spans must be a list."), "spans"))
    if len(raws) > MAX_SPANS:
        message = _("One response can carry %(limit)d spans at most; these are %(count)d.")
        raise Invalid(Problem("too_many", message % {"limit": MAX_SPANS, "count": len(raws)}, "spans"))
    spans: list[SpanData] = []
    problems: list[Problem] = []
    keys: set[str] = set()
    for index, raw in enumerate(raws):
        try:
            span = check_span(text, raw, categories, words, "", fields)
        except Invalid as refused:
            problems += [
                problem if problem.span else Problem(problem.code, problem.message, f"spans[{index}].{problem.field}")
                for problem in refused.problems
            ]
            continue
        if span.key in keys:
            problems.append(Problem("repeated", _("Two spans have the same id."), "id", span=span.key))
        keys.add(span.key)
        spans.append(span)
    if problems:
        raise Invalid(problems)
    return spans


def _mark(span: SpanData) -> tuple:
    category = span.category.slug if span.category else ""
    place = (span.anchor, span.start, span.end, span.more, span.paragraph)
    return (*place, span.error_type, category, span.explanation.strip())


def check_complete(
    spans: Sequence[SpanData],
    no_errors: bool,
    words: Vocabularies,
    offered: Sequence["ErrorCategory"] = (),
    rules: Sequence[Mapping[str, Any]] = DEFAULT,
) -> None:
    """Raise Invalid where these spans are not yet a person's answer: something is missing, twice or contradicted.

    A type and a criticality are asked for where the project has words for them. `offered` holds the categories to
    choose from, none where the project does not ask for one. A span needs one where any of them fits its type; the
    screen asks by the same rule (static/src/spans/form.js). Beside that the blocking ones of the stage's `rules` hold.
    """
    against: dict[str | None, list[Problem]] = {}
    for each in broken(rules, [as_raw(span) for span in spans]):
        if not each.warns:
            against.setdefault(each.span, []).append(each.problem)

    def has_choice(span: SpanData) -> bool:
        return any(category.fits(span.error_type, words.error_types) for category in offered)

    problems = []
    required = {
        "type": (lambda span: span.error_type or not words.error_types, _("Choose the type of error.")),
        "criticality": (lambda span: span.criticality or not words.criticality, _("Choose how critical it is.")),
        "category": (lambda span: span.category or not has_choice(span), _("Choose a category.")),
    }
    seen: set[tuple] = set()
    for span in spans:
        problems += [
            Problem("required", message, field, span=span.key)
            for field, (value_of, message) in required.items()
            if not value_of(span)
        ]
        named = {problem.field for problem in problems if problem.span == span.key}
        problems += [problem for problem in against.get(span.key, ()) if problem.field not in named]
        if _mark(span) in seen:
            message = _("This repeats another mark on the same words. Change or delete one of them.")
            problems.append(Problem("repeated", message, "explanation", span=span.key))
        seen.add(_mark(span))
    if no_errors and spans:
        message = _("There are marks, so the answer cannot also be that there are no errors.")
        problems.append(Problem("contradiction", message, "no_errors"))
    if not no_errors and not spans:
        problems.append(Problem("nothing", _("Mark at least one error, or say that there are none."), "spans"))
    problems += against.get(None, ())
    if problems:
        raise Invalid(problems)


def as_raw(span: SpanData) -> dict:
    """The span as the screen reads and writes it; only one that repeats another names its origin, only one of several
    parts the further ones."""
    raw: dict[str, Any] = {
        "id": span.key,
        "anchor": span.anchor,
        "start": span.start,
        "end": span.end,
        "quote": span.quote,
        "paragraph": span.paragraph,
        "type": span.error_type,
        "criticality": span.criticality,
        "category": span.category.slug if span.category else "",
        "explanation": span.explanation,
        "correction": span.correction,
    }
    if span.origin:
        raw["origin"] = span.origin
    if span.more:
        raw["more"] = [part.raw for part in span.more]
    return raw
