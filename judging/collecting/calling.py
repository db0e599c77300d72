"""A prompt put to a target model, and what its answer is: a response, or a state that says why it is none.

Knows no database. What came is never altered: a text that no database can hold as it is, is no response.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson

from agreement.words import words
from formats.limits import MAX_TEXT
from judging.engine.budgets import CallHold, Reservation
from judging.engine.calling import BYTES_OF_A_TOKEN
from judging.engine.parsing import MAX_CHARACTERS
from judging.engine.refusals import is_refusal
from judging.models import CollectionState
from projects.conversations import ASSISTANT, Message, answered, parts_asked
from providers.client.replies import UNSTORABLE, Reply
from providers.client.requests import PlainRequest
from providers.laboratories import Guard
from providers.limiter.circuit_breaker import ProviderDown
from providers.prices import FREE, NOTHING, Amount, Charge, Price, charge_of

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections

# Where the lead has set no limit: so many tokens are reserved for an answer, and expected of one.
MAX_WRITTEN, USUALLY_WRITTEN = 32_768, 2_000
MAX_SEED = 2**31
LIMITS = ("max_tokens", "max_completion_tokens")


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt as it is to be asked: its words and nothing else. `segmentation` is how its answer's words are
    counted; `key` the name of the call to its provider, which is to charge once; `system` what goes before it in its
    language, where that is not the same for all; `messages` the turns of a conversation."""

    call: int
    prompt: str
    segmentation: str = "whitespace"
    key: str = ""
    replicate: int = 1
    system: str = ""
    messages: Sequence[Message] = ()


@dataclass(frozen=True, slots=True)
class Setup:
    """What all prompts of a run share. `takes_over`: whether a response to the same is taken over."""

    guard: Guard
    model: str
    system: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    price: Price | None = None
    provider: int = 0
    takes_over: bool = False

    @property
    def stated_limit(self) -> int | None:
        return next((int(self.parameters[name]) for name in LIMITS if name in self.parameters), None)

    @property
    def most_written(self) -> int:
        """Tokens of an answer, at most where the lead has set a limit, else as good as always."""
        return self.stated_limit or MAX_WRITTEN


@dataclass(frozen=True, slots=True)
class Earlier:
    """A response to the same question, with the call that brought it."""

    call: int
    reply: Reply


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prompt as it will be sent. `digest` is the hash of the request's body, `size` its bytes."""

    question: Question
    request: PlainRequest
    digest: str
    size: int
    earlier: Earlier | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """How one prompt was answered; `held` is what was held of the budget for it. Its state comes with `read`."""

    question: Question
    guard: Guard
    reply: Reply
    started_at: datetime
    ended_at: datetime
    input_sha256: str = ""
    charge: Charge = FREE
    held: Amount = NOTHING
    reused: int | None = None
    state: str = ""
    problem: str = ""
    words: int | None = None

    @property
    def call(self) -> int:
        return self.question.call

    @property
    def text(self) -> str:
        return self.reply.text or self.reply.refusal

    def read(self) -> Answer:
        state, problem = read(self.reply, self.guard)
        came = state != CollectionState.FAILED
        counted = len(words(self.text, self.question.segmentation)) if came else None
        return replace(self, state=state, problem=problem, words=counted)


def prepare(setup: Setup, question: Question) -> Prepared:
    parameters = of_replicate(setup.parameters, question.replicate)
    request = PlainRequest(setup.model, question.prompt, question.system or setup.system, parameters, question.messages)
    body = orjson.dumps(request.body())
    return Prepared(question, request, hashlib.sha256(body).hexdigest(), len(body))


def of_replicate(parameters: Mapping[str, Any], replicate: int) -> Mapping[str, Any]:
    """What is sent with one of several responses to a prompt: a seed that the lead has set counts up from the first."""
    if replicate == 1 or "seed" not in parameters:
        return parameters
    return {**parameters, "seed": (parameters["seed"] + replicate - 1) % MAX_SEED}


async def ask(
    setup: Setup, connections: Connections, prepared: Prepared, reservation: Reservation | None = None
) -> Answer:
    """Ask in a clean session. What fails before any content comes is tried again by the one retry policy.

    Raises ProviderDown where the provider has been down too long: then the call stays open.
    """
    held = CallHold(reservation, worst_case(setup, prepared) if reservation else NOTHING)
    started = datetime.now(UTC)
    if prepared.earlier is not None:
        charge = FREE if setup.price is None else Charge(0, 0, False)
        reply, reused = prepared.earlier.reply, prepared.earlier.call
        return Answer(
            prepared.question, setup.guard, reply, started, started, prepared.digest, charge, held.amount, reused
        )
    if len(parts := parts_asked(prepared.question.messages)) > 1:
        return await ask_turn_by_turn(setup, connections, prepared, parts, held, started)
    expected = prepared.size // BYTES_OF_A_TOKEN + (setup.stated_limit or USUALLY_WRITTEN) // 4
    try:
        reply = await connections.ask(
            prepared.request, idempotency_key=prepared.question.key, expected_tokens=expected, may_retry=held.hold_again
        )
    except ProviderDown as down:
        held.limit_holds(down.uncertain)
        raise
    charge = charge_of(reply, setup.price, prepared.size, setup.most_written)
    return Answer(
        prepared.question, setup.guard, reply, started, datetime.now(UTC), prepared.digest, charge, held.amount
    )


