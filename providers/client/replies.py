"""What comes back from a provider, whatever it is, and the strict reading of its JSON. Pure."""

import json
import re
from dataclasses import dataclass
from typing import Any

import orjson

# What neither database stores in a text; in an answer it is a sign of a broken encoding.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str, most: int) -> str:
    """The first `most` characters of a text, with a replacement for each that no database stores."""
    return text[:most].replace("\0", "\ufffd").encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back from a provider, whatever it was. `failure` is a code where no answer came at all."""

    text: str = ""
    model: str = ""
    finish_reason: str = ""
    refusal: str = ""
    # What the model thought, where the provider sends it apart from the text.
    reasoning: str = ""
    has_tool_call: bool = False
    failure: str = ""
    detail: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    latency_ms: int | None = None
    attempts: int = 1
    # Attempts that broke off without telling their usage and may have been charged all the same.
    uncertain: int = 0


class DuplicateKey(ValueError):
    """An object names a key twice: whichever value were taken, the other was meant as well."""


def strict_json(text: str) -> Any:
    """JSON as RFC 8259 has it: no NaN, no key twice. Raises ValueError, also for what is nested too deeply."""
    value = orjson.loads(text.encode("utf-8", "surrogatepass"))  # refuses NaN, deep nesting and bad encodings, quickly
    if not isinstance(value, dict):
        return value
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise DuplicateKey
    return members
