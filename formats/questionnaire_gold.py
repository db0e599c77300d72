"""Gold of questionnaires: what each stage shows and asks, then an item a line with its texts, its gold and all answers
of people that it rests on.

Written by us, and read back to the same bytes.
"""

from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats import choices
from formats.format import Format
from formats.kinds import MAPPING, Fault, Kind, name, name_or_nothing, one_of, slug, whole
from formats.layout import MAX_ASKED, MAX_KEY, SHOWN, AskRecord
from formats.records import Entries, ruled
from formats.rules import same_hash
from formats.vocabulary import FreeForm, Hash, Key, Moment, Name, PromptText, Pseudonym, Round, Tag, Text

VERSION: Final = "mizan.questionnaire-gold/1"
Version = Literal["mizan.questionnaire-gold/1"]
#: What an item can be about; the kind of its line.
SUBJECTS = ("response", "pair", "prompt")
ShortOrNothing = Annotated[str, name_or_nothing(80)]
StageName = Annotated[str, name(80), "Name of the stage, unique in its project"]
PartKey = Annotated[str, slug(MAX_KEY), "Key of the part"]


class Stage(TypedDict):
    """What a stage shows and asks"""

    format: Version
    kind: Literal["stage"]
    id: StageName
    work: Annotated[str, name(20), "Kind of its work, such as questionnaire"]
    show: Annotated[list[str], SHOWN]
    ask: Annotated[list[AskRecord], Entries(fewest=1, most=MAX_ASKED), "What is asked, in order"]


class Side(TypedDict):
    """A response that the item shows"""

    id: Key
    variety: Tag
    model: Annotated[Key, "The target model"]
    laboratory: Annotated[Name, "Short name of who trained the model"]
    response: Annotated[Text, "Exactly as it was shown, never normalised"]
    response_sha256: NotRequired[Hash | None]
    metadata: NotRequired[Annotated[FreeForm | None, "As imported with the response, keys sorted"]]


def _check_value(value: object) -> Fault | None:
    if type(value) in (str, int, float, list, dict):
        return None
    return "not_an_answer", _("A text, a number, a list or an object is expected.")


VALUE = Kind(_check_value, {"anyOf": [{"type": each} for each in ("string", "number", "array", "object")]})


class GoldOfPart(TypedDict):
    part: PartKey
    rule: Annotated[
        str,
        one_of(("expert", *choices.GoldRule.values, "median")),
        "Experts, where one answered the part, else what made it",
    ]
    n: Annotated[int, whole(1), "Answers it rests on"]
    value: Annotated[
        Any, VALUE, "As an answer has it: a text, a list of texts, a number, or the rank of each response by its key"
    ]


class Answer(TypedDict):
    rater: Annotated[Pseudonym, "Pseudonym"]
    expert: NotRequired[bool | None]
    round: NotRequired[Annotated[Round | None, "Of a person's rounds the latest counts"]]
    answers: Annotated[dict[str, Any], MAPPING, "A value by the key of each part that was answered"]
    answered_at: Moment


class Item(TypedDict):
    """What a line says of an item, whatever it is about."""

    format: Version
    kind: Literal["response", "pair", "prompt"]
    stage: StageName
    id: Annotated[Key, "Key of what the item is about"]
    prompt_id: Key
    prompt: Annotated[Text, "What was asked, exactly as it was"]
    prompt_sha256: NotRequired[Hash | None]
    messages: NotRequired[Annotated[PromptText | None, "Of a conversation its messages"]]
    prompt_variety: Annotated[Tag, "BCP 47"]
    task: NotRequired[ShortOrNothing | None]
    domain: NotRequired[ShortOrNothing | None]
    metadata: NotRequired[
        Annotated[FreeForm | None, "Of a prompt without responses: whether it is held back, with its canary"]
    ]
    responses: Annotated[list[Side], "Those it shows; of a pair the first and the second"]
    gold: list[GoldOfPart]
    answers: Annotated[list[Answer], Entries(fewest=1, nothing=gettext_lazy("Nobody has answered this."))]


class OfResponse(Item):
    """A response with the gold of the parts that a stage asks about it, and all answers of people"""


class OfPair(Item):
    """Two responses to one prompt with the gold of the parts that a stage asks about them, and all answers of people"""


class OfPrompt(Item):
    """A prompt with the gold of the parts that a stage asks about it, and all answers of people"""


ruled(Side, same_hash("response"))
for _of_subject in (OfResponse, OfPair, OfPrompt):
    ruled(_of_subject, same_hash("prompt"))

FORMAT = Format(
    name="questionnaire-gold",
    version=VERSION,
    title="A line of a gold file of questionnaires",
    description="UTF-8, one JSON object a line. First what each stage shows and asks, then responses, pairs and "
    "prompts. Gold is made by the answers beside it; a file that says another is refused.",
    records={"stage": Stage, **dict(zip(SUBJECTS, (OfResponse, OfPair, OfPrompt), strict=True))},
    is_named=True,
    example='{"format": "mizan.questionnaire-gold/1", "kind": "response", "stage": "Answering", "id": "eg-1", '
    '"prompt_id": "p-1", "prompt": "إزاي أعمل كشري؟", "prompt_variety": "ar-EG", "task": "", "domain": "", '
    '"responses": [{"id": "eg-1", "variety": "ar-EG", "model": "Nile-7B", "laboratory": "delta-lab", "response": '
    '"الكشري أكلة مصرية.", "metadata": {}}], "gold": [{"part": "right", "rule": "majority", "n": 1, "value": '
    '"Partly"}], "answers": [{"rater": "R-1", "expert": false, "round": 1, "answers": {"right": "Partly"}, '
    '"answered_at": "2026-03-05T08:00:00Z"}]}',
)
