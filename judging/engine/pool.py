"""A pool of calls: many questions in flight at once in the process's event loop.

It knows no database: questions come in as values, results go out through a queue.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from providers.client import loop
from providers.client.sending import NeverSent
from providers.limiter.circuit_breaker import ProviderDown

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections

# How long a stopped pool waits for calls in flight: they are paid for, so those that return in time are stored.
GRACE_SECONDS = 5.0

Q = TypeVar("Q")
R = TypeVar("R")


class PoolSignal(Enum):
    """A message among the results, to the thread that stores them."""

    BUDGET_NEEDED = "budget_needed"


class CallPool(Generic[Q, R]):
    """As many workers (coroutines) as the endpoint takes calls at once, each asking one question after the other.

    `ask` asks one. `results` is a queue of each result, and None once at the end. Questions can be added while others
    are in flight, until `close`. `admit` says whether a question may be asked now; where it may not,
    PoolSignal.BUDGET_NEEDED goes into `results`, and the workers wait for `wake`.
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
        self.results: queue.SimpleQueue[R | PoolSignal | None] = queue.SimpleQueue()
        # The provider's outage, where that is why nothing more is asked.
        self.down: ProviderDown | None = None
        self._position = 0
        self._is_open = is_open
        # Whether the next question waits for `wake`, after `admit` refused it.
        self.is_waiting_for_budget = False
        self._stopped, self._changed = asyncio.Event(), asyncio.Event()
        #: Set when no worker goes on: from then on `unsent` is certain.
        self.ended = threading.Event()
        self._never_sent: list[Q] = []

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
        """From any thread: ask `admit` again."""
        loop.loop().call_soon_threadsafe(self._wake)

    def drop(self, is_dropped: Callable[[Q], bool]) -> None:
        """From any thread: do not ask those of the questions that no worker has taken."""
        loop.loop().call_soon_threadsafe(self._drop, is_dropped)

    def upcoming(self, n: int) -> list[Q]:
        """The next n questions that no worker has taken."""
        return self.questions[self._position : self._position + n]

    def unsent(self) -> list[Q]:
        """Of a pool that has ended, the questions of which nothing has left this process: those that no worker took or
        that were dropped, and those that were broken off while they waited for their permit."""
        assert self.ended.is_set(), "a pool that goes on may send any question"
        return [*self._never_sent, *self.questions[self._position :]]

    async def run(self, connections: Connections) -> None:
        n = connections.endpoint.concurrency
        workers = [
            asyncio.create_task(self._work(connections))
            for _worker in range(n if self._is_open else min(n, len(self.questions)))
        ]
        stop_requested: asyncio.Future[Any] = asyncio.create_task(self._stopped.wait())
        try:
            all_workers: asyncio.Future[Any] = asyncio.gather(*workers)
            await asyncio.wait([all_workers, stop_requested], return_when=asyncio.FIRST_COMPLETED)
            if not all_workers.done():
                await asyncio.wait([all_workers], timeout=GRACE_SECONDS)
            if all_workers.done() and not all_workers.cancelled():
                all_workers.result()  # raises what a worker raised: a defect of ours, never an answer
        finally:
            stop_requested.cancel()
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            self.ended.set()
            self.results.put(None)

    def _stop(self) -> None:
        self._stopped.set()
        self._changed.set()

    def _wake(self) -> None:
        self.is_waiting_for_budget = False
        self._changed.set()

    def _drop(self, is_dropped: Callable[[Q], bool]) -> None:
        left = self.questions[self._position :]
        self._never_sent += [question for question in left if is_dropped(question)]
        # In place, so that what is added meanwhile from another thread is not lost.
        self.questions[self._position : self._position + len(left)] = [each for each in left if not is_dropped(each)]
        self._wake()

    async def _next(self) -> Q | None:
        while not self._stopped.is_set():
            if self._position < len(self.questions):
                question = self.questions[self._position]
                if self.admit is None or self.admit(question):
                    self._position += 1
                    return question
                if not self.is_waiting_for_budget:
                    self.is_waiting_for_budget = True
                    self.results.put(PoolSignal.BUDGET_NEEDED)
            elif not self._is_open:
                return None
            self._changed.clear()
            await self._changed.wait()
        return None

    async def _work(self, connections: Connections) -> None:
        while (question := await self._next()) is not None:
            try:
                self.results.put(await self.ask(connections, question))
            except ProviderDown as down:
                if not down.attempts:
                    self._never_sent.append(question)
                self.down = down
                self._stop()
            except NeverSent:
                self._never_sent.append(question)
                raise
