"""Who is handed work by what they said of themselves. Registered with workflow/eligibility.py."""

from typing import Any

from django.db.models.signals import post_delete, post_save, pre_delete
from django.urls import reverse
from django.utils.translation import gettext as _

from projects.access import WORKERS
from projects.models import Membership, Project, Rater, User
from projects.prepared import Given, Prepared
from screening.background.answering import fits, lets_work
from screening.models import BackgroundAnswer, BackgroundQuestion
from workflow.eligibility import screen, screen_stages
from workflow.models import Stage
from workflow.refusals import Refused
from workflow.signals import stages_made

REQUIRED = Prepared(
    lambda: BackgroundQuestion.objects.filter(project=Given("project", Project), is_required=True).order_by("pk")
)
ANSWERS = Prepared(
    lambda: BackgroundAnswer.objects.filter(rater=Given("rater", Rater), question__is_required=True).only(
        "question_id", "value"
    )
)


def check_background(rater: Rater, stage: Stage) -> None:
    """Raises Refused: "background" while a required question is open, "not_eligible" where an answer does not fit."""
    questions = REQUIRED.all(project=stage.project_id)
    if not questions:
        return
    values = {answer.question_id: answer.value for answer in ANSWERS.all(rater=rater.pk)}
    page = reverse("about-me", args=[stage.project.slug])
    if not all(fits(question, values.get(question.pk)) for question in questions):
        message = _("A few questions about you come first. Answer them, and the items are handed out to you.")
        raise Refused("background", message, page)
    if not all(lets_work(question, values[question.pk]) for question in questions):
        message = _(
            "Thank you for your interest. This study looks for people with another background, so no items are offered "
            "to you; that says nothing about you or your work. What you have begun you can finish."
        )
        raise Refused("not_eligible", message, page)


def screen_all(project: Project) -> None:
    """Every stage of a project that requires an answer is screened."""
    if BackgroundQuestion.objects.filter(project=project, is_required=True).exists():
        screen_stages(Stage.objects.filter(project=project))


def follow_question(sender: Any, instance: BackgroundQuestion, **kwargs: Any) -> None:
    screen_all(instance.project)


def follow_stage(sender: Any, instance: Stage, created: bool, **kwargs: Any) -> None:
    if created:
        required = BackgroundQuestion.objects.filter(project=instance.project_id, is_required=True)
        if required.exists():
            screen(instance)


def follow_stages(sender: Any, project: Project, **kwargs: Any) -> None:
    screen_all(project)


def forget_account(sender: Any, instance: User, **kwargs: Any) -> None:
    """What a person said of themselves goes with their account; the rater stays, with the answers to items."""
    BackgroundAnswer.objects.filter(rater__user=instance).delete()


def forget_who_left(sender: Any, instance: Membership, **kwargs: Any) -> None:
    """Who no longer works in a project could not take their answers back there, so they go at once."""
    still = Membership.objects.filter(project=instance.project_id, user=instance.user_id, role__in=WORKERS)
    if not still.exists():
        BackgroundAnswer.objects.filter(rater__project=instance.project_id, rater__user=instance.user_id).delete()


def connect() -> None:
    here = "screening.background"
    post_save.connect(follow_question, sender=BackgroundQuestion, dispatch_uid=f"{here}.question")
    post_save.connect(follow_stage, sender=Stage, dispatch_uid=f"{here}.stage")
    stages_made.connect(follow_stages, dispatch_uid=f"{here}.stages")
    pre_delete.connect(forget_account, sender=User, dispatch_uid=f"{here}.account")
    post_delete.connect(forget_who_left, sender=Membership, dispatch_uid=f"{here}.left")
