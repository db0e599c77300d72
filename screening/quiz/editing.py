"""Changing a quiz. Whatever changes what is asked, or how it is marked, makes a new version; every act is audited."""

from django.db import transaction
from django.db.models import F, Max

from projects import audit
from projects.models import User
from screening.models import Quiz, QuizQuestion

# Of these a change leaves the version as it is: they change no score.
UNMARKED_FIELDS = frozenset({"introduction", "retraining", "attempts_allowed"})


def create(quiz: Quiz, lead: User | None) -> Quiz:
    with transaction.atomic():
        quiz.save()
        where = {"language": quiz.language, "step": quiz.step}
        audit.record("quiz.created", actor=lead, project=quiz.stage.project, subject=quiz.stage.name, **where)
    return quiz


def change(quiz: Quiz, fields: list[str], lead: User | None) -> None:
    """Save the named fields."""
    if not fields:
        return
    with transaction.atomic():
        quiz.save(update_fields=fields)
        changed = {name: getattr(quiz, name) for name in fields if name not in ("introduction", "retraining")}
        _record(quiz, lead, "quiz.changed", is_new_version=not set(fields) <= UNMARKED_FIELDS, **changed)


def save_question(question: QuizQuestion, lead: User | None) -> None:
    """Add a question at the end, or keep a changed one in its place."""
    with transaction.atomic():
        quiz = Quiz.objects.select_for_update(no_key=True).get(pk=question.quiz_id)
        if question._state.adding:
            last = quiz.questions.aggregate(last=Max("position"))["last"]
            question.position = (last or 0) + 1
        question.since_version = quiz.version + 1
        question.save()
        _record(question.quiz, lead, "quiz.question_saved", question=str(question.key))


def delete_question(question: QuizQuestion, lead: User | None) -> bool:
    """False where it is the last one of an open quiz, which would then ask nothing."""
    with transaction.atomic():
        quiz = Quiz.objects.select_for_update(no_key=True).get(pk=question.quiz_id)
        if quiz.is_open and quiz.questions.count() == 1:
            return False
        key = str(question.key)
        question.delete()
        _record(quiz, lead, "quiz.question_deleted", question=key)
    return True


def move_question(question: QuizQuestion, by: int) -> None:
    """One place up (-1) or down (1). People see the questions in an order of their own, so nothing else changes."""
    with transaction.atomic():
        order = list(question.quiz.questions.select_for_update().order_by("position", "pk"))
        at = order.index(question)
        to = min(max(at + by, 0), len(order) - 1)
        order.insert(to, order.pop(at))
        for position, moved in enumerate(order, start=1):
            moved.position = position
        QuizQuestion.objects.bulk_update(order, ["position"])


def set_open(quiz: Quiz, is_open: bool, lead: User | None) -> bool:
    """Open the quiz, which from now on must be passed, or close it; false where it has nothing to ask."""
    with transaction.atomic():
        if is_open and not quiz.questions.exists():
            return False
        quiz.is_open = is_open
        quiz.save(update_fields=["is_open"])
        _record(quiz, lead, "quiz.opened" if is_open else "quiz.closed", is_new_version=False)
    return True


def _record(quiz: Quiz, lead: User | None, action: str, is_new_version: bool = True, **detail: object) -> None:
    if is_new_version:
        Quiz.objects.filter(pk=quiz.pk).update(version=F("version") + 1)
        quiz.refresh_from_db(fields=["version"])
    project = quiz.stage.project
    audit.record(action, actor=lead, project=project, subject=quiz.stage.name, version=quiz.version, **detail)
