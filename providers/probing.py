"""What a model takes and gives, found by asking it once. Pure: no database; a request goes out through `send`.

The first request asks for all at once: an answer of a JSON Schema, log probabilities, a seed, a temperature. A provider
that refuses one of them says so before it works, and charges nothing; the next request leaves that out. The first one
that is answered is the last.
"""

import re
import secrets
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from providers.client.bodies import Call, count, read_body
from providers.client.once import Answer
from providers.client.replies import Reply, storable, strict_json
from providers.client.requests import by_schema

# Each of the four can be left out, the form in two steps, and the limit's name exchanged: one more than that.
MAX_REQUESTS = 7
# Status codes of a refusal. 404 and 501 are one only where they name a parameter, as gateways do.
REFUSALS = frozenset({400, 404, 422, 501})
UNNAMED_REFUSALS = frozenset({400, 422})
MAX_OUTPUT_TOKENS = 2000
MAX_KEPT = 500

# How providers name what they do not take.
NAMES = {
    "logprobs": re.compile(r"log_?prob", re.IGNORECASE),
    "seed": re.compile(r"\bseed\b", re.IGNORECASE),
    "form": re.compile(r"response_?format|response_?schema|json_?schema|json_?object|structured.output|guided", re.I),
    "temperature": re.compile(r"\btemperature\b", re.IGNORECASE),
    "limit": re.compile(r"\bmax_(completion_)?tokens\b", re.IGNORECASE),
}
# Which is left out next where a refusal does not say what it is about.
GUESSES = ("logprobs", "seed", "form", "temperature")
WEAKER = {"schema": "object", "object": "prompt"}
OTHER_LIMIT = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
FLAG_OF = {
    "schema": "gives_schema",
    "object": "gives_object",
    "logprobs": "gives_logprobs",
    "seed": "takes_seed",
    "temperature": "takes_temperature",
}


@dataclass(frozen=True, slots=True)
class Probe:
    """One question that anybody can answer.

    The name of the answer's field is in the schema alone: an answer that uses it followed the schema.
    """

    model: str
    limit: str = "max_tokens"
    form: str = "schema"
    logprobs: bool = True
    seed: bool = True
    temperature: bool = True
    field_name: str = field(default_factory=lambda: f"answer_{secrets.token_hex(4)}")

    def body(self) -> dict[str, Any]:
        question = "Which city is the capital of Egypt? Answer in JSON."
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "user", "content": question}],
            self.limit: MAX_OUTPUT_TOKENS,
        }
        if self.temperature:
            body["temperature"] = 0.0
        if self.seed:
            body["seed"] = 7
        if self.logprobs:
            body["logprobs"] = True
        if self.form == "schema":
            body["response_format"] = by_schema(self.schema)
        elif self.form == "object":
            body["response_format"] = {"type": "json_object"}
        return body

    @property
    def schema(self) -> dict[str, Any]:
        properties = {self.field_name: {"type": "string"}}
        return {
            "type": "object",
            "properties": properties,
            "required": [self.field_name],
            "additionalProperties": False,
        }

    def without(self, name: str) -> "Probe | None":
        """The probe that leaves this out, the form in steps; None where it is left out already."""
        if name == "form":
            return replace(self, form=WEAKER[self.form]) if self.form in WEAKER else None
        if name == "limit":
            return replace(self, limit=OTHER_LIMIT[self.limit])
        left_out: dict[str, Any] = {name: False}
        return replace(self, **left_out) if getattr(self, name) else None


@dataclass(slots=True)
class Findings:
    """How the probing ended: the last answer, and what was learnt on the way.

    `flags` are those of a ServedModel, without those that are still unknown. `refused` are what the provider said it
    does not take; `guessed` what was left out because it did not say.
    """

    probe: Probe
    answer: Answer
    reply: Reply = field(default_factory=Reply)
    requests: int = 0
    refused: list[str] = field(default_factory=list)
    guessed: list[str] = field(default_factory=list)
    flags: dict[str, bool] = field(default_factory=dict)
    fingerprint: str = ""

    @property
    def problem(self) -> str:
        return self.answer.problem or self.reply.failure


