"""Record types: TypedDicts whose fields carry their constraints, compiled once into a check and a JSON Schema.

    class Level(TypedDict):
        grade: Annotated[int, whole(-100, 100)]
        label: NotRequired[Annotated[str | None, short_text(40)]]
        summary: Annotated[str, text(300), "In one line"]

The Python type is what mypy holds writers to; the kind beside it (`kinds.py`), or the choices of a table, is what a
record is checked against; the string is the field's description. Of `Literal`, `bool`, `float`, `dict` and other record
types the kind follows from the type alone. A field is required unless it is `NotRequired`; one that may be None may be
left out as well.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import NoneType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from django.db.models.enums import ChoicesType
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from formats.kinds import FLAG, MAPPING, NUMBER, ROWS, Check, Kind, one_of
from formats.problems import ProblemLog

#: Marks a field that our own files always have, while files of others may leave it out.
LENIENT = object()
Words = str | Promise


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """Of a list of records: how many there may be, with what is said where there are too few or too many, and the field
    in which no two of them may be equal, which JSON Schema cannot say.

    `checked_later`: by the importer, together with the text that they point at.
    """

    fewest: int = 0
    nothing: Words = ""
    most: int | None = None
    too_many: Words = ""
    unique: str = ""
    twice: Words = ""
    checked_later: bool = False
    #: What a good entry says of the records around it, from the line inward.
    with_line: Callable[[dict, tuple[dict, ...], int, ProblemLog, str], None] | None = None

    def keywords(self) -> dict[str, int]:
        least = {"minItems": self.fewest} if self.fewest else {}
        return least if self.most is None else {**least, "maxItems": self.most}

    def count_is_good(self, count: int, line: int, place: str, problems: ProblemLog) -> bool:
        if count < self.fewest:
            problems.say(line, "nothing", str(self.nothing), place)
        elif self.most is not None and count > self.most:
            message = str(self.too_many) % {"limit": self.most, "count": count}
            problems.say(line, "too_many", message, place)
        else:
            return True
        return False

    def refuse_repeated(self, entries: Iterable[dict], line: int, place: str, problems: ProblemLog) -> None:
        """Say which entries have the `unique` field of an earlier one."""
        seen: set[object] = set()
        for index, entry in enumerate(entries):
            key = entry.get(self.unique)
            if key in seen:
                message = str(self.twice) or _("“%(key)s” stands twice in the line.")
                problems.say(line, "duplicate_id", message % {"key": str(key)[:64]}, f"{place}[{index}].{self.unique}")
            seen.add(key)


@dataclass(frozen=True, slots=True)
class Rule:
    """What the fields of one record say of each other: a check of a record whose fields are good by themselves, which
    adds its problems, and the JSON Schema keywords for as much of it as they can say."""

    check: Callable[[dict, int, ProblemLog, str], None]
    keywords: Mapping[str, Any] = field(default_factory=dict)
    #: Where it fails, the rules behind it mean nothing.
    is_decisive: bool = False
    #: Asked of a record whose fields are faulty as well.
    is_always: bool = False


_rules: dict[type, tuple[Rule, ...]] = {}


def ruled(declared: Any, *rules: Rule) -> None:
    """Add rules to a record type, before it is first compiled."""
    _rules[declared] = rules


@dataclass(frozen=True, slots=True)
class FieldType:
    """One field of a record type."""

    check: Check
    kind: Kind
    is_required: bool  # in a file that is read
    is_nullable: bool
    is_published: bool  # as required, in the schema
    description: str
    inner: "RecordType | None"
    is_list: bool
    entries: Entries


class RecordType:
    """A compiled record type: checks records, and says in JSON Schema what they look like."""

    def __init__(self, declared: Any) -> None:
        self.declared = declared
        self.name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", declared.__name__).lower()
        hints = get_type_hints(declared, include_extras=True)
        self.fields = {name: _field_type(hint, name in declared.__required_keys__) for name, hint in hints.items()}
        self.required = tuple(name for name, each in self.fields.items() if each.is_required)
        self.nested = {
            name: each
            for name, each in self.fields.items()
            if each.inner is not None and not each.entries.checked_later
        }
        self.rules = _rules.get(declared, ())

    # --- The check of a record ---

    def check(
        self, record: dict, line: int, problems: ProblemLog, prefix: str = "", within: tuple[dict, ...] = ()
    ) -> bool:
        """True where the record is a good one; else all its problems are added, each with its line and field.

        What is within its lists and what its rules say is looked at where its own fields are good. `within` holds the
        records around it, the line first; `prefix` is put before the names of its fields.
        """
        before = problems.total
        if not self.check_fields(record, line, problems, prefix):
            for rule in self.rules:
                if rule.is_always:
                    rule.check(record, line, problems, prefix)
            return False
        for name, nested in self.nested.items():
            value = record.get(name)
            if value is not None:
                _check_inner(nested, value, line, problems, prefix + name, (*within, record))
        for rule in self.rules:
            after = problems.total
            rule.check(record, line, problems, prefix)
            if rule.is_decisive and problems.total != after:
                break
        return problems.total == before

    def check_fields(self, record: dict, line: int, problems: ProblemLog, prefix: str = "") -> bool:
        """True where every field is known and well-formed and none is missing. A null is a field left out."""
        before, fields = problems.total, self.fields
        for name, value in record.items():
            known = fields.get(name)
            if known is None:
                problems.say(line, "unknown_field", _("There is no such field."), (prefix + name)[:120])
            elif value is not None and (fault := known.check(value)):
                problems.say(line, *fault, prefix + name)
        for name in self.required:
            if record.get(name) is None:
                problems.say(line, "missing", _("The field is missing."), prefix + name)
        return problems.total == before

    # --- Its JSON Schema ---

    def schema(self, definitions: dict[str, Any]) -> dict[str, Any]:
        """The schema of one record; those of the records within it are added to the definitions."""
        schema: dict[str, Any] = {
            "type": "object",
            "additionalProperties": False,
            "required": [name for name, each in self.fields.items() if each.is_published],
            "properties": {name: _field_schema(each, definitions) for name, each in self.fields.items()},
        }
        if self.declared.__doc__:
            schema = {"description": " ".join(self.declared.__doc__.split()), **schema}
        spoken = [dict(rule.keywords) for rule in self.rules if rule.keywords]
        return {**schema, "allOf": spoken} if spoken else schema

    def reference(self, definitions: dict[str, Any]) -> dict[str, str]:
        if self.name not in definitions:
            definitions[self.name] = {}  # its place, before those that it brings along
            definitions[self.name] = self.schema(definitions)
        return {"$ref": f"#/$defs/{self.name}"}


@cache
def compiled(declared: Any) -> RecordType:
    return RecordType(declared)


def fields_of(declared: Any) -> tuple[str, ...]:
    """The names of a record type's fields, in the order in which they are declared and written."""
    return tuple(compiled(declared).fields)


