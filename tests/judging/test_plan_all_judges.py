"""Nour sees in one table what all her judges would be asked: Perle's 1,309 evaluations, its guard and its refusals.

The responses are counted as the paper has them (arXiv 2607.00139); their texts are a line each.
"""

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from django.utils import timezone

from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.shards import work_through
from judging.models import CallState
from projects.models import LanguageVariety, Prompt, Rater, Response
from providers.endpoints import simulated_gateway
from providers.models import Provider
from rubrics.models import Criterion, Grade, GradeRole, Rubric
from rubrics.scoring.storing import GradeData, NegativeData, VerdictData, store_grades
from tests.judging.grading import grading_judge, target

PROMPTS = 103
# Target model, laboratory, number of prompts it answered.
TARGETS = (("gemini-3.1-pro-preview", "google", 103), ("Muse Spark", "meta", 101), ("grok-4.3", "xai", 98))
# Judge, and how many responses are left when those of its own laboratory are left out.
JUDGES = {
    "gpt-5.4": 302,
    "claude-opus-4.7": 302,
    "gemini-3.1-pro-preview": 302 - 103,
    "grok-4.3": 302 - 98,
    "qwen-plus": 302,
}


@pytest.fixture
def study(project, mona):
    """103 prompts with a frozen rubric of one criterion, 302 responses with a reference grade and one error."""
    grader = Rater.objects.get(user=mona)
    variety = LanguageVariety.objects.get(tag="ar-EG")
    Prompt.objects.bulk_create(
        Prompt(project=project, key=f"p{n}", text=f"Question {n}?", text_sha256=f"p{n}", variety=variety)
        for n in range(PROMPTS)
    )
    prompts = list(project.prompts.order_by("pk"))
    Rubric.objects.bulk_create(
        Rubric(project=project, prompt=prompt, author=grader, scope="cultural", gold_answer="So it is.")
        for prompt in prompts
    )
    rubrics = list(project.rubrics.order_by("prompt_id"))
    kind = {"objectivity": "objective", "explicitness": "explicit"}
    Criterion.objects.bulk_create(
        Criterion(rubric=rubric, key="c1", text="Says «so».", weight=10, **kind) for rubric in rubrics
    )
    Rubric.objects.filter(project=project).update(sha256="x", frozen_at=timezone.now())
    for name, laboratory, answered in TARGETS:
        model = target(name, laboratory)
        Response.objects.bulk_create(
            Response(
                project=project,
                prompt=prompt,
                variety=variety,
                target_model=model,
                key=f"{prompt.key}-{model.pk}",
                text=f"Answer {prompt.key} of {model.pk}",
                text_sha256=f"{prompt.key}-{model.pk}",
            )
            for prompt in prompts[:answered]
        )
    criteria = {criterion.rubric_id: criterion for criterion in Criterion.objects.all()}
    rubric_of = {rubric.prompt_id: rubric for rubric in rubrics}
    store_grades(
        [
            GradeData(
                response=response,
                rubric=rubric_of[response.prompt_id],
                rater=grader,
                role=GradeRole.REFERENCE,
                verdicts=[VerdictData(criteria[rubric_of[response.prompt_id].pk], "fail")],
                negatives=[NegativeData(f"n{response.pk}", "Says «Answer».", -2, "hallucination", **kind)],
            )
            for response in project.responses.all()
        ]
    )
    return project


@pytest.fixture
def judges(study, fake_provider):
    gateway = simulated_gateway()
    return {model: grading_judge(study, gateway, model, name=model) for model in JUDGES}


def table(capsys, *options: str) -> dict[str, list[int]]:
    call_command("run_judges", "feasts", "--plan", *options)
    heading, *lines = capsys.readouterr().out.splitlines()
    assert " ".join(heading.split()) == "Judge Responses Own laboratory Not ready Planned Done or under way To ask"
    return {line.split("  ")[0]: [int(part) for part in line.split("  ")[1:] if part.strip()] for line in lines}


def test_five_judges_are_to_grade_1309_times(study, judges, capsys):
    assert study.responses.count() == 302
    rows = table(capsys)
    # responses, own laboratory, not ready, planned, done, to ask
    assert rows.pop("All judges") == [5 * 302, 103 + 98, 0, 1309, 0, 1309]
    assert rows == {model: [302, 302 - n, 0, n, 0, n] for model, n in JUDGES.items()}
    assert sum(JUDGES.values()) == 302 + 302 + 302 + 199 + 204 == 1309


def test_two_refusals_leave_1307_scored(study, judges, fake_provider, capsys):
    """The fifth judge declines two responses; they are counted beside what was scored, and are no grades."""
    declined = [response.text for response in study.responses.order_by("pk")[:2]]
    fake_provider.tell(refused={"qwen-plus": [f"{text}\n" for text in declined]})
    scored = {}
    for model, judge in judges.items():
        run = runs.create_run(judge, study.responses.all())
        for shard in runs.start_here(run):
            work_through(shard)
        counts = runs.counts(run)
        scored[model] = counts[CallState.SCORED]
        assert counts[CallState.REFUSED] == (2 if model == "qwen-plus" else 0)
        assert sum(counts.values()) == JUDGES[model]

    assert scored == {**JUDGES, "qwen-plus": 300}
    assert sum(scored.values()) == 1307
    assert Grade.objects.filter(role=GradeRole.JUDGE).count() == 1307
    own = Grade.objects.filter(role=GradeRole.JUDGE, rater__laboratory=F("response__target_model__laboratory"))
    assert not own.exists()
    rows = table(capsys)
    assert rows["qwen-plus"] == [302, 0, 0, 302, 302, 0]
    assert rows["All judges"] == [5 * 302, 201, 0, 1309, 1309, 0]


def test_a_judge_that_cannot_be_asked_says_why_and_the_others_are_planned(study, judges, capsys):
    Provider.objects.update(laboratory=None)
    judge = judges["grok-4.3"]
    type(judge).objects.filter(pk=judge.pk).update(model="our-own")
    call_command("run_judges", "feasts", "--plan")
    said = capsys.readouterr().out
    assert "map_model our-own LABORATORY" in said
    assert said.splitlines()[-1].split()[-1] == str(1309 - 204)


def test_planning_writes_nothing(study, judges, capsys, django_assert_max_num_queries):
    with django_assert_max_num_queries(2 + 5 * 9):
        table(capsys)
    assert not runs.Run.objects.exists()
    assert plan(judges["gpt-5.4"], study.responses.all()).size == 302


def test_without_a_judge_nothing_is_asked(study, judges):
    with pytest.raises(CommandError, match="--judge"):
        call_command("run_judges", "feasts")


def test_a_project_without_judges_says_so(project):
    with pytest.raises(CommandError, match="no judge in use"):
        call_command("run_judges", "feasts", "--plan")
