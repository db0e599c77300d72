"""The calls of a pass, one after the other. Knows no database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agreement.words import words
from judging.collecting.calling import USUALLY_WRITTEN, Prepared, Question, Setup, prepare
from judging.engine.calling import BYTES_OF_A_TOKEN
from projects.problems import Invalid, Problem
from providers.client.endpoint import Endpoint
from providers.client.replies import Reply
from providers.client.streaming import OneByOne, Timed, one_by_one
from providers.limiter.circuit_breaker import ProviderDown
from providers.limiter.rate_limiter import Outcome, RateLimiter
from providers.prices import Charge, charge_of
from providers.problem_texts import in_words

#: A call that fails is tried again, and what the failure took is no time of inference.
MAX_ATTEMPTS = 3
WAIT_SECONDS, MAX_WAIT_SECONDS = 1.0, 60.0
#: What is known of a request whose answer never came.
BROKEN_OFF = Reply(failure="cancelled", uncertain=1)


@dataclass(frozen=True, slots=True)
class Asked:
    """A text to be put to the model; `segmentation` is how the words of its answer are counted."""

    text: str
    segmentation: str = "whitespace"


@dataclass(frozen=True, slots=True)
class Sample:
    """What one call showed: words and characters of the answer as it came, seconds."""

    words: int
    characters: int
    seconds: float
    first_token_seconds: float | None


@dataclass(frozen=True, slots=True)
class Sent:
    """The request at this place of the pass is on its way, and costs so much at most."""

    at_most: Charge
    place: int


@dataclass(frozen=True, slots=True)
class Came:
    """What the last request that was sent cost, and whether it left at all: one that found no connection did not."""

    charge: Charge
    has_left: bool


#: Told in the event loop.
OnSpent = Callable[[Sent | Came], None]


async def run_pass(
    endpoint: Endpoint,
    setup: Setup,
    warm_up: Sequence[Asked],
    measured: Sequence[Asked],
    limiter: RateLimiter,
    on_call: Callable[[int], None] = lambda done: None,
    on_spent: OnSpent = lambda event: None,
) -> list[Sample]:
    """The samples of the measured calls, after the warm-up calls, over one connection and never two at once. Each waits
    for its permit as the calls of runs do; that is no time of inference.

    `on_call` is told in the event loop how many calls are through, `on_spent` what each request costs, also one of a
    call that fails: before it is sent, and once its answer has come. Raises Invalid for a call that fails MAX_ATTEMPTS
    times.
    """
    samples = []
    async with one_by_one(endpoint) as connection:
        for at, asked in enumerate([*warm_up, *measured]):
            timed = await ask(connection, setup, asked, at, limiter, on_spent)
            if at >= len(warm_up):
                samples.append(sample_of(timed, asked))
            on_call(at + 1)
    return samples


async def ask(
    connection: OneByOne, setup: Setup, asked: Asked, place: int, limiter: RateLimiter, on_spent: OnSpent
) -> Timed:
    prepared = prepare(setup, Question(0, asked.text))
    for attempt in range(1, MAX_ATTEMPTS + 1):
        timed = await ask_once(connection, setup, prepared, place, limiter, expected_tokens(setup, asked), on_spent)
        problem = timed.problem or problem_of(timed.reply, setup)
        if not problem:
            return timed
        if attempt < MAX_ATTEMPTS:
            await asyncio.sleep(min(timed.retry_after or WAIT_SECONDS * attempt, MAX_WAIT_SECONDS))
    message = _("The model gave no answer that could be measured, %(n)d times: %(problem)s Nothing was stored.")
    raise Invalid(Problem("no_answer", message % {"n": MAX_ATTEMPTS, "problem": in_words(problem)}))


async def ask_once(
    connection: OneByOne,
    setup: Setup,
    prepared: Prepared,
    place: int,
    limiter: RateLimiter,
    tokens: int,
    on_spent: OnSpent,
) -> Timed:
    """One attempt under a permit: the provider's limits, pace and breaker hold for what is measured too. Raises Invalid
    where the provider has been down too long."""
    try:
        permit = await limiter.acquire(tokens)
    except ProviderDown:
        message = _("The provider does not answer any more. Nothing was stored.")
        raise Invalid(Problem("provider_down", message)) from None
    outcome, timed = Outcome.GIVEN_UP, None
    try:
        on_spent(Sent(charged(BROKEN_OFF, setup, prepared), place))
        timed = await connection.ask(prepared.request)
        on_spent(Came(charged(timed.reply, setup, prepared), has_left(timed.reply)))
        outcome = outcome_of(timed.reply.failure)
        return timed
    finally:
        limiter.release(permit, outcome, retry_after=timed.retry_after if timed else None)


def has_left(reply: Reply) -> bool:
    """Whether the server may have seen the request."""
    return reply.failure != "connection" or bool(reply.uncertain)


def charged(reply: Reply, setup: Setup, prepared: Prepared) -> Charge:
    return charge_of(reply, setup.price, prepared.size, setup.most_written)


def expected_tokens(setup: Setup, asked: Asked) -> int:
    """Of a prompt and its answer together, as runs of target models expect them."""
    size = len(f"{setup.system}{asked.text}".encode("utf-8", "surrogatepass"))
    return size // BYTES_OF_A_TOKEN + (setup.stated_limit or USUALLY_WRITTEN) // 4


def outcome_of(failure: str) -> Outcome:
    """What an attempt says of its provider, by the code of its failure."""
    if failure == "http_429":
        return Outcome.REFUSED
    if failure in ("timeout", "connection") or failure.startswith("http_5"):
        return Outcome.FAILED
    return Outcome.ANSWERED


def problem_of(reply: Reply, setup: Setup) -> str:
    """Another model's speed is not this one's."""
    return "" if setup.guard.accepts_reply(reply.model) else f"other_model: {reply.model[:100]}"


def sample_of(timed: Timed, asked: Asked) -> Sample:
    text = timed.reply.text or timed.reply.refusal
    return Sample(len(words(text, asked.segmentation)), len(text), timed.seconds, timed.first_token_seconds)
