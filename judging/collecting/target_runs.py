"""Runs of target models, as a kind of runs: a prompt once, its first answer word for word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Case, Exists, F, OuterRef, QuerySet, Value, When

from judging.collecting.calling import Answer, Prepared, Question, Setup, ask, worst_case
from judging.collecting.questions import made_ready, open_questions, setup_for
from judging.collecting.storing import write
from judging.engine.budgets import Purse
from judging.engine.pool import GRACE_SECONDS
from judging.engine.run_kinds import COLLECTING, RunKind
from judging.models import CollectionCall, CollectionState, Run, Shard
from projects.models import Response
from providers.prices import Amount

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections


class Collecting(RunKind):
    name = COLLECTING
    job = "collect_shard"
    calls = CollectionCall
    states = CollectionState
    answered = (CollectionState.COLLECTED,)
    unanswered = (
        CollectionState.REFUSED,
        CollectionState.TRUNCATED,
        CollectionState.EMPTY,
        CollectionState.UNUSABLE,
        CollectionState.FAILED,
    )
    # What came as an answer is never asked for a second time.
    retriable = (CollectionState.FAILED,)
    # Until its worker has seen that the run was stopped, and what is in flight has come or been given up.
    letting_go_seconds = GRACE_SECONDS + settings.JOB_SILENCE_SECONDS / 12 + 5

    def provider(self, run: Run) -> int:
        provider = run.asked_endpoint.provider
        assert provider is not None, "a model without a provider is never asked"
        return provider.pk

    def asked(self, run: Run) -> str:
        return str(run.endpoint)

    def prepare(self, run: Run) -> Setup:
        return setup_for(run)

    def questions(self, shard: Shard) -> list[Question]:
        return open_questions(shard)

    def made_ready(self, setup: Setup, questions: Iterable[Question]) -> Iterator[list[Prepared]]:
        return made_ready(setup, questions)

    async def ask(self, setup: Setup, connections: Connections, made: Prepared, purse: Purse | None = None) -> Answer:
        return await ask(setup, connections, made, purse)

    def worst_case(self, setup: Setup, made: Prepared) -> Amount:
        return worst_case(setup, made)

    def write(self, shard: Shard, results: Sequence[Answer], now: datetime) -> None:
        write(results)

    def fail_open(self, shard: Shard, problem: str, now: datetime) -> None:
        self.open(shard).update(state=CollectionState.FAILED, problem=problem, ended_at=now)

    def to_ask_again(self, run: Run, states: Sequence[str]) -> QuerySet[CollectionCall]:
        """What was pasted or imported meanwhile is the response; nothing is asked beside it."""
        answered = Response.objects.filter(prompt=OuterRef("prompt"), target_model=OuterRef("endpoint__target_model"))
        return self.of(run).filter(~Exists(answered), state__in=states)

    def plan_again(self, calls: QuerySet[CollectionCall]) -> None:
        """One for which no answer came is asked as another, so that no provider says again that there is none."""
        calls.update(
            retries=F("retries") + Case(When(state=CollectionState.CANCELLED, then=Value(0)), default=Value(1)),
            state=CollectionState.PLANNED,
            problem="",
            raw_output="",
            ended_at=None,
        )