async def ask_turn_by_turn(
    setup: Setup,
    connections: Connections,
    prepared: Prepared,
    parts: Sequence[Sequence[Message]],
    held: CallHold,
    started: datetime,
) -> Answer:
    """Ask the turns of the user one after the other, each with all that was said before. The response is what was said
    from the first reply on. A turn without a reply that could be a response ends the call as that reply would alone.

    Raises ProviderDown before anything was answered; later, the call has failed, for what came was paid.
    """
    said: list[Message] = []
    replies: list[Reply] = []
    charges: list[Charge] = []
    for number, part in enumerate(parts):
        said += part
        request = replace(prepared.request, messages=tuple(said))
        size = len(orjson.dumps(request.body()))
        key = f"{prepared.question.key}-{number}" if prepared.question.key else ""
        expected = size // BYTES_OF_A_TOKEN + (setup.stated_limit or USUALLY_WRITTEN) // 4
        try:
            reply = await connections.ask(
                request, idempotency_key=key, expected_tokens=expected, may_retry=held.hold_again
            )
        except ProviderDown as down:
            if not replies:
                held.limit_holds(down.uncertain)
                raise
            reply = Reply(failure="provider_down", attempts=down.attempts, uncertain=down.uncertain)
        replies.append(reply)
        charges.append(charge_of(reply, setup.price, size, setup.most_written))
        if read(reply, setup.guard)[0] != CollectionState.COLLECTED:
            break
        said.append({"role": ASSISTANT, "content": reply.text})
    is_whole = len(replies) == len(parts) and len(said) == len(prepared.question.messages) + len(parts)
    whole = summed(replies)
    if is_whole:
        whole = replace(whole, text=answered(prepared.question.messages, [reply.text for reply in replies]))
    question, now = prepared.question, datetime.now(UTC)
    charge = Charge(
        None if setup.price is None else sum(each.money or 0 for each in charges),
        sum(each.tokens for each in charges),
        None if setup.price is None else any(each.is_bound for each in charges),
    )
    return Answer(question, setup.guard, whole, started, now, prepared.digest, charge, held.amount)


def summed(replies: Sequence[Reply]) -> Reply:
    """The last reply, with what all of them took."""

    def total(name: str) -> int | None:
        numbers = [getattr(reply, name) for reply in replies]
        return None if None in numbers else sum(numbers)

    names = ("prompt_tokens", "completion_tokens", "reasoning_tokens", "latency_ms", "attempts")
    took: dict[str, Any] = {name: total(name) for name in names}
    return replace(replies[-1], **took)


def worst_case(setup: Setup, prepared: Prepared) -> Amount:
    """The most that one attempt can cost: a token for every byte sent, and as many back as the model may write. Of a
    conversation that is asked turn by turn, of all turns, each sent with every reply before it."""
    turns = len(parts_asked(prepared.question.messages))
    sent = turns * prepared.size + setup.most_written * turns * (turns - 1) // 2
    written = turns * setup.most_written
    return Amount(setup.price.cost(sent, written) if setup.price else 0, sent + written)


def longest(reply: Reply) -> int:
    """How many characters a reply may have. What becomes a response leaves in files and comes in again: it is no longer
    than one in a file. What was cut off becomes none."""
    is_cut = reply.finish_reason == "length" and not reply.refusal
    return MAX_CHARACTERS if is_cut else MAX_TEXT


def read(reply: Reply, guard: Guard) -> tuple[CollectionState, str]:
    """The state of an answer and the code of what is wrong with it. Nothing of the text is judged but a refusal."""
    if reply.failure:
        return CollectionState.FAILED, f"{reply.failure}: {reply.detail}" if reply.detail else reply.failure
    if not guard.accepts_reply(reply.model):
        return CollectionState.UNUSABLE, f"other_model: {reply.model[:100]}"
    text = reply.text or reply.refusal
    if UNSTORABLE.search(text):
        return CollectionState.UNUSABLE, "unstorable_characters"
    if len(text) > longest(reply):
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
