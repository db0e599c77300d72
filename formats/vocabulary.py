"""The words that several formats know, each a type that lists its values.

Choices are declared once, for the tables and for the files: in formats/choices.py, or in `projects`.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import orjson

import projects.models
from formats import choices
from formats.kinds import (
    INSTANT,
    MAPPING,
    PROBABILITIES,
    SHA256,
    name,
    one_of,
    short_text,
    slugs_or_text,
    text,
    text_or_messages,
    whole,
)
from formats.limits import MAX_COMMENT, MAX_SLUG, MAX_TEXT
from projects.languages.tags import MAX_TAG

RaterKind = Annotated[str, projects.models.RaterKind]
OffsetUnit = Literal["codepoint", "utf16"]
Preference = Annotated[str, one_of(("", *choices.Preference.values))]
GoldRule = Annotated[str, choices.GoldRule]
Split = Annotated[str, projects.models.Split]
AnchorKind = Annotated[str, choices.AnchorKind]
Depth = Annotated[str, choices.Depth]
ReviewVerdict = Annotated[str, choices.ReviewVerdict]
Scope = Annotated[str, choices.Scope]
Objectivity = Annotated[str, choices.Objectivity]
Explicitness = Annotated[str, choices.Explicitness]
DifficultyOutcome = Annotated[str, choices.DifficultyOutcome]
GradeRole = Annotated[str, choices.GradeRole]
Access = Annotated[str, choices.Access]
ConfigurationKind = Annotated[str, choices.ConfigurationKind]
Standing = Annotated[str, choices.Standing]
VerdictValue = Annotated[str, choices.VerdictValue]

#: An object that nobody looks into; an export passes on what is stored without reading it.
FreeForm = Annotated[dict[str, Any] | orjson.Fragment, MAPPING]
#: A date and time with its offset from UTC.
Moment = Annotated[str | datetime, INSTANT]
Round = Annotated[int, whole(1, 32_767)]
Key = Annotated[str, name(200)]
Tag = Annotated[str, name(MAX_TAG)]
Slug = Annotated[str, name(MAX_SLUG)]
#: Short names of the project's labels (projects/vocabularies.py), which the importers know.
ErrorType = Annotated[str, name(MAX_SLUG)]
Criticality = Annotated[str, name(MAX_SLUG)]
FailureType = Annotated[str, name(MAX_SLUG)]
Pseudonym = Annotated[str, name(32)]
Text = Annotated[str, text(MAX_TEXT)]
#: What was asked: a text, or the messages of a conversation.
PromptText = Annotated[str | list[Any], text_or_messages(MAX_TEXT)]
#: Short names in a list, or in one text with commas between them.
ContentNotes = Annotated[str | list[Any], slugs_or_text(20)]
Comment = Annotated[str, short_text(MAX_COMMENT)]
Name = Annotated[str, name(120)]
Probabilities = Annotated[
    list[float],
    PROBABILITIES,
    "Of a judge that says how sure it is: of a response the chance of every grade of the scale, ascending; of a pair "
    "of a win of the first, a tie and a win of the second. They add up to 1",
]
Short = Annotated[str, name(80)]
Hash = Annotated[str, SHA256]
