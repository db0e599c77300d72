"""Gold of ratings: how it was made, question types and templates, then a pair or a single response a line.

Written by us, and read back to the same bytes.
"""

from typing import Annotated, Final, Literal, NotRequired, TypedDict

from django.utils.translation import gettext_lazy

import projects.models
from formats import choices
from formats.format import Format
from formats.gold import Unsure
from formats.kinds import name_or_nothing, one_of, short_text, slug, whole
from formats.question import SCALE_RULES, Definition, DimensionName, Grade, Level
from formats.records import Entries, Rule, ruled
from formats.rules import empty, same_hash
from formats.template import TemplateKey, TemplateText
from formats.vocabulary import (
    Comment,
    FreeForm,
    GoldRule,
    Key,
    Moment,
    Name,
    Preference,
    Probabilities,
    Pseudonym,
    RaterKind,
    Round,
    Slug,
    Tag,
    Text,
)

VERSION: Final = "mizan.rating-gold/1"
SIDES = ("first", "second")
Version = Literal["mizan.rating-gold/1"]
ShortOrNothing = Annotated[str, name_or_nothing(80)]
AnyHash = Annotated[str, short_text(), "SHA-256 of the text's UTF-8 bytes, in hexadecimal"]


class Settings(TypedDict):
    """How gold is made where no expert has rated"""

    format: Version
    kind: Literal["settings"]
    gold_rule: GoldRule


# --- Question types and templates ---------------------------------------------------------------------


class Dimension(TypedDict):
    id: Annotated[str, slug(60), "Short name of the dimension, unique in its project"]
    name: DimensionName
    definition: NotRequired[Definition | None]


class Question(TypedDict):
    """A question type with its dimension and scale"""

    format: Version
    kind: Literal["question"]
    id: Annotated[str, slug(60), "Short name of the question type, unique in its project"]
    dimension: Dimension
    name: DimensionName
    definition: NotRequired[Annotated[Definition | None, "What is asked"]]
    lowest: NotRequired[
        Annotated[Grade | None, "Lowest grade. Left out together with highest where only a preference is asked for"]
    ]
    highest: NotRequired[Annotated[Grade | None, "Highest grade, above the lowest"]]
    nominal: NotRequired[Annotated[bool | None, "True where the grades are names without an order"]]
    levels: NotRequired[Annotated[list[Level] | None, "What the grades mean, each grade of the scale once at most"]]


ruled(Question, *SCALE_RULES)


class Template(TypedDict):
    """A prompt with placeholders and its side of the split"""

    format: Version
    kind: Literal["template"]
    id: Annotated[TemplateKey, "Key of the template, unique in its project"]
    question: NotRequired[Annotated[Slug | None, "Short name of a question type of the project"]]
    text: Annotated[TemplateText, "The prompt, with placeholders such as [locale_country]"]
    split: NotRequired[Annotated[str | None, one_of(("", *projects.models.Split.values))]]


# --- Ratings and their gold ---------------------------------------------------------------------------


class RatingOfPair(TypedDict):
    question: Slug
    rater: Annotated[Pseudonym, "Pseudonym"]
    rater_kind: RaterKind
    expert: NotRequired[bool | None]
    name: NotRequired[Annotated[Name | None, "Of a judge"]]
    model: NotRequired[Key | None]
    laboratory: NotRequired[Name | None]
    simulated: NotRequired[bool | None]
    round: NotRequired[Round | None]
    swapped: NotRequired[Annotated[bool | None, "The second response was shown first"]]
    both_orders: NotRequired[Annotated[bool | None, "One of two verdicts of a judge asked in both orders"]]
    first: NotRequired[float | None]
    second: NotRequired[float | None]
    preference: NotRequired[Annotated[Preference | None, "What the rater said outright"]]
    unparseable: NotRequired[
        Annotated[bool | None, "A judge's verdict that could not be read: no grades and no preference"]
    ]
    comment: NotRequired[Comment | None]
    metadata: NotRequired[
        Annotated[FreeForm | None, "Of a judge: its run and the version of its prompt, where it ran here"]
    ]
    probabilities: NotRequired[Probabilities | None]
    rated_at: Moment


class RatingOfResponse(TypedDict):
    question: Slug
    rater: Annotated[Pseudonym, "Pseudonym"]
    rater_kind: RaterKind
    expert: NotRequired[bool | None]
    name: NotRequired[Annotated[Name | None, "Of a judge"]]
    model: NotRequired[Key | None]
    laboratory: NotRequired[Name | None]
    simulated: NotRequired[bool | None]
    round: NotRequired[Round | None]
    grade: NotRequired[float | None]
    unparseable: NotRequired[
        Annotated[bool | None, "A judge's verdict that could not be read: no grades and no preference"]
    ]
    comment: NotRequired[Comment | None]
    metadata: NotRequired[
        Annotated[FreeForm | None, "Of a judge: its run and the version of its prompt, where it ran here"]
    ]
    probabilities: NotRequired[Probabilities | None]
    rated_at: Moment


