"""Answers of models to a benchmark, made elsewhere or taken out: what answers, whose scores are brought, one answer a
line."""

from typing import Annotated, Literal, NotRequired, TypedDict

from django.utils.translation import gettext_lazy

from formats.benchmark_question import Canary, QuestionKey, ShortName
from formats.format import EVERY_FILE, Format
from formats.kinds import number_within, short_text, slug, text, whole
from formats.records import Entries
from formats.vocabulary import (
    Access,
    Comment,
    ConfigurationKind,
    FreeForm,
    Hash,
    Name,
    Round,
    Slug,
    Standing,
    Text,
)

MAX_NAME = 200
MAX_SCORES = 200
MAX_TAGS = 20
MAX_BILLIONS = 1_000_000

ConfigurationKey = Annotated[str, slug(80)]
LongName = Annotated[str, text(MAX_NAME)]
Billions = Annotated[float, number_within(0, MAX_BILLIONS)]
Short = Annotated[str, short_text(120)]
Points = Annotated[float, number_within(0, 10)]


class ThinkingTags(TypedDict):
    opens: Text
    closes: Text


class Card(TypedDict):
    """What is known of a model"""

    id: ConfigurationKey
    name: LongName
    access: Access
    parameters_total: NotRequired[Annotated[Billions | None, "Billions; left out where its makers do not say"]]
    parameters_active: NotRequired[Annotated[Billions | None, "Billions that work on one token"]]
    licence: NotRequired[Annotated[str | None, short_text(200)]]
    context_tokens: NotRequired[Annotated[int | None, whole(0)]]
    link: NotRequired[Annotated[str | None, short_text(500)]]
    declared_overlap: NotRequired[
        Annotated[str | None, short_text(), "What its makers say of texts of the set that it was trained on"]
    ]
    thinking_tags: NotRequired[
        Annotated[list[ThinkingTags] | None, Entries(most=MAX_TAGS), "Around thinking, where others do not know them"]
    ]


class ConfigurationLine(TypedDict):
    """A model as it was run: a row of a board. It stands before its answers, or is in the project already"""

    kind: Literal["configuration"]
    id: Annotated[ConfigurationKey, "Short name of the configuration"]
    name: LongName
    type: NotRequired[ConfigurationKind | None]
    model: NotRequired[Annotated[LongName | None, "The target model; left out, it is named as the configuration"]]
    laboratory: Annotated[Name, "Who trained it"]
    card: NotRequired[Annotated[Card | None, "Of a model, and of nothing else"]]
    provider: NotRequired[Short | None]
    revision: NotRequired[Short | None]
    precision: NotRequired[Annotated[str | None, short_text(40)]]
    template_sha256: NotRequired[Hash | None]
    system_prompt: NotRequired[Annotated[str | None, short_text()]]
    sampling: NotRequired[Annotated[FreeForm | None, "As it is sent: temperature, top_p and the like"]]
    thinking_effort: NotRequired[Annotated[str | None, short_text(40)]]
    token_limit: NotRequired[Annotated[int | None, whole(0)]]
    standing: NotRequired[Standing | None]


class JudgeLine(TypedDict):
    """A judge whose scores are brought. It stands before them, or is in the project already"""

    kind: Literal["judge"]
    name: Name
    model: LongName
    laboratory: Name
    simulated: NotRequired[bool | None]


class AnswerScore(TypedDict):
    rule: Annotated[Slug, "A judged rule of the question"]
    parameters: NotRequired[Annotated[FreeForm | None, "Of the rule, where the question uses it more than once"]]
    judge: Name
    value: Annotated[Points, "0 to 10"]
    reason: NotRequired[Comment | None]
    round: NotRequired[Annotated[Round | None, "1 where it is left out"]]


class BenchmarkAnswer(TypedDict):
    """What a configuration answered to a question"""

    kind: NotRequired[Literal["answer"] | None]
    configuration: NotRequired[Annotated[ConfigurationKey | None, "Left out: the one the command names"]]
    set: NotRequired[Annotated[ShortName | None, "Left out: the one the command names, else the project's only one"]]
    id: Annotated[QuestionKey, "Key of the question"]
    text: NotRequired[
        Annotated[str | None, short_text(), "Word for word. Left out: nothing came, or it is there already"]
    ]
    reasoning: NotRequired[Annotated[str | None, short_text(), "Thinking that was sent apart"]]
    finish_reason: NotRequired[
        Annotated[str | None, short_text(40), "length: it was cut off; content_filter: it was refused"]
    ]
    refusal: NotRequired[Annotated[bool | None, "It refuses"]]
    scores: NotRequired[
        Annotated[
            list[AnswerScore] | None,
            Entries(
                most=MAX_SCORES,
                too_many=gettext_lazy("An answer can have %(limit)d scores at most; these are %(count)d."),
            ),
            "That judges gave elsewhere",
        ]
    ]
    held_back: NotRequired[Annotated[bool | None, "true: it answers a held-back question; that of the question counts"]]
    canary: NotRequired[Annotated[Canary | None, "That of the set"]]


FORMAT = Format(
    name="benchmark-answer",
    version="mizan.benchmark-answer/1",
    title="A line of a file of answers: an answer to a question of a benchmark, what gave it, or who scored it",
    description=f"{EVERY_FILE} CSV and TSV files carry the fields of an answer as columns; cells of refusal, scores "
    "and held_back hold JSON, and an empty cell is a field left out. What a line says of other rows "
    "is checked on import and stands in docs/question-sets.md.",
    records={"answer": BenchmarkAnswer, "configuration": ConfigurationLine, "judge": JudgeLine},
    default="answer",
    example='{"configuration": "nile-7b", "set": "own", "id": "capital-1", "text": "أ", "finish_reason": "stop", '
    '"scores": [{"rule": "judge_generation", "judge": "Simba", "value": 8.5, "reason": "Near."}]}',
)
