"""Items: one response with its prompt a line, or a pair of responses. Read from JSON lines and from tables."""

from typing import Annotated, Literal, NotRequired, TypedDict

from formats.format import EVERY_FILE, Format
from formats.kinds import one_of
from formats.vocabulary import ContentNotes, FreeForm, Key, Name, PromptText, Short, Slug, Tag, Text


class Item(TypedDict):
    """One response with its prompt"""

    kind: NotRequired[Annotated[Literal["item"] | None, one_of(("item", "pair"))]]
    id: Annotated[Key, "Key of the response, unique in its project"]
    prompt_id: NotRequired[
        Annotated[
            Key | None,
            "Key of the prompt; lines with the same key carry the same prompt, variety, task and domain. Where it is "
            "left out, equal prompts of one variety are one prompt.",
        ]
    ]
    prompt: Annotated[
        PromptText, "What was asked, exactly as it was; of a conversation its messages, each with role and content"
    ]
    variety: Annotated[
        Tag, "BCP 47 tag of the response's language variety, such as ar-EG, or a short name of the project"
    ]
    model: Annotated[Key, "The target model"]
    laboratory: Annotated[Name, "Who trained the model. Known by its short name: “Delta Lab” and “delta-lab” are one"]
    response: Annotated[Text, "What the model wrote, exactly as it was; never normalised"]
    task: NotRequired[Short | None]
    domain: NotRequired[Short | None]
    prompt_variety: NotRequired[Annotated[Tag | None, "Where the prompt is in another variety than the response"]]
    metadata: NotRequired[Annotated[FreeForm | None, "Kept with the response and exported with it"]]
    question: NotRequired[
        Annotated[
            Slug | None,
            "Short name of the question type that the prompt's responses are rated on. Where it is left out they are "
            "rated on every question type of the project, or on that of the prompt's template",
        ]
    ]
    template: NotRequired[Annotated[Key | None, "Id of the template that the prompt was made of"]]
    content_notes: NotRequired[
        Annotated[
            ContentNotes | None,
            "What may be hard to read in the prompt or its responses: short names of content notes of the project",
        ]
    ]


class Pair(TypedDict):
    """Two responses to one prompt, set side by side. They stand on earlier lines or are in the project"""

    kind: Literal["pair"]
    id: Annotated[Key, "Key of the pair, unique in its project"]
    first: Annotated[
        Key,
        "Key of a response. First and second only name the two: who is shown which first is drawn for every rater",
    ]
    second: Annotated[Key, "Key of another response to the same prompt, in the same language variety"]


# What makes a response and its prompt, in whatever file it stands.
RESPONSE_FIELDS = (
    "id",
    "prompt_id",
    "prompt",
    "variety",
    "model",
    "laboratory",
    "response",
    "task",
    "domain",
    "prompt_variety",
    "metadata",
)

FORMAT = Format(
    name="item",
    version="mizan.item/1",
    title="A line of an items file: one response with its prompt, or a pair of responses",
    description=f"{EVERY_FILE} CSV and TSV files carry the same fields as columns; the cell of metadata holds a JSON "
    "object, and an empty cell is a field left out. A null stands for an optional field left out.",
    records={"item": Item, "pair": Pair},
    default="item",
    example='{"id": "eg-1", "prompt": "إزاي أعمل كشري؟", "variety": "ar-EG", "model": "Nile-7B", '
    '"laboratory": "delta-lab", "response": "الكشري أكلة مصرية."}',
)
