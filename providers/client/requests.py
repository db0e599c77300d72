"""What is sent to a provider: the bodies of chat completions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


def by_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The `response_format` that asks for an answer of this JSON Schema."""
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


@dataclass(frozen=True, slots=True)
class Request:
    """One chat completion. `structured` is how the answer's form is asked for: schema, object or prompt."""

    model: str
    messages: list[dict[str, str]]
    schema: dict[str, Any]
    structured: str = "schema"
    temperature: float | None = 0.0
    max_output_tokens: int = 4000
    token_limit_name: str = "max_tokens"
    seed: int | None = None
    reasoning_effort: str = ""

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": self.messages,
            self.token_limit_name: self.max_output_tokens,
        }
        if self.temperature is not None:
            body["temperature"] = self.temperature
        # What is not set is not named: a request without it is the same, and has the same hash, as ever.
        if self.seed is not None:
            body["seed"] = self.seed
        if self.reasoning_effort:
            body["reasoning_effort"] = self.reasoning_effort
        if self.structured == "schema":
            body["response_format"] = by_schema(self.schema)
        elif self.structured == "object":
            body["response_format"] = {"type": "json_object"}
        return body


@dataclass(frozen=True, slots=True)
class PlainRequest:
    """A prompt by itself, as a person would put it in a new conversation: one message, and no form asked for.

    `parameters` are those of the interface (temperature, max_tokens, ...); `system` alone adds a message before it. Of
    a conversation `messages` are sent in the place of the prompt; one that has a system message of its own keeps it.
    """

    model: str
    prompt: str
    system: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    messages: Sequence[Mapping[str, str]] = ()

    def body(self) -> dict[str, Any]:
        asked = [dict(message) for message in self.messages] or [{"role": "user", "content": self.prompt}]
        has_own = asked[0]["role"] == "system"
        before = [{"role": "system", "content": self.system}] if self.system and not has_own else []
        messages = [*before, *asked]
        return {**self.parameters, "model": self.model, "messages": messages}
