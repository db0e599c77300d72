"""Answers of raters who worked elsewhere: what one rater said of one response, or of a pair of responses, a line."""

from typing import Annotated, Literal, NotRequired, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats import choices
from formats.format import EVERY_FILE, Format
from formats.kinds import Fault, Kind, name, number_within, one_of, short_text, text, whole
from formats.limits import MAX_KEY, MAX_PARTS, MAX_PENALTY, MAX_SLUG, MAX_SPANS
from formats.problems import ProblemLog
from formats.records import Entries, Rule, ruled
from formats.rules import empty, exactly_one
from formats.vocabulary import (
    Comment,
    Criticality,
    ErrorType,
    FreeForm,
    Key,
    Name,
    OffsetUnit,
    Preference,
    Probabilities,
    RaterKind,
    Round,
    Slug,
)

SpanKey = Annotated[str, name(MAX_KEY)]
Offset = Annotated[int, whole(0)]


class AboutResponse(TypedDict):
    """What a line is about."""

    item: Annotated[Key, "Key of a response of the project"]
    metadata: NotRequired[
        Annotated[
            FreeForm | None,
            "Kept with the answer on lines of spans and of ratings; on the others a note to whoever reads the file",
        ]
    ]


class Rater(TypedDict):
    """Who answered, where the line may leave open whether that is a person."""

    rater: Annotated[
        Name, "A person's name, or a judge's. Where a member of the project has the name, the answers are that member's"
    ]
    model: NotRequired[Annotated[Key | None, "Of a judge: as its provider names it. Needed on the judge's first line"]]
    laboratory: NotRequired[
        Annotated[
            Name | None,
            "Of a judge: who stands behind the model. Figures leave out what it says of its own laboratory's responses",
        ]
    ]
    simulated: NotRequired[Annotated[bool | None, "Of a judge: a simulation, said wherever its results appear"]]


class KnownRater(Rater):
    """Who answered: a person or a judge."""

    rater_kind: RaterKind


# --- Spans --------------------------------------------------------------------------------------------


class SpanPart(TypedDict):
    """Words elsewhere in the text that are the same error"""

    start: NotRequired[Annotated[Offset | None, "As of a span"]]
    end: NotRequired[Offset | None]
    quote: NotRequired[Annotated[str | None, short_text()]]
    occurrence: NotRequired[Annotated[int | None, whole(1)]]


class Span(TypedDict):
    # Checked with the response's text, by the path that people and judges take (annotation/spans/checking.py).
    id: Annotated[
        str,
        Kind(short_text(MAX_KEY).check, {"type": "string", "minLength": 1, "maxLength": MAX_KEY}),
        "Unique in its response",
    ]
    anchor: NotRequired[
        Annotated[
            str | None,
            one_of((*choices.AnchorKind.values, "")),
            "words where it is left out. An omission is anchored to a paragraph or to the response, without offsets "
            "and quote",
        ]
    ]
    start: NotRequired[Annotated[Offset | None, "Offsets, or a quote that occurs once, or a quote with its occurrence"]]
    end: NotRequired[Offset | None]
    quote: NotRequired[Annotated[str | None, short_text(), "The marked words; with offsets they must stand there"]]
    occurrence: NotRequired[Annotated[int | None, whole(1), "Which occurrence of the quote, counted from 1"]]
    paragraph: NotRequired[Annotated[Offset | None, "Number of the non-empty line, counted from 0"]]
    type: NotRequired[Annotated[str | None, short_text(MAX_SLUG), "One of the project's types of error"]]
    category: NotRequired[Annotated[str | None, short_text(), "Short name of one of the project's categories"]]
    criticality: NotRequired[Annotated[str | None, short_text(MAX_SLUG), "One of the project's words for it"]]
    explanation: NotRequired[Comment | None]
    correction: NotRequired[Comment | None]
    origin: NotRequired[
        Annotated[
            str | None, short_text(MAX_KEY), "Id of the rater's span that this one repeats on the same words elsewhere"
        ]
    ]
    more: NotRequired[
        Annotated[
            list[SpanPart] | None,
            Entries(most=MAX_PARTS - 1, checked_later=True),
            "Further parts of an error that lies in several places; they neither overlap nor touch one another",
        ]
    ]
    penalty: NotRequired[
        Annotated[
            float | None,
            number_within(-MAX_PENALTY, MAX_PENALTY),
            "Points of this error where the rater's scheme weighs errors itself",
        ]
    ]
    metadata: NotRequired[FreeForm | None]