EXPERTS = empty(
    ("expert",),
    "not_a_person",
    gettext_lazy("Only a person is an expert."),
    where="rater_kind",
    has=("judge",),
    or_false=True,
    is_always=True,
)


def of_judges(*fields: str) -> Rule:
    message = gettext_lazy("Only a judge has this field; this rater is a person.")
    return empty(fields, "judge_field", message, where="rater_kind", has=("human",), or_false=True, is_always=True)


OF_JUDGES = ("unparseable", "probabilities", "name", "model", "laboratory", "simulated")
ruled(RatingOfPair, of_judges("both_orders", *OF_JUDGES), EXPERTS)
ruled(RatingOfResponse, of_judges(*OF_JUDGES), EXPERTS)


class Gold(TypedDict):
    question: Slug
    rule: Annotated[
        str, one_of(("expert", *choices.GoldRule.values)), "Who or what made it: experts, else the project's rule"
    ]
    n: Annotated[int, whole(1), "Ratings it rests on"]


class GoldOfPair(Gold):
    first: NotRequired[float | None]
    second: NotRequired[float | None]
    preference: NotRequired[Annotated[Preference | None, "What the two grades say; without a scale, what most say"]]


class GoldOfResponse(Gold):
    grade: NotRequired[float | None]


# --- Pairs and single responses -----------------------------------------------------------------------


class Prompted(TypedDict):
    """What a line says of the prompt."""

    format: Version
    kind: Literal["pair", "response"]
    id: Key
    prompt_id: Key
    prompt: Annotated[Text, "What was asked, exactly as it was"]
    prompt_sha256: NotRequired[AnyHash | None]
    prompt_variety: NotRequired[Annotated[Tag | None, "Where the prompt is in another variety than the response"]]
    variety: Annotated[
        Tag, "BCP 47 tag of the response's language variety, such as ar-EG, or a short name of the project"
    ]
    task: NotRequired[ShortOrNothing | None]
    domain: NotRequired[ShortOrNothing | None]
    question: NotRequired[Annotated[Slug | None, "Question type of the prompt; null: rated on all of them"]]
    template: NotRequired[Annotated[Key | None, "Template the prompt was made of; its split is on its line"]]


class Side(TypedDict):
    id: Key
    model: Annotated[Key, "The target model"]
    laboratory: Annotated[Name, "Who trained the model. Known by its short name: “Delta Lab” and “delta-lab” are one"]
    response: Annotated[Text, "What the model wrote, exactly as it was; never normalised"]
    response_sha256: NotRequired[AnyHash | None]
    metadata: NotRequired[Annotated[FreeForm | None, "Kept with the response and exported with it"]]


RATED = Entries(fewest=1, nothing=gettext_lazy("Nobody has rated this."))


class Pair(Prompted):
    """Two responses to one prompt with their gold and all ratings"""

    first: Side
    second: Side
    unsure: NotRequired[Unsure]
    gold: list[GoldOfPair]
    ratings: Annotated[list[RatingOfPair], RATED]


class Response(Prompted):
    """A response rated by itself"""

    model: Annotated[Key, "The target model"]
    laboratory: Annotated[Name, "Who trained the model. Known by its short name: “Delta Lab” and “delta-lab” are one"]
    response: Annotated[Text, "What the model wrote, exactly as it was; never normalised"]
    response_sha256: NotRequired[AnyHash | None]
    metadata: NotRequired[Annotated[FreeForm | None, "Kept with the response and exported with it"]]
    unsure: NotRequired[Unsure]
    gold: list[GoldOfResponse]
    ratings: Annotated[list[RatingOfResponse], RATED]


ruled(Side, same_hash("response"))
ruled(Pair, same_hash("prompt"))
ruled(Response, same_hash("prompt"), same_hash("response"))

FORMAT = Format(
    name="rating-gold",
    version=VERSION,
    title="A line of a gold file of ratings",
    description="UTF-8, one JSON object a line. The settings come first, then question types, templates, pairs and "
    "single responses. Gold is made by the ratings beside it; a file that says another is refused.",
    records={"settings": Settings, "question": Question, "template": Template, "pair": Pair, "response": Response},
    is_named=True,
    example='{"format": "mizan.rating-gold/1", "kind": "response", "id": "eg-1", "prompt_id": "p-1", "prompt": "إزاي '
    'أعمل كشري؟", "prompt_variety": "ar-EG", "variety": "ar-EG", "task": "", "domain": "", "question": null, '
    '"template": null, "model": "Nile-7B", "laboratory": "delta-lab", "response": "الكشري أكلة مصرية.", '
    '"metadata": {}, "gold": [{"question": "warmth", "rule": "majority", "n": 1, "grade": 3}], "ratings": '
    '[{"question": "warmth", "rater": "R-1", "rater_kind": "human", "expert": false, "name": null, "round": '
    '1, "grade": 3, "unparseable": false, "comment": "", "metadata": {}, "rated_at": "2026-03-05T08:00:00Z"}]}',
)
