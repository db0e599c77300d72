"""Question types as judges are shown them: the aspect in words, and its scale with or without its rubric.

They stand in the prompt's row, each under its id, so a run stays with the words that it began with.
"""

from collections.abc import Collection, Mapping
from typing import Any

from judging.kinds import ShownQuestion
from judging.prompts import Templates, fill
from projects.models import Project, QuestionType

PREFERENCES = {"A": "first", "B": "second", "tie": "tie"}


def part_of(question: int) -> str:
    """The name of a question type's part in a prompt."""
    return f"question {question}"


def question_types(project: Project | int) -> list[QuestionType]:
    return list(QuestionType.objects.filter(project=project).select_related("dimension").prefetch_related("levels"))


def aspect(question: QuestionType, with_rubric: bool, templates: Templates) -> str:
    """What is rated. Without the rubric it is the name and the levels' labels, and no word of what earns which."""
    lines = [fill(templates.phrase("aspect"), {"name": question.name, "dimension": question.dimension.name})]
    if with_rubric and question.definition:
        lines.append(question.definition)
    if question.has_scale:
        ends = {"lowest": str(question.lowest), "highest": str(question.highest)}
        lines += ["", fill(templates.phrase("scale"), ends)]
        levels = {level.grade: level for level in question.levels.all()}
        for grade in question.scale:
            level = levels.get(grade)
            label = f" ({level.label})" if level and level.label else ""
            lines.append(f"- {grade}{label}" + (f": {level.summary}" if level and with_rubric else ""))
            if level and with_rubric and level.detail:
                lines.append(f"  {level.detail}")
    return "\n".join(lines)


def grade_of(question: QuestionType) -> dict[str, Any]:
    """JSON Schema of a grade of this question type."""
    return {"type": "integer", "enum": list(question.scale)}


def shown_questions(ids: Collection[int]) -> Mapping[int, ShownQuestion]:
    """The question types that are still there, by id. One statement."""
    if not ids:
        return {}
    return {pk: ShownQuestion(pk) for pk in QuestionType.objects.filter(pk__in=ids).values_list("pk", flat=True)}
