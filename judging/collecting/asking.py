"""A prompt put to a target model, and what its answer is: a response, or a state that says why it is none.

Knows no database. What came is never altered: a text that no database can hold as it is, is no response.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from judging.clients.breaker import ProviderDown
from judging.clients.openai_compatible import Connections
from judging.clients.requests import PlainRequest
from judging.laboratories import Guard
from judging.models import CollectionState
from judging.parsing import MOST_CHARACTERS, UNSTORABLE, Reply
from judging.refusals import is_refusal


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt as it is to be asked: its words and nothing else."""

    call: int
    prompt: str


@dataclass(frozen=True, slots=True)
class Setup:
    """What all prompts of a collection share."""

    guard: Guard
    model: str
    system: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """How one prompt was answered."""

    call: int
    state: CollectionState
    problem: str
    reply: Reply
    started_at: datetime
    ended_at: datetime

    @property
    def text(self) -> str:
        return self.reply.text or self.reply.refusal


async def ask(setup: Setup, connections: Connections, question: Question) -> Answer:
    """Ask in a clean session. What fails before any content comes is tried again by the one retry policy."""
    started = datetime.now(UTC)
    try:
        reply = await connections.ask(PlainRequest(setup.model, question.prompt, setup.system, setup.parameters))
    except ProviderDown as down:  # a failure like any other: it may be asked again
        reply = Reply(failure="provider_down", attempts=down.attempts, uncertain=down.uncertain)
    state, problem = read(reply, setup.guard)
    return Answer(question.call, state, problem, reply, started, datetime.now(UTC))


def read(reply: Reply, guard: Guard) -> tuple[CollectionState, str]:
    """The state of an answer and the code of what is wrong with it. Nothing of the text is judged but a refusal."""
    if reply.failure:
        return CollectionState.FAILED, f"{reply.failure}: {reply.detail}" if reply.detail else reply.failure
    if not guard.accepts_reply(reply.model):
        return CollectionState.UNUSABLE, f"other_model: {reply.model[:100]}"
    text = reply.text or reply.refusal
    if UNSTORABLE.search(text):
        return CollectionState.UNUSABLE, "unstorable_characters"
    if len(text) > MOST_CHARACTERS:
        return CollectionState.UNUSABLE, "too_long"
    if reply.has_tool_call:
        return CollectionState.UNUSABLE, "tool_asked"
    if reply.refusal:
        return CollectionState.REFUSED, "declined"
    if reply.finish_reason == "content_filter":
        return CollectionState.REFUSED, "content_filter"
    if reply.finish_reason == "length":
        return CollectionState.TRUNCATED, "length"
    if not text.strip():
        return CollectionState.EMPTY, "empty"
    if is_refusal(text):
        return CollectionState.REFUSED, "declined"
    return CollectionState.COLLECTED, ""
