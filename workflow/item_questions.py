"""Questions of raters about an item: asked beside the work, answered by an expert, kept for everybody if it helps.

Who answers sees what the item is about, and nothing of what anybody has answered to it.
"""

import uuid

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.audit import record
from projects.models import Project, Rater, User
from projects.problems import Invalid, Problem
from workflow.models import Assignment, ItemQuestion

MAX_CHARACTERS = 2000


def ask(assignment: Assignment, key: uuid.UUID, text: str) -> ItemQuestion:
    """Ask about an item. `key` is chosen by the browser once per question: sent again, nothing is asked twice.

    Raises Invalid where there is no question, or more than MAX_CHARACTERS.
    """
    asked, _is_new = ItemQuestion.objects.get_or_create(
        key=key,
        defaults={
            "project": assignment.stage.project,
            "assignment": assignment,
            "rater": assignment.rater,
            "text": readable(text, "text", _("Write what you want to know.")),
        },
    )
    if asked.assignment_id != assignment.pk:
        raise Invalid(Problem("not_a_uuid", _("Each question needs a UUID of its own."), "key"))
    return asked


def answer(question: ItemQuestion, text: str, is_published: bool, by: User, rater: Rater | None) -> None:
    """Answer a question, or answer it better; whoever asked is shown the new words.

    Raises Invalid where there is no answer, or more than MAX_CHARACTERS.
    """
    told = readable(text, "answer", _("Write the answer."))
    with transaction.atomic():
        stored = ItemQuestion.objects.select_for_update().get(pk=question.pk)
        if stored.answer != told:
            stored.seen_at = None
        stored.answer, stored.is_published = told, is_published
        stored.answered_by, stored.answered_at = rater, timezone.now()
        stored.save()
        record(
            "question.answered", actor=by, project=question.project, subject=question.pk, in_the_guidelines=is_published
        )


def readable(text: str, field: str, lacking: str) -> str:
    """The text without the space around it. Raises Invalid where nothing is left, or too much."""
    kept = text.replace("\0", "").strip()
    if not kept:
        raise Invalid(Problem("required", lacking, field))
    if len(kept) > MAX_CHARACTERS:
        message = _("This is longer than %(limit)d characters.") % {"limit": MAX_CHARACTERS}
        raise Invalid(Problem("too_long", message, field))
    return kept


def to_answer(project: Project, rater: Rater | None) -> QuerySet[ItemQuestion]:
    """The project's questions, the open ones first; for an expert those in their own languages.

    `rater` is None for whoever leads the project.
    """
    questions = ItemQuestion.objects.filter(project=project)
    if rater is not None:
        questions = questions.filter(assignment__item__variety__in=rater.varieties.all()).exclude(rater=rater)
    subject = ("response__prompt", "prompt", "pair__first", "pair__second", "pair__prompt", "template", "variety")
    parts = [f"assignment__item__{part}" for part in subject]
    return questions.select_related("rater", "assignment__stage", *parts).order_by(
        F("answered_at").asc(nulls_first=True), "asked_at"
    )


def published(project: Project) -> QuerySet[ItemQuestion]:
    """The log that stands beside the guidelines, the newest answer first; nobody's name is in it."""
    questions = ItemQuestion.objects.filter(project=project, is_published=True)
    return questions.select_related("assignment__item__variety").order_by("-answered_at")


def answered_unseen(rater: Rater) -> QuerySet[ItemQuestion]:
    """Answers the rater has not put away yet."""
    return ItemQuestion.objects.filter(rater=rater, answered_at__isnull=False, seen_at=None)


def put_away(rater: Rater) -> None:
    """The rater has read the answers to what they asked."""
    answered_unseen(rater).update(seen_at=timezone.now())


def counts(project: Project) -> dict[str, int]:
    """How many questions there are, and how many of them are open."""
    return ItemQuestion.objects.filter(project=project).aggregate(
        all=Count("pk"), open=Count("pk", filter=Q(answered_at=None))
    )
