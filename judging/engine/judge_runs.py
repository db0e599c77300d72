"""Runs of judges, as a kind of runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Case, F, QuerySet, Value, When

from judging.engine import storing
from judging.engine.budgets import Purse
from judging.engine.calling import Prepared, Question, Result, Setup, ask, worst_case
from judging.engine.questions import made_ready, open_questions, setup_for
from judging.engine.run_kinds import JUDGING, RunKind
from judging.kinds import judge_kind
from judging.models import ANSWERED, Call, CallState, Run, Shard
from projects.among import Among
from providers.prices import Amount

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections


class Judging(RunKind):
    name = JUDGING
    job = "judge_shard"
    calls = Call
    states = CallState
    answered = ANSWERED
    unanswered = (CallState.REFUSED, CallState.TRUNCATED, CallState.MALFORMED, CallState.FAILED)
    # An answer that was cut or unreadable can come whole the next time.
    retriable = (CallState.FAILED, CallState.TRUNCATED, CallState.MALFORMED)

    def provider(self, run: Run) -> int:
        return run.asked_judge.provider_id

    def asked(self, run: Run) -> str:
        return f"{run.judge}, round {run.round}"

    def prepare(self, run: Run) -> Setup:
        return setup_for(run)

    def questions(self, shard: Shard) -> list[Question]:
        return list(open_questions(shard))

    def made_ready(self, setup: Setup, questions: Iterable[Question]) -> Iterator[list[Prepared]]:
        return made_ready(setup, questions)

    async def ask(self, setup: Setup, connections: Connections, made: Prepared, purse: Purse | None = None) -> Result:
        return await ask(setup, connections, made, purse)

    def worst_case(self, setup: Setup, made: Prepared) -> Amount:
        return worst_case(setup, made)

    def write(self, shard: Shard, results: Sequence[Result], now: datetime) -> None:
        storing.write(results, now)
        storing.write_answers(shard.run, {result.response for result in results})

    def fail_open(self, shard: Shard, problem: str, now: datetime) -> None:
        """What is thereby complete is written as an answer."""
        calls = self.open(shard)
        responses = set(calls.values_list("response_id", flat=True))
        calls.update(state=CallState.FAILED, problem=problem, ended_at=now)
        storing.write_answers(shard.run, responses)

    def to_ask_again(self, run: Run, states: Sequence[str]) -> QuerySet[Call]:
        """What people have reviewed meanwhile stays as it is, incomplete and counted so."""
        judge = run.asked_judge
        calls = self.of(run).filter(state__in=states)
        ended = calls.exclude(state=CallState.CANCELLED).values_list("response", flat=True)
        reviewed = judge_kind(judge.kind).withdraw(judge, run.round, set(ended))
        return calls.exclude(response__in=Among(reviewed))

    def plan_again(self, calls: QuerySet[Call]) -> None:
        """One that had ended is asked as another, so that no provider answers it from memory with what it said
        before."""
        calls.update(
            retries=F("retries") + Case(When(state=CallState.CANCELLED, then=Value(0)), default=Value(1)),
            state=CallState.PLANNED,
            problem="",
            raw_output="",
            parsed=None,
            ended_at=None,
        )
