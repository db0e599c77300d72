"""Configurations and what they answered, for the stories about scores."""

from typing import Any

from django.utils.text import slugify

from benchmark.answering import receive
from benchmark.freezing import freeze
from benchmark.models import Answer, Configuration, ModelCard, Question, QuestionSet, RuleScore, Ruling
from projects.models import Laboratory, Project, Rater, RaterKind, TargetModel
from tests.benchmark.sets import set_of


def configuration_of(project: Project, name: str = "Nile-7B", **card: Any) -> Configuration:
    """A model of the board with its card."""
    laboratory, _ = Laboratory.objects.get_or_create(slug="delta-lab", defaults={"name": "Delta Lab"})
    target, _ = TargetModel.objects.get_or_create(name=name, defaults={"laboratory": laboratory})
    slug = slugify(name)
    known = {"access": "open", "parameters_total": 7.0} | card
    own = ModelCard.objects.create(project=project, slug=slug, name=name, laboratory=laboratory, **known)
    return Configuration.objects.create(project=project, card=own, target_model=target, slug=slug, name=name)


def frozen_set(project: Project, *lines: dict, **changes: Any) -> QuestionSet:
    return freeze(set_of(project, *lines, **changes))


def answered(configuration: Configuration, key: str, text: str, **how: Any) -> Answer:
    """What a configuration answers to the question of this key in the newest version."""
    questions = Question.objects.filter(question_set__project=configuration.project, key=key)
    return receive(configuration, questions.latest("question_set__version").prompt, text, **how)


def judge(project: Project, name: str = "Simba") -> Rater:
    laboratory, _ = Laboratory.objects.get_or_create(slug="simba-lab", defaults={"name": "Simba Lab"})
    return Rater.objects.create(
        project=project, kind=RaterKind.JUDGE, name=name, model="simba-1", laboratory=laboratory, is_simulated=True
    )


def ruling_of(answer: Answer) -> Ruling:
    return Ruling.objects.get(answer=answer)


def score_of(answer: Answer, **which: Any) -> float | None:
    """By the rule; None where nothing was read."""
    row = RuleScore.objects.filter(answer=answer, **{"rater": None, "is_as_published": False} | which).first()
    return None if row is None else row.value
