"""A quiz as a file, to be kept or brought into another stage: YAML, read as strictly as a project file is.

format: mizan.quiz/1
quiz: what stands under `screening: quizzes:` of a project file (screening/project_parts.py)
"""

from typing import Annotated, Any, Literal, TypedDict

from django.db import transaction
from django.utils.translation import gettext as _

from formats.format import Format
from formats.project_file.part import RECORD, Findings
from formats.project_file.reading import read_yaml
from formats.project_file.writing import write_yaml
from projects.models import User
from projects.problems import Invalid, Problem
from screening.models import Quiz
from screening.project_parts import QuizRecord, asked_entry, place_of, quiz_entry, write_quiz
from workflow.models import Stage

VERSION = "mizan.quiz/1"


class QuizFile(TypedDict):
    format: Literal["mizan.quiz/1"]
    quiz: Annotated[QuizRecord, RECORD]


FORMAT = Format(
    name="quiz",
    version=VERSION,
    title="A quiz with its questions",
    description="UTF-8, YAML without anchors and tags, of at most 5 MB.",
    records={"": QuizFile},
    example="format: mizan.quiz/1\nquiz: {stage: Marking}\n",
)


def file_of(quiz: Quiz) -> bytes:
    """The same quiz gives the same bytes."""
    project = quiz.stage.project
    types = dict(project.question_types.values_list("pk", "slug"))
    questions = quiz.questions.select_related("quiz", "pair", "response", "question_type")
    entry = quiz_entry(quiz, [asked_entry(project, each, types) for each in questions])
    entry.pop("open", None)
    return write_yaml({"format": VERSION, "quiz": entry})


def bring_in(stage: Stage, content: bytes, lead: User | None, *, dry_run: bool = False) -> tuple[Quiz, list[str]]:
    """The quiz of the file for this stage, whatever stage the file names, and what of it was left out.

    One of the same language and step becomes what the file says, and stays open or closed; a new one is closed.
    Raises Invalid with every problem and its line where the file is refused; nothing is changed then, nor by a dry run.
    """
    data, lines = read_yaml(content)
    findings = Findings(lines, lead)
    [type_] = FORMAT.types.values()
    if not isinstance(data, dict) or data.get("format") != VERSION:
        raise Invalid(Problem("not_a_quiz", _("This is no quiz: it begins with “format: mizan.quiz/1”."), line=1))
    if not type_.check(data, 0, findings):
        raise _refused(findings)
    entry: dict[str, Any] = {**data["quiz"], "stage": stage.name}
    _stage, language, step = place_of(entry)
    with transaction.atomic():
        there = Quiz.objects.select_for_update(no_key=True).filter(stage=stage, language=language, step=step).first()
        quiz = there or Quiz(stage=stage, language=language, step=step)
        quiz.stage = stage
        write_quiz(stage.project, quiz, {**entry, "open": quiz.is_open}, "quiz", findings)
        if findings.total:
            raise _refused(findings)
        transaction.set_rollback(dry_run)
    return quiz, findings.notes


def _refused(findings: Findings) -> Invalid:
    return Invalid(sorted(findings.shown, key=lambda problem: problem.line or 0))
