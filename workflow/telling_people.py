"""Of what the people of a project are told in their notices (notices/): work, questions and answers."""

from django.db.models import QuerySet
from django.urls import reverse

from notices.kinds import Kind
from notices.telling import tell
from projects.access import PERMISSIONS
from projects.models import Membership, Project, Rater, RaterKind, Role
from projects.zones import today_in, zone_of
from workflow.models import Assignment, ItemQuestion, Stage, WorkItem
from workflow.task_types import task_type


def tell_of_work(stage: Stage) -> None:
    """Whoever may do the stage's work and has items in their languages there; once a day and stage at most."""
    if not stage.is_open or stage.locked_at is not None:
        return
    waiting = WorkItem.objects.filter(stage=stage, open_slots__gt=0, is_check=False).order_by().values("variety")
    raters = who_may_work(stage).filter(varieties__in=waiting.distinct())
    people = set(raters.values_list("user", flat=True))
    key = f"stage-{stage.pk}-{today_in(zone_of(None))}"
    tell(people, Kind.WORK, stage.project, key, reverse("work", args=[stage.project.slug]), stage.name)


def who_may_work(stage: Stage) -> QuerySet[Rater]:
    """Raters whose account has a role that the stage's kind of work asks for."""
    roles = PERMISSIONS[task_type(stage.kind).permission]
    able = Membership.objects.filter(project=stage.project_id, role__in=roles).values("user")
    return Rater.objects.filter(project=stage.project_id, kind=RaterKind.HUMAN, user__in=able)


def tell_of_return(assignment: Assignment) -> None:
    """That an answer of theirs was sent back."""
    person = assignment.rater.user_id
    if person is not None:
        stage = assignment.stage
        key = f"{assignment.uuid}-{assignment.submitted_version}"
        tell([person], Kind.RETURNED, stage.project, key, reverse("task", args=[assignment.uuid]), stage.name)


def tell_about_time(rater: Rater, key: str) -> None:
    """That a lead answered or corrected the time of a day."""
    if rater.user_id is not None:
        tell([rater.user_id], Kind.TIME, rater.project, key, reverse("my-time", args=[rater.project.slug]))


def ask_about_time(rater: Rater, key: str) -> None:
    """That somebody contests the time of a day: to the leads."""
    path = reverse("working-time", args=[rater.project.slug])
    tell(leads_of(rater.project), Kind.QUESTION, rater.project, key, path)


def tell_leads(question: ItemQuestion, key: str) -> None:
    """That somebody waits for words; `key` names these words."""
    path = reverse("question-answer", args=[question.project.slug, question.pk])
    tell(leads_of(question.project), Kind.QUESTION, question.project, key, path)


def tell_asker(question: ItemQuestion, key: str) -> None:
    person = question.rater.user_id
    if person is not None:
        path = reverse("my-question", args=[question.project.slug, question.pk])
        tell([person], Kind.ANSWER, question.project, key, path)


def leads_of(project: Project) -> list[int]:
    return list(Membership.objects.filter(project=project, role=Role.LEAD).values_list("user", flat=True))
