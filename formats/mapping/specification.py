"""The mapping as it is kept and exchanged: a small YAML or JSON file with a declared record type."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import orjson
import yaml
from django.utils.translation import gettext as _

from formats.format import Format
from formats.kinds import Fault, Kind, name, text
from formats.mapping.applying import Applied
from formats.problems import ProblemLog
from formats.project_file.reading import read_yaml
from formats.readers.choosing import FORMATS
from formats.reading import parse_json, refuse_null_character
from projects.problems import Invalid, Problem

MAX_FILE = 64_000
VERSION = "mizan.mapping/1"


def _is_fields(value: object) -> Fault | None:
    entries = value if isinstance(value, list) else [value]
    if entries and all(isinstance(each, dict) and each for each in entries):
        return None
    return "not_object", _("Our fields and what fills each are expected, or a list of such objects.")


def _is_texts(value: object) -> Fault | None:
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return None
    return "not_list", _("A list of names is expected.")


def _is_texts_or_pattern(value: object) -> Fault | None:
    return None if isinstance(value, str) and value else _is_texts(value)


def _is_maps(value: object) -> Fault | None:
    if isinstance(value, dict) and all(isinstance(each, dict) for each in value.values()):
        return None
    return "not_object", _("An object of objects is expected.")


def _is_gathered(value: object) -> Fault | None:
    if not isinstance(value, dict) or len(value) != 1:
        return "not_object", _("One field that holds a list, and what an entry of it is made of, is expected.")
    return _is_fields(next(iter(value.values())))


def _is_filter(value: object) -> Fault | None:
    return None if isinstance(value, dict) else ("not_object", _("A JSON object in braces is expected."))


FIELDS = Kind(_is_fields, {"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "object"}}]})
TEXTS = Kind(_is_texts, {"type": "array", "items": {"type": "string"}})
COLUMNS = Kind(_is_texts_or_pattern, {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
MAPS = Kind(_is_maps, {"type": "object"})
GATHERED = Kind(_is_gathered, {"type": "object", "maxProperties": 1})
FILTER = Kind(_is_filter, {"type": "object"})


class Read(TypedDict):
    """How the file is read, where it does not show that by itself"""

    format: NotRequired[Annotated[str | None, name(40), "jsonl, json, csv, xlsx, parquet, ... or a foreign format"]]
    delimiter: NotRequired[Annotated[str | None, text(1), "What sets columns apart"]]
    sheet: NotRequired[Annotated[str | None, name(100), "Of a workbook"]]


class Wide(TypedDict):
    """Several columns that say the same of several raters, models or questions become rows"""

    columns: Annotated[Any, COLUMNS, "Their names, or a regular expression of them; its named groups become columns"]
    name: NotRequired[Annotated[str | None, name(80), "The new column that holds the name of the one a value is from"]]
    value: Annotated[str, name(80), "The new column that holds the value"]


class Mapping(TypedDict):
    """What becomes of a file that another tool wrote"""

    format: NotRequired[Literal["mizan.mapping/1"] | None]
    name: NotRequired[Annotated[str | None, name(80), "What the project calls it"]]
    kind: Annotated[str, name(40), "What it makes: items, answers, questions, rubrics, ..."]
    read: NotRequired[Read | None]
    each: NotRequired[
        Annotated[str | None, text(500), "Where rows lie within a record, such as questions.{number}.answers.{place}"]
    ]
    split: NotRequired[Annotated[dict[str, Any] | None, MAPS, "Columns taken apart: by and into, or a pattern"]]
    where: NotRequired[Annotated[dict[str, Any] | None, FILTER, "Rows that count: a column and its values"]]
    unless: NotRequired[Annotated[dict[str, Any] | None, FILTER, "Rows that do not count: a column and its values"]]
    wide: NotRequired[Wide | None]
    fields: Annotated[Any, FIELDS, "Our fields and what fills each; a list, where a row makes several records"]
    keep: NotRequired[Annotated[bool | None, "The row's own fields stay where nothing else fills them"]]
    values: NotRequired[
        Annotated[dict[str, Any] | None, MAPS, "Of our fields: their values and ours; * stands for all others"]
    ]
    needs: NotRequired[Annotated[list[str] | None, TEXTS, "Our fields without which a row makes no record"]]
    once: NotRequired[Annotated[bool | None, "Records that are equal are made once"]]
    gather: NotRequired[Annotated[dict[str, Any] | None, GATHERED, "Rows that are else equal become one record's list"]]
    create: NotRequired[Annotated[list[str] | None, TEXTS, "What the project has not and is made: categories"]]


FORMAT = Format(
    name="mapping",
    version=VERSION,
    title="A mapping: what becomes of a file that another tool wrote",
    records={"": Mapping},
    example='{"kind": "items", "fields": {"id": "{key}", "prompt": "{question}", "variety": "en-US", '
    '"model": "{system}", "laboratory": "OpenAI", "response": "{answer}"}}',
    description="YAML or JSON, of at most 64 kB.",
)


def read_mapping(content: str | bytes) -> dict[str, Any]:
    """The checked mapping of a YAML or JSON text. Raises Invalid with all its problems."""
    return checked(parsed(content))


def parsed(content: str | bytes) -> Any:
    """What a YAML or JSON text says, as JSON has it. Raises Invalid.

    YAML is read as that of a project file: “yes” and “no” are the words that stand in the cells, and a key that stands
    twice is refused.
    """
    raw = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    if len(raw) > MAX_FILE:
        raise Invalid(Problem("too_long", _("A mapping has at most 64 kB.")))
    try:
        return parse_json(raw) if _is_json(raw) else read_yaml(raw)[0]
    except Invalid as refused:
        message = _("The mapping is neither YAML nor JSON: %(reason)s.")
        reason = str(refused.problems[0]).rstrip(".")[:300]
        raise Invalid(Problem("not_yaml", message % {"reason": reason})) from None


def _is_json(raw: bytes) -> bool:
    """An object in braces may be YAML of one line as well."""
    try:
        orjson.loads(raw)
    except orjson.JSONDecodeError:
        return False
    return True


def checked(stated: Any) -> dict[str, Any]:
    """The mapping, its parts well-formed one by one and together. Raises Invalid."""
    if not isinstance(stated, dict) or any(not isinstance(each, str) for each in stated):
        raise Invalid(Problem("not_object", _("A mapping is an object: kind, fields, and what else it says.")))
    refuse_null_character(stated)  # of fields of a page; a file's are refused as it is read
    problems = ProblemLog()
    FORMAT.check(stated, 1, problems)
    if problems.total:
        raise Invalid([Problem(each.code, each.message, each.field) for each in problems.shown])
    asked = (stated.get("read") or {}).get("format")
    if asked and asked not in FORMATS:
        message = _("One of these is expected: %(kinds)s.") % {"kinds": ", ".join(FORMATS)}
        raise Invalid(Problem("not_a_choice", message, "read.format"))
    Applied(stated)
    return stated


def written(mapping: dict[str, Any]) -> str:
    """The mapping as YAML, one line for each of its parts, in the order in which they are declared: a database may hand
    them back in another."""
    said = {"format": VERSION, **{name: value for name, value in mapping.items() if value is not None}}
    stated = {name: said[name] for name in Mapping.__annotations__ if name in said}
    lines = (
        yaml.safe_dump({name: value}, allow_unicode=True, sort_keys=False, width=10**9, default_flow_style=False)
        if not isinstance(value, (dict, list))
        else f"{name}: {orjson.dumps(value).decode()}\n"
        for name, value in stated.items()
    )
    return "".join(lines)
