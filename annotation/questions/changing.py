"""Adding, changing and removing what a project rates on. Each change is in the audit log with what stood before."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Max, ProtectedError

from annotation.models import Rating
from projects.audit import record
from projects.models import Dimension, Level, Project, QuestionType, User
from projects.slugs import free_slug

WORDS = ("label", "summary", "detail")


def is_rated(question: QuestionType) -> bool:
    """Whether somebody has graded by its scale, which therefore stays."""
    return Rating.objects.filter(question=question).exists()


@transaction.atomic
def save_dimension(dimension: Dimension, actor: User) -> None:
    is_new = dimension.pk is None
    if is_new:
        _place_last(dimension, dimension.project.dimensions, "dimension")
    dimension.save()
    action = "dimension.added" if is_new else "dimension.changed"
    record(action, actor=actor, project=dimension.project, subject=dimension.slug, name=dimension.name)


@transaction.atomic
def save_question(question: QuestionType, levels: Iterable[Level], actor: User) -> None:
    """Save a question type with exactly these levels; all others that it had are gone."""
    levels = list(levels)
    project, is_new = question.project, question.pk is None
    before = {} if is_new else _as_told(QuestionType.objects.get(pk=question.pk))
    if is_new:
        _place_last(question, project.question_types, "question")
    question.save()
    question.levels.exclude(grade__in=[level.grade for level in levels]).delete()
    for level in levels:
        level.question = question
        level.save()
    after = _as_told(QuestionType.objects.get(pk=question.pk))
    if is_new:
        record("question_type.added", actor=actor, project=project, subject=question.slug, **after)
        return
    changed = {field: [before.get(field), after.get(field)] for field in before | after}
    changed = {field: sides for field, sides in changed.items() if sides[0] != sides[1]}
    if changed:
        record("question_type.changed", actor=actor, project=project, subject=question.slug, **changed)


def _as_told(question: QuestionType) -> dict[str, Any]:
    """All that raters read of it, flat, so that two states can be compared field by field."""
    told: dict[str, Any] = {
        "dimension": question.dimension.slug,
        "name": question.name,
        "definition": question.definition,
        "lowest": question.lowest,
        "highest": question.highest,
        "grades have no order": question.is_nominal,
    }
    for level in question.levels.all():
        told[f"level {level.grade}"] = [getattr(level, word) for word in WORDS]
    return told


def _place_last(row: Dimension | QuestionType, others: Any, fallback: str) -> None:
    """A new row stands behind the others, under a short name of its own."""
    row.slug = free_slug(row.name, set(others.values_list("slug", flat=True)), fallback)
    row.position = (others.aggregate(last=Max("position"))["last"] or 0) + 1


def remove(row: Dimension | QuestionType, actor: User) -> bool:
    """Delete it; false where something of the project needs it, which is then left as it is."""
    project: Project = row.project
    kind = "question_type" if isinstance(row, QuestionType) else "dimension"
    try:
        with transaction.atomic():
            row.delete()
            record(f"{kind}.removed", actor=actor, project=project, subject=row.slug, name=row.name)
    except ProtectedError:
        return False
    return True
