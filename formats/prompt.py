"""Prompts before anybody has answered them: one a line. What a project exports of its prompts is such a file."""

from typing import Annotated, NotRequired, TypedDict

from formats.format import EVERY_FILE, Format
from formats.vocabulary import ContentNotes, FreeForm, Key, PromptText, Short, Slug, Tag


class PromptLine(TypedDict):
    prompt_id: NotRequired[
        Annotated[Key | None, "Key of the prompt; left out, equal prompts of one variety are one prompt"]
    ]
    prompt: Annotated[
        PromptText,
        "What is asked, exactly as it is; of a conversation the list of its messages, each with role and content. Of "
        "two turns of the user behind each other the first is answered before the second is asked",
    ]
    variety: Annotated[Tag, "BCP 47 tag of the prompt's language variety, such as ar-EG"]
    task: NotRequired[Short | None]
    domain: NotRequired[Short | None]
    question: NotRequired[Annotated[Slug | None, "Short name of the question type that its responses are rated on"]]
    template: NotRequired[Annotated[Key | None, "Id of the template that it was made of"]]
    localisation: NotRequired[
        Annotated[
            FreeForm | None,
            "Of a prompt that a model drafted: the original, the draft and who made it, what a native speaker made of "
            "it (validated, edited, rejected) and where the two differ. Kept with the prompt",
        ]
    ]
    content_notes: NotRequired[
        Annotated[ContentNotes | None, "What may be hard to read in it or its responses: notes of the project"]
    ]


FORMAT = Format(
    name="prompt",
    version="mizan.prompt/1",
    title="A line of a prompts file: one prompt without responses",
    description=f"{EVERY_FILE} A null stands for an optional field left out.",
    records={"": PromptLine},
    example='{"prompt_id": "p-1", "prompt": "إزاي أعمل كشري؟", "variety": "ar-EG", "domain": "food"}',
)
