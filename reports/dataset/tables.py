"""What a folder of a project holds: its gold by area, and of everything that was answered a table of each kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson
from django.utils import translation

from formats.importing.registry import importer
from projects.models import Project
from reports.dataset.arrow import as_table, schema_of
from reports.frames.frame import Frame
from reports.frames.registry import FRAMES
from reports.gold.formats import GoldFormat, formats_of

if TYPE_CHECKING:  # a start does not load it
    import pyarrow

#: Lines of gold hold whole responses with all that was said of them.
LINES_AT_ONCE = 400


@dataclass(frozen=True)
class Part:
    """Some rows of a table. `prompts` are the keys of their prompts, by which they stand on a side of the split.
    `held_back` says of each whether nobody may train on it."""

    rows: "pyarrow.Table"
    prompts: list[str]
    held_back: list[bool]


@dataclass(frozen=True)
class Table:
    """A configuration of the data set. `about` is in English, as a card is."""

    name: str
    about: str
    schema: "pyarrow.Schema"
    parts: Callable[[Project], Iterator[Part]]


def tables_of(project: Project) -> list[Table]:
    """Those of the gold first. One without rows is among them: whether it has any is known once it is read."""
    gold = [table for gold_format in formats_of(project) for table in of_gold(gold_format)]
    return [*gold, *map(of_frame, FRAMES.values())]


def of_gold(gold_format: GoldFormat) -> list[Table]:
    """A table of each kind of line that is about a prompt; question types and templates stay in the gold file."""
    types = importer(gold_format.importer).format.types
    made = []
    for kind, type_ in types.items():
        if "prompt_id" not in type_.fields:
            continue
        name = f"gold_{gold_format.area}" + (f"_{kind}" if kind else "")
        about = f"Gold of {gold_format.area}" + (f": {kind}" if kind else ": a response with all that is settled")
        schema = schema_of(type_)
        made.append(Table(name, about, schema, gold_parts(gold_format, kind, schema)))
    return made


def gold_parts(gold_format: GoldFormat, kind: str, schema: "pyarrow.Schema") -> Callable[[Project], Iterator[Part]]:
    def parts(project: Project) -> Iterator[Part]:
        lines = map(orjson.loads, gold_format.lines(project))
        of_kind = (line for line in lines if not kind or line.get("kind") == kind)
        while some := list(islice(of_kind, LINES_AT_ONCE)):
            yield Part(as_table(some, schema), [line["prompt_id"] for line in some], list(map(is_held_back, some)))

    return parts


def is_held_back(line: dict[str, Any]) -> bool:
    """A line says so in the metadata of its response, of either response of its pair, or of one of several."""
    within = [line, line.get("first"), line.get("second"), *(line.get("responses") or ())]
    metadata = [one.get("metadata") for one in within if isinstance(one, dict)]
    return any(isinstance(said, dict) and bool(said.get("held_back")) for said in metadata)


def of_frame(frame: Frame) -> Table:
    def parts(project: Project) -> Iterator[Part]:
        for table in frame.tables(project):
            yield Part(table, table["prompt_key"].to_pylist(), table["held_back"].to_pylist())

    # The words of pandas in the head of a frame's own file would be said of half a table here.
    return Table(frame.name, in_english(frame), frame.schema.remove_metadata(), parts)


def in_english(frame: Frame) -> str:
    with translation.override("en"):
        return str(frame.about)
