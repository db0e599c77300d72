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
from providers.client.replies import Reply, strict_json
from providers.client.requests import by_schema

# Each of the four can be left out, the form in two steps, and the limit's name exchanged: one more than that.
MOST_REQUESTS = 7
# What a refusal may carry. 404 and 501 are one only where they name a parameter: a gateway's "nobody takes this".
REFUSALS = frozenset({400, 404, 422, 501})
UNNAMED_REFUSALS = frozenset({400, 422})
MOST_OUTPUT_TOKENS = 2000
MOST_KEPT = 500

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

    The name of the answer's field stands in the schema alone: whoever uses it has read the schema.
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
            self.limit: MOST_OUTPUT_TOKENS,
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
class Found:
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


async def probe_model(model: str, limit: str, send: Callable[[dict[str, Any]], Awaitable[Answer]]) -> Found:
    """Ask until the model answers, or something else than a parameter is in the way. At most MOST_REQUESTS requests."""
    probe = Probe(model, limit)
    found = Found(probe, Answer())
    for found.requests in range(1, MOST_REQUESTS + 1):
        found.probe, found.answer = probe, await send(probe.body())
        following = next_probe(found)
        if following is None:
            break
        probe = following
    if found.answer.is_success:
        read_answer(found)
    return found


def next_probe(found: Found) -> Probe | None:
    """The probe after a refusal, with what it taught noted in `found`; None where there is nothing to leave out."""
    probe, answer = found.probe, found.answer
    if answer.failure or answer.status not in REFUSALS:
        return None
    left = probe
    for name in named_in(answer, probe):
        # A name is exchanged once: a provider that refuses both means something else.
        if name == "limit" and "limit" in found.refused:
            continue
        following = left.without(name)
        if following is None:
            continue
        what = probe.form if name == "form" else name
        found.refused.append(what)
        if what in FLAG_OF:
            found.flags[FLAG_OF[what]] = False
        left = following
    if left is not probe:
        return left
    if answer.status in UNNAMED_REFUSALS:
        for name in GUESSES:
            if following := probe.without(name):
                found.guessed.append(probe.form if name == "form" else name)
                return following
    return None


def named_in(answer: Answer, probe: Probe) -> Iterator[str]:
    """What a refusal names of what was sent: the field made for it, else the words of its message."""
    error = answer.body.get("error") if isinstance(answer.body, dict) else None
    told = error.get("param") if isinstance(error, dict) else None
    text = answer.content.decode("utf-8", "replace")
    if isinstance(told, str) and any(pattern.search(told) for pattern in NAMES.values()):
        text = told
    elif probe.field_name in text:
        return  # it repeats the whole request, and so names everything
    # Many messages name the limit beside what they are about. It is meant where it is all they name.
    named = [name for name, pattern in NAMES.items() if pattern.search(text)]
    yield from [name for name in named if name != "limit"] or named


def read_answer(found: Found) -> None:
    """Note what the answer shows of the model. What it cannot show stays unknown."""
    probe, body = found.probe, found.answer.body
    call = Call(b"", {}, 0, attempts=found.requests)
    reply = found.reply = read_body(found.answer.content, found.answer.latency_ms, call)
    if reply.failure:
        return
    message, choice = body["choices"][0]["message"], body["choices"][0]
    is_whole = reply.finish_reason != "length" and not reply.refusal
    if is_whole and probe.form == "schema":
        found.flags["gives_schema"] = follows_schema(reply.text, probe)
    elif is_whole and probe.form == "object":
        found.flags["gives_object"] = bare_object(reply.text) is not None
    if probe.logprobs:
        logprobs = choice.get("logprobs")
        found.flags["gives_logprobs"] = bool(isinstance(logprobs, dict) and logprobs.get("content"))
    # Taken is not heeded: what one call cannot show is left to whoever compares two.
    if probe.seed:
        found.flags["takes_seed"] = True
    if probe.temperature:
        found.flags["takes_temperature"] = True
    if has_reasoned(reply, message):
        found.flags["reasons"] = True
    found.fingerprint = str(body.get("system_fingerprint") or "")[:100]


def follows_schema(text: str, probe: Probe) -> bool:
    told = bare_object(text)
    return told is not None and list(told) == [probe.field_name] and isinstance(told[probe.field_name], str)


def bare_object(text: str) -> dict[str, Any] | None:
    try:
        told = strict_json(text.strip())
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def has_reasoned(reply: Reply, message: dict[str, Any]) -> bool:
    """Whether it reasoned here. A model that did not may still do so at a harder question."""
    shown = message.get("reasoning_content") or message.get("reasoning")
    return bool(count(reply.reasoning_tokens)) or bool(shown) or reply.text.lstrip().startswith("<think")


def kept_text(reply: Reply) -> str:
    """The beginning of what the model said."""
    return storable(reply.text or reply.refusal, MOST_KEPT)


def storable(text: str, most: int) -> str:
    """The beginning of what a provider sent, as any database can hold it."""
    return text[:most].replace("\0", "\ufffd").encode("utf-8", "replace").decode()
