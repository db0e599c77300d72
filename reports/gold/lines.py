"""What the lines of all gold files are written with.

Lines are made by generators that read by ranges of id: they hold one batch in memory at any size, send their first line
after the first, small batch, and cost what reading and encoding cost, for no model instance is built.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, NotRequired, TypedDict
from uuid import UUID

import orjson
from django.db.models import Count, QuerySet

from benchmark.held_back import canary_of
from projects.anchors import to_utf16
from projects.laboratories import laboratory_slug
from projects.models import Project, Rater, RaterKind
from workflow.models import Status

FIRST_BATCH = 25


def columns_of(kind: type[Any], **paths: Any) -> tuple[Any, ...]:
    """The columns that the rows of a NamedTuple are read from: those of its fields' names, but of those in `paths`."""
    return tuple(paths.get(name, name) for name in kind._fields)


class Doubt(TypedDict):
    """What a line has beside where people were unsure."""

    unsure: NotRequired[int]


def unsure_of(answers: QuerySet[Any], subject: str) -> dict[int, int]:
    """How many people said that they were unsure of their answer, by the id of what it is about (`subject`: response
    or pair), where any did. One statement."""
    unsure = answers.filter(assignment__is_unsure=True, assignment__status=Status.SUBMITTED).order_by()
    return dict(unsure.values_list(f"{subject}_id").annotate(Count("rater", distinct=True)))


def doubt(people: int) -> Doubt:
    return {"unsure": people} if people else {}


class TextEntry(TypedDict):
    """What the lines of gold files say of a response and its prompt; their formats declare the fields."""

    id: str
    prompt_id: str
    prompt: str
    prompt_sha256: str
    prompt_variety: str
    variety: str
    model: str
    laboratory: str
    response: str
    response_sha256: str
    task: str
    domain: str
    metadata: orjson.Fragment


class TextRow(NamedTuple):
    """A response and its prompt."""

    id: int
    key: str
    prompt_key: str
    prompt: str
    prompt_sha256: str
    prompt_variety: str
    variety: str
    model: str
    laboratory: str
    text: str
    text_sha256: str
    task: str
    domain: str
    metadata: str
    canary: UUID | None

    def entry(self) -> TextEntry:
        return {
            "id": self.key,
            "prompt_id": self.prompt_key,
            "prompt": self.prompt,
            "prompt_sha256": self.prompt_sha256,
            "prompt_variety": self.prompt_variety,
            "variety": self.variety,
            "model": self.model,
            "laboratory": self.laboratory,
            "response": self.text,
            "response_sha256": self.text_sha256,
            "task": self.task,
            "domain": self.domain,
            "metadata": marked(self.metadata, self.canary),
        }


#: Of a response; `metadata_json` is its metadata as the text that is stored.
TEXT_COLUMNS = columns_of(
    TextRow,
    prompt_key="prompt__key",
    prompt="prompt__text",
    prompt_sha256="prompt__text_sha256",
    prompt_variety="prompt__variety__tag",
    variety="variety__tag",
    model="target_model__name",
    laboratory=laboratory_slug(),
    task="prompt__task",
    domain="prompt__domain",
    metadata="metadata_json",
    canary=canary_of(),
)


def batches(rows: QuerySet[Any], columns: tuple[str, ...], size: int) -> Iterator[list[tuple]]:
    """The columns of all rows, the first of which is the id, in the order of ids; in batches, the first one small."""
    last, at_once = 0, FIRST_BATCH
    while batch := list(rows.order_by("id").filter(id__gt=last).values_list(*columns)[:at_once]):
        yield batch
        last, at_once = batch[-1][0], size


class RaterEntry(TypedDict):
    """Who a judge is; people appear by pseudonym alone."""

    name: str | None
    model: str | None
    laboratory: str | None
    simulated: bool


class RaterRow(NamedTuple):
    """A rater, and what every line with an answer of theirs says beside the pseudonym."""

    pseudonym: str
    kind: str
    is_expert: bool
    entry: RaterEntry


def rater_rows(project: Project) -> dict[int, RaterRow]:
    """All raters of the project by id: there are as many as people, so they are read once."""
    rows = Rater.objects.filter(project=project).values_list(
        "id", "pseudonym", "kind", "is_expert", "name", "model", "laboratory__slug", "is_simulated"
    )
    raters = {}
    for pk, pseudonym, kind, is_expert, name, model, laboratory, is_simulated in rows:
        entry: RaterEntry = {
            "name": name if kind == RaterKind.JUDGE else None,
            "model": model or None,
            "laboratory": laboratory,
            "simulated": is_simulated,
        }
        raters[pk] = RaterRow(pseudonym, kind, is_expert, entry)
    return raters


def has_pairs(text: str) -> bool:
    """Outside the Basic Multilingual Plane one code point is two units; texts without such need no counting."""
    return len(text.encode("utf-16-le")) != 2 * len(text)


class Offsets(TypedDict):
    start: int | None
    end: int | None
    start_utf16: int | None
    end_utf16: int | None


def offsets(text: str, start: int | None, end: int | None, has_pairs: bool) -> Offsets:
    """Half-open, in code points and in UTF-16 code units; None of what points at no words."""
    if start is None or end is None or not has_pairs:
        return {"start": start, "end": end, "start_utf16": start, "end_utf16": end}
    return {"start": start, "end": end, "start_utf16": to_utf16(text, start), "end_utf16": to_utf16(text, end)}


def free_form(stored: str) -> orjson.Fragment:
    """A stored JSON object with its keys sorted: the databases keep them in orders of their own."""
    if stored == "{}":
        return orjson.Fragment(b"{}")
    try:
        return orjson.Fragment(orjson.dumps(orjson.loads(stored), option=orjson.OPT_SORT_KEYS))
    except (TypeError, ValueError):  # a whole number beyond 64 bits, which only Python's own encoder writes
        canonical = json.dumps(json.loads(stored), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return orjson.Fragment(canonical)


def marked(stored: str, canary: UUID | None) -> orjson.Fragment:
    """The metadata of a response, which say of a held-back text that it is one, with the canary of its question set.

    There, and not in a field of its own, they come back with the response wherever the file is imported.
    """
    if canary is None:
        return free_form(stored)
    return free_form(json.dumps({**json.loads(stored or "{}"), "held_back": True, "canary": str(canary)}))
