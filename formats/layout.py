"""The layout of a task, as data: which texts its screen shows and what it asks about them, part by part.

    show: [prompt, response]
    ask:
    - {choice: Is the answer right?, of: ["Yes", "Partly", "No"]}
    - {text: What is wrong?, optional: true}

A part of what is asked names its type, whose value is the question itself. Answers are kept by the part's `key`, which
is made of the question where none is given.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

from django.db import models
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.kinds import FLAG, Fault, Kind, name, number_within, one_of, short_text, slug, whole
from formats.problems import ProblemLog
from formats.records import Rule, ruled

MAX_ASKED = 40
MAX_OPTIONS, MAX_OPTION = 60, 120
MAX_QUESTION, MAX_HELP = 500, 2_000
MAX_KEY = 40
LOWEST, HIGHEST, MAX_GRADES = -100, 100, 101
FAR = 1_000_000_000.0


class Shown(models.TextChoices):
    """What a screen shows of an item."""

    PROMPT = "prompt", gettext_lazy("Prompt")
    SOURCE = "source", gettext_lazy("Source")
    REFERENCE = "reference", gettext_lazy("Reference")
    CONVERSATION = "conversation", gettext_lazy("Conversation")
    RESPONSE = "response", gettext_lazy("Response")
    TARGET = "target", gettext_lazy("Target")
    PAIR = "pair", gettext_lazy("Pair")
    RESPONSES = "responses", gettext_lazy("Responses")


class Type(models.TextChoices):
    """What a part asks for."""

    CHOICE = "choice", gettext_lazy("One of several")
    CHOICES = "choices", gettext_lazy("Any of several")
    SCALE = "scale", gettext_lazy("Grade")
    NUMBER = "number", gettext_lazy("Number")
    TEXT = "text", gettext_lazy("Free text")
    RANKING = "ranking", gettext_lazy("Ranking")
    SPANS = "spans", gettext_lazy("Marks in the text")


class Subject(models.TextChoices):
    """What an item is about."""

    RESPONSE = "response"
    PAIR = "pair"
    PROMPT = "prompt"


#: Of a layout that shows none of these, an item is a prompt.
SUBJECTS: Mapping[str, str] = {
    Shown.RESPONSE: Subject.RESPONSE,
    Shown.TARGET: Subject.RESPONSE,
    Shown.PAIR: Subject.PAIR,
    Shown.RESPONSES: Subject.PROMPT,
}
#: Of which one is the answer that is judged.
JUDGED = tuple(SUBJECTS)


def subject_of(show: Sequence[str]) -> str:
    """What an item of a stage that shows these is about, one of `Subject`."""
    return next((SUBJECTS[part] for part in show if part in SUBJECTS), Subject.PROMPT)


def shows_several(show: Sequence[str]) -> bool:
    """Whether there are responses to be ranked."""
    return Shown.PAIR in show or Shown.RESPONSES in show


def _shown(value: object) -> Fault | None:
    if type(value) is not list or not value:
        return "not_list", _("A list is expected, such as [prompt, response].")
    if any(part not in Shown.values for part in value):
        return "not_a_choice", _("One of these is expected: %(values)s.") % {"values": ", ".join(Shown.values)}
    if len(set(value)) < len(value):
        return "duplicate_id", _("A part is shown once.")
    if sum(part in JUDGED for part in value) > 1:
        return "not_together", _("Only one of these is shown: %(values)s.") % {"values": ", ".join(JUDGED)}
    if len({Shown.PROMPT, Shown.SOURCE, Shown.CONVERSATION} & set(value)) > 1:
        return "not_together", _("Only one of these is shown: %(values)s.") % {"values": "prompt, source, conversation"}
    if set(value) == {Shown.REFERENCE}:
        return "not_together", _("A reference stands beside what it is a reference for.")
    return None


SHOWN = Kind(
    _shown,
    {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string", "enum": list(Shown.values)}},
)


def _options(value: object) -> Fault | None:
    if type(value) is not list or not 2 <= len(value) <= MAX_OPTIONS:
        return "not_list", _("A list of 2 to %(most)d answers is expected.") % {"most": MAX_OPTIONS}
    for option in value:
        if fault := _OPTION.check(option):
            return fault
    if len(set(value)) < len(value):
        return "duplicate_id", _("The same answer stands twice.")
    return None


_OPTION = name(MAX_OPTION)
OPTIONS = Kind(
    _options,
    {"type": "array", "minItems": 2, "maxItems": MAX_OPTIONS, "uniqueItems": True, "items": dict(_OPTION.keywords)},
)


def _ends(value: object) -> Fault | None:
    if type(value) is not list or len(value) != 2 or any(_OPTION.check(end) for end in value):
        return "not_list", _("Two texts are expected: what the lowest grade means, and what the highest does.")
    return None


ENDS = Kind(_ends, {"type": "array", "minItems": 2, "maxItems": 2, "items": dict(_OPTION.keywords)})
#: What several people's answers to a part may come to, and of which types; without an order a median says nothing.
GOLD_RULES = ("majority", "median", "mean")
GOLD_OF: Mapping[str, tuple[str, ...]] = {
    Type.CHOICE: ("majority", "median"),
    Type.SCALE: GOLD_RULES,
    Type.NUMBER: ("median", "mean"),
    Type.RANKING: ("median", "mean"),
}
Question = Annotated[str | None, name(MAX_QUESTION)]


class AskRecord(TypedDict):
    """One part of what is asked: exactly one type, whose value is the question."""

    key: NotRequired[Annotated[str | None, slug(MAX_KEY), "What its answers are kept by; made of the question"]]
    choice: NotRequired[Annotated[Question, "One of the answers in `of`"]]
    choices: NotRequired[Annotated[Question, "Any of the answers in `of`"]]
    scale: NotRequired[Annotated[Question, "A whole grade from `lowest` (1) to `highest` (5)"]]
    number: NotRequired[Annotated[Question, "Any number, from `lowest` to `highest` where they are given"]]
    text: NotRequired[Annotated[Question, "In the rater's own words"]]
    ranking: NotRequired[Annotated[Question, "The responses shown, from the best to the worst"]]
    spans: NotRequired[Annotated[Question, "Marks in the response, of kind `spans`: what is to be marked"]]
    of: NotRequired[Annotated[list[str] | None, OPTIONS, "What can be chosen"]]
    ordered: NotRequired[Annotated[bool | None, FLAG, "What can be chosen has an order"]]
    lowest: NotRequired[Annotated[float | None, number_within(-FAR, FAR)]]
    highest: NotRequired[Annotated[float | None, number_within(-FAR, FAR)]]
    ends: NotRequired[Annotated[list[str] | None, ENDS, "What the lowest and the highest grade mean"]]
    most: NotRequired[Annotated[int | None, whole(1, MAX_OPTIONS), "How many may be chosen"]]
    ties: NotRequired[Annotated[bool | None, FLAG, "Two responses may share a rank"]]
    gold: NotRequired[
        Annotated[str | None, one_of(GOLD_RULES), "What several people's answers come to, where no expert answered"]
    ]
    optional: NotRequired[Annotated[bool | None, FLAG, "It may be left open"]]
    help: NotRequired[Annotated[str | None, short_text(MAX_HELP), "What stands below the question"]]


FIELDS = tuple(AskRecord.__annotations__)
TYPES = tuple(Type.values)
#: Which fields go with which type; `key`, `optional` and `help` with each.
OWN: Mapping[str, frozenset[str]] = {
    Type.CHOICE: frozenset({"of", "ordered", "gold"}),
    Type.CHOICES: frozenset({"of", "most"}),
    Type.SCALE: frozenset({"lowest", "highest", "ends", "gold"}),
    Type.NUMBER: frozenset({"lowest", "highest", "gold"}),
    Type.TEXT: frozenset(),
    Type.RANKING: frozenset({"ties", "gold"}),
    Type.SPANS: frozenset(),
}
OF_ALL = frozenset({"key", "optional", "help"})
#: Marks are no answer by a key, and that there are none is said by the answer itself.
OF_MARKS = frozenset({"help"})


def type_of(record: Mapping[str, Any]) -> str:
    return next(kind for kind in TYPES if record.get(kind) is not None)


def _is_part(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    types = [kind for kind in TYPES if record.get(kind) is not None]
    if len(types) != 1:
        message = _("One of these is expected: %(values)s.") % {"values": ", ".join(TYPES)}
        problems.say(line, "not_a_part", message, f"{prefix}{types[1] if types else 'choice'}")
        return
    [kind] = types
    for field, value in record.items():
        if value is not None and field not in OWN[kind] | (OF_MARKS if kind == Type.SPANS else OF_ALL) | {kind}:
            problems.say(line, "not_with_type", _("A part of this type has no such field."), f"{prefix}{field}")
    if kind in (Type.CHOICE, Type.CHOICES) and record.get("of") is None:
        problems.say(line, "missing", _("The field is missing."), f"{prefix}of")
    _check_bounds(kind, record, line, problems, prefix)
    if (rule := record.get("gold")) is not None and kind in GOLD_OF:
        fitting = GOLD_OF[kind] if kind != Type.CHOICE or record.get("ordered") else ("majority",)
        if rule not in fitting:
            message = _("Of a part like this the gold is one of these: %(values)s.")
            problems.say(line, "not_with_type", message % {"values": ", ".join(fitting)}, f"{prefix}gold")


def _check_bounds(kind: str, record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    lowest, highest = bounds_of(kind, record)
    if kind == Type.SCALE:
        assert lowest is not None
        assert highest is not None
        if any(end != int(end) or not LOWEST <= end <= HIGHEST for end in (lowest, highest)):
            message = _("A whole number from %(lowest)d to %(highest)d is expected.")
            problems.say(line, "off_scale", message % {"lowest": LOWEST, "highest": HIGHEST}, f"{prefix}highest")
        elif highest - lowest >= MAX_GRADES:
            message = _("A scale has %(most)d grades at most.") % {"most": MAX_GRADES}
            problems.say(line, "too_many", message, f"{prefix}highest")
    if lowest is not None and highest is not None and highest <= lowest:
        problems.say(line, "not_a_scale", _("The highest grade lies above the lowest."), f"{prefix}highest")


ruled(AskRecord, Rule(_is_part))


def bounds_of(kind: str, record: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Lowest and highest of a scale or a number; of a scale 1 and 5 where nothing is said."""
    default = (1.0, 5.0) if kind == Type.SCALE else (None, None)
    lowest, highest = record.get("lowest"), record.get("highest")
    return (default[0] if lowest is None else lowest, default[1] if highest is None else highest)


