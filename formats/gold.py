"""Gold: a response with the final set of its errors, a line. Written by us, and read back to the same bytes.

Required is what our own files have; files of others may leave out what is marked LENIENT.
"""

from itertools import pairwise
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

import orjson
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.format import Format
from formats.kinds import MAPPING, Fault, Kind, name_or_nothing, short_text, text, whole
from formats.limits import MAX_PARTS
from formats.problems import ProblemLog
from formats.records import LENIENT, Entries, Rule, ruled
from formats.rules import empty, given, published, same_hash
from formats.vocabulary import (
    AnchorKind,
    Comment,
    Criticality,
    Depth,
    ErrorType,
    FreeForm,
    Hash,
    Key,
    Name,
    RaterKind,
    Slug,
    Tag,
    Text,
)
from projects.anchors import check_anchor, paragraphs, to_utf16
from projects.problems import Invalid

VERSION: Final = "mizan.gold/1"
MAX_KEY = 64
RATER_KINDS = ("human", "judge")

Offset = Annotated[int, whole(0)]
Unsure = Annotated[
    int,
    whole(0),
    LENIENT,
    "People who said here that they were unsure of their answer about it; left out where there were none. Not taken in "
    "when a file is imported: whose doubt it was is not in it",
]
# Task and domain, which the export writes as "" where there is none.
ShortOrNothing = Annotated[str, name_or_nothing(80), LENIENT]


def check_kinds_of_raters(value: object) -> Fault | None:
    if type(value) is list and set(map(str, value)) <= set(RATER_KINDS) and len(set(value)) == len(value):
        return None
    return "not_a_choice", _("A list of “human” and “judge” is expected, each once at most.")


KINDS_OF_RATERS = Kind(
    check_kinds_of_raters, {"type": "array", "uniqueItems": True, "items": {"enum": list(RATER_KINDS)}}
)
PSEUDONYMS = {"type": "array", "items": {"type": "string"}}
# What our own export says of it, free in files of others; nobody looks into it when a file is read.
PROVENANCE = {
    "type": "object",
    "properties": {
        "spans": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "rater", "kind", "votes", "needed"],
                "properties": {
                    "id": {"type": "string"},
                    "rater": {"type": "string", "description": "Pseudonym"},
                    "kind": {"enum": list(RATER_KINDS)},
                    "model": {"type": "string"},
                    "laboratory": {"type": ["string", "null"]},
                    "simulated": {
                        "type": "boolean",
                        "description": "Made by a program that imitates a judge, for demonstration",
                    },
                    "votes": {
                        "type": "object",
                        "additionalProperties": {"type": "integer", "minimum": 0},
                        "description": "Verdicts of people on this span",
                    },
                    "needed": {"type": "integer", "minimum": 1, "description": "Verdicts the policy waits for"},
                },
            },
        },
        "policy": {"enum": ["unanimous", "majority", "any"]},
        "corrected_by": PSEUDONYMS,
        "adjudicated_by": PSEUDONYMS,
        "classified_by": PSEUDONYMS,
        "refined_by": PSEUDONYMS,
        "accepted_unseen": {
            "type": "object",
            "additionalProperties": {"type": "integer", "minimum": 1},
            "description": "Parts of the error (category, group, refinement) that nobody looked at one by one: the "
            "number of the sample after which the rest of what a judge proposed was accepted",
        },
    },
}


class Part(TypedDict):
    """Words elsewhere in the response that are the same error"""

    start: Annotated[Offset, "As of an error on words"]
    end: Offset
    start_utf16: Annotated[Offset | None, LENIENT]
    end_utf16: Annotated[Offset | None, LENIENT]
    quote: Annotated[str, short_text(), LENIENT]


class Error(TypedDict):
    id: Annotated[str, text(MAX_KEY), "Unique in its response"]
    anchor: Annotated[AnchorKind, "Words that are wrong, or what something is missing from"]
    start: Annotated[Offset | None, "Code points, half-open"]
    end: Offset | None
    start_utf16: Annotated[Offset | None, "The same place in UTF-16 code units"]
    end_utf16: Offset | None
    quote: Annotated[str, short_text(), LENIENT, "response[start:end]; empty where something is missing"]
    paragraph: Annotated[Offset | None, "Number of the non-empty line that something is missing from, counted from 0"]
    type: ErrorType | None
    category: Slug | None
    depth: Annotated[Depth | None, "Class of the category"]
    criticality: Criticality | None
    explanation: Annotated[Comment, LENIENT]
    correction: Annotated[Comment, LENIENT]
    varies_by_region: Annotated[bool, LENIENT]
    found_by: Annotated[list[RaterKind], KINDS_OF_RATERS, LENIENT]
    provenance: Annotated[
        dict[str, Any] | orjson.Fragment,
        Kind(MAPPING.check, PROVENANCE),
        LENIENT,
        "Who found and validated it, by pseudonym, and under which policy; free in files of others",
    ]
    more: NotRequired[
        Annotated[
            list[Part] | None,
            Entries(
                most=MAX_PARTS - 1,
                too_many=gettext_lazy("There can be %(limit)d further parts at most; these are %(count)d."),
            ),
            "Further parts of an error that lies in several places; they neither overlap nor touch one another",
        ]
    ]


