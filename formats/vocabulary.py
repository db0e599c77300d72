"""The words that several formats know, each a type that lists its values.

The rooms above have the same as choices of their tables; tests/formats/test_formats.py fails where the two differ.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import orjson

from formats.kinds import INSTANT, MAPPING, SHA256, name, short_text, text, whole

RaterKind = Literal["human", "judge"]
OffsetUnit = Literal["codepoint", "utf16"]
Preference = Literal["", "first", "second", "tie"]
GoldRule = Literal["majority", "mean"]
Split = Literal["train", "validation", "test"]
ErrorType = Literal["cultural", "linguistic", "both", "logical"]
Criticality = Literal["high", "medium", "low"]
AnchorKind = Literal["words", "paragraph", "response"]
Depth = Literal["thin", "thick", "separate"]
ReviewVerdict = Literal["keep", "reject", "differs", "correct"]
Scope = Literal["cultural", "linguistics"]
Objectivity = Literal["objective", "subjective"]
Explicitness = Literal["explicit", "implicit"]
FailureType = Literal[
    "hallucination",
    "omission",
    "cultural-misattribution",
    "ambiguous-framing",
    "irrelevant-addition",
    "rendering-failure",
]
DifficultyOutcome = Literal["perfect", "partial", "failed"]
GradeRole = Literal["reference", "regrade", "calibration", "judge"]
VerdictValue = Literal["pass", "fail", "present", "absent"]

#: An object that nobody looks into; an export passes on what is stored without reading it.
FreeForm = Annotated[dict[str, Any] | orjson.Fragment, MAPPING]
#: A date and time with its offset from UTC.
Moment = Annotated[str | datetime, INSTANT]
Round = Annotated[int, whole(1, 32_767)]
Key = Annotated[str, name(200)]
Tag = Annotated[str, name(35)]
Slug = Annotated[str, name(60)]
Pseudonym = Annotated[str, name(32)]
Text = Annotated[str, text()]
Comment = Annotated[str, short_text(10_000)]
Name = Annotated[str, name(120)]
Short = Annotated[str, name(80)]
Hash = Annotated[str, SHA256]
