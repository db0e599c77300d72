"""Rubrics: one frozen version of the rubric of one prompt a line."""

import re
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.format import EVERY_FILE, Format
from formats.kinds import MAPPING, Fault, Kind, moment_of, name, short_text, text, whole
from formats.limits import (
    MAX_CRITERIA,
    MAX_CRITERION,
    MAX_GOLD_ANSWER,
    MAX_KEY,
    MAX_REASON,
    MAX_TAG,
    MAX_TAGS,
    MAX_WEIGHT,
)
from formats.problems import ProblemLog
from formats.records import Entries, Rule, compiled, ruled
from formats.vocabulary import (
    Explicitness,
    FreeForm,
    Key,
    Moment,
    Name,
    Objectivity,
    Round,
    Scope,
    Short,
    Slug,
    Tag,
    Text,
)

# --- What a criterion is made of ----------------------------------------------------------------------

# One of these parts tags where they are typed on one line.
BETWEEN_TAGS = re.compile("[,،、]")
TAG_OF_CRITERION = name(MAX_TAG)


def check_tags(value: object) -> Fault | None:
    if type(value) is not list:
        return "not_list", _("A JSON list in brackets is expected.")
    if len(value) > MAX_TAGS:
        return "too_many", _("There are more than %(limit)d of these.") % {"limit": MAX_TAGS}
    for tag in value:
        if fault := TAG_OF_CRITERION.check(tag):
            return fault
        if BETWEEN_TAGS.search(tag):
            return "comma", _("A tag has no comma in it: “%(tag)s”.") % {"tag": tag}
    if len(set(value)) < len(value):
        return "repeated", _("A tag stands twice.")
    return None


TAGS_OF_CRITERION = Kind(
    check_tags,
    {
        "type": "array",
        "maxItems": MAX_TAGS,
        "uniqueItems": True,
        "items": {**TAG_OF_CRITERION.keywords, "not": {"pattern": BETWEEN_TAGS.pattern}},
    },
)


def check_weight(value: object) -> Fault | None:
    if fault := whole(-MAX_WEIGHT, MAX_WEIGHT).check(value):
        return fault
    return (
        None if value else ("zero", _("A weight of 0 changes nothing: give points above 0, or below 0 for an error."))
    )


WEIGHT = Kind(check_weight, {**whole(-MAX_WEIGHT, MAX_WEIGHT).keywords, "not": {"const": 0}})

CriterionKey = Annotated[str, name(MAX_KEY)]
CriterionText = Annotated[str, text(MAX_CRITERION)]
Weight = Annotated[int, WEIGHT]
TagsOfCriterion = Annotated[list[str], TAGS_OF_CRITERION]
GoldAnswer = Annotated[str, text(MAX_GOLD_ANSWER)]
Version = Round


class Criterion(TypedDict):
    """What a good answer contains or, with a weight below 0, an error that it may make"""

    key: Annotated[CriterionKey, "Unique in its rubric, negative criteria of all responses included"]
    text: CriterionText
    weight: Annotated[Weight, "Points for passing it; below 0 those that the error takes away"]
    band: NotRequired[Annotated[Slug | None, "A weight band of the project, by its short name"]]
    objectivity: Objectivity
    explicitness: Explicitness
    tags: NotRequired[
        Annotated[TagsOfCriterion | None, "Words that results are filtered and grouped by, such as “axis:accuracy”"]
    ]


class Difficulty(TypedDict):
    model: Key
    outcome: Annotated[Literal["perfect", "partial", "failed"], "A prompt answered perfectly is revised or discarded"]
    by_hand: NotRequired[bool | None]
    asked_at: NotRequired[Moment | None]


class Finding(TypedDict):
    """A finding of the lint that the author kept, and why"""

    code: Slug
    criterion: NotRequired[Annotated[str | None, short_text(MAX_KEY)]]
    words: NotRequired[Annotated[str | None, short_text(MAX_GOLD_ANSWER)]]
    reason: NotRequired[Annotated[str | None, short_text(MAX_REASON)]]


# --- Trying the prompt on a model before the freeze ---------------------------------------------------


def check_difficulty(value: object) -> Fault | None:
    """What came of trying the prompt on a model, or an empty object where nobody did."""
    if fault := MAPPING.check(value):
        return fault
    problems = ProblemLog()
    if not value or compiled(Difficulty).check(value, 0, problems):  # type: ignore[arg-type]
        return None
    first = problems.shown[0]
    return first.code, f"{first.field}: {first.message}"


def difficulty_keywords() -> dict[str, Any]:
    tried = compiled(Difficulty).schema({})
    # It is a good outcome by itself, and no rubric is frozen after it (check_before_the_freeze).
    tried["properties"]["outcome"]["enum"] = ["partial", "failed"]
    return {"oneOf": [{"type": "object", "maxProperties": 0}, tried]}


DIFFICULTY = Kind(check_difficulty, difficulty_keywords())

ENTRIES_OF_RUBRIC = Entries(
    fewest=1,
    nothing=gettext_lazy("A rubric has at least one positive criterion."),
    most=MAX_CRITERIA,
    too_many=gettext_lazy("A rubric can carry %(limit)d criteria at most; these are %(count)d."),
    unique="key",
)


