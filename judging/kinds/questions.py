"""Question types as judges are shown them: the aspect in words, and its scale with or without its rubric.

They stand in the prompt's row, each under its short name, so a run stays with the words that it began with, in another
installation too, where ids are others.
"""

from collections.abc import Collection, Mapping
from typing import Any

from judging.kinds import ShownQuestion
from judging.prompts import PromptText, Templates, fill
from projects.models import Project, QuestionType

PREFERENCES = {"A": "first", "B": "second", "tie": "tie"}


def part_of(key: str) -> str:
    """The name of a question type's part in a prompt."""
    return f"question type {key}"


def key_in(prompt: PromptText, shown: ShownQuestion) -> str | None:
    """Under what the prompt's `schema` has the question type, None where the prompt does not ask it."""
    if part_of(shown.slug) in prompt.parts:
        return shown.slug
    by_id = {key: prompt.parts.get(f"question {key}", "").partition("\n")[0] for key in prompt.schema}
    return _key_by_id(by_id, shown)


def _key_by_id(first_lines: Mapping[str, str], shown: ShownQuestion) -> str | None:
    """Of a prompt from when question types stood in it under their ids, which are others where it was carried to: the
    question of this id where it is said with this name, else the one that is, else the id's, which was renamed since.

    first_lines  by id what a question's words begin with: a phrase and the name with its dimension. Of several that
                 end alike the shortest says no more than these.
    """
    named = f"{shown.name} ({shown.dimension})"
    same = sorted((len(line), key) for key, line in first_lines.items() if shown.name and line.endswith(named))
    own = str(shown.id)
    if own in first_lines and (not same or (first_lines[own].endswith(named) and len(first_lines[own]) == same[0][0])):
        return own
    return same[0][1] if same else None


def words_of(prompt: PromptText, shown: ShownQuestion) -> str:
    """What the prompt says of the question type that is asked about."""
    key = str(key_in(prompt, shown))
    part = part_of(key)
    return prompt.parts[part] if part in prompt.parts else prompt.parts[f"question {key}"]


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
    rows = QuestionType.objects.filter(pk__in=ids).values_list("pk", "slug", "name", "dimension__name")
    return {row[0]: ShownQuestion(*row) for row in rows}
