"""A file format: its record types, and from them the check of a line, the published JSON Schema and the writing."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson
from django.utils.translation import gettext as _

from formats.kinds import one_of
from formats.problems import ProblemLog
from formats.records import RecordType, compiled

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Said of every file that is read; what a format says beside it comes behind.
EVERY_FILE = "UTF-8, one JSON object a line, of at most 5 MB and 32 levels of nesting."


@dataclass(frozen=True)
class Format:
    """One kind of file. `name` is that of its schema file, `version` what its lines and schema are known by.

    `records` holds the record types by what their field `kind` says; a format with one type has it under "". A line
    without a kind is of the `default`. `example` is one good line.
    """

    name: str
    version: str
    title: str
    records: Mapping[str, Any]
    example: str
    description: str = EVERY_FILE
    default: str | None = None
    is_named: bool = False  # its lines carry their version as "format", which asks for its importer by itself

    @cached_property
    def types(self) -> dict[str, RecordType]:
        return {kind: compiled(declared) for kind, declared in self.records.items()}

    @property
    def has_format_of_its_own(self) -> bool:
        """True where "format" is a field like others: the published columns of benchmark questions have one."""
        return not self.is_named and any("format" in type_.fields for type_ in self.types.values())

    @cached_property
    def json_cells(self) -> frozenset[str]:
        """The columns of a table whose cells hold JSON: fields of lists and objects."""
        return frozenset(
            name
            for type_ in self.types.values()
            for name, each in type_.fields.items()
            if each.kind.json_type in ("object", "array")
        )

    def type_of(self, record: Mapping[str, Any]) -> RecordType | None:
        """The record type that a line asks for by its kind."""
        if "" in self.types:
            return self.types[""]
        kind = record.get("kind")
        known = self.types.get(kind) if isinstance(kind, str) else None
        return known or (None if self.default is None else self.types[self.default])

    def check(self, record: dict, line: int, problems: ProblemLog) -> bool:
        """True where the record by itself is a good line; else all its problems are added. Asks no database."""
        type_ = self.type_of(record)
        if type_ is not None:
            return type_.check(record, line, problems)
        message = _("One of these is expected: %(kinds)s.") % {"kinds": ", ".join(self.types)}
        problems.say(line, "missing" if record.get("kind") is None else "not_a_choice", message, "kind")
        return False

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a line."""
        definitions: dict[str, Any] = {}
        head = {"$schema": DIALECT, "$id": self.version, "title": self.title, "description": self.description}
        if "" in self.types:
            body = self.types[""].schema(definitions)
            head["description"] = self.description
            body.pop("description", None)
        else:
            body = {"oneOf": [self.types[kind].reference(definitions) for kind in self.types]}
            for kind, type_ in self.types.items():
                own = definitions[type_.name]["properties"]["kind"]
                own.pop("const", None)
                own.pop("enum", None)
                own |= one_of((kind,)).schema(type_.fields["kind"].is_nullable)
        return {**head, **body, **({"$defs": definitions} if definitions else {})}

    @cached_property
    def schema_json(self) -> bytes:
        """The schema as it is published, in UTF-8."""
        return orjson.dumps(self.schema, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def encode(record: Mapping[str, Any]) -> bytes:
    """A record as one line of UTF-8 JSON with its newline; its fields stand in the order in which they were given."""
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
