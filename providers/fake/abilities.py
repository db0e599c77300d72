"""What the simulated provider takes and gives beside the text, as it is told through /control.

{"refuses_parameters": ["seed", "json_schema"]} refuses requests that hold them, before any work, as real providers do;
with {"refuses_silently": true} without naming them. {"ignores_parameters": ["logprobs", "response_format"]} passes over
them without a word. {"reasoning_tokens": 40} counts so many as thought, {"fingerprint": "fp_1"} names the build, and
{"models": [{"id": "simulated-3", "pricing": {...}}]} is what it lists.
"""

import json
from collections.abc import Sequence


def parameters(request: dict) -> set[str]:
    """What a request asks for, by names: its fields, and the way in which the answer's form is asked for."""
    form = request.get("response_format")
    return set(request) | ({str(form.get("type"))} if isinstance(form, dict) else set())


def refusal(request: dict, refused: Sequence[str], *, is_silent: bool = False) -> dict | None:
    """The body of a 400 where the request holds something that is refused: of several, the first alone is named."""
    name = next((name for name in refused if name in parameters(request)), None)
    if name is None:
        return None
    if is_silent:
        return {"error": {"message": "Invalid request (simulated)", "type": "invalid_request_error"}}
    message = f"Unsupported parameter: '{name}' is not supported with this model (simulated)."
    return {"error": {"message": message, "type": "invalid_request_error", "param": name, "code": "unsupported"}}


def in_form(request: dict, ignored: Sequence[str]) -> str | None:
    """An answer in the form that the request asks for; None where it asks for none, or that is passed over."""
    form = request.get("response_format")
    if not isinstance(form, dict) or "response_format" in ignored:
        return None
    if form.get("type") == "json_object":
        return json.dumps({"simulated": True})
    asked = schema_of(request).get("properties", {})
    return json.dumps({name: of_type(property_schema) for name, property_schema in asked.items()})


def schema_of(request: dict) -> dict:
    """The JSON Schema that the request asks its answer to be of; empty where it names none."""
    form = request.get("response_format")
    return form.get("json_schema", {}).get("schema", {}) if isinstance(form, dict) else {}


def of_type(property_schema: dict) -> object:
    """A value that is plainly none, of the JSON type that a property has."""
    empty = {"integer": 0, "number": 0, "boolean": False, "array": [], "object": {}, "null": None}
    return empty.get(str(property_schema.get("type")), "simulated")


def add(completion: dict, request: dict, ignored: Sequence[str], reasoning_tokens: int, fingerprint: str) -> None:
    """What stands beside the text: log probabilities where asked for, the tokens thought, the build."""
    if request.get("logprobs") and "logprobs" not in ignored:
        token = {"token": "{", "logprob": -0.01, "bytes": [123], "top_logprobs": []}
        completion["choices"][0]["logprobs"] = {"content": [token]}
    if reasoning_tokens:
        usage = completion["usage"]
        usage["completion_tokens"] += reasoning_tokens
        usage["total_tokens"] += reasoning_tokens
        usage["completion_tokens_details"] = {"reasoning_tokens": reasoning_tokens}
    if fingerprint:
        completion["system_fingerprint"] = fingerprint
