"""Perle's study in numbers: 103 prompts with a rubric each, 302 responses that a person has graded, five judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # Django is set up first
    from judging.models import Judge
    from projects.models import LanguageVariety, Project, Prompt, Rater, Response
    from rubrics.models import Rubric
    from rubrics.scoring.storing import GradeData

PROMPTS = 103
TARGETS = (("gemini-3.1-pro-preview", "google", 103), ("Muse Spark", "meta", 101), ("grok-4.3", "xai", 98))
JUDGES = ("gpt-5.4", "claude-opus-4.7", "gemini-3.1-pro-preview", "grok-4.3", "qwen-plus")
EVALUATIONS = 302 + 302 + (302 - 103) + (302 - 98) + 302
POSITIVE, NEGATIVE = 7, 3  # criteria of a response
WORDS = 250


def a_study(concurrency: int) -> list[Judge]:
    """The project in the database; its judges, all behind the simulated gateway."""
    from judging.judges import add_judge
    from projects.models import LanguageVariety, Project, Rater
    from providers.endpoints import simulated_gateway
    from providers.models import Provider
    from rubrics.scoring.storing import store_grades

    project = Project.objects.create(slug="study", name="Study")
    grader = Rater.objects.create(project=project, kind="human", name="Grader")
    variety = LanguageVariety.objects.get(tag="ar-EG")
    prompts = add_prompts(project, variety)
    rubrics = add_rubrics(project, prompts, grader)
    responses = add_responses(project, prompts)
    store_grades([reference(response, rubrics[response.prompt_id], grader) for response in responses])
    Provider.objects.filter(pk=simulated_gateway().pk).update(concurrency=concurrency)
    gateway = Provider.objects.get(pk=simulated_gateway().pk)
    return [add_judge(project, gateway, model, kind="rubric", name=model) for model in JUDGES]


def add_prompts(project: Project, variety: LanguageVariety) -> list[Prompt]:
    from projects.models import Prompt

    Prompt.objects.bulk_create(
        Prompt(project=project, key=f"p{n}", text=f"سؤال عن الأكل في مصر رقم {n}", text_sha256=f"p{n}", variety=variety)
        for n in range(PROMPTS)
    )
    return list(project.prompts.order_by("pk"))


def add_rubrics(project: Project, prompts: list[Prompt], author: Rater) -> dict[int, Rubric]:
    """Frozen rubrics by prompt id."""
    from django.utils import timezone

    from rubrics.models import Criterion, Rubric

    Rubric.objects.bulk_create(
        Rubric(project=project, prompt=prompt, author=author, scope="cultural", gold_answer="الكشري")
        for prompt in prompts
    )
    rubrics = {rubric.prompt_id: rubric for rubric in Rubric.objects.filter(project=project)}
    Criterion.objects.bulk_create(
        Criterion(
            rubric=rubric,
            key=f"c{number}",
            position=number,
            text=f"بيقول إن الطبق رقم {number} فيه عدس ورز ومكرونة وصلصة، ومش أي حاجة تانية",
            weight=10 - number,
            objectivity="objective",
            explicitness="explicit",
        )
        for rubric in rubrics.values()
        for number in range(1, POSITIVE + 1)
    )
    Rubric.objects.filter(project=project).update(sha256="bench", frozen_at=timezone.now())
    return rubrics


def add_responses(project: Project, prompts: list[Prompt]) -> list[Response]:
    from projects.models import Laboratory, Response, TargetModel

    words = ["الكشري", "أكلة", "مصرية", "شعبية", "بتتعمل"] * (WORDS // 5)
    for name, slug, answered in TARGETS:
        laboratory, _new = Laboratory.objects.get_or_create(slug=slug, defaults={"name": slug})
        model = TargetModel.objects.create(name=name, laboratory=laboratory)
        Response.objects.bulk_create(
            Response(
                project=project,
                prompt=prompt,
                variety_id=prompt.variety_id,
                target_model=model,
                key=f"{prompt.key}-{slug}",
                text=f"{prompt.key} {slug} {' '.join(words)}",
                text_sha256=f"{prompt.key}-{slug}",
            )
            for prompt in prompts[:answered]
        )
    return list(project.responses.order_by("pk"))


def reference(response: Response, rubric: Rubric, grader: Rater) -> GradeData:
    from rubrics.models import GradeRole
    from rubrics.scoring.storing import GradeData, NegativeData, VerdictData

    return GradeData(
        response=response,
        rubric=rubric,
        rater=grader,
        role=GradeRole.REFERENCE,
        verdicts=[VerdictData(criterion, "pass") for criterion in rubric.criteria.filter(weight__gt=0)],
        negatives=[
            NegativeData(
                f"n{response.pk}-{number}",
                f"بيقول إن الكشري من أيام الفراعنة، ودي معلومة غلط رقم {number}",
                -number,
                "hallucination",
                "objective",
                "explicit",
            )
            for number in range(1, NEGATIVE + 1)
        ],
    )