def _check_inner(
    each: FieldType, value: Any, line: int, problems: ProblemLog, place: str, within: tuple[dict, ...]
) -> None:
    inner, entries = each.inner, each.entries
    assert inner is not None
    if not each.is_list:
        inner.check(value, line, problems, f"{place}.", within)
        return
    before = problems.total
    if not entries.count_is_good(len(value), line, place, problems):
        return
    for index, entry in enumerate(value):
        at = f"{place}[{index}]."
        if inner.check(entry, line, problems, at, within) and entries.with_line is not None:
            entries.with_line(entry, within, line, problems, at)
    if entries.unique and problems.total == before:
        entries.refuse_repeated(value, line, place, problems)


def _field_schema(each: FieldType, definitions: dict[str, Any]) -> dict[str, Any]:
    described = {"description": each.description} if each.description else {}
    if each.inner is None:
        return {**each.kind.schema(each.is_nullable), **described}
    reference = each.inner.reference(definitions)
    if each.is_list:
        kind = Kind(each.check, {"type": "array", "items": reference, **each.entries.keywords()})
    else:
        kind = Kind(each.check, reference)
    return {**kind.schema(each.is_nullable), **described}


def _field_type(hint: Any, is_required: bool) -> FieldType:
    marks: list[Any] = []
    while get_origin(hint) in (Annotated, Required, NotRequired):
        if get_origin(hint) is Annotated:
            marks = [*hint.__metadata__, *marks]
        hint = get_args(hint)[0]
    types = get_args(hint) if get_origin(hint) is Union or _is_union(hint) else (hint,)
    is_nullable = NoneType in types
    [first, *_others] = [each for each in types if each is not NoneType]
    while get_origin(first) is Annotated:
        marks = [*first.__metadata__, *marks]
        first = get_args(first)[0]
    marks.reverse()  # what stands outermost comes first, and goes before what an alias within it says
    kind = next((_kind_of_mark(mark) for mark in marks if isinstance(mark, (Kind, ChoicesType))), None)
    inner = _inner(first)
    if kind is None:
        kind = _kind_of(first, inner)
    return FieldType(
        check=kind.check,
        kind=kind,
        is_required=is_required and not is_nullable and LENIENT not in marks,
        is_nullable=is_nullable,
        is_published=is_required,
        description=next((mark for mark in marks if isinstance(mark, str)), ""),
        inner=inner,
        is_list=get_origin(first) is list,
        entries=next((mark for mark in marks if isinstance(mark, Entries)), Entries()),
    )


def _kind_of_mark(mark: Any) -> Kind:
    return mark if isinstance(mark, Kind) else one_of(mark.values)


def _is_union(hint: Any) -> bool:
    return type(hint).__name__ == "UnionType"


def _inner(hint: Any) -> "RecordType | None":
    """The record type of a field that holds a record or a list of them."""
    declared = get_args(hint)[0] if get_origin(hint) is list else hint
    return compiled(declared) if is_typeddict(declared) else None


def _kind_of(hint: Any, inner: RecordType | None) -> Kind:
    """The kind that follows from a type alone."""
    if inner is not None:
        return ROWS if get_origin(hint) is list else MAPPING
    if get_origin(hint) is Literal:
        return one_of(get_args(hint))
    kinds = {bool: FLAG, float: NUMBER, dict: MAPPING}
    return kinds[get_origin(hint) or hint]
