"""Rules between the fields of one record, each a check and the JSON Schema keywords that say the same."""

from collections.abc import Collection, Sequence
from typing import Any

from django.utils.translation import gettext as _

from formats.problems import ProblemLog
from formats.records import Rule, Words
from projects.anchors import sha256


def says_nothing(value: object) -> bool:
    """Null, "" and false; a grade of 0 says something."""
    return value is None or value is False or value == ""


def empty(
    fields: Sequence[str],
    code: str,
    message: Words,
    *,
    where: str,
    has: Collection[str | None],
    or_false: bool = False,
    is_always: bool = False,
) -> Rule:
    """The `fields` are null where the field `where` holds one of the values `has`, None for a null or none at all.

    `or_false`: "" and false are as good as null. `is_always`: see `Rule`.
    """

    def check(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
        if record.get(where) in has:
            for field in fields:
                value = record.get(field)
                if not (says_nothing(value) if or_false else value is None):
                    problems.say(line, code, str(message), prefix + field)

    nothing: dict[str, Any] = {"enum": [None, "", False]} if or_false else {"type": "null"}
    condition: dict[str, Any] = {"properties": {where: {"enum": list(has)}}}
    if None not in has:
        condition["required"] = [where]
    return Rule(
        check, {"if": condition, "then": {"properties": {each: dict(nothing) for each in fields}}}, is_always=is_always
    )


def exactly_one(first: str, second: str, message: Words) -> Rule:
    """One of two fields, and not the other; the problem is said of the second."""

    def check(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
        if (record.get(first) is None) == (record.get(second) is None):
            code = "missing" if record.get(first) is None else "not_alone"
            problems.say(line, code, str(message), prefix + second)

    def given(field: str) -> dict[str, Any]:
        return {"required": [field], "properties": {field: {"not": {"type": "null"}}}}

    return Rule(check, {"oneOf": [given(first), given(second)]}, is_decisive=True)


def given(field: str, *, where: str, has: Collection[str]) -> Rule:
    """The `field` is there where the field `where` holds one of the values `has`."""

    def check(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
        if record.get(where) in has and record.get(field) is None:
            problems.say(line, "missing", _("The field is missing."), prefix + field)

    condition = {"properties": {where: {"enum": list(has)}}, "required": [where]}
    there = {"properties": {field: {"not": {"type": "null"}}}, "required": [field]}
    return Rule(check, {"if": condition, "then": there})


def same_hash(field: str) -> Rule:
    """The hash that stands beside a text is that of its UTF-8 bytes, which no schema can say."""

    def check(record: dict, line: int, problems: ProblemLog, prefix: str) -> None:
        given_hash = record.get(f"{field}_sha256")
        if given_hash is not None and given_hash != sha256(record[field]):
            message = _("The text is not the one this hash was made of.")
            problems.say(line, "hash_differs", message, f"{prefix}{field}_sha256")

    return Rule(check)


def published(keywords: dict[str, Any]) -> Rule:
    """What our own files keep to beyond what a reader asks of files of others."""
    return Rule(lambda record, line, problems, prefix: None, keywords)
