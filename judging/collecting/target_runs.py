"""Runs of target models, as a kind of runs: each prompt once a replicate, its first answer word for word."""

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db.models import F, OuterRef, QuerySet, Value
from django.db.models.functions import Greatest

from benchmark import exposure
from benchmark.answering import configuration_for
from benchmark.models import ExposureKind
from benchmark.scoring_jobs import begin_scoring_of
from judging.collecting.calling import Answer, Prepared, ask, prepare, worst_case
from judging.collecting.planning import REPLICATES, has_all
from judging.collecting.questions import open_questions, seen_by, setup_for, with_earlier
from judging.collecting.storing import write
from judging.collecting.submitted import settle_after
from judging.engine.pool import GRACE_SECONDS
from judging.engine.run_kinds import COLLECTING, RunKind
from judging.models import CollectionCall, CollectionState, Run, Shard
from projects.among import Among


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
    drain_seconds = GRACE_SECONDS + settings.JOB_SILENCE_SECONDS / 12 + 5

    setup = staticmethod(setup_for)
    questions = staticmethod(open_questions)
    prepare = staticmethod(prepare)
    with_earlier = staticmethod(with_earlier)
    ask = staticmethod(ask)
    worst_case = staticmethod(worst_case)

    def provider(self, run: Run) -> int:
        provider = run.asked_endpoint.provider
        assert provider is not None, "a model without a provider is never asked"
        return provider.pk

    def asked(self, run: Run) -> str:
        return str(run.endpoint)

    def about_to_send(self, run: Run, prepared: Sequence[Prepared]) -> None:
        if shown := self.shown(prepared):
            exposure.record(shown, *seen_by(run.asked_endpoint), ExposureKind.ANSWERING)

    def never_sent(self, run: Run, prepared: Sequence[Prepared]) -> None:
        if shown := self.shown(prepared):
            exposure.take_back(shown, *seen_by(run.asked_endpoint), ExposureKind.ANSWERING)

    def shown(self, prepared: Sequence[Prepared]) -> list[int]:
        """Prompts that are sent: where a response is taken over, nothing is."""
        calls = [each.question.call for each in prepared if each.earlier is None]
        return list(CollectionCall.objects.filter(pk__in=Among(calls)).values_list("prompt_id", flat=True))

    def write(self, shard: Shard, results: Sequence[Answer], now: datetime) -> None:
        write(results)

    def after_end(self, run: Run) -> None:
        """Answers to a benchmark are scored by the rules that ask nobody."""
        if configuration_for(run.project, run.asked_endpoint.target_model) is not None:
            begin_scoring_of(run.project, run.created_by)
            settle_after(run)

    def fail_open(self, shard: Shard, problem: str, now: datetime) -> None:
        self.open(shard).update(state=CollectionState.FAILED, problem=problem, ended_at=now)

    def to_ask_again(self, run: Run, states: Sequence[str]) -> QuerySet[CollectionCall]:
        """What was pasted or imported meanwhile is the response; nothing is asked beside it."""
        wanted = Greatest(F("endpoint__replicates"), F("replicate"), Value(run.options.get(REPLICATES, 1)))
        full = has_all("prompt", OuterRef("endpoint__target_model"), wanted)
        return self.of(run).filter(~full, state__in=states)
