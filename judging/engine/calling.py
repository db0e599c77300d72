"""One call from question to result: how it is sent, what came of it, what it cost. Knows no database.

Replies are received in the event loop and read in the worker's own thread, which stores them: a reply that takes long
to read delays no other call.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from django.utils.crypto import salted_hmac

from judging.engine.budgets import CallHold, Reservation
from judging.engine.parsing import Outcome, read_reply
from judging.engine.plain_answers import could_be_forged, read_plain
from judging.kinds import JudgeKind, Material, WrongAnswer
from judging.models import ANSWERED
from judging.prompts import PromptText
from providers.client.replies import Reply, storable
from providers.client.requests import Request
from providers.laboratories import Guard
from providers.limiter.circuit_breaker import ProviderDown
from providers.prices import FREE, NOTHING, Amount, Charge, Price, charge_of

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections

# About so many bytes are one token, for the limits of providers; the budget counts every byte as one.
BYTES_OF_A_TOKEN = 3
MAX_RAW = 200_000
UNASKED = Reply(attempts=0)


@dataclass(frozen=True, slots=True)
class Question:
    """One call as it is to be asked."""

    call: int
    response: int
    unit: int
    material: Material
    target_model: str
    target_laboratory: str
    # Models (with their laboratories) that marked the errors it is about, or wrote the response beside it.
    markers: tuple[tuple[str, str], ...] = ()
    # False where something that it is about is no longer there.
    is_whole: bool = True
    # An earlier reply to the same question is none to this one.
    asks_anew: bool = False
    # The same whenever and by whomever this call is asked, and no other's: for the provider, which is to charge once.
    key: str = ""

    @property
    def authors(self) -> tuple[tuple[str, str], ...]:
        """Models, with their laboratories, that wrote what is to be judged."""
        return ((self.target_model, self.target_laboratory), *self.markers)


@dataclass(frozen=True, slots=True)
class Setup:
    """What all calls of a shard share."""

    kind: JudgeKind
    prompt: PromptText
    guard: Guard
    model: str
    structured: str
    temperature: float | None
    max_output_tokens: int
    token_limit_name: str
    seed: int | None = None
    reasoning_effort: str = ""
    # What its calls cost; where and in which round they are asked: an answer from elsewhere is none to them.
    price: Price | None = None
    provider: int = 0
    round: int = 1


class Earlier(NamedTuple):
    """A reply that came to the same question before, with the number of the marks that it was asked with."""

    call: int
    nonce: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question as it will be sent; or `problem`, why it will not be. `size` is the bytes of the request's body."""

    question: Question
    request: Request | None = None
    nonce: str = ""
    digest: str = ""
    size: int = 0
    problem: str = ""
    earlier: Earlier | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How one call ended; `held` is what was held of the budget for it.

    `unread` reads the reply, where it is not read yet: then the state is empty, until `read`.
    """

    call: int
    response: int
    state: str
    problem: str = ""
    parsed: dict[str, Any] | None = None
    reply: Reply = UNASKED
    input_sha256: str = ""
    nonce: str = ""
    charge: Charge = FREE
    held: Amount = NOTHING
    reused: int | None = None
    unread: Callable[[], Outcome] | None = None

    def read(self) -> Result:
        """With what the reply says. Not to be called in the event loop."""
        if self.unread is None:
            return self
        outcome, detail = self.unread(), self.reply.detail
        problem = f"{outcome.problem}: {detail}" if detail else outcome.problem
        return replace(self, state=outcome.state, problem=problem, parsed=outcome.parsed, unread=None)

    @property
    def signal(self) -> str:
        """What the reply said beside its text (a `Signal` value, or nothing)."""
        return "refusal" if self.reply.refusal else "tool_call" if self.reply.has_tool_call else ""

    @property
    def raw_output(self) -> str:
        """What came back, as far as a database can hold it."""
        text = self.reply.text or self.reply.refusal
        return storable(text, MAX_RAW)


def key_of(asked: object, call: int, retries: int) -> str:
    """The name of a call to its provider: the same over attempts, workers and resumed runs, another one where it is
    asked again after it had ended. `asked` names the judge or target model; a call 0 is only planned and has none."""
    return hashlib.sha256(f"{asked} {call} {retries}".encode()).hexdigest()[:32] if call else ""


def new_nonce(material: Material, seed: str = "") -> str:
    """Marks around untrusted text, and the ticket of the answer: unknown to the author of the text.

    With a `seed` it is the same whenever the call is asked, so that the same request goes out again. Who could know
    the number would have to know the installation's secret key.
    """
    for attempt in itertools.count():
        nonce = hmac_of(f"{seed} {attempt}") if seed else secrets.token_hex(8)
        if not any(nonce in text for text in material.texts):
            break
    return nonce


def hmac_of(seed: str) -> str:
    return salted_hmac("judging.nonce", seed, algorithm="sha256").hexdigest()[:16]


def build(setup: Setup, question: Question, nonce: str) -> tuple[Request, str]:
    """The request and its hash; the nonce is left out of the hash, so that the same input has the same one."""
    prepared = prepare_with(setup, question, nonce)
    assert prepared.request is not None
    return prepared.request, prepared.digest


def prepare_with(setup: Setup, question: Question, nonce: str) -> Prepared:
    messages = setup.kind.messages(setup.prompt, question.material, question.unit, nonce)
    request = Request(
        model=setup.model,
        messages=messages,
        schema=setup.kind.schema(setup.prompt, question.material),
        # A published prompt says itself how it is answered.
        structured="prompt" if setup.prompt.answer_form else setup.structured,
        temperature=setup.temperature,
        max_output_tokens=setup.max_output_tokens,
        token_limit_name=setup.token_limit_name,
        seed=setup.seed,
        reasoning_effort=setup.reasoning_effort,
    )
    body = orjson.dumps(request.body())
    digest = hashlib.sha256(body.replace(nonce.encode(), b"nonce")).hexdigest()
    return Prepared(question, request, nonce, digest, len(body))


def prepare(setup: Setup, question: Question) -> Prepared:
    """The question as it will be sent, unless the guard or what has gone meanwhile forbids it."""
    if not question.is_whole:
        return Prepared(question, problem=setup.kind.gone)
    if any(setup.guard.forbids(model, laboratory) for model, laboratory in question.authors):
        return Prepared(question, problem="own_laboratory")
    if (form := setup.prompt.answer_form) and any(could_be_forged(text, form) for text in question.material.texts):
        return Prepared(question, problem="answer_in_text")
    return prepare_with(setup, question, new_nonce(question.material, question.key))


async def ask(
    setup: Setup, connections: Connections, prepared: Prepared, reservation: Reservation | None = None
) -> Result:
    """Raises ProviderDown where the provider has been down too long: then the call was not answered and stays open."""
    question, request = prepared.question, prepared.request
    held = CallHold(reservation, worst_case(setup, prepared) if reservation else NOTHING)
    if request is None:
        return Result(question.call, question.response, "failed", prepared.problem, held=held.amount)
    if prepared.earlier is not None:
        # Whether it is asked at all depends on what this says; so it is read at once, but beside the loop.
        result = await asyncio.to_thread(take_over, setup, prepared, prepared.earlier, held.amount)
        if result is not None:
            return result
    expected = prepared.size // BYTES_OF_A_TOKEN + setup.max_output_tokens // 4
    try:
        reply = await connections.ask(
            request, idempotency_key=question.key, expected_tokens=expected, may_retry=held.hold_again
        )
    except ProviderDown as down:
        held.limit_holds(down.uncertain)
        raise
    return Result(
        question.call,
        question.response,
        "",
        reply=reply,
        input_sha256=prepared.digest,
        nonce=prepared.nonce,
        charge=charge_of(reply, setup.price, prepared.size, setup.max_output_tokens),
        held=held.amount,
        unread=partial(outcome_of, setup, question, reply, prepared.nonce),
    )


def worst_case(setup: Setup, prepared: Prepared) -> Amount:
    """The most that one attempt can cost: a token for every byte sent, and as many back as the judge may write."""
    if prepared.request is None:
        return NOTHING
    money = setup.price.cost(prepared.size, setup.max_output_tokens) if setup.price else 0
    return Amount(money, prepared.size + setup.max_output_tokens)


def take_over(setup: Setup, prepared: Prepared, earlier: Earlier, held: Amount) -> Result | None:
    """What an earlier reply to the same question says here, read as it was read there; None where that is no answer."""
    question = prepared.question
    outcome = outcome_of(setup, question, earlier.reply, earlier.nonce)
    if outcome.state not in ANSWERED:
        return None
    return Result(
        question.call,
        question.response,
        outcome.state,
        outcome.problem,
        outcome.parsed,
        earlier.reply,
        prepared.digest,
        earlier.nonce,
        FREE if setup.price is None else Charge(0, 0, False),
        held,
        earlier.call,
    )


def outcome_of(setup: Setup, question: Question, reply: Reply, nonce: str) -> Outcome:
    """The call's final state: what the reply says, from the right model, in the form of the kind."""
    if not reply.failure and not setup.guard.accepts_reply(reply.model):
        return Outcome("failed", problem=f"other_model: {reply.model[:100]}")
    form = setup.prompt.answer_form
    outcome = read_plain(reply, form) if form else read_reply(reply)
    if outcome.value is None:
        return outcome
    try:
        if form:
            parsed = setup.kind.read_plain(outcome.value["answer"], setup.prompt, question.material, question.unit)
        else:
            parsed = setup.kind.read(outcome.value, setup.prompt, question.material, question.unit, nonce)
    except WrongAnswer as wrong:
        return Outcome("malformed", problem=str(wrong))
    return Outcome("unlocatable" if parsed.get("unlocatable") else outcome.state, parsed=parsed)