def check_place(error: dict, within: tuple[dict, ...], line: int, problems: ProblemLog, place: str) -> None:
    """The words stand there, the paragraph is there, and both kinds of offsets mean the same place."""
    response = within[0]["response"]
    if error["anchor"] == "paragraph" and error["paragraph"] >= len(paragraphs(response)):
        problems.say(line, "past_end", _("There is no such paragraph."), f"{place}paragraph")
    if error["anchor"] != "words":
        return
    further = error.get("more") or []
    stand = [check_words(response, error, line, problems, place)]
    stand += [check_words(response, part, line, problems, f"{place}more[{at}].") for at, part in enumerate(further)]
    parts = sorted((part["start"], part["end"]) for part in (error, *further)) if all(stand) else []
    if any(after[0] <= before[1] for before, after in pairwise(parts)):
        message = _("Parts of one mark may neither overlap nor touch one another.")
        problems.say(line, "overlapping", message, f"{place}more")


def check_words(response: str, part: dict, line: int, problems: ProblemLog, place: str) -> bool:
    """Whether they stand there, by both kinds of offsets."""
    before = problems.total
    try:
        check_anchor(response, part.get("start"), part.get("end"), part.get("quote"))
    except Invalid as refused:
        for problem in refused.problems:
            problems.say(line, problem.code, problem.message, place + problem.field)
        return False
    for field in ("start", "end"):
        units = part.get(f"{field}_utf16")
        if units is not None and units != to_utf16(response, part[field]):
            message = _("The offset in UTF-16 units is another place than the one in code points.")
            problems.say(line, "offsets_differ", message, f"{place}{field}_utf16")
    return problems.total == before


def on_words(**keywords: Any) -> Rule:
    """Published of our own errors on words; a reader compares them with the text."""
    condition = {"properties": {"anchor": {"const": "words"}}, "required": ["anchor"]}
    return published({"if": condition, "then": {"properties": keywords}})


OF_WORDS = ("start", "end", "start_utf16", "end_utf16", "quote")
ruled(
    Error,
    empty(
        ("more",),
        "not_with_anchor",
        gettext_lazy("Something that is missing has no words to point at."),
        where="anchor",
        has=("paragraph", "response"),
    ),
    empty(
        OF_WORDS,
        "not_with_anchor",
        gettext_lazy("Something that is missing has no words to point at."),
        where="anchor",
        has=("paragraph", "response"),
        or_false=True,
    ),
    empty(
        ("paragraph",),
        "not_with_anchor",
        gettext_lazy("An error on words names no paragraph."),
        where="anchor",
        has=("words",),
    ),
    empty(
        ("paragraph",),
        "not_with_anchor",
        gettext_lazy("This is anchored to the response as a whole."),
        where="anchor",
        has=("response",),
    ),
    given("paragraph", where="anchor", has=("paragraph",)),
    on_words(
        start={"type": "integer"},
        end={"type": "integer", "minimum": 1},
        start_utf16={"type": "integer"},
        end_utf16={"type": "integer", "minimum": 1},
        quote={"minLength": 1},
    ),
)


class GoldLine(TypedDict):
    format: Literal["mizan.gold/1"]
    id: Annotated[Key, "Key of the response in its project"]
    prompt_id: Annotated[Key, LENIENT]
    prompt: Text
    prompt_sha256: Annotated[Hash, LENIENT, "Of the prompt's UTF-8 bytes"]
    prompt_variety: Annotated[Tag, LENIENT, "Language variety of the prompt; BCP 47"]
    variety: Annotated[Tag, "Language variety of the response; BCP 47"]
    model: Key
    laboratory: Name
    response: Annotated[Text, "The text exactly as judged, never normalised"]
    response_sha256: Annotated[Hash, LENIENT, "Of the response's UTF-8 bytes"]
    task: ShortOrNothing
    domain: ShortOrNothing
    metadata: Annotated[FreeForm, LENIENT, "As imported with the response, keys sorted"]
    unsettled: Annotated[
        int, whole(0), LENIENT, "Marked spans that still await verdicts or an expert; with 0 the set of errors is final"
    ]
    unsure: NotRequired[Unsure]
    errors: Annotated[
        list[Error],
        Entries(unique="id", twice=gettext_lazy("This id stands twice in the line."), with_line=check_place),
    ]


# The short name of a laboratory, and tags of two letters at least.
WRITTEN = {
    "properties": {"laboratory": {"maxLength": 60}, "prompt_variety": {"minLength": 2}, "variety": {"minLength": 2}}
}
ruled(GoldLine, same_hash("prompt"), same_hash("response"), published(WRITTEN))

FORMAT = Format(
    name="gold",
    version=VERSION,
    title="A line of a gold file: one response and the final set of its errors",
    records={"": GoldLine},
    is_named=True,
    example='{"format": "mizan.gold/1", "id": "eg-1", "prompt_id": "p-1", "prompt": "إزاي أعمل كشري؟", '
    '"prompt_sha256": "a795b1bc66c5446275dd53c6d3bedf2a6b31a231755cf50b3d4312bc8b56f24f", "prompt_variety": '
    '"ar-EG", "variety": "ar-EG", "model": "Nile-7B", "laboratory": "delta-lab", "response": "الكشري أكلة '
    'مصرية.", "response_sha256": "d70d391c56e4cb3b16bbfd7e4c1c506a03e17912d9a4c01bfdc068fd43ca15f8", "task": '
    '"", "domain": "", "metadata": {}, "unsettled": 0, "errors": [{"id": "eg-1-1", "anchor": "words", '
    '"start": 12, "end": 17, "start_utf16": 12, "end_utf16": 17, "quote": "مصرية", "paragraph": null, "type": '
    '"cultural", "category": null, "depth": null, "criticality": "low", "explanation": "…", "correction": "", '
    '"varies_by_region": false, "found_by": ["human"], "provenance": {}}]}',
)
