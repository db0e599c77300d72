"""Answers to questionnaires: what one person answered to the parts of a stage about one item, a line."""

from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

from formats.format import EVERY_FILE, Format
from formats.kinds import MAPPING, name
from formats.problems import ProblemLog
from formats.records import Rule, ruled
from formats.vocabulary import Key, Name, Round

SUBJECTS = ("item", "pair", "prompt")


class QuestionnaireAnswer(TypedDict):
    """Names exactly one of item, pair and prompt: what the stage shows"""

    stage: Annotated[str, name(80), "Name of a stage of the project that is a questionnaire"]
    item: NotRequired[Annotated[Key | None, "Key of a response of the project"]]
    pair: NotRequired[Annotated[Key | None, "Key of a pair of the project"]]
    prompt: NotRequired[Annotated[Key | None, "Key of a prompt of the project"]]
    answers: Annotated[
        dict[str, Any],
        MAPPING,
        "A value by the key of each part: a text, a list of texts, a number, or the rank of each response by its key",
    ]
    rater: Annotated[Name, "A person's name. Where a member of the project has it, the answers are that member's"]
    round: NotRequired[Annotated[Round | None, "1 where it is left out"]]


def _one_subject(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
    if sum(record.get(field) is not None for field in SUBJECTS) != 1:
        message = _("Exactly one of these is expected: %(values)s.") % {"values": ", ".join(SUBJECTS)}
        problems.say(line, "not_one_subject", message, f"{prefix}item")


def _given(field: str) -> dict[str, Any]:
    return {"required": [field], "properties": {field: {"not": {"type": "null"}}}}


ruled(QuestionnaireAnswer, Rule(_one_subject, {"oneOf": [_given(field) for field in SUBJECTS]}))

FORMAT = Format(
    name="questionnaire-answer",
    version="mizan.questionnaire-answer/1",
    title="A line of a file of answers to questionnaires: what one person answered about one item",
    description=f"{EVERY_FILE} A null stands for an optional field left out.",
    records={"": QuestionnaireAnswer},
    example='{"stage": "Answering", "item": "eg-1", "answers": {"right": "Partly", "wrong": "…"}, "rater": "Mona"}',
)
