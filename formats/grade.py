"""Grades: what one rater said of one response under its rubric, one grade a line."""

from typing import Annotated, NotRequired, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.format import EVERY_FILE, Format
from formats.kinds import MAPPING, Fault, Kind, name, short_text, text, whole
from formats.limits import MAX_COMMENT, MAX_ERRORS, MAX_WEIGHT
from formats.problems import ProblemLog
from formats.records import Entries, Rule, ruled
from formats.rubric import CriterionKey, Version, not_in_future
from formats.vocabulary import (
    Comment,
    Explicitness,
    FailureType,
    FreeForm,
    GradeRole,
    Key,
    Moment,
    Name,
    Objectivity,
    OffsetUnit,
    RaterKind,
    Round,
    Tag,
    VerdictValue,
)

# Of a verdict: what a judge can be told to write at most is far below.
MAX_JUSTIFICATION = 20_000
# Where the grade of an imported judge keeps the version of the prompt it was asked by, among its metadata.
PROMPT_VERSION = "prompt_version"

Justification = Annotated[str, short_text(MAX_JUSTIFICATION)]
ErrorText = Annotated[str, text(MAX_COMMENT)]
ErrorWeight = Annotated[int, whole(-MAX_WEIGHT, -1)]
Offset = Annotated[int, whole(0)]
PROMPT_VERSION_NAME = name(120)
TAG = name(35)


class Verdict(TypedDict):
    criterion: CriterionKey
    value: Annotated[VerdictValue, "pass or fail of a positive criterion, present or absent of a negative one"]
    justification: NotRequired[Justification | None]


class Negative(TypedDict):
    """An error the grader found: present by their word"""

    key: CriterionKey
    text: ErrorText
    weight: Annotated[ErrorWeight, "Points taken for the error"]
    failure_type: NotRequired[Annotated[FailureType | None, "Needed where the project has types of failure"]]
    objectivity: Objectivity
    explicitness: Explicitness
    start: NotRequired[Annotated[Offset | None, "Half-open"]]
    end: NotRequired[Offset | None]
    quote: NotRequired[Annotated[str | None, short_text(), "The words it points at; an omission points at none"]]
    occurrence: NotRequired[
        Annotated[int | None, whole(1), "Which one, where a quote without offsets stands several times"]
    ]
    justification: NotRequired[Justification | None]


def check_tags(value: object) -> Fault | None:
    """A list of language varieties, each once."""
    if type(value) is list and value and all(TAG.check(tag) is None for tag in value) and len(set(value)) == len(value):
        return None
    return "not_tags", _("A list of language varieties is expected, such as [“ar-IQ”], each once.")


TAGS = Kind(check_tags, {"type": "array", "minItems": 1, "uniqueItems": True, "items": dict(TAG.keywords)})


def check_metadata(value: object) -> Fault | None:
    """An object; where it says with which prompt a judge was asked, that is a name, as the gold export has it."""
    if fault := MAPPING.check(value):
        return fault
    assert isinstance(value, dict)
    version = value.get(PROMPT_VERSION)
    if version is not None and (fault := PROMPT_VERSION_NAME.check(version)):
        return fault[0], f"{PROMPT_VERSION}: {fault[1]}"
    return None


ASKED_BY = {
    **PROMPT_VERSION_NAME.schema(is_nullable=True),
    "description": "The version of the prompt that a judge was asked by",
}
METADATA = Kind(check_metadata, {"type": "object", "properties": {PROMPT_VERSION: ASKED_BY}})
VERDICTS = Entries(unique="criterion")
NEGATIVES = Entries(
    most=MAX_ERRORS,
    too_many=gettext_lazy("A grade can add %(limit)d errors at most; these are %(count)d."),
    unique="key",
)


class Grade(TypedDict):
    item: Annotated[Key, "Key of a response of the project"]
    rater: Annotated[
        Name, "A person's name, or a judge's. Where a member of the project has the name, the grade is that member's"
    ]
    rater_kind: RaterKind
    model: NotRequired[Annotated[Key | None, "Of a judge; needed on its first line"]]
    laboratory: NotRequired[Annotated[Name | None, "Behind a judge's model; needed on its first line"]]
    simulated: NotRequired[bool | None]
    varieties: NotRequired[Annotated[list[Tag] | None, TAGS, "The language varieties of the rater's community"]]
    version: NotRequired[Annotated[Version | None, "Of the rubric; the newest where it is left out"]]
    offset_unit: NotRequired[OffsetUnit | None]
    role: Annotated[GradeRole, "reference names the errors of the response; regrade and judge are asked about those"]
    round: NotRequired[Round | None]
    verdicts: Annotated[list[Verdict], VERDICTS]
    negatives: NotRequired[Annotated[list[Negative] | None, NEGATIVES]]
    comment: NotRequired[Comment | None]
    graded_at: NotRequired[Annotated[Moment | None, "When it was given; not before the rubric was frozen"]]
    metadata: NotRequired[Annotated[FreeForm | None, METADATA]]


def check_role(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    """A judge's grade has the role of a judge and no errors of its own: it is asked about those that stand."""
    is_judge = record["rater_kind"] == "judge"
    if is_judge != (record["role"] == "judge"):
        message = _("A judge's grades, and no others, have the role “judge”.")
        problems.say(line, "role_misfits", message, f"{prefix}role")
    elif is_judge and record.get("negatives"):
        message = _("A judge says whether the errors that stand are present; it adds none of its own.")
        problems.say(line, "not_with_role", message, f"{prefix}negatives")


OF_JUDGE = {"rater_kind": {"const": "judge"}, "role": {"const": "judge"}, "negatives": {"maxItems": 0}}
OF_PERSON = {"rater_kind": {"const": "human"}, "role": {"not": {"const": "judge"}}}
ROLE = Rule(check_role, {"anyOf": [{"properties": OF_JUDGE}, {"properties": OF_PERSON}]})
ruled(Grade, ROLE, not_in_future("graded_at"))

FORMAT = Format(
    name="grade",
    version="mizan.grade/1",
    title="A line of a grades file: what one rater said of one response under its rubric",
    description=f"{EVERY_FILE} What a line says of other rows (that every criterion has its verdict, that a quote "
    "stands at its offsets) is checked on import and stands in docs/import.md.",
    records={"": Grade},
    example='{"item": "eg-1", "rater": "Mona Adel", "rater_kind": "human", "role": "reference", "verdicts": '
    '[{"criterion": "c1", "value": "pass"}], "negatives": [{"key": "n1", "text": "…", "weight": -5, '
    '"failure_type": "hallucination", "objectivity": "objective", "explicitness": "explicit", "quote": '
    '"مصرية"}]}',
)