class Rubric(TypedDict):
    prompt_id: NotRequired[
        Annotated[Key | None, "Key of the prompt in its project; without a text it is one that is there"]
    ]
    prompt: NotRequired[Annotated[Text | None, "The text of a new prompt, with its variety"]]
    variety: NotRequired[Annotated[Tag | None, "BCP 47 tag of a new prompt"]]
    task: NotRequired[Short | None]
    domain: NotRequired[Short | None]
    author: Annotated[Name, "A person's name. Where a member of the project has it, the rubric is that member's"]
    reviewed_by: NotRequired[Annotated[Name | None, "Who looked at it before the freeze; never the author"]]
    version: NotRequired[
        Annotated[Version | None, "1 where it is left out; a later one takes the place of those before"]
    ]
    scope: Scope
    gold_answer: GoldAnswer
    criteria: Annotated[list[Criterion], ENTRIES_OF_RUBRIC]
    difficulty: NotRequired[
        Annotated[dict[str, Any] | None, DIFFICULTY, "What came of trying the prompt on a model before the freeze"]
    ]
    accepted_findings: NotRequired[list[Finding] | None]
    frozen_at: Annotated[Moment, "Since when nothing of it changes; not in the future"]
    sha256: NotRequired[Annotated[str | None, name(64), "SHA-256 of the canonical form; another hash is refused"]]
    metadata: NotRequired[FreeForm | None]


# --- What its fields say of each other ----------------------------------------------------------------


def not_in_future(field: str) -> Rule:
    def check(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
        if record.get(field) and moment_of(record[field]) > timezone.now():
            problems.say(line, "in_future", _("This lies in the future."), prefix + field)

    return Rule(check)


# What a line says of its prompt where the project does not have it yet.
OF_A_NEW_PROMPT = ("variety", "task", "domain")


def check_prompt(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    """A prompt of the project by its id, or a new one by its text and variety."""
    if record.get("prompt") is None:
        if record.get("prompt_id") is None:
            message = _("Name a prompt of the project by prompt_id, or give the text of a new one.")
            problems.say(line, "missing", message, f"{prefix}prompt_id")
        for field in OF_A_NEW_PROMPT:
            if record.get(field) is not None:
                message = _("Only a line with the text of its prompt says this of it.")
                problems.say(line, "not_alone", message, prefix + field)
    elif record.get("variety") is None:
        problems.say(line, "missing", _("The field is missing."), f"{prefix}variety")


def there(*fields: str) -> dict[str, Any]:
    return {"required": list(fields), "properties": {field: {"not": {"type": "null"}} for field in fields}}


KNOWN_PROMPT = there("prompt_id")
KNOWN_PROMPT["properties"] |= {field: {"type": "null"} for field in ("prompt", *OF_A_NEW_PROMPT)}
PROMPT = Rule(check_prompt, {"anyOf": [there("prompt", "variety"), KNOWN_PROMPT]})


def check_reviewer(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    if record.get("reviewed_by") == record["author"]:
        problems.say(line, "own_rubric", _("Nobody reviews a rubric of their own."), f"{prefix}reviewed_by")


def check_before_the_freeze(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    """The prompt was tried on a model before, and what was accepted was found in criteria that were frozen."""
    difficulty = record.get("difficulty") or {}
    if difficulty.get("outcome") == "perfect":
        message = _("A prompt that was answered perfectly is revised or discarded; its rubric is not frozen.")
        problems.say(line, "answered_perfectly", message, f"{prefix}difficulty")
    asked_at = difficulty.get("asked_at")
    if asked_at and moment_of(asked_at) > moment_of(record["frozen_at"]):
        message = _("The prompt was tried on a model after its rubric was frozen: the check comes before.")
        problems.say(line, "after_freeze", message, f"{prefix}difficulty.asked_at")
    keys = {criterion.get("key") for criterion in record["criteria"] if isinstance(criterion.get("key"), str)}
    for index, finding in enumerate(record.get("accepted_findings") or []):
        key = finding.get("criterion")
        if isinstance(key, str) and key and key not in keys:
            message = _("The rubric has no criterion “%(key)s”.") % {"key": key[:MAX_KEY]}
            place = f"{prefix}accepted_findings[{index}].criterion"
            problems.say(line, "unknown_criterion", message, place)


def check_reachable(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    """A rubric has something to reach: its score is a share of the positive weights."""
    weights = [criterion.get("weight") for criterion in record["criteria"]]
    if weights and all(type(weight) is int and -MAX_WEIGHT <= weight < 0 for weight in weights):
        message = _("Add a criterion with a weight above 0: without one there is nothing to reach.")
        problems.say(line, "no_positive", message, f"{prefix}criteria")


REACHABLE = {"properties": {"criteria": {"contains": {"properties": {"weight": {"minimum": 1}}}}}}
RUBRIC_RULES = (
    not_in_future("frozen_at"),
    Rule(check_before_the_freeze),
    Rule(check_reachable, REACHABLE),
)
ruled(Rubric, PROMPT, Rule(check_reviewer), *RUBRIC_RULES)

FORMAT = Format(
    name="rubric",
    version="mizan.rubric-line/1",
    title="A line of a rubrics file: one frozen version of the rubric of one prompt",
    description=f"{EVERY_FILE} What a line says of other rows (that the prompt exists, that the hash is that of its "
    "canonical form) is checked on import and stands in docs/import.md.",
    records={"": Rubric},
    example='{"prompt": "إزاي أعمل كشري؟", "variety": "ar-EG", "author": "Mona Adel", "scope": "cultural", '
    '"gold_answer": "…", "criteria": [{"key": "c1", "text": "…", "weight": 8, "band": "core-term", '
    '"objectivity": "objective", "explicitness": "explicit"}], "frozen_at": "2026-03-01T09:30:00Z"}',
)
