"""The prompts of a project as a file (formats/prompt.py), whether or not anybody has answered or rated them."""

from collections.abc import Iterator

import orjson

from projects.content_notes import sets_of
from projects.held_back import canary_of
from projects.models import Project, Prompt

# Of a line, by the columns of the row; what is empty is left out.
COLUMNS = {
    "prompt_id": "key",
    "prompt": "text",
    "messages": "messages",
    "variety": "variety__tag",
    "task": "task",
    "domain": "domain",
    "question": "question__slug",
    "template": "template__key",
    "localisation": "metadata__localisation",
    "content_notes": "note_set",
}


def lines(project: Project) -> Iterator[bytes]:
    """One a prompt, in the order of their ids. Held-back questions leave with their question set alone."""
    rows = Prompt.objects.filter(project=project).alias(canary=canary_of("pk")).filter(canary=None).order_by("key")
    slugs = {number: said.split(" ") for said, number in sets_of(project).items() if number}
    for values in rows.values_list(*COLUMNS.values()).iterator():
        said = {name: value for name, value in zip(COLUMNS, values, strict=True) if value not in (None, "", [])}
        if number := said.pop("content_notes", 0):
            said["content_notes"] = slugs[number]
        if messages := said.pop("messages", None):
            said["prompt"] = messages
        yield orjson.dumps(said) + b"\n"
