"""Questions of a benchmark: one a line, behind a line that describes their set where there is one."""

import re
from typing import Annotated, Literal, NotRequired, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats import choices
from formats.format import EVERY_FILE, Format
from formats.kinds import Fault, Kind, name, short_text, slug
from formats.limits import MAX_QUESTION_KEY, MAX_TEXT
from formats.records import Entries, ruled
from formats.rules import empty
from formats.vocabulary import FreeForm, Hash, Key, Moment, Name, Round, Slug, Tag, Text

MAX_OPTIONS = 26
MAX_RULES = 18
MAX_LICENCE = 200
MAX_LINK = 500

QuestionFormat = Annotated[str, choices.QuestionFormat]
QuestionKey = Annotated[str, name(MAX_QUESTION_KEY)]
Note = Annotated[str, short_text(MAX_LICENCE)]

LANGUAGE_TAG = re.compile(r"[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*")
CANARY = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def check_language(value: object) -> Fault | None:
    if type(value) is str and len(value) <= 35 and LANGUAGE_TAG.fullmatch(value):
        return None
    return "not_a_language", _("A language tag (BCP 47) such as ar or ar-EG is expected.")


def check_canary(value: object) -> Fault | None:
    if type(value) is str and CANARY.fullmatch(value):
        return None
    return "not_a_uuid", _("A UUID in small letters with hyphens is expected.")


LANGUAGE = Kind(check_language, {"type": "string", "pattern": f"^{LANGUAGE_TAG.pattern}$", "maxLength": 35})
CANARY_UUID = Kind(check_canary, {"type": "string", "pattern": f"^{CANARY.pattern}$"})
Canary = Annotated[str, CANARY_UUID]
ShortName = Annotated[str, slug(60)]


class Option(TypedDict):
    """What may be chosen"""

    label: Annotated[str, name(20)]
    text: Text


class QuestionRule(TypedDict):
    rule: Annotated[Slug, "Name of a scoring rule"]
    version: NotRequired[Annotated[Round | None, "Of the rule; another one than this installation has is refused"]]
    parameters: NotRequired[Annotated[FreeForm | None, "Those that are left out are the rule's own"]]


OPTIONS = Entries(
    most=MAX_OPTIONS,
    too_many=gettext_lazy("A question can have %(limit)d options at most; these are %(count)d."),
    unique="label",
)
RULES = Entries(
    most=MAX_RULES, too_many=gettext_lazy("A question can have %(limit)d rules at most; these are %(count)d.")
)


class BenchmarkQuestion(TypedDict):
    """One question with its reference answer"""

    kind: NotRequired[Literal["question"] | None]
    id: NotRequired[
        Annotated[QuestionKey | None, "Key of the question, unique in its set. Left out, it is made of the texts"]
    ]
    instruction: Annotated[Text, "What is asked"]
    input: NotRequired[Annotated[str | None, short_text(MAX_TEXT), "A passage that is shown below the instruction"]]
    options: NotRequired[
        Annotated[list[Option] | None, OPTIONS, "Of a multiple choice; shown where the instruction does not list them"]
    ]
    output: NotRequired[Annotated[str | None, short_text(MAX_TEXT), "The reference answer"]]
    language: NotRequired[
        Annotated[str | None, LANGUAGE, "BCP 47 tag of the language an answer is expected in; left out: any"]
    ]
    variety: NotRequired[
        Annotated[
            Tag | None,
            "BCP 47 tag of the question's own language variety, one of those of the installation; left out, that of "
            "the answer",
        ]
    ]
    category: Annotated[Name, "The skill"]
    subcategory: NotRequired[Annotated[str | None, short_text(120)]]
    format: QuestionFormat
    source: NotRequired[Annotated[Name | None, "Where the question comes from"]]
    translated: NotRequired[Annotated[bool | None, "Of the source: whether it was translated"]]
    licence: NotRequired[Annotated[Note | None, "Of the source"]]
    cluster: NotRequired[Annotated[Key | None, "The same for questions that share a passage"]]
    held_back: NotRequired[Annotated[bool | None, "true: shown to nobody but leads, and exported only when asked for"]]
    twin_of: NotRequired[Annotated[QuestionKey | None, "Key of the question of the same set that this one stands for"]]
    rules: NotRequired[
        Annotated[list[QuestionRule] | None, RULES, "Left out, those that the rule map has for its skill and format"]
    ]
    metadata: NotRequired[Annotated[FreeForm | None, "Kept with the question and exported with it"]]
    canary: NotRequired[Annotated[Canary | None, "That of the set"]]


ruled(
    BenchmarkQuestion,
    empty(
        ("options",),
        "not_a_choice_question",
        gettext_lazy("Only a multiple choice has options."),
        where="format",
        has=[value for value in choices.QuestionFormat.values if value != choices.QuestionFormat.MCQ],
    ),
    empty(
        ("translated", "licence"),
        "not_alone",
        gettext_lazy("Only a line that names its source says this of it."),
        where="source",
        has=(None,),
    ),
)


class SetSkill(TypedDict):
    id: ShortName
    name: Name
    counts_refusals: NotRequired[Annotated[bool | None, "A refusal is an answer that is scored, not a 0"]]


class SetSource(TypedDict):
    id: ShortName
    name: Name
    translated: NotRequired[bool | None]
    licence: NotRequired[Note | None]
    link: NotRequired[Annotated[str | None, short_text(MAX_LINK)]]


class QuestionSetLine(TypedDict):
    """The set that the questions below belong to; the first line of a file, or none"""

    kind: Literal["set"]
    id: Annotated[ShortName, "Short name of the set"]
    name: Name
    version: NotRequired[Annotated[Round | None, "1 where it is left out"]]
    licence: NotRequired[Annotated[str | None, short_text()]]
    canary: NotRequired[Annotated[Canary | None, "Drawn anew where it is left out"]]
    skills: NotRequired[Annotated[list[SetSkill] | None, Entries(unique="id")]]
    sources: NotRequired[Annotated[list[SetSource] | None, Entries(unique="id")]]
    left_out: NotRequired[Annotated[Round | None, "So many held-back questions are not in the file"]]
    frozen_at: NotRequired[Moment | None]
    sha256: NotRequired[Annotated[Hash | None, "SHA-256 of the canonical form of a frozen set"]]


FORMAT = Format(
    name="benchmark-question",
    version="mizan.benchmark-question/1",
    title="A line of a question set's file: one question of a benchmark, or the set they belong to",
    description=f"{EVERY_FILE} CSV and TSV files carry the fields of a question as columns; cells of options, rules, "
    "metadata, held_back and translated hold JSON, and an empty cell is a field left out. What a line says of other "
    "rows, and whether a rule can score it, is checked on import and stands in docs/question-sets.md.",
    records={"question": BenchmarkQuestion, "set": QuestionSetLine},
    default="question",
    example='{"id": "capital-1", "instruction": "ما هي عاصمة الأردن؟", "options": [{"label": "أ", "text": "عمّان"}, '
    '{"label": "ب", "text": "إربد"}], "output": "أ", "language": "ar", "variety": "ar", "category": '
    '"General Knowledge", "subcategory": "Geography", "format": "mcq", "source": "Own questions"}',
)
