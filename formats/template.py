"""Prompt templates: one a line, before any native speaker has put it into a language."""

from typing import Annotated, NotRequired, TypedDict

from formats.format import EVERY_FILE, Format
from formats.kinds import name, text
from formats.vocabulary import Slug, Split
from projects.localising import MAX_KEY, MAX_TEXT

TemplateKey = Annotated[str, name(MAX_KEY)]
TemplateText = Annotated[str, text(MAX_TEXT)]


class Template(TypedDict):
    id: Annotated[TemplateKey, "Key of the template, unique in its project"]
    question: NotRequired[
        Annotated[Slug | None, "Short name of a question type of the project; left out where none is asked"]
    ]
    text: Annotated[TemplateText, "The prompt, with placeholders such as [locale_country]"]
    split: NotRequired[Annotated[Split | None, "Left out: drawn later"]]


FORMAT = Format(
    name="template",
    version="mizan.template/1",
    title="A line of a templates file: one prompt template",
    description=f"{EVERY_FILE} A null stands for an optional field left out.",
    records={"": Template},
    example='{"id": "t-1", "question": "warmth", "text": "How do you greet an elder in [locale_country]?", '
    '"split": "train"}',
)
