"""A board made of rows: a frozen set of our own questions, who answered it, and what rules, judges and people said.

Numbers are written into the rows as the parts that score answers would write them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmark.freezing import freeze
from benchmark.models import Answer, Configuration, ModelCard, Question, QuestionSet, RuleScore, RuleUse, Ruling
from projects.anchors import sha256
from projects.models import Laboratory, Project, Rater, Response, TargetModel
from tests.benchmark.sets import open_line, set_of

JUDGED = [{"rule": "judge_generation"}]
CANARY = "6f1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a11"


def frozen_set(project: Project, *lines: dict, **changes: Any) -> QuestionSet:
    return freeze(set_of(project, *lines, **changes))


def open_questions(n: int, *, skill: Any = "Reasoning", **changes: Any) -> list[dict]:
    """n questions that a judge scores; `skill` one for all, or one each."""
    skills = [skill] * n if isinstance(skill, str) else skill
    return [open_line(f"q{at}", category=skills[at], rules=JUDGED, **changes) for at in range(n)]


def laboratory(name: str) -> Laboratory:
    return Laboratory.objects.get_or_create(slug=name.lower().replace(" ", "-"), defaults={"name": name})[0]


def configuration(
    project: Project, name: str, *, made_by: str = "Delta Lab", parameters: float | None = 7.0, **changes: Any
) -> Configuration:
    """A model of this laboratory as it was run, with its card; of another `kind` without one."""
    lab, slug = laboratory(made_by), name.lower().replace(" ", "-")
    target, _ = TargetModel.objects.get_or_create(name=f"{project.slug} {name}", defaults={"laboratory": lab})
    card = None
    if "kind" not in changes:
        card = ModelCard.objects.create(
            project=project, slug=slug, name=name, laboratory=lab, access="open", parameters_total=parameters
        )
    return Configuration.objects.create(
        project=project, name=name, slug=slug, card=card, target_model=target, **changes
    )


def judge(project: Project, name: str = "Simba", made_by: str = "Outside Lab") -> Rater:
    return Rater.objects.create(
        project=project, kind="judge", name=name, model=name.lower(), laboratory=laboratory(made_by)
    )


def person(project: Project, name: str) -> Rater:
    return Rater.objects.create(project=project, kind="human", name=name)


def answers(
    configuration: Configuration, question_set: QuestionSet, texts: Mapping[str, str] | None = None, **ruling: Any
) -> dict[str, Answer]:
    """An answer to every question, by its key, each with the ruling that leaves its rules to go on."""
    made = {}
    for question in question_set.questions.select_related("prompt__variety"):
        text = (texts or {}).get(question.key, f"{configuration.name} on {question.key}")
        response = Response.objects.create(
            project=configuration.project,
            prompt=question.prompt,
            variety=question.prompt.variety,
            target_model=configuration.target_model,
            key=f"{configuration.slug}-{question.key}",
            text=text,
            text_sha256=sha256(text),
        )
        answer = Answer.objects.create(configuration=configuration, prompt=question.prompt, response=response)
        Ruling.objects.create(answer=answer, target_sha256=question.target_sha256, state="answered", **ruling)
        made[question.key] = answer
    return made


def judged(
    rater: Rater,
    answers_by_key: Mapping[str, Answer],
    question_set: QuestionSet,
    values: Sequence[float | None],
    **more: Any,
) -> None:
    """The rater's score of the first rule of each question, in order; None leaves it out."""
    for question, value in zip(question_set.questions.order_by("position"), values, strict=True):
        if value is not None:
            [use, *_] = question.rule_uses.order_by("position")
            RuleScore.objects.create(
                answer=answers_by_key[question.key],
                target_sha256=use.target_sha256,
                rater=rater,
                value=value,
                detail={"reason": f"{rater.name} says {value:g}"},
                **more,
            )


def scored_by_person(rater: Rater, answer: Answer, question: Question, value: float) -> RuleScore:
    return RuleScore.objects.create(answer=answer, target_sha256=question.target_sha256, rater=rater, value=value)


def large_board(project: Project, n_configurations: int, n_questions: int, seed: int = 0) -> QuestionSet:
    """Many configurations with scores of one judge, stored at once. Skills of about twenty questions each."""
    draw = np.random.default_rng(seed)
    skills = [f"Skill {at % max(1, n_questions // 20):02d}" for at in range(n_questions)]
    question_set = frozen_set(project, *open_questions(n_questions, skill=skills))
    one = judge(project, f"Judge of {project.slug}")
    questions = list(question_set.questions.select_related("prompt__variety"))
    uses = dict(RuleUse.objects.filter(question__question_set=question_set).values_list("question", "target_sha256"))
    hardness = draw.normal(0, 2, n_questions)
    for at in range(n_configurations):
        row = configuration(
            project, f"Model {at:03d}", made_by=f"Lab {at % 12}", parameters=(1, 7, 14, 70, None)[at % 5]
        )
        values = np.clip(5 + 2 * draw.normal() + hardness + draw.normal(0, 2.5, n_questions), 0, 10).round(1)
        texts = [
            f"{row.name} says of {question.key}: {'word ' * int(n)}"
            for question, n in zip(questions, draw.integers(3, 60, n_questions), strict=True)
        ]
        responses = Response.objects.bulk_create(
            Response(
                project=project,
                prompt=question.prompt,
                variety=question.prompt.variety,
                target_model=row.target_model,
                key=f"{row.slug}-{question.key}",
                text=text,
                text_sha256=sha256(text),
            )
            for question, text in zip(questions, texts, strict=True)
        )
        stored = Answer.objects.bulk_create(
            Answer(configuration=row, prompt=question.prompt, response=response)
            for question, response in zip(questions, responses, strict=True)
        )
        Ruling.objects.bulk_create(
            Ruling(answer=answer, target_sha256=question.target_sha256, state="answered")
            for question, answer in zip(questions, stored, strict=True)
        )
        RuleScore.objects.bulk_create(
            RuleScore(answer=answer, target_sha256=uses[question.pk], rater=one, value=float(value))
            for question, answer, value in zip(questions, stored, values, strict=True)
        )
    return question_set
