"""How far the work of a project has been planned and done."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, Sum
from django.utils.translation import gettext as _

from projects.models import Project, RaterKind
from projects.steps import BEGUN, DONE, OPEN
from workflow.models import Assignment, Status, WorkItem
from workflow.task_types import task_type


def answered_elsewhere(project: Project) -> bool:
    return project.raters.filter(kind=RaterKind.HUMAN, user=None).exists()


def planning(project: Project) -> tuple[str, str]:
    if not WorkItem.objects.filter(stage__project=project).exists():
        if answered_elsewhere(project):
            return DONE, _("Nothing is handed out here: those who answered worked elsewhere.")
        return OPEN, _("Make items of a stage; people then take them one by one.")
    waiting = responses_to_plan(project)
    if waiting:
        return BEGUN, _("%(n)d responses are in no stage yet. Plan the items again to add them.") % {"n": waiting}
    return DONE, _("Every response that a stage can take is in one.")


def responses_to_plan(project: Project) -> int:
    """How many responses are in no stage, neither by themselves nor in a pair, though planning a stage of the project
    again would take them: a benchmark's answers are for judges, and people score a sample at most. Two statements."""
    wanted: Any = Q(pk__in=[])
    for stage in project.stages.filter(locked_at=None):
        kind = task_type(stage.kind)
        wanted |= Exists(kind.responses(stage).filter(pk=OuterRef("pk")))
        wanted |= Exists(kind.pairs(stage).filter(first=OuterRef("pk")))
        wanted |= Exists(kind.pairs(stage).filter(second=OuterRef("pk")))
    paired = [Exists(WorkItem.objects.filter(**{f"pair__{side}": OuterRef("pk")})) for side in ("first", "second")]
    return project.responses.filter(wanted, ~paired[0], ~paired[1], work_items=None).count()


def progress(project: Project) -> tuple[str, str]:
    slots = WorkItem.objects.filter(stage__project=project, is_check=False).aggregate(Sum("slots"))["slots__sum"] or 0
    if not slots and answered_elsewhere(project):
        return DONE, _("The answers came in a file.")
    if not slots:
        return OPEN, _("By stage, language and person, with the day on which it will be done at the present pace.")
    done = Assignment.objects.filter(stage__project=project, item__is_check=False, status=Status.SUBMITTED).count()
    text = _("%(done)d of %(total)d answers are in.") % {"done": done, "total": slots}
    return (DONE if done >= slots else BEGUN), text
