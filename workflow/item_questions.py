"""Questions of raters about an item or in general: asked beside the work, answered by an expert or a lead, followed up,
closed, and kept for everybody if the answer helps.

Who answers sees what the item is about, and nothing of what anybody has answered to it.
"""

import uuid

from django.db import transaction
from django.db.models import Case, Count, Q, QuerySet, When
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.audit import record
from projects.models import Project, Rater, User
from projects.problems import Invalid, Problem
from workflow.models import Assignment, ItemQuestion, QuestionMessage, QuestionState
from workflow.telling_people import tell_asker, tell_leads

MAX_CHARACTERS = 2000
#: What an item is about, as a path from its question.
SUBJECT = tuple(
    f"assignment__item__{part}"
    for part in ("response__prompt", "prompt", "pair__first", "pair__second", "pair__prompt", "template", "variety")
)


def ask(asker: Assignment | Rater, key: uuid.UUID, text: str) -> ItemQuestion:
    """Ask about an item of one's own, or in general. `key` is chosen by the browser once per question: sent again,
    nothing is asked twice.

    Raises Invalid where there is no question, or more than MAX_CHARACTERS.
    """
    assignment = asker if isinstance(asker, Assignment) else None
    rater = asker.rater if isinstance(asker, Assignment) else asker
    words = {"text": readable(text, "text", _("Write what you want to know.")), "assignment": assignment}
    with transaction.atomic():
        asked, is_new = ItemQuestion.objects.get_or_create(
            key=key, defaults={"project": rater.project, "rater": rater, **words}
        )
        if is_new:
            tell_leads(asked, str(key))
    if (asked.rater_id, asked.assignment_id) != (rater.pk, assignment and assignment.pk):
        raise another_key()
    return asked


def answer(question: ItemQuestion, text: str, is_published: bool, by: User, rater: Rater | None) -> None:
    """Answer a question, or answer it better; whoever asked is shown the new words.

    Raises Invalid where there is no answer, or more than MAX_CHARACTERS.
    """
    told = readable(text, "answer", _("Write the answer."))
    with transaction.atomic():
        stored = ItemQuestion.objects.select_for_update().get(pk=question.pk)
        is_news = stored.answer != told
        if is_news:
            stored.seen_at = None
        stored.answer, stored.is_published = told, is_published
        stored.answered_by, stored.answered_at = rater, timezone.now()
        if stored.state == QuestionState.OPEN and not stored.messages.exists():
            stored.state = QuestionState.ANSWERED
        stored.save()
        record(
            "question.answered", actor=by, project=question.project, subject=question.pk, in_the_guidelines=is_published
        )
        if is_news:
            tell_asker(stored, f"{stored.pk}-{stored.answered_at.isoformat()}")


def write(question: ItemQuestion, key: uuid.UUID, text: str, *, answered_by: User | None, rater: Rater | None) -> None:
    """A further message: of who asked, which opens the question again, or (`answered_by`) an answer to it. `key` as for
    `ask`; `rater` is who writes, where they are one.

    Raises Invalid for no text, more than MAX_CHARACTERS, a question that is closed, and for an answer before the first.
    """
    is_answer = answered_by is not None
    told = readable(text, "text", _("Write the answer.") if is_answer else _("Write what you want to know."))
    with transaction.atomic():
        stored = ItemQuestion.objects.select_for_update().get(pk=question.pk)
        known = QuestionMessage.objects.filter(key=key).first()
        if known is not None:
            if (known.question_id, known.is_answer) != (stored.pk, is_answer):
                raise another_key()
            return
        if stored.state == QuestionState.CLOSED:
            raise Invalid(Problem("closed", _("This question is closed. Ask a new one."), "text"))
        if is_answer and not stored.answer:
            raise Invalid(Problem("required", _("Write the answer."), "answer"))
        QuestionMessage.objects.create(question=stored, key=key, is_answer=is_answer, text=told, rater=rater)
        stored.state = QuestionState.ANSWERED if is_answer else QuestionState.OPEN
        if is_answer:
            stored.seen_at = None
            record("question.answered", actor=answered_by, project=stored.project, subject=stored.pk)
        stored.save(update_fields=["state", "seen_at"])
        (tell_asker if is_answer else tell_leads)(stored, str(key))


def close(question: ItemQuestion) -> None:
    """It takes no more words. Closed twice, it is closed."""
    ItemQuestion.objects.filter(pk=question.pk).update(state=QuestionState.CLOSED)


def another_key() -> Invalid:
    return Invalid(Problem("not_a_uuid", _("Each question needs a UUID of its own."), "key"))


def own_questions(rater: Rater) -> QuerySet[ItemQuestion]:
    """What the person asked, the latest first. Never another's."""
    return ItemQuestion.objects.filter(rater=rater).select_related("assignment__stage", *SUBJECT).order_by("-asked_at")


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
    """The project's questions, the open ones first; for an expert those about items in their own languages.

    `rater` is None for whoever leads the project.
    """
    questions = ItemQuestion.objects.filter(project=project)
    if rater is not None:
        questions = questions.filter(assignment__item__variety__in=rater.varieties.all()).exclude(rater=rater)
    in_turn = Case(When(state=QuestionState.OPEN, then=0), When(state=QuestionState.ANSWERED, then=1), default=2)
    return questions.select_related("rater", "assignment__stage", *SUBJECT).order_by(in_turn, "asked_at", "pk")


def published(project: Project) -> QuerySet[ItemQuestion]:
    """The log that stands beside the guidelines, the newest answer first; nobody's name is in it."""
    questions = ItemQuestion.objects.filter(project=project, is_published=True)
    return questions.select_related("assignment__item__variety").order_by("-answered_at")


def answered_unseen(rater: Rater) -> QuerySet[ItemQuestion]:
    """Answers the rater has not put away yet."""
    answered = ItemQuestion.objects.filter(rater=rater, answered_at__isnull=False, seen_at=None)
    return answered.prefetch_related("messages")


def put_away(rater: Rater) -> None:
    """The rater has read the answers to what they asked."""
    answered_unseen(rater).update(seen_at=timezone.now())


def counts(project: Project) -> dict[str, int]:
    """How many questions there are, and how many of them are open."""
    return ItemQuestion.objects.filter(project=project).aggregate(
        all=Count("pk"), open=Count("pk", filter=Q(state=QuestionState.OPEN))
    )
