"""Answers drawn for people to score, from the command or the board's page: into a stage that is made where it is
missing."""

import secrets

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from benchmark.scoring_task.sampling import PER_SKILL, plan_sample
from benchmark.scoring_task.task import AnswerScoring
from projects import audit
from projects.models import Project, User
from projects.problems import Invalid, Problem
from workflow.models import Stage

MAX_SEED = 2**31 - 1
PEOPLE = 2


@transaction.atomic
def draw_sample(
    project: Project,
    per_skill: int = PER_SKILL,
    people: int | None = None,
    *,
    stage: str = "",
    seed: int | None = None,
    by: User | None = None,
) -> tuple[Stage, int]:
    """The stage, and how many answers are new in it.

    people, seed  of a new stage: 2, and one that is drawn, where left out. Raises Invalid where the stage of this name
    is for other work, or asks other numbers.
    """
    if per_skill < 1 or (people is not None and people < 1):
        message = _("Of each skill one answer at least is drawn, for one person at least.")
        raise Invalid(Problem("too_few", message))
    name = stage or str(AnswerScoring.name)
    row = Stage.objects.filter(project=project, name=name).first()
    if row is None:
        row = Stage.objects.create(
            project=project,
            kind=AnswerScoring.kind,
            name=name,
            overlap=people or PEOPLE,
            seed=secrets.randbelow(MAX_SEED) if seed is None else seed,
            position=(Stage.objects.filter(project=project).aggregate(last=Max("position"))["last"] or 0) + 1,
        )
        audit.record("stage.created", actor=by, project=project, subject=name, kind=row.kind)
    check_stage(row, people, seed)
    count = plan_sample(row, per_skill)
    audit.record("stage.planned", actor=by, project=project, subject=name, items=count)
    return row, count


def check_stage(stage: Stage, people: int | None, seed: int | None) -> None:
    if stage.kind != AnswerScoring.kind:
        raise Invalid(Problem("other_work", _("The stage “%(name)s” is for other work.") % {"name": stage.name}))
    if seed not in (None, stage.seed):
        message = _("The stage “%(name)s” has another seed. Name a new stage.")
        raise Invalid(Problem("other_seed", message % {"name": stage.name}))
    if people not in (None, stage.overlap):
        message = _("The stage “%(name)s” asks %(people)d people for each answer: change it there, or say the same.")
        raise Invalid(Problem("other_people", message % {"name": stage.name, "people": stage.overlap}))
