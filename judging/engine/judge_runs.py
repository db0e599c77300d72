"""Runs of judges, as a kind of runs."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from benchmark import exposure
from benchmark.models import ExposureKind
from judging.engine import storing
from judging.engine.calling import Prepared, Question, Result, ask, prepare, worst_case
from judging.engine.questions import open_questions, setup_for
from judging.engine.reusing import with_earlier
from judging.engine.run_kinds import JUDGING, RunKind
from judging.engine.submitted_answers import BudgetWatch, count_holds_as_spent, unpaid_calls, watch_of
from judging.kinds import judge_kind
from judging.models import ANSWERED, Call, CallState, Run, Shard
from projects.among import Among
from projects.models import Laboratory, Response


class Judging(RunKind):
    name = JUDGING
    job = "judge_shard"
    calls = Call
    states = CallState
    answered = ANSWERED
    unanswered = (CallState.REFUSED, CallState.TRUNCATED, CallState.MALFORMED, CallState.FAILED)
    # An answer that was cut or unreadable can come whole the next time.
    retriable = (CallState.FAILED, CallState.TRUNCATED, CallState.MALFORMED)
    cleared = {"parsed": None}
    setup = staticmethod(setup_for)
    prepare = staticmethod(prepare)
    with_earlier = staticmethod(with_earlier)
    ask = staticmethod(ask)
    worst_case = staticmethod(worst_case)

    def provider(self, run: Run) -> int:
        return run.asked_judge.provider_id

    def asked(self, run: Run) -> str:
        return f"{run.judge}, round {run.round}"

    def questions(self, shard: Shard) -> list[Question]:
        return list(open_questions(shard))

    def about_to_send(self, run: Run, prepared: Sequence[Prepared]) -> None:
        """A judge of whatever kind is shown the question along with the answer."""
        if shown := self.shown(prepared):
            exposure.record(shown, *self.seen_by(run), ExposureKind.JUDGING)

    def never_sent(self, run: Run, prepared: Sequence[Prepared]) -> None:
        if shown := self.shown(prepared):
            exposure.take_back(shown, *self.seen_by(run), ExposureKind.JUDGING)

    def shown(self, prepared: Sequence[Prepared]) -> list[int]:
        """Prompts by their ids, each as often as it is sent: not where a reply is there already."""
        sent = [each.question.response for each in prepared if not each.problem and each.earlier is None]
        prompts = dict(Response.objects.filter(pk__in=Among(sent)).values_list("pk", "prompt_id"))
        return [prompts[pk] for pk in sent if pk in prompts]

    def seen_by(self, run: Run) -> tuple[Laboratory | None, str]:
        judge = run.asked_judge
        return judge.rater.laboratory, exposure.endpoint_name(judge.model, judge.provider.name)

    def watch(self, shard: Shard, claim: UUID) -> BudgetWatch | None:
        return watch_of(shard, claim)

    def count_as_spent(self, shards: QuerySet[Shard]) -> None:
        count_holds_as_spent(shards)

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
        calls = calls.exclude(pk__in=unpaid_calls(calls, judge).values("pk"))
        ended = calls.exclude(state=CallState.CANCELLED).values_list("response", flat=True)
        reviewed = judge_kind(judge.kind).withdraw(judge, run.round, set(ended))
        return calls.exclude(response__in=Among(reviewed))
