"""A benchmark for the judging bench: a model answers 470 questions, and then a judge scores every answer."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # Django is set up first
    from judging.models import Judge, Run, TargetEndpoint
    from projects.models import Project

from speed.judging_work import MAX_SECONDS, POLL_SECONDS

#: As many as ABBL has; each is judged here, of those 445 rule uses are.
QUESTIONS = 470
WORDS_OF_A_QUESTION = 40
NEVER = "never"
PHASES = ("collection planned", "collected", "judging planned and rules applied", "judged")


class CollectedAndJudged:
    """Collecting from a model of its own each round, then judging by one judge: two calls a question, one after the
    other, each phase as concurrent as the provider is set up for."""

    name = f"{QUESTIONS} questions collected and judged"
    calls = 2 * QUESTIONS

    def __init__(self, concurrency: int) -> None:
        from judging.judges import add_judge
        from providers.endpoints import simulated_gateway
        from providers.models import Provider

        self.project = a_benchmark()
        self.provider = simulated_gateway()
        Provider.objects.filter(pk=self.provider.pk).update(concurrency=concurrency)
        self.provider.refresh_from_db()
        self.judge: Judge = add_judge(self.project, self.provider, "gpt-5.4", kind="reference")

    def endpoint(self, name: str) -> TargetEndpoint:
        """A model that has answered nothing, with its row of the board."""
        from benchmark.models import Access, Configuration, ModelCard
        from judging.collecting.endpoints import add_endpoint

        endpoint = add_endpoint(self.project, self.provider, f"mistral-{name}")
        target = endpoint.target_model
        card = ModelCard.objects.create(
            project=self.project, slug=f"m-{name}", name=name, laboratory=target.laboratory, access=Access.OPEN
        )
        Configuration.objects.create(project=self.project, card=card, target_model=target, slug=f"m-{name}", name=name)
        return endpoint

    def phases(self) -> list[list[dict]]:
        """What collecting would send and what judging would, word for word; nothing of it is kept."""
        from django.db import transaction

        with transaction.atomic():
            endpoint = self.endpoint(NEVER)
            phases = [self.asked(endpoint), self.judged(endpoint)]
            transaction.set_rollback(True)
        return phases

    def asked(self, endpoint: TargetEndpoint) -> list[dict]:
        from judging.collecting.planning import plan
        from judging.collecting.questions import planned_prompts, setup_of

        return [prepared.request.body() for prepared in planned_prompts(setup_of(endpoint), plan(endpoint).prompts)]

    def judged(self, endpoint: TargetEndpoint) -> list[dict]:
        from benchmark.answering import receive
        from benchmark.models import Configuration
        from judging.engine.calling import build, new_nonce
        from judging.engine.questions import open_questions
        from judging.engine.runs import create_run
        from judging.engine.setups import setup_of

        configuration = Configuration.objects.get(target_model=endpoint.target_model)
        for prompt in self.project.prompts.all():
            receive(configuration, prompt, f"Simulated answer {prompt.pk}.")
        run = create_run(self.judge, self.project.responses.filter(target_model=endpoint.target_model), round=30_000)
        setup = setup_of(run)
        bodies = []
        for shard in run.shards.select_related("run__judge__rater", "run__prompt_version"):
            questions = open_questions(shard)
            bodies += [build(setup, each, new_nonce(each.material))[0].body() for each in questions]
        return bodies

    def seconds(self, round: int) -> float:
        """From the plan of the collection to the last stored score, by whatever workers there are."""
        from benchmark.models import RuleScore
        from judging.collecting.beginning import create_collection
        from judging.engine import runs

        endpoint = self.endpoint(f"model-{round}")
        times = [time.perf_counter()]
        collection = create_collection(endpoint)
        times.append(time.perf_counter())
        through(collection)
        times.append(time.perf_counter())
        responses = self.project.responses.filter(target_model=endpoint.target_model)
        # Another model says the same, and only in another round is the same asked again.
        judging = runs.create_run(self.judge, responses, round=round)
        times.append(time.perf_counter())
        through(judging)
        times.append(time.perf_counter())
        seconds = times[-1] - times[0]
        if os.environ.get("BENCH_CPU"):
            told = [
                f"{name} {after - before:.2f}" for name, before, after in zip(PHASES, times, times[1:], strict=False)
            ]
            print(f"   seconds: {', '.join(told)}", flush=True)
        scores = RuleScore.objects.filter(rater=self.judge.rater, answer__response__in=responses)
        assert scores.count() == QUESTIONS, scores.count()
        return seconds


def through(run: Run) -> None:
    """Start a run and wait until it is over."""
    from judging.engine import runs
    from judging.models import Run, RunState

    runs.start(run)
    deadline = time.perf_counter() + MAX_SECONDS
    while Run.objects.filter(pk=run.pk, state=RunState.RUNNING).exists():
        assert time.perf_counter() < deadline, "the workers are not through"
        time.sleep(POLL_SECONDS)


def a_benchmark() -> Project:
    """A frozen set of questions that one judged rule scores, answered in whatever language."""
    from benchmark.freezing import freeze
    from projects.models import Project
    from tests.benchmark.sets import open_line, set_of

    project = Project.objects.create(slug="answers", name="Bench", preset="leaderboard", areas=["leaderboard"])
    words = " ".join(["الشاي", "مشروب", "دافئ", "يحبه"] * (WORDS_OF_A_QUESTION // 4))
    how: dict[str, Any] = {"language": ..., "variety": "ar-EG", "rules": [{"rule": "judge_generation"}]}
    freeze(set_of(project, *(open_line(f"q{n}", instruction=f"{n} {words}", **how) for n in range(QUESTIONS))))
    return project
