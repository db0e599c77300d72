"""Gold of rubrics: a response with every version of its rubric and all grades under each, a line.

Written by us, and read back to the same bytes.
"""

from dataclasses import replace
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

import orjson
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.format import Format
from formats.gold import ShortOrNothing, Unsure
from formats.grade import (
    METADATA,
    NEGATIVES,
    ROLE,
    TAG,
    VERDICTS,
    ErrorText,
    ErrorWeight,
    Justification,
    Offset,
    check_tags,
)
from formats.kinds import FAR, INSTANT, SHA256, Fault, Kind, moment_of, name, short_text, whole
from formats.problems import ProblemLog
from formats.records import LENIENT, Entries, Rule, ruled
from formats.rubric import (
    DIFFICULTY,
    ENTRIES_OF_RUBRIC,
    RUBRIC_RULES,
    CriterionKey,
    CriterionText,
    Finding,
    GoldAnswer,
    TagsOfCriterion,
    Version,
    Weight,
    not_in_future,
)
from formats.rules import published, same_hash
from formats.vocabulary import (
    Comment,
    Explicitness,
    FailureType,
    FreeForm,
    GradeRole,
    Hash,
    Key,
    Moment,
    Name,
    Objectivity,
    Pseudonym,
    RaterKind,
    Round,
    Scope,
    Slug,
    Tag,
    Text,
    VerdictValue,
)
from projects.anchors import to_utf16

VERSION: Final = "mizan.rubric-gold/1"

# --- The rubric ---------------------------------------------------------------------------------------


class Band(TypedDict):
    slug: Slug
    name: Annotated[str, name(80)]
    lowest: Annotated[int, whole(1, 32_767)]
    highest: Annotated[int, whole(1, 32_767)]


