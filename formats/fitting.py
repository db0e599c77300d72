"""Cells as their fields want them: a table knows only texts, or has types of its own.

"5" is a number where a number is meant, and 5 a text where an id is; what cannot be taken so stays as it is, for the
check of the record to name.
"""

import re
from typing import Any

from formats.format import Format
from formats.reading import parse_json
from projects.problems import Invalid

WHOLE = re.compile(r"[+-]?\d{1,18}(\.0*)?", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def fit(fields: dict[str, Any], declared: Format) -> None:
    """Give the fields of a record the types that its record type names, where their values can be taken so."""
    type_ = declared.type_of(fields)
    if type_ is None:
        return
    for name, value in fields.items():
        known = type_.fields.get(name)
        if known is not None and value is not None:
            fields[name] = fitted(value, known.kind.json_type)


def fitted(value: Any, json_type: str) -> Any:
    match json_type:
        case "string":
            return as_text(value)
        case "integer":
            return as_whole(value)
        case "number":
            return as_number(value)
        case "boolean":
            return FLAGS.get(as_text(value).strip().lower(), value) if not isinstance(value, (dict, list)) else value
        case "object" | "array" if isinstance(value, str):
            try:
                return parse_json(value.encode())
            except Invalid:
                return value
    return value


def as_text(value: Any) -> Any:
    """A number or a truth value as it would be written; a whole number without a point."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value) if isinstance(value, int) else value


def as_whole(value: Any) -> Any:
    if isinstance(value, str) and WHOLE.fullmatch(value.strip()):
        return int(value.strip().partition(".")[0])
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def as_number(value: Any) -> Any:
    """A whole number stays one: a person's grade is none of a judge's fractions."""
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        whole = as_whole(value)
        return float(value) if isinstance(whole, str) else whole
    return as_whole(value)
