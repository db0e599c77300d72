"""A row of lighteval's details (--save-details), a Parquet file for each task.

Newer versions write the columns `doc`, `metric` and `model_response`; older ones `example`, `full_prompt`, `choices`
and `predictions`, some of them as the text of a Python list.
"""

import ast
from collections.abc import Mapping
from typing import Any

from benchmark.importing.elsewhere import Row, first_text, keys_in, last_asked, texts_in, texts_of

#: The columns that are read; the others are tokens and scores.
COLUMNS = ("doc", "model_response", "example", "full_prompt", "predictions", "choices", "specifics")


def read(fields: Mapping[str, Any]) -> Row | None:
    doc, response = fields.get("doc"), fields.get("model_response")
    if isinstance(doc, Mapping) and isinstance(response, Mapping):
        reasoning = first_text(response.get("reasonings"))
        return Row(
            keys=keys_in(doc.get("specific")),  # its own id is the row's number
            texts=(*texts_in(doc), *with_instruction(doc), last_asked(response.get("input"))),
            # A reply without words is one; no reply at all is a task that compares likelihoods.
            text=(first_text(response["text"]) or "") if response.get("text") else None,
            reasoning=reasoning or "",
            choices=texts_of(doc.get("choices")),
        )
    if "predictions" in fields and ("example" in fields or "full_prompt" in fields):
        return Row(
            keys=keys_in(parsed(fields.get("specifics"))),
            texts=(*texts_in(fields.get("example")), *asked_in(fields.get("full_prompt"))),
            text=first_text(parsed(fields["predictions"])),
            choices=texts_of(parsed(fields.get("choices"))),
        )
    return None


def with_instruction(doc: Mapping[str, Any]) -> tuple[str, ...]:
    """The query without the instruction that stands before it."""
    query, instruction = doc.get("query"), doc.get("instruction")
    if isinstance(query, str) and isinstance(instruction, str) and instruction and query.startswith(instruction):
        return (query[len(instruction) :],)
    return ()


def asked_in(prompt: object) -> tuple[str, ...]:
    """The text that was sent, or what the user of a chat said last."""
    return (*texts_in(prompt), last_asked(parsed(prompt)))


def parsed(value: object) -> object:
    """A Python list or dictionary that was written as a text; anything else as it is. None where it cannot be read:
    likelihoods of minus infinity and tensors are written as no Python reads them."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None
    return value