def check_band(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    if record["lowest"] > record["highest"]:
        problems.say(line, "reversed", _("A band's highest weight is not below its lowest."), f"{prefix}highest")


ruled(Band, Rule(check_band))


class Criterion(TypedDict):
    """What a good answer contains, or an error it may make; the same for every response to the prompt"""

    key: CriterionKey
    text: CriterionText
    weight: Weight
    band: Annotated[Slug | None, "Short name of one of `bands`"]
    objectivity: Objectivity
    explicitness: Explicitness
    tags: NotRequired[Annotated[TagsOfCriterion, "Where it has some"]]


# --- Grades -------------------------------------------------------------------------------------------


class Verdict(TypedDict):
    criterion: Annotated[CriterionKey, "Key of a criterion of the rubric, or of an error of the first grading"]
    value: VerdictValue
    justification: Annotated[Justification, LENIENT]


class Negative(TypedDict):
    """An error this grader found, present by their word"""

    key: Annotated[CriterionKey, "Unique in the rubric"]
    text: ErrorText
    weight: ErrorWeight
    failure_type: Annotated[FailureType | None, "A type of the project; null where it has none"]
    objectivity: Objectivity
    explicitness: Explicitness
    start: Annotated[Offset | None, "Code points, half-open; null where it points at no words"]
    end: Offset | None
    start_utf16: Annotated[Offset | None, "The same place in UTF-16 code units"]
    end_utf16: Offset | None
    quote: Annotated[str, short_text(), LENIENT, "response[start:end]"]
    occurrence: NotRequired[
        Annotated[
            int | None, whole(1), "Of files of others: which one, where a quote without offsets stands several times"
        ]
    ]
    justification: Annotated[Justification, LENIENT]


def check_offsets(error: dict, within: tuple[dict, ...], line: int, problems: ProblemLog, place: str) -> None:
    for field in ("start", "end"):
        units, offset = error.get(f"{field}_utf16"), error.get(field)
        if units is not None and (offset is None or units != to_utf16(within[0]["response"], offset)):
            message = _("The offset in UTF-16 units is another place than the one in code points.")
            problems.say(line, "offsets_differ", message, f"{place}{field}_utf16")


def check_varieties(value: object) -> Fault | None:
    return None if value == [] else check_tags(value)


VARIETIES = Kind(check_varieties, {"type": "array", "uniqueItems": True, "items": {**TAG.keywords, "minLength": 2}})


class Grade(TypedDict):
    rater: Annotated[Pseudonym, "Pseudonym"]
    rater_kind: RaterKind
    name: Annotated[Name | None, "Of a judge; people appear by pseudonym alone"]
    model: Annotated[Key | None, "Of a judge"]
    laboratory: Annotated[Name | None, "Behind a judge's model"]
    simulated: Annotated[bool, LENIENT]
    prompt_version: Annotated[Name | None, "What a judge was asked by"]
    varieties: Annotated[list[str], VARIETIES, LENIENT, "Language varieties of the rater's community; BCP 47"]
    role: Annotated[
        GradeRole,
        "reference names the errors of the response and is its human score; regrade and judge are asked about those "
        "errors; calibration names its own",
    ]
    round: Annotated[Round, LENIENT]
    graded_at: Annotated[Moment, LENIENT]
    complete: Annotated[bool, LENIENT]
    raw: Annotated[int | None, whole(-FAR), "S_raw: weights of what passed and of the errors present"]
    maximum: Annotated[int | None, whole(1), "S_max: sum of the positive weights"]
    percent: Annotated[float | None, "100 * raw / maximum, not clipped"]
    comment: Annotated[Comment, LENIENT]
    metadata: Annotated[FreeForm, METADATA, LENIENT]
    verdicts: Annotated[list[Verdict], VERDICTS]
    negatives: Annotated[list[Negative], replace(NEGATIVES, with_line=check_offsets), LENIENT]


def check_score(grade: dict, within: tuple[dict, ...], line: int, problems: ProblemLog, place: str) -> None:
    """What is complete has a score of which the maximum and the percentage are those of its criteria."""
    raw, maximum = grade.get("raw"), grade.get("maximum")
    has_score = raw is not None and maximum is not None
    if has_score != (grade.get("complete") is not False):
        message = _("A complete grade has a score, one that is not complete has none.")
        problems.say(line, "score_differs", message, f"{place}raw")
    elif raw is not None and maximum is not None:
        weights = [each.get("weight") for each in within[-1]["criteria"]]
        expected = sum(weight for weight in weights if type(weight) is int and weight > 0)
        if maximum != expected:
            message = _("The positive criteria weigh %(points)d together.") % {"points": expected}
            problems.say(line, "score_differs", message, f"{place}maximum")
        elif grade.get("percent") not in (None, 100 * raw / maximum):
            message = _("The percentage is not that of these points.")
            problems.say(line, "score_differs", message, f"{place}percent")


ruled(Grade, ROLE, not_in_future("graded_at"))


class Rubric(TypedDict):
    version: Version
    sha256: Annotated[str, Kind(name(64).check, SHA256.keywords), LENIENT, "Of the canonical form, docs/rubrics.md"]
    frozen_at: Annotated[Moment, "Since when nothing of it changes"]
    author: Annotated[Pseudonym, "Pseudonym"]
    reviewed_by: Pseudonym | None
    scope: Scope
    gold_answer: GoldAnswer
    difficulty: Annotated[
        dict[str, Any] | orjson.Fragment,
        DIFFICULTY,
        LENIENT,
        "What came of trying the prompt on a model before the freeze: outcome, model and time; the output is kept "
        "nowhere",
    ]
    accepted_findings: Annotated[list[Finding] | orjson.Fragment, LENIENT]
    metadata: Annotated[FreeForm, LENIENT]
    bands: Annotated[list[Band], LENIENT]
    criteria: Annotated[list[Criterion], ENTRIES_OF_RUBRIC]
    grades: Annotated[list[Grade], Entries(with_line=check_score), "Given under this version"]


ruled(Rubric, *RUBRIC_RULES)


# --- The response -------------------------------------------------------------------------------------


class GoldLine(TypedDict):
    format: Literal["mizan.rubric-gold/1"]
    id: Annotated[Key, "Key of the response in its project"]
    prompt_id: Key
    prompt: Text
    prompt_sha256: Annotated[Hash, LENIENT, "Of the prompt's UTF-8 bytes"]
    prompt_variety: Annotated[Tag, LENIENT, "BCP 47"]
    variety: Annotated[Tag, "BCP 47"]
    model: Annotated[Key, "The target model"]
    laboratory: Name
    response: Annotated[Text, "Exactly as graded, never normalised"]
    response_sha256: Annotated[Hash, LENIENT]
    task: ShortOrNothing
    domain: ShortOrNothing
    metadata: Annotated[FreeForm, LENIENT, "As imported with the response, keys sorted"]
    collected_at: Annotated[Moment, "When the response was collected or imported"]
    first_shown_at: Annotated[
        Moment | None,
        "When it was first shown to a grader here; null where it was graded elsewhere. With frozen_at: the proof that "
        "the criteria were there before",
    ]
    unsure: NotRequired[Unsure]
    rubrics: Annotated[
        list[Rubric],
        Entries(fewest=1, nothing=gettext_lazy("The response has no rubric.")),
        "All frozen versions, the newest first",
    ]


def check_order(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    shown = record.get("first_shown_at")
    frozen = [version.get("frozen_at") for version in record["rubrics"]]
    if not shown or not frozen or any(each is None or INSTANT.check(each) for each in frozen):
        return
    if moment_of(shown) < min(map(moment_of, frozen)):
        message = _("The response was shown before a rubric of its prompt was frozen.")
        problems.say(line, "shown_before_freeze", message, f"{prefix}first_shown_at")


# The short name of a laboratory, and tags of two letters at least.
WRITTEN = {
    "properties": {"laboratory": {"maxLength": 60}, "prompt_variety": {"minLength": 2}, "variety": {"minLength": 2}}
}
ruled(
    GoldLine,
    same_hash("prompt"),
    same_hash("response"),
    not_in_future("collected_at"),
    not_in_future("first_shown_at"),
    Rule(check_order),
    published(WRITTEN),
)

FORMAT = Format(
    name="rubric-gold",
    version=VERSION,
    title="A line of a gold file of rubrics: one response with its rubric and every grade",
    records={"": GoldLine},
    is_named=True,
    example='{"format": "mizan.rubric-gold/1", "id": "eg-1", "prompt_id": "p-1", "prompt": "إزاي أعمل كشري؟", '
    '"prompt_sha256": "a795b1bc66c5446275dd53c6d3bedf2a6b31a231755cf50b3d4312bc8b56f24f", "prompt_variety": '
    '"ar-EG", "variety": "ar-EG", "model": "Nile-7B", "laboratory": "delta-lab", "response": "الكشري أكلة '
    'مصرية.", "response_sha256": "d70d391c56e4cb3b16bbfd7e4c1c506a03e17912d9a4c01bfdc068fd43ca15f8", "task": '
    '"", "domain": "", "metadata": {}, "collected_at": "2026-03-02T08:00:00Z", "first_shown_at": null, '
    '"rubrics": [{"version": 1, "sha256": "bf8eb1d68f14a1e563cc44a0a21c93f8c0d904a5cef51c2ee58efa245bb54708", '
    '"frozen_at": "2026-03-01T09:30:00Z", "author": "R-1", "reviewed_by": null, "scope": "cultural", '
    '"gold_answer": "…", "difficulty": {}, "accepted_findings": [], "metadata": {}, "bands": [], "criteria": '
    '[{"key": "c1", "text": "…", "weight": 8, "band": null, "objectivity": "objective", "explicitness": '
    '"explicit"}], "grades": [{"rater": "R-2", "rater_kind": "human", "name": null, "model": null, '
    '"laboratory": null, "simulated": false, "prompt_version": null, "varieties": ["ar-EG"], "role": '
    '"reference", "round": 1, "graded_at": "2026-03-05T08:00:00Z", "complete": true, "raw": 8, "maximum": 8, '
    '"percent": 100, "comment": "", "metadata": {}, "verdicts": [{"criterion": "c1", "value": "pass", '
    '"justification": ""}], "negatives": []}]}]}',
)
