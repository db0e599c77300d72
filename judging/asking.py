"""From planned calls to results: many at once in the process's event loop, each read and judged on arrival.

Knows no database: questions come in as values, results go out through a queue.
"""

import asyncio
import json
import queue
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from judging.clients import loop
from judging.clients.openai_compatible import Connections
from judging.clients.requests import Request
from judging.kinds import JudgeKind, Material, WrongAnswer
from judging.laboratories import Guard
from judging.parsing import Outcome, Reply, read_reply
from judging.prompts import PromptText
from projects.anchors import sha256

# How long a cancelled shard waits for what is in flight: it is paid for, so it is stored where it comes in time.
GRACE_SECONDS = 5.0
MOST_RAW = 200_000
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


@dataclass(frozen=True, slots=True)
class Result:
    """How one call ended."""

    call: int
    response: int
    state: str
    problem: str = ""
    parsed: dict[str, Any] | None = None
    reply: Reply = UNASKED
    input_sha256: str = ""
    nonce: str = ""

    @property
    def signal(self) -> str:
        """What the reply said beside its text (a `Signal` value, or nothing)."""
        return "refusal" if self.reply.refusal else "tool_call" if self.reply.has_tool_call else ""

    @property
    def raw_output(self) -> str:
        """What came back, as far as a database can hold it."""
        text = self.reply.text or self.reply.refusal
        return text[:MOST_RAW].replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def new_nonce(material: Material) -> str:
    """Marks around untrusted text, and the ticket of the answer: unknown to whoever wrote the text."""
    while True:
        nonce = secrets.token_hex(8)
        if not any(nonce in text for text in material.texts):
            return nonce


def build(setup: Setup, question: Question, nonce: str) -> tuple[Request, str]:
    """The request and its hash; the nonce is left out of the hash, so that the same input has the same one."""
    messages = setup.kind.messages(setup.prompt, question.material, question.unit, nonce)
    request = Request(
        model=setup.model,
        messages=messages,
        schema=setup.kind.schema(setup.prompt, question.material),
        structured=setup.structured,
        temperature=setup.temperature,
        max_output_tokens=setup.max_output_tokens,
        token_limit_name=setup.token_limit_name,
        seed=setup.seed,
        reasoning_effort=setup.reasoning_effort,
    )
    return request, sha256(json.dumps(request.body(), ensure_ascii=False).replace(nonce, "nonce"))


async def ask(setup: Setup, connections: Connections, question: Question) -> Result:
    if not question.is_whole:
        return Result(question.call, question.response, "failed", setup.kind.gone)
    if any(setup.guard.forbids(model, laboratory) for model, laboratory in question.authors):
        return Result(question.call, question.response, "failed", "own_laboratory")
    nonce = new_nonce(question.material)
    request, digest = build(setup, question, nonce)
    reply = await connections.ask(request)
    outcome = judged(setup, question, reply, nonce)
    problem = f"{outcome.problem}: {reply.detail}" if reply.detail else outcome.problem
    return Result(question.call, question.response, outcome.state, problem, outcome.parsed, reply, digest, nonce)


def judged(setup: Setup, question: Question, reply: Reply, nonce: str) -> Outcome:
    """The call's final state: what the reply says, from the right model, in the form of the kind."""
    if not reply.failure and not setup.guard.accepts_reply(reply.model):
        return Outcome("failed", problem=f"other_model: {reply.model[:100]}")
    outcome = read_reply(reply)
    if outcome.value is None:
        return outcome
    try:
        parsed = setup.kind.read(outcome.value, setup.prompt, question.material, question.unit, nonce)
    except WrongAnswer as wrong:
        return Outcome("malformed", problem=str(wrong))
    return Outcome("unlocatable" if parsed.get("unlocatable") else outcome.state, parsed=parsed)


Q = TypeVar("Q")
R = TypeVar("R")


class Asking(Generic[Q, R]):
    """Many questions under way, each by `ask`. `results` yields each result, and None once at the end."""

    def __init__(self, ask: Callable[[Connections, Q], Awaitable[R]], questions: Sequence[Q]) -> None:
        self.ask, self.questions = ask, questions
        self.results: queue.SimpleQueue[R | None] = queue.SimpleQueue()
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """From any thread: ask nothing more."""
        loop.loop().call_soon_threadsafe(self._stopped.set)

    async def run(self, connections: Connections) -> None:
        waiting = iter(self.questions)
        lanes = [
            asyncio.create_task(self._lane(waiting, connections))
            for _lane in range(min(connections.endpoint.concurrency, len(self.questions)))
        ]
        stopper: asyncio.Future[Any] = asyncio.create_task(self._stopped.wait())
        try:
            everything: asyncio.Future[Any] = asyncio.gather(*lanes)
            await asyncio.wait([everything, stopper], return_when=asyncio.FIRST_COMPLETED)
            if not everything.done():
                await asyncio.wait([everything], timeout=GRACE_SECONDS)
            if everything.done() and not everything.cancelled():
                everything.result()  # raises what a lane raised: a defect of ours, never an answer
        finally:
            stopper.cancel()
            for lane in lanes:
                lane.cancel()
            self.results.put(None)

    async def _lane(self, waiting: Iterator[Q], connections: Connections) -> None:
        for question in waiting:
            if self._stopped.is_set():
                return
            self.results.put(await self.ask(connections, question))
