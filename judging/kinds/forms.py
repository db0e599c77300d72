"""The form of an answer: JSON Schema in the strict subset that providers enforce, and the check of what came."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from judging.kinds import WrongAnswer

MAX_CHARACTERS = 4000
# Of the fields of an answer that is none, so many are named.
MAX_NAMED = 100


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """An object with every key required and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def check_keys(value: object, keys: Mapping[str, Any], where: str = "") -> None:
    """Raises WrongAnswer unless the value is an object with exactly these keys."""
    if not isinstance(value, dict) or set(value) != set(keys):
        named = ", ".join(sorted(islice(map(str, value), MAX_NAMED)))[:200] if isinstance(value, dict) else ""
        raise WrongAnswer("wrong_keys", where or named)


def check_ticket(value: Mapping[str, Any], nonce: str) -> None:
    """Raises WrongAnswer where the answer carries another number than its call: JSON from elsewhere is no answer."""
    if value["ticket"] != nonce:
        raise WrongAnswer("wrong_ticket")


def check_answer(value: Mapping[str, Any], fields: Mapping[str, Any], nonce: str) -> None:
    """Raises WrongAnswer unless the value has exactly these fields, each as was asked for, and the number of its call,
    and gives the reason where one is asked for."""
    check_keys(value, fields)
    check_ticket(value, nonce)
    for name, asked in fields.items():
        check_field(name, value[name], asked)
    if "reason" in fields and not value["reason"].strip():
        raise WrongAnswer("reason_missing")


def check_field(name: str, value: object, asked: Mapping[str, Any]) -> None:
    """Raises WrongAnswer unless a string, whole number or null is of the types and choices that were asked for."""
    kinds = asked["type"] if isinstance(asked["type"], list) else [asked["type"]]
    fits = (
        (value is None and "null" in kinds)
        or (isinstance(value, str) and "string" in kinds)
        or (type(value) is int and "integer" in kinds)
    )
    if not fits:
        raise WrongAnswer("wrong_type", name)
    if "enum" in asked and value not in asked["enum"]:
        raise WrongAnswer("unknown_value", name)
    if isinstance(value, str) and len(value) > MAX_CHARACTERS:
        raise WrongAnswer("too_long", name)