class Spans(AboutResponse, KnownRater):
    """All errors one rater marked in one response"""

    kind: Literal["spans"]
    round: NotRequired[Annotated[Round | None, "1 where it is left out; a judge's replicate"]]
    no_errors: NotRequired[Annotated[bool | None, "The explicit answer that there are none; then spans is empty"]]
    offset_unit: NotRequired[Annotated[OffsetUnit | None, "What start and end count; code points where it is left out"]]
    spans: Annotated[list[Span], Entries(most=MAX_SPANS, checked_later=True)]


def check_spans(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    spans, no_errors = record["spans"], bool(record.get("no_errors"))
    if no_errors and spans:
        message = _("There are spans, so the answer cannot also be that there are no errors.")
        problems.say(line, "contradiction", message, f"{prefix}no_errors")
    elif not no_errors and not spans:
        message = _('There are no spans. Where the rater found no errors, say so with "no_errors": true.')
        problems.say(line, "nothing", message, f"{prefix}spans")
    elif len(spans) > MAX_SPANS:
        message = _("One answer can carry %(limit)d spans at most; these are %(count)d.")
        problems.say(line, "too_many", message % {"limit": MAX_SPANS, "count": len(spans)}, f"{prefix}spans")


ruled(Spans, Rule(check_spans))


# --- Reviews ------------------------------------------------------------------------------------------


class Review(TypedDict):
    """Only the verdict correct carries corrections; it keeps the span with the corrected fields"""

    span: Annotated[SpanKey, "Id of the span"]
    verdict: Literal["keep", "reject", "differs", "correct"]
    first_verdict: NotRequired[
        Annotated[
            Literal["keep", "reject", "differs", "correct"] | None,
            "Given before the explanation was shown; left out where nobody was asked for one",
        ]
    ]
    comment: NotRequired[Comment | None]
    start: NotRequired[Offset | None]
    end: NotRequired[Offset | None]
    quote: NotRequired[Annotated[str | None, text()]]
    occurrence: NotRequired[Annotated[int | None, whole(1)]]
    type: NotRequired[ErrorType | None]
    category: NotRequired[Slug | None]
    criticality: NotRequired[Criticality | None]
    explanation: NotRequired[Comment | None]
    correction: NotRequired[Comment | None]


BOUNDARIES = ("start", "end", "quote", "occurrence")
CORRECTIONS = (*BOUNDARIES, "type", "category", "criticality", "explanation", "correction")
ruled(
    Review,
    empty(
        CORRECTIONS,
        "not_with_verdict",
        gettext_lazy("Only the verdict “correct” carries corrections."),
        where="verdict",
        has=("keep", "reject", "differs"),
    ),
)


class Reviews(AboutResponse, KnownRater):
    """What one rater says of spans that others marked in one response"""

    kind: Literal["reviews"]
    round: NotRequired[Annotated[Round | None, "1 where it is left out; a judge's replicate"]]
    offset_unit: NotRequired[Annotated[OffsetUnit | None, "What start and end count; code points where it is left out"]]
    reviews: list[Review]


# --- Groups and classifications -----------------------------------------------------------------------


def check_lists_of_ids(value: object) -> Fault | None:
    if type(value) is not list:
        return "not_list", _("A JSON list in brackets is expected.")
    if any(type(group) is not list or any(type(key) is not str for key in group) for group in value):
        return "not_list", _("Each group is a list of span ids.")
    return None


GROUP = {"type": "array", "minItems": 2, "uniqueItems": True, "items": {"type": "string"}}


class Groups(AboutResponse):
    """Spans that point at one and the same issue; no span in two groups"""

    kind: Literal["groups"]
    groups: Annotated[list[list[str]], Kind(check_lists_of_ids, {"type": "array", "items": GROUP})]


def check_groups(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    seen: set[str] = set()
    for index, keys in enumerate(record["groups"]):
        place = f"{prefix}groups[{index}]"
        if len(keys) < 2:
            problems.say(line, "too_few", _("A group holds two spans at least."), place)
        for key in keys:
            if key in seen:
                message = _("The span “%(id)s” stands in two groups, or twice in one.")
                problems.say(line, "repeated", message % {"id": key[:80]}, place)
            seen.add(key)


ruled(Groups, Rule(check_groups))


class Classification(TypedDict):
    span: SpanKey
    category: Annotated[Slug, "Short name of one of the project's categories"]


class Classifications(AboutResponse, Rater):
    """The categories one coder gave to spans"""

    kind: Literal["classifications"]
    rater_kind: NotRequired[RaterKind | None]
    classifications: list[Classification]


# --- Ratings ------------------------------------------------------------------------------------------


class Ratings(KnownRater):
    """What one rater said of a response, or of two side by side, on one question type. That grades lie on its scale is
    checked on import"""

    kind: Literal["ratings"]
    item: NotRequired[Annotated[Key | None, "Key of a response of the project. Either this or pair"]]
    pair: NotRequired[Annotated[Key | None, "Key of a pair of the project. Either this or item"]]
    metadata: NotRequired[Annotated[FreeForm | None, "Kept with the rating"]]
    expert: NotRequired[
        Annotated[bool | None, "Of a person: makes the rater an expert of the project. Their grades are the gold"]
    ]
    round: NotRequired[Annotated[Round | None, "1 where it is left out; a judge's replicate"]]
    question: NotRequired[
        Annotated[
            Slug | None,
            "Short name of the question type. May be left out where the prompt names one or the project has but one",
        ]
    ]
    grade: NotRequired[
        Annotated[
            float | None,
            "Of a single response: on the question's scale, whole for people; a judge's may be a fraction",
        ]
    ]
    first: NotRequired[Annotated[float | None, "Grade of the pair's first response, whichever was shown first"]]
    second: NotRequired[Annotated[float | None, "Grade of the pair's second response"]]
    preference: NotRequired[Annotated[Preference | None, "What the rater said outright"]]
    swapped: NotRequired[Annotated[bool | None, "The pair's second response was shown first"]]
    both_orders: NotRequired[
        Annotated[bool | None, "Of a judge asked in both orders: two lines of one round, one of them swapped"]
    ]
    unparseable: NotRequired[
        Annotated[bool | None, "Of a judge whose verdict could not be read: no grades and no preference"]
    ]
    comment: NotRequired[Comment | None]
    probabilities: NotRequired[Probabilities | None]


MISPLACED = gettext_lazy("Ratings of a single response have a “grade”, those of a pair “first” and “second”.")
OF_PAIR = ("first", "second", "preference", "swapped", "both_orders")
ruled(
    Ratings,
    exactly_one(
        "item", "pair", gettext_lazy("A rating is about one response (“item”) or about a pair of them (“pair”).")
    ),
    empty(OF_PAIR, "not_with_subject", MISPLACED, where="pair", has=(None,), or_false=True),
    empty(("grade",), "not_with_subject", MISPLACED, where="item", has=(None,), or_false=True),
    empty(
        ("both_orders", "unparseable", "probabilities"),
        "judge_field",
        gettext_lazy("Only a judge has this field; this rater is a person."),
        where="rater_kind",
        has=("human",),
        or_false=True,
    ),
    empty(
        ("expert",),
        "not_a_person",
        gettext_lazy("Only a person is an expert."),
        where="rater_kind",
        has=("judge",),
        or_false=True,
    ),
)

FORMAT = Format(
    name="answer",
    version="mizan.answer/1",
    title="A line of an answers file: what one rater said of one response or of a pair of responses",
    description=f"{EVERY_FILE} Offsets are half-open. What a line says of other rows (that the item exists, that a "
    "quote stands at its offsets, that nobody reviews an own span) is checked on import and stands in docs/import.md.",
    records={
        "spans": Spans,
        "reviews": Reviews,
        "groups": Groups,
        "classifications": Classifications,
        "ratings": Ratings,
    },
    example='{"kind": "spans", "item": "eg-1", "rater": "Mona Adel", "rater_kind": "human", "spans": [{"id": "eg-1-1", '
    '"quote": "مصرية", "type": "cultural", "criticality": "low", "explanation": "…"}]}',
)
