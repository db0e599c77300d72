"""Rows of files that other programs write, read as answers: one small reader for each program.

A reader is given the fields of a row and returns None where it is not its program's, else a Row or a PassedOver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

#: Where data sets keep the key of a question, and its text; the first that is there counts.
KEYS = ("id", "key", "question_id", "qid", "uid")
TEXTS = ("instruction", "question", "query", "original_query", "prompt", "input", "text")


@dataclass(frozen=True, slots=True)
class Row:
    """An answer as another program wrote it down.

    keys, texts  by which its question may be known.
    text         what the model wrote; None where it wrote nothing: only likelihoods of given answers are there.
    model        its name where the row says it.
    same         equal for rows that hold one answer several times over; empty: none does.
    choices      the given answers in the order in which the program lettered them; empty where it gave none.
    """

    keys: tuple[str, ...]
    texts: tuple[str, ...]
    text: str | None
    finish_reason: str = ""
    reasoning: str = ""
    model: str = ""
    same: str = ""
    choices: tuple[str, ...] = ()


class PassedOver:
    """A row that holds no answer to a question as it stands: a call that failed, a perturbed copy, a later trial."""


Reader = Callable[[Mapping[str, Any]], Row | PassedOver | None]


def read(fields: Mapping[str, Any]) -> Row | PassedOver | None:
    """None for a row of our own format, or of nobody's."""
    from benchmark.importing.elsewhere import helm, lighteval, lm_harness

    readers: tuple[Reader, ...] = (lm_harness.read, helm.read, lighteval.read)
    return next((row for reader in readers if (row := reader(fields)) is not None), None)


def keys_in(*places: object) -> tuple[str, ...]:
    """What these objects have of a key."""
    found = (place[name] for place in places if isinstance(place, Mapping) for name in KEYS if name in place)
    return tuple(str(key) for key in found if isinstance(key, str | int) and not isinstance(key, bool))


def texts_in(*places: object) -> tuple[str, ...]:
    """What these objects have of a question's text; a text stands for itself."""
    found: list[str] = []
    for place in places:
        if isinstance(place, str):
            found.append(place)
        elif isinstance(place, Mapping):
            found += [place[name] for name in TEXTS if isinstance(place.get(name), str)]
    return tuple(found)


def last_asked(chat: object) -> str:
    """The last words of the user in a chat; behind them may stand how the answer begins."""
    if not isinstance(chat, list):
        return ""
    turns = [turn for turn in chat if isinstance(turn, Mapping) and turn.get("role") == "user"]
    content = turns[-1].get("content") if turns else ""
    if isinstance(content, list):
        content = "\n".join(part["text"] for part in content if isinstance(part, Mapping) and part.get("text"))
    return content if isinstance(content, str) else ""


def texts_of(values: object) -> tuple[str, ...]:
    """A list of texts; empty for anything else."""
    if isinstance(values, list) and all(isinstance(each, str) for each in values):
        return tuple(values)
    return ()


def first_text(value: object) -> str | None:
    """The first text of a list of lists, or the text itself: of several answers to one question the first counts."""
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return value if isinstance(value, str) else None
