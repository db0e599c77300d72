"""Many questions under way at once in the process's event loop, each read on arrival.

Knows no database: questions come in as values, results go out through a queue.
"""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from providers.client import loop
from providers.limiter.circuit_breaker import ProviderDown

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections

# How long a stopped shard waits for what is in flight: it is paid for, so it is stored where it comes in time.
GRACE_SECONDS = 5.0

Q = TypeVar("Q")
R = TypeVar("R")


class Wake(Enum):
    """Among results: that questions wait for something that whoever stores results can give."""

    UP = "up"


class Asking(Generic[Q, R]):
    """Many questions under way, each by `ask`. `results` yields each result, and None once at the end.

    Questions can be added while others are under way, until `close`. `admit` says whether one may be asked now;
    where it may not, `results` says so by a Wake, and the question waits for `wake`.
    """

    def __init__(
        self,
        ask: Callable[[Connections, Q], Awaitable[R]],
        questions: Sequence[Q],
        *,
        is_open: bool = False,
        admit: Callable[[Q], bool] | None = None,
    ) -> None:
        self.ask, self.questions, self.admit = ask, list(questions), admit
        self.results: queue.SimpleQueue[R | Wake | None] = queue.SimpleQueue()
        # Why no more is asked, where the provider is the reason.
        self.down: ProviderDown | None = None
        self._position = 0
        self._is_open = is_open
        # Whether the next question waits for `wake`.
        self.is_dry = False
        self._stopped, self._changed = asyncio.Event(), asyncio.Event()

    def stop(self) -> None:
        """From any thread: ask nothing more."""
        loop.loop().call_soon_threadsafe(self._stop)

    def add(self, questions: Sequence[Q]) -> None:
        """From the thread that opened it."""
        self.questions.extend(questions)
        self.wake()

    def close(self) -> None:
        """From the thread that opened it: no more questions come."""
        self._is_open = False
        self.wake()

    def wake(self) -> None:
        """From any thread: look again whether questions may be asked."""
        loop.loop().call_soon_threadsafe(self._wake)

    def ahead(self, n: int) -> list[Q]:
        """The next n questions that were not asked yet."""
        return self.questions[self._position : self._position + n]

    async def run(self, connections: Connections) -> None:
        n = connections.endpoint.concurrency
        lanes = [
            asyncio.create_task(self._lane(connections))
            for _lane in range(n if self._is_open else min(n, len(self.questions)))
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

    def _stop(self) -> None:
        self._stopped.set()
        self._changed.set()

    def _wake(self) -> None:
        self.is_dry = False
        self._changed.set()

    async def _next(self) -> Q | None:
        while not self._stopped.is_set():
            if self._position < len(self.questions):
                question = self.questions[self._position]
                if self.admit is None or self.admit(question):
                    self._position += 1
                    return question
                if not self.is_dry:
                    self.is_dry = True
                    self.results.put(Wake.UP)
            elif not self._is_open:
                return None
            self._changed.clear()
            await self._changed.wait()
        return None

    async def _lane(self, connections: Connections) -> None:
        while (question := await self._next()) is not None:
            try:
                self.results.put(await self.ask(connections, question))
            except ProviderDown as down:
                self.down = down
                self._stop()