# --- As it is stored ------------------------------------------------------------------------------------


def plain_parts(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The parts with the fields that they say, in the order of the file, each with its key; marks have none."""
    taken = {record["key"] for record in records if record.get("key")}
    made = []
    for record in records:
        said = {field: record[field] for field in FIELDS if not _is_unsaid(record.get(field))}
        if type_of(record) != Type.SPANS:
            said["key"] = record.get("key") or _key(record[type_of(record)], taken)
            taken.add(said["key"])
        made.append({field: said[field] for field in FIELDS if field in said})
    return made


def _is_unsaid(value: Any) -> bool:
    return value is None or value is False or value == ""  # a bound of 0 is said


def _key(question: str, taken: set[str]) -> str:
    """Of the question's Latin letters, cut at a word; of a question without any, `question`."""
    words = slugify(question)[:MAX_KEY]
    if len(words) == MAX_KEY:
        words = re.sub(r"-[^-]*$", "", words)
    stem = words.strip("-_")[: MAX_KEY - 3] or "question"
    key, number = stem, 2
    while key in taken:
        key, number = f"{stem}-{number}", number + 1
    return key


@dataclass(frozen=True, slots=True)
class Asked:
    """One part of what is asked, of one of `Type`. `options` are what can be chosen; `lowest` and `highest` bound a
    grade or a number; `most` is how many may be chosen; `gold` names the rule of its gold
    where it is not the usual one."""

    key: str
    type: str
    question: str
    options: tuple[str, ...] = ()
    is_ordered: bool = False
    lowest: float | None = None
    highest: float | None = None
    ends: tuple[str, ...] = ()
    most: int | None = None
    has_ties: bool = False
    gold: str = ""
    is_optional: bool = False
    help: str = ""


def asked_of(records: Sequence[Mapping[str, Any]]) -> list[Asked]:
    """The parts of a stored layout that are answered by a value; its marks are `marks_of`."""
    return [_asked(record) for record in plain_parts(records) if type_of(record) != Type.SPANS]


class MarksAsked(NamedTuple):
    """What people are to mark, in the words of the layout."""

    question: str
    help: str


def marks_of(records: Sequence[Mapping[str, Any]]) -> MarksAsked | None:
    """What a stored layout says of marks; None where it says nothing."""
    said = next((record for record in records if record.get(Type.SPANS) is not None), None)
    return MarksAsked(said[Type.SPANS], said.get("help") or "") if said else None


def _asked(record: Mapping[str, Any]) -> Asked:
    kind = type_of(record)
    lowest, highest = bounds_of(kind, record)
    return Asked(
        key=record["key"],
        type=kind,
        question=record[kind],
        options=tuple(record.get("of", ())),
        is_ordered=record.get("ordered", False),
        lowest=lowest,
        highest=highest,
        ends=tuple(record.get("ends", ())),
        most=record.get("most"),
        has_ties=record.get("ties", False),
        gold=record.get("gold", ""),
        is_optional=record.get("optional", False),
        help=record.get("help", ""),
    )


def refuse_together(
    show: Sequence[str], ask: Sequence[Mapping[str, Any]], place: str, problems: ProblemLog, has_marks: bool = False
) -> None:
    """What is shown and what is asked must go together, and no two parts have one key.

    has_marks   the work is marking, so all of it is about one response.
    """
    keys: set[str] = set()
    marks = 0
    if has_marks and show and subject_of(show) != Subject.RESPONSE:
        message = _("Marks stand in one response: show “response” or “target”.")
        problems.say(0, "not_together", message, f"{place}show")
    for index, record in enumerate(ask):
        if record.get(Type.RANKING) is not None and (has_marks or not shows_several(show)):
            message = _("To be ranked there must be several responses: show “pair” or “responses”.")
            if has_marks:
                message = _("Marks stand in one response, so nothing can be ranked beside them.")
            problems.say(0, "not_together", message, f"{place}ask[{index}].ranking")
        if record.get(Type.SPANS) is not None:
            marks += 1
            _refuse_marks(marks, has_marks, f"{place}ask[{index}].spans", problems)
        if (key := record.get("key")) and key in keys:
            message = _("“%(key)s” stands twice in the line.") % {"key": key}
            problems.say(0, "duplicate_id", message, f"{place}ask[{index}].key")
        keys.add(key or "")


def _refuse_marks(marks: int, has_marks: bool, place: str, problems: ProblemLog) -> None:
    if not has_marks:
        message = _("Marks are asked for by work of kind “spans”, which takes all other parts as well.")
        problems.say(0, "not_with_kind", message, place)
    elif marks > 1:
        problems.say(0, "duplicate_id", _("Marks are asked for once."), place)
