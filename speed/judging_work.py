"""What the judging bench lets judges do: the projects, and a run through real workers from its plan to its last row."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # Django is set up first
    from django.db.models import QuerySet

    from judging.models import Judge
    from projects.models import Project, Response

from speed.rubric_study import EVALUATIONS, NEGATIVE, POSITIVE, a_study

PARAGRAPHS = 4
WORDS_PER_PARAGRAPH = 60
POLL_SECONDS = 0.01
MAX_SECONDS = 600


@dataclass(frozen=True)
class Work:
    """Judges that answer about every response of their project, in `calls` calls a round."""

    name: str
    judges: list[Judge]
    responses: QuerySet[Response]
    calls: int

    def check(self, round: int) -> None:
        """Every call was scored, and every answer stands."""
        from annotation.models import Marking
        from judging.models import Call, CallState
        from rubrics.models import Grade, GradeRole, Verdict

        calls = Call.objects.filter(judge__in=self.judges, round=round)
        assert calls.filter(state=CallState.SCORED).count() == calls.count() == self.calls, (calls.count(), self.calls)
        raters = [judge.rater_id for judge in self.judges]
        if self.judges[0].kind == "rubric":
            grades = Grade.objects.filter(rater__in=raters, round=round, role=GradeRole.JUDGE)
            assert grades.count() == self.calls
            assert Verdict.objects.filter(grade__in=grades).count() == self.calls * (POSITIVE + NEGATIVE)
        else:
            markings = Marking.objects.filter(rater__in=raters, round=round, is_complete=True)
            assert markings.count() == self.responses.count() * len(self.judges)

    def bodies(self) -> list[dict]:
        """What a round would send, word for word but for the numbers of the marks; nothing is kept of its plan."""
        from django.db import transaction

        from judging.engine.calling import build, new_nonce
        from judging.engine.questions import open_questions
        from judging.engine.runs import create_run
        from judging.engine.setups import setup_of

        request_bodies = []
        with transaction.atomic():
            for judge in self.judges:
                run = create_run(judge, self.responses, round=30_000)
                setup = setup_of(run)
                for shard in run.shards.select_related("run__judge__rater", "run__prompt_version"):
                    questions = open_questions(shard)
                    request_bodies += [build(setup, each, new_nonce(each.material))[0].body() for each in questions]
            transaction.set_rollback(True)
        return request_bodies

    def seconds(self, round: int) -> float:
        """From the first plan to the last stored answer, by whatever workers there are."""
        from judging.engine import runs
        from judging.models import Run, RunState

        begin = time.perf_counter()
        started = []
        for judge in self.judges:
            run = runs.create_run(judge, self.responses, round=round)
            runs.start(run)
            started.append(run.pk)
        going = Run.objects.filter(pk__in=started, state=RunState.RUNNING)
        while going.exists():
            assert time.perf_counter() < begin + MAX_SECONDS, "the workers are not through"
            time.sleep(POLL_SECONDS)
        seconds = time.perf_counter() - begin
        self.check(round)
        return seconds


def rubric_evaluations(concurrency: int) -> Work:
    """Perle's study: 1,309 evaluations of ten criteria each, by five judges."""
    from projects.models import Response

    judges = a_study(concurrency)
    responses = Response.objects.filter(project=judges[0].project)
    return Work(f"{EVALUATIONS:,} evaluations by rubric", judges, responses, EVALUATIONS)


def span_evaluations(concurrency: int, responses: int = 1050, judges: int = 2) -> Work:
    """JuICE's study: responses of four paragraphs, each read whole by every judge."""
    project = a_project(f"spans-{responses}", responses)
    span_judges = [span_judge(project, concurrency, f"simulated-{n}", "response") for n in range(1, judges + 1)]
    return Work(
        f"{responses * judges:,} evaluations of spans", span_judges, project.responses.all(), responses * judges
    )


def paragraphs(concurrency: int, calls: int) -> Work:
    """One judge that reads paragraph by paragraph: the four calls of a response make one answer."""
    project = a_project(f"paragraphs-{calls}", calls // PARAGRAPHS)
    judge = span_judge(project, concurrency, "simulated-1", "paragraph")
    return Work(f"{calls:,} calls about paragraphs", [judge], project.responses.all(), calls)


def span_judge(project: Project, concurrency: int, model: str, granularity: str) -> Judge:
    from judging.judges import add_judge
    from providers.endpoints import simulated_provider
    from providers.models import Provider

    provider = simulated_provider()
    Provider.objects.filter(pk=provider.pk).update(concurrency=concurrency)
    return add_judge(project, provider, model, granularity=granularity)


def a_project(slug: str, responses: int) -> Project:
    from projects.models import Laboratory, LanguageVariety, Project, Prompt, Response, TargetModel

    project = Project.objects.create(slug=slug, name="Bench")
    variety = LanguageVariety.objects.get(tag="ar-EG")
    laboratory, _new = Laboratory.objects.get_or_create(slug="delta-lab", defaults={"name": "Delta Lab"})
    model, _new = TargetModel.objects.get_or_create(name="Nile-7B", defaults={"laboratory": laboratory})
    prompt = Prompt.objects.create(project=project, key="p", text="سؤال", text_sha256="", variety=variety)
    paragraph = " ".join(["الكشري", "أكلة", "مصرية", "شعبية"] * (WORDS_PER_PARAGRAPH // 4))
    Response.objects.bulk_create(
        Response(
            project=project,
            prompt=prompt,
            target_model=model,
            variety=variety,
            key=f"r{n}",
            text="\n\n".join(f"{n} {part} {paragraph}" for part in range(PARAGRAPHS)),
            text_sha256="",
        )
        for n in range(responses)
    )
    return project
