"""What an endpoint answered, read by hand, and the call that it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson

from providers.client.replies import Reply

if TYPE_CHECKING:
    import openai

MAX_DETAIL = 500
# Of an answer as it comes out of its compression: 400,000 characters written as escapes are 2.4 MB.
MAX_BYTES = 4 * 1024 * 1024


@dataclass(slots=True)
class Call:
    """One call on its way through its attempts."""

    content: bytes
    headers: dict[str, str]
    expected_tokens: int
    attempts: int = 0
    uncertain: int = 0
    # How many of those the budget has allowed another attempt after.
    paid_again: int = 0
    last_problem: openai.OpenAIError | None = None

    @property
    def options(self) -> openai.RequestOptions:
        return {"headers": self.headers}

    def failed(self, code: str, detail: str = "") -> Reply:
        return Reply(failure=code, detail=detail, attempts=self.attempts, uncertain=self.uncertain)


def read_body(content: bytes, latency_ms: int, call: Call) -> Reply:
    """A 200's body as a Reply: read by hand, because providers send under 200 what no SDK expects."""

    def failed(code: str) -> Reply:
        text = content[:MAX_DETAIL].decode("utf-8", "replace")
        return replace(call.failed(code), text=text, latency_ms=latency_ms)

    if len(content) > MAX_BYTES:
        return failed("body_too_long")
    try:
        body = orjson.loads(content)
    except orjson.JSONDecodeError:
        return failed("body_not_json")
    if not isinstance(body, dict) or body.get("error"):
        return failed("error_body")
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return failed("no_choice")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        return failed("no_message")
    usage = body["usage"] if isinstance(body.get("usage"), dict) else {}
    details = usage.get("completion_tokens_details")
    return Reply(
        text=text_of(message.get("content")),
        model=body["model"] if isinstance(body.get("model"), str) else "",
        finish_reason=str(choices[0].get("finish_reason") or ""),
        refusal=message["refusal"] if isinstance(message.get("refusal"), str) else "",
        reasoning=text_of(message.get("reasoning_content") or message.get("reasoning")),
        has_tool_call=bool(message.get("tool_calls") or message.get("function_call")),
        prompt_tokens=count(usage.get("prompt_tokens")),
        completion_tokens=written(usage),
        reasoning_tokens=count(details.get("reasoning_tokens")) if isinstance(details, dict) else None,
        latency_ms=latency_ms,
        attempts=call.attempts,
        uncertain=call.uncertain,
    )


def written(usage: Mapping[str, Any]) -> int | None:
    """Tokens that are paid for as written. Some providers count reasoning beside the completion, within the total."""
    completion, prompt, total = (
        count(usage.get(name)) for name in ("completion_tokens", "prompt_tokens", "total_tokens")
    )
    return completion if completion is None or prompt is None or total is None else max(completion, total - prompt)


def text_of(content: object) -> str:
    """A message's text, also where it comes as a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return ""


def count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 2**31 else None
