"""Benchmarks whose answers are there, and judges that score them. Questions and answers are our own, but figures 7 and
8 of ABBL."""

from collections.abc import Mapping
from typing import Any

from benchmark.answering import receive
from benchmark.freezing import freeze
from benchmark.models import Access, Answer, Configuration, ConfigurationKind, ModelCard, QuestionSet, RuleScore
from judging.engine import runs
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.models import Judge, Run
from projects.models import Laboratory, Project, Prompt, Response, TargetModel
from providers.models import Provider
from tests.benchmark.sets import open_line, question_line, set_of

TEA = "الشاي مشروب دافئ يحبه الناس."
# Figure 7: a list of possible answers, the right one among them.
FILM = "الفيلم الغنائي الذي وجد طريقه إلى السينما المصرية هو فيلم «مولد نجمة»."
FILMS = (
    "أجوبة ممكنة: 1. الفيلم الغنائي الذي وجد طريقه إلى السينما المصرية هو «مولد نجمة». "
    "2. الفيلم الغنائي الذي وجد طريقه إلى السينما المصرية هو «حسن ومرقص وكوهين». "
    "3. الفيلم الغنائي الذي وجد طريقه إلى السينما المصرية هو «الفريسة»."
)
# Figure 8: both options.
BOTH = "أ. صح ب. خطأ"


def question(key: str, rule: str = "judge_generation", output: str = TEA, **changes: Any) -> dict:
    """A question that one judged rule scores."""
    return open_line(key, output=output, rules=[{"rule": rule}], **changes)


def right_or_wrong(key: str = "sum") -> dict:
    return question_line(
        key,
        instruction="مجموع زوايا المثلث 180 درجة.\nأ. صح\nب. خطأ",
        options=...,
        output="أ. صح",
        category="MMLU",
        rules=[{"rule": "judge_choice"}],
    )


def frozen(project: Project, *lines: dict, **changes: Any) -> QuestionSet:
    return freeze(set_of(project, *(lines or (question("tea"),)), **changes))


def configuration(
    project: Project, name: str = "Nile-7B", laboratory: str = "delta-lab", tags: object = (), **values: Any
) -> Configuration:
    maker, _new = Laboratory.objects.get_or_create(slug=laboratory, defaults={"name": laboratory})
    target, _new = TargetModel.objects.get_or_create(name=name, defaults={"laboratory": maker})
    if values.get("kind", ConfigurationKind.MODEL) == ConfigurationKind.MODEL:
        values["card"] = ModelCard.objects.create(
            project=project, slug=name.lower(), name=name, laboratory=maker, access=Access.OPEN, thinking_tags=tags
        )
    return Configuration.objects.create(project=project, target_model=target, slug=name.lower(), name=name, **values)


def answered(row: Configuration, texts: Mapping[str, str], **values: Any) -> list[Answer]:
    """The answers of a configuration to the newest version's questions with these keys."""
    newest = QuestionSet.objects.filter(project=row.project, frozen_at__isnull=False).latest("pk")
    prompts = {
        question.key: question.prompt for question in newest.questions.filter(key__in=texts).select_related("prompt")
    }
    return [receive(row, prompts[key], text, **values) for key, text in texts.items()]


def scoring_judge(project: Project, provider: Provider, model: str = "simulated-1", **how: Any) -> Judge:
    return add_judge(project, provider, model, kind="reference", **how)


def run_through(judge: Judge, round: int = 1) -> Run:
    run = runs.create_run(judge, Response.objects.filter(project=judge.project), round=round)
    for shard in runs.start_here(run):
        work_through(shard)
    run.refresh_from_db()
    return run


def given_by(judge: Judge) -> dict[tuple[str, int], float | None]:
    """What the judge gave, by the key of the prompt and the round."""
    scores = RuleScore.objects.filter(rater=judge.rater)
    return {
        (prompt, round): value for prompt, round, value in scores.values_list("answer__prompt__key", "round", "value")
    }


def prompt_of(question_set: QuestionSet, key: str) -> Prompt:
    return question_set.questions.get(key=key).prompt
