"""What a run asks: a judge about responses, or a target model the prompts. All that differs between the two.

Planning, sharding, budgets, pausing, pages and the programming interface are the same for both; what they need to know
of a run they ask its kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Protocol
from uuid import UUID

from django.db.models import Case, F, Model, QuerySet, TextChoices, Value, When

from judging.engine.budgets import ChargedCall, Reservation
from judging.models import Run, RunSet, Shard
from providers.prices import Amount

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections

JUDGING, COLLECTING = "judging", "collecting"
# So many questions are prepared before the first is sent; the others while those are in flight.
FIRST, NEXT = 48, 400


class EndedCall(ChargedCall, Protocol):
    """How a call ended, as far as shards see it."""

    @property
    def call(self) -> int: ...

    def read(self) -> Any:
        """With what the reply says. Takes time: not for the event loop, nor while a lock is held."""


class Watch(Protocol):
    """A budget of some of a shard's calls, beside that of the run's set; looked at before the first call and after
    every batch."""

    def stop(self) -> Set[int]:
        """Cancel planned calls that are not to be sent any more, and return their ids."""

    def reservation_for(self, call: int) -> Reservation | None:
        """What a call needs to hold its worst case of before it is sent; None where it is not of this budget."""

    def reserve(self, upcoming: Sequence[Any], worst_case: Callable[[Any], Amount]) -> tuple[Set[int], bool]:
        """Set aside what the next calls may cost: the ids of those that are cancelled because nothing can pay them, and
        whether the next one waits."""

    def return_available(self) -> None:
        """Return what no call in flight needs, where nothing is in flight."""

    def settle(self, results: Sequence[Any]) -> None:
        """In the transaction that stores what calls cost."""

    def drop_settled(self, results: Sequence[Any]) -> None:
        """Once that is committed."""

    def close(self) -> None:
        """When the shard is released, in that transaction."""


class RunKind(ABC):
    """A kind of runs. Its calls have `run`, `shard`, `state`, `cost` and tokens; two of their states are the same for
    all kinds: "planned" and "cancelled"."""

    name: ClassVar[str]
    # The kind of the jobs that its shards are.
    job: ClassVar[str]
    calls: ClassVar[type[Model]]
    states: ClassVar[type[TextChoices]]
    answered: ClassVar[Sequence[str]]
    # States that are no answer, in the order in which they are shown, and those of them that may be asked again.
    unanswered: ClassVar[Sequence[str]]
    retriable: ClassVar[Sequence[str]]
    # Columns of a call, beside those of all kinds, that are cleared before it is asked again.
    cleared: ClassVar[Mapping[str, Any]] = {}
    # Seconds for which a call may still be in flight after its run was stopped; it is not asked anew before.
    drain_seconds: ClassVar[float] = 0

    def of(self, run: Run) -> QuerySet[Any]:
        return self.calls._default_manager.filter(run=run)

    def open(self, shard: Shard) -> QuerySet[Any]:
        return self.calls._default_manager.filter(shard=shard, state="planned")

    @abstractmethod
    def provider(self, run: Run) -> int:
        """The id of the provider that is asked."""

    @abstractmethod
    def asked(self, run: Run) -> str:
        """Whom it asks, by the name that pages and the terminal show."""

    @abstractmethod
    def setup(self, run: Run) -> Any:
        """What all calls of a run share. Raises projects.problems.Invalid where they cannot be asked at all."""

    @abstractmethod
    def questions(self, shard: Shard) -> Sequence[Any]:
        """The calls still to be asked, as values."""

    @abstractmethod
    def prepare(self, setup: Any, question: Any) -> Any:
        """The question as it will be sent."""

    @abstractmethod
    def with_earlier(self, setup: Any, prepared: Sequence[Any]) -> list[Any]:
        """The same, each with the reply that is there already, if any."""

    def prepare_in_chunks(self, setup: Any, questions: Iterable[Any]) -> Iterator[list[Any]]:
        """Questions as they will be sent, FIRST of them and then NEXT at a time."""
        remaining, size = iter(questions), FIRST
        while chunk := list(islice(remaining, size)):
            yield self.with_earlier(setup, [self.prepare(setup, question) for question in chunk])
            size = NEXT

    @abstractmethod
    def about_to_send(self, run: Run, prepared: Sequence[Any]) -> None:
        """Write down who is about to see what, before a chunk is handed to those who send it; no lock is held."""

    @abstractmethod
    def never_sent(self, run: Run, prepared: Sequence[Any]) -> None:
        """Take back what `about_to_send` wrote of calls that surely did not leave. Where a worker is gone nobody knows,
        and what was written stays: rather once too often than not."""

    def watch(self, shard: Shard, claim: UUID) -> Watch | None:
        """What ends calls of a shard before they are sent; None where nothing does."""
        return None

    def count_as_spent(self, shards: QuerySet[Shard]) -> None:
        """The claims on these shards were revoked: what their watches had set aside may be spent."""

    @abstractmethod
    async def ask(
        self, setup: Any, connections: Connections, prepared: Any, reservation: Reservation | None = None
    ) -> EndedCall:
        """Raises ProviderDown where the provider has been down too long: then the call stays open."""

    @abstractmethod
    def worst_case(self, setup: Any, prepared: Any) -> Amount:
        """The most that one attempt can cost."""

    @abstractmethod
    def write(self, shard: Shard, results: Sequence[Any], now: datetime) -> None:
        """Store results that were read, each call once, and what follows from them; in the caller's transaction."""

    @abstractmethod
    def fail_open(self, shard: Shard, problem: str, now: datetime) -> None:
        """End the open calls of a shard as failed; in the caller's transaction."""

    @abstractmethod
    def to_ask_again(self, run: Run, states: Sequence[str]) -> QuerySet[Any]:
        """The run's calls in these states that can be asked again, with what stood in the way taken back; in the
        caller's transaction."""

    def after_end(self, run: Run) -> None:
        """After a run ended because all was asked, outside of its transaction; a crash may leave it out."""

    def plan_again(self, calls: QuerySet[Any]) -> None:
        """Make planned calls of them. One that had ended is asked under another key, so that no provider repeats its
        earlier answer."""
        calls.update(
            retries=F("retries") + Case(When(state="cancelled", then=Value(0)), default=Value(1)),
            state="planned",
            problem="",
            raw_output="",
            ended_at=None,
            **self.cleared,
        )


_registry: dict[str, RunKind] = {}


def register(*kinds: RunKind) -> None:
    for kind in kinds:
        if kind.name in _registry:
            raise ValueError(f"kind of run {kind.name!r} is registered twice")
        _registry[kind.name] = kind


def run_kind(name: str) -> RunKind:
    return _registry[name]


def run_kinds() -> list[RunKind]:
    return list(_registry.values())


def kind_of(run: Run) -> RunKind:
    return _registry[COLLECTING if run.judge_id is None else JUDGING]


def kind_of_set(run_set: RunSet) -> RunKind:
    """All runs of a set are of one kind."""
    return _registry[COLLECTING if run_set.runs.filter(judge=None).exists() else JUDGING]