async def probe_model(model: str, limit: str, send: Callable[[dict[str, Any]], Awaitable[Answer]]) -> Findings:
    """Ask until the model answers, or something else than a parameter is in the way. At most MAX_REQUESTS requests."""
    probe = Probe(model, limit)
    findings = Findings(probe, Answer())
    for findings.requests in range(1, MAX_REQUESTS + 1):
        findings.probe, findings.answer = probe, await send(probe.body())
        following = next_probe(findings)
        if following is None:
            break
        probe = following
    if findings.answer.is_success:
        read_answer(findings)
    return findings


def next_probe(findings: Findings) -> Probe | None:
    """The probe after a refusal, with what it taught noted in `found`; None where there is nothing to leave out."""
    probe, answer = findings.probe, findings.answer
    if answer.failure or answer.status not in REFUSALS:
        return None
    left = probe
    for name in named_in(answer, probe):
        # A name is exchanged once: a provider that refuses both means something else.
        if name == "limit" and "limit" in findings.refused:
            continue
        following = left.without(name)
        if following is None:
            continue
        what = probe.form if name == "form" else name
        findings.refused.append(what)
        if what in FLAG_OF:
            findings.flags[FLAG_OF[what]] = False
        left = following
    if left is not probe:
        return left
    if answer.status in UNNAMED_REFUSALS:
        for name in GUESSES:
            if following := probe.without(name):
                findings.guessed.append(probe.form if name == "form" else name)
                return following
    return None


def named_in(answer: Answer, probe: Probe) -> Iterator[str]:
    """What a refusal names of what was sent: the field made for it, else the words of its message."""
    error = answer.body.get("error") if isinstance(answer.body, dict) else None
    parameter = error.get("param") if isinstance(error, dict) else None
    text = answer.content.decode("utf-8", "replace")
    if isinstance(parameter, str) and any(pattern.search(parameter) for pattern in NAMES.values()):
        text = parameter
    elif probe.field_name in text:
        return  # it repeats the whole request, and so names everything
    # Many messages name the limit beside what they are about. It is meant where it is all they name.
    named = [name for name, pattern in NAMES.items() if pattern.search(text)]
    yield from [name for name in named if name != "limit"] or named


def read_answer(findings: Findings) -> None:
    """Note what the answer shows of the model. What it cannot show stays unknown."""
    probe, body = findings.probe, findings.answer.body
    call = Call(b"", {}, 0, attempts=findings.requests)
    reply = findings.reply = read_body(findings.answer.content, findings.answer.latency_ms, call)
    if reply.failure:
        return
    message, choice = body["choices"][0]["message"], body["choices"][0]
    is_whole = reply.finish_reason != "length" and not reply.refusal
    if is_whole and probe.form == "schema":
        findings.flags["gives_schema"] = follows_schema(reply.text, probe)
    elif is_whole and probe.form == "object":
        findings.flags["gives_object"] = bare_object(reply.text) is not None
    if probe.logprobs:
        logprobs = choice.get("logprobs")
        findings.flags["gives_logprobs"] = bool(isinstance(logprobs, dict) and logprobs.get("content"))
    # Taken is not heeded: one call cannot show whether a parameter has an effect.
    if probe.seed:
        findings.flags["takes_seed"] = True
    if probe.temperature:
        findings.flags["takes_temperature"] = True
    if has_reasoned(reply, message):
        findings.flags["reasons"] = True
    findings.fingerprint = str(body.get("system_fingerprint") or "")[:100]


def follows_schema(text: str, probe: Probe) -> bool:
    value = bare_object(text)
    return value is not None and list(value) == [probe.field_name] and isinstance(value[probe.field_name], str)


def bare_object(text: str) -> dict[str, Any] | None:
    try:
        value = strict_json(text.strip())
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def has_reasoned(reply: Reply, message: dict[str, Any]) -> bool:
    """Whether it reasoned here. A model that did not may still do so at a harder question."""
    shown = message.get("reasoning_content") or message.get("reasoning")
    return bool(count(reply.reasoning_tokens)) or bool(shown) or reply.text.lstrip().startswith("<think")


def kept_text(reply: Reply) -> str:
    """The beginning of what the model said."""
    return storable(reply.text or reply.refusal, MAX_KEPT)
