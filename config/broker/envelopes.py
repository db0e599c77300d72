"""What a message must look like before a worker sees it.

Celery and kombu believe every message: half a JSON, a header of another type or a body in another encoding ends the
worker that reads it. Here everything that they rely on is looked at first.
"""

import base64
import json
from collections.abc import Callable, Container
from datetime import datetime
from typing import Any

from celery import current_app
from kombu.log import get_logger
from kombu.utils.json import loads

logger = get_logger(__name__)

# Ids alone travel; whatever is larger was not sent by us.
MAX_BYTES = 1_000_000
# How many unreadable messages are kept for somebody who wants to know, and how much of each.
PUT_ASIDE = 100
PUT_ASIDE_BYTES = 100_000
# What Celery can raise over a message whose parts fit one by one. Errors of the connection are none of these.
OVER_CONTENT = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


class Unreadable(Exception):
    """No message of ours; the text says in what."""


def read(payload: bytes, tasks: Container[str]) -> dict[str, Any]:
    """The message as kombu takes it, without headers and properties that nobody knows.

    Args:
        tasks: names of the tasks that there are.

    Raises:
        Unreadable: whatever else it is.
    """
    if len(payload) > MAX_BYTES:
        raise Unreadable(f"it has {len(payload):,} bytes")
    if not payload.strip():
        raise Unreadable("it is empty")
    try:
        message = loads(payload)
    except Exception as problem:  # JSON can fail in many ways, by its depth as well
        raise Unreadable(f"it is no JSON ({type(problem).__name__})") from None
    properties = known_parts(message, "properties", PROPERTIES)
    known_parts(properties, "delivery_info", DELIVERY)
    headers = known_parts(message, "headers", HEADERS)
    if message.get("content-type") != "application/json" or message.get("content-encoding") != "utf-8":
        raise Unreadable("its content is of another kind")
    check_body(message.get("body"))
    if headers["task"] not in tasks:
        raise Unreadable(f"nobody knows the task {headers['task'][:200]!r}")
    return {**message, "properties": properties, "headers": headers}


def known_tasks() -> Container[str]:
    return current_app.tasks


def known_parts(holder: Any, name: str, rules: dict[str, Callable[[Any], bool]]) -> dict[str, Any]:
    """The part `name` with what `rules` know; each of them must hold, for what is not there as well (None)."""
    part = holder.get(name) if isinstance(holder, dict) else None
    if not isinstance(part, dict):
        raise Unreadable(f"it has no {name}")
    for key, fits in rules.items():
        if not fits(part.get(key)):
            raise Unreadable(f"{key} of its {name} does not fit")
    return {key: part[key] for key in rules if key in part}


def check_body(body: Any) -> None:
    """The body is base64 of JSON: a list of arguments, a mapping of named ones, and no callbacks."""
    try:
        content = json.loads(base64.b64decode(body.encode("ascii"), validate=True))
    except Exception:
        raise Unreadable("its body cannot be decoded") from None
    if not (isinstance(content, list) and [type(part) for part in content] == [list, dict, dict]):
        raise Unreadable("its body holds no arguments")
    if any(content[2].values()):
        raise Unreadable("it asks for callbacks, which nobody here sends")


# --- Rules of single values ---------------------------------------------------------------------------


def is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and len(value) < 10_000 and value.isprintable()


def is_optional_text(value: Any) -> bool:
    return value is None or value == "" or is_text(value)


def is_optional_count(value: Any) -> bool:
    return value is None or (type(value) is int and 0 <= value < 1_000_000)


def is_optional_flag(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def is_optional_time(value: Any) -> bool:
    """A moment with its zone, between years that every clock can hold."""
    if value is None or isinstance(value, datetime):
        return value is None or (value.tzinfo is not None and 2000 < value.year < 2200)
    try:
        return is_optional_time(datetime.fromisoformat(value))
    except (TypeError, ValueError, RecursionError):
        return False


def is_optional_limits(value: Any) -> bool:
    """The hard and the soft limit of a task's time, in seconds."""
    return value is None or (
        isinstance(value, list)
        and len(value) == 2
        and all(part is None or (type(part) in (int, float) and 0 < part < 1_000_000) for part in value)
    )


def is_nothing(value: Any) -> bool:
    return not value


HEADERS: dict[str, Callable[[Any], bool]] = {
    "task": is_text,
    "id": is_text,
    "lang": is_optional_text,
    "shadow": is_optional_text,
    "root_id": is_optional_text,
    "parent_id": is_optional_text,
    "argsrepr": is_optional_text,
    "kwargsrepr": is_optional_text,
    "origin": is_optional_text,
    "eta": is_optional_time,
    "expires": is_optional_time,
    "retries": is_optional_count,
    "replaced_task_nesting": is_optional_count,
    "ignore_result": is_optional_flag,
    "timelimit": is_optional_limits,
    "group": is_nothing,
    "group_index": is_nothing,
    "stamps": is_nothing,
    "stamped_headers": is_nothing,
    "compression": is_nothing,
}
DELIVERY: dict[str, Callable[[Any], bool]] = {"exchange": is_optional_text, "routing_key": is_text}
PROPERTIES: dict[str, Callable[[Any], bool]] = {
    "delivery_tag": is_text,
    "delivery_info": lambda value: isinstance(value, dict),
    "body_encoding": lambda value: value == "base64",
    "correlation_id": is_optional_text,
    "reply_to": is_optional_text,
    "expiration": is_optional_text,
    "delivery_mode": is_optional_count,
    "priority": is_optional_count,
}
