"""Lines of question sets for the stories, and bringing them in. All questions are our own."""

import io
import json
from typing import Any

from benchmark.models import Question, QuestionSet, RuleUse, Skill, Source
from formats.importing.running import Outcome, run_import
from formats.reading import Source as File
from projects.models import Project, Prompt

TABLES = (Prompt, QuestionSet, Skill, Source, Question, RuleUse)
CANARY = "6f1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a11"


def question_line(key: object = "capital", **changes: Any) -> dict:
    """A multiple choice; a field is left out by `...`."""
    full = {
        "id": key,
        "instruction": f"ما هي عاصمة الأردن؟ ({key})",
        "options": [{"label": "أ", "text": "عمّان"}, {"label": "ب", "text": "إربد"}],
        "output": "أ",
        "language": "ar",
        "category": "General Knowledge",
        "subcategory": "Geography",
        "format": "mcq",
        "source": "Own questions",
    }
    return {name: value for name, value in {**full, **changes}.items() if value is not ...}


def open_line(key: object = "tea", **changes: Any) -> dict:
    """A question that is answered freely."""
    full = {
        "instruction": f"اكتب جملة عن الشاي. ({key})",
        "output": "الشاي مشروب دافئ يحبه الناس.",
        "options": ...,
        "category": "Summarization",
        "format": "generation",
    }
    return question_line(key, **{**full, **changes})


def set_line(**changes: Any) -> dict:
    full = {"kind": "set", "id": "own", "name": "Own set", "licence": "CC BY 4.0", "canary": CANARY}
    return {name: value for name, value in {**full, **changes}.items() if value is not ...}


def bring(project: Project, *lines: dict | bytes, file_format: str = "jsonl", **options: Any) -> Outcome:
    encoded = (line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode() for line in lines)
    file = File(io.BytesIO(b"\n".join(encoded) + b"\n"), f"questions.{file_format}")
    return run_import(project, file, "benchmark-questions", file_format, **options)


def stored(project: Project, *lines: dict | bytes, **options: Any) -> dict[str, int]:
    outcome = bring(project, *lines, **options)
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]
    return outcome.counts


def refused(project: Project, *lines: dict | bytes, **options: Any) -> list[tuple]:
    """(line, field, code) of every problem; nothing was stored."""
    before = [table.objects.count() for table in TABLES]
    outcome = bring(project, *lines, **options)
    assert not outcome.is_stored
    assert before == [table.objects.count() for table in TABLES]
    return [(problem.line, problem.field, problem.code) for problem in outcome.problems]


def set_of(project: Project, *lines: dict, **changes: Any) -> QuestionSet:
    """A draft that holds these questions, or one of each kind."""
    stored(project, set_line(**changes), *(lines or (question_line(), open_line())))
    return QuestionSet.objects.filter(project=project).latest("pk")
