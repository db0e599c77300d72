"""Which answers people score: of each skill as many, drawn by the stage's seed.

The same ones whenever the same answers are there, and with a larger number those and more.
"""

import hashlib
from collections import defaultdict
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from benchmark.judged import newest_ranked
from benchmark.models import Answer, ConfigurationKind, Question, Ruling
from workflow.models import Stage, WorkItem
from workflow.planning import Ready, add_items

#: What the button of a stage draws of each skill; the command can say another number.
PER_SKILL = 10


class Drawable(NamedTuple):
    """An answer that can be drawn, by the ids of its response and variety, and the skill of its question."""

    response: int
    variety: int
    key: str
    skill: str


def plan_sample(stage: Stage, per_skill: int = PER_SKILL) -> int:
    """Make the answers that are drawn items of the stage; return how many are new."""
    with transaction.atomic():
        stage = Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)  # one planner at a time
        planned = set(WorkItem.objects.filter(stage=stage, is_check=False).values_list("response_id", flat=True))
        drawn = (each for each in sample(stage, per_skill) if each.response not in planned)
        return add_items(stage, "response", [Ready(each.response, each.variety, each.key) for each in drawn])


def sample(stage: Stage, per_skill: int) -> list[Drawable]:
    by_skill: dict[str, list[Drawable]] = defaultdict(list)
    for each in drawable(stage.project_id):
        by_skill[each.skill].append(each)

    def place(each: Drawable) -> bytes:
        return hashlib.sha256(f"{stage.seed}\x1f{each.key}".encode()).digest()

    return [each for of_skill in by_skill.values() for each in sorted(of_skill, key=place)[:per_skill]]


def drawable(project: int) -> list[Drawable]:
    """Answers of models to the newest frozen version of every set, but for those that a fixed rule decides. Two
    statements."""
    questions = Question.objects.filter(question_set__in=newest_ranked().filter(project=project))
    skill_of = dict(questions.order_by("question_set").values_list("prompt_id", "skill__name"))
    columns = ("response_id", "response__variety_id", "response__key", "prompt_id")
    rows = answers_of_models(project).values_list(*columns)
    return [
        Drawable(response, variety, key, skill_of[prompt])
        for response, variety, key, prompt in rows
        if prompt in skill_of and response is not None
    ]


def answers_of_models(project: int) -> QuerySet[Answer]:
    newest = Question.objects.filter(
        question_set__in=newest_ranked().filter(project=project), target_sha256=OuterRef("target_sha256")
    )
    decided = Ruling.objects.filter(Exists(newest), answer=OuterRef("pk"), decided__isnull=False)
    answers = Answer.objects.filter(
        configuration__project=project, configuration__kind=ConfigurationKind.MODEL, response__isnull=False
    )
    return answers.filter(~Exists(decided)).order_by("pk")
