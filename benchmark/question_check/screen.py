"""What the screen of a question check shows; the reference and the models' answers only after the own answer."""

from typing import Any

from django.urls import reverse

from benchmark.editing import texts_of
from benchmark.models import Decision, Fault, Question, QuestionCheck
from benchmark.question_check.revealing import own_answer, revealed
from benchmark.wording import MAX_TEXT
from formats.limits import MAX_COMMENT
from workflow.models import Assignment
from workflow.screen import choices_of


def screen(assignment: Assignment, body: dict, question: Question | None, check: QuestionCheck | None) -> dict:
    """Template context; `task` is what the page's script reads. `check` is what was handed in, where it was."""
    variety = assignment.item.variety
    own = own_answer(assignment)
    context: dict[str, Any] = {"asked": None, "question": question, "variety": variety}
    task: dict[str, Any] = {
        "draft": body,
        "lang": variety.tag,
        "dir": variety.direction,
        "longest_text": MAX_TEXT,
        "longest_note": MAX_COMMENT,
        "decisions": choices_of(Decision),
        "faults": choices_of(Fault),
        "is_gone": question is None,
        "revealed": None,
        "wording": None,
        "urls": {"reveal": reverse("question-check-reveal", args=[assignment.uuid])},
    }
    if question is not None:
        texts = check.checked if check is not None else texts_of(question)
        context["asked"] = {"instruction": texts["instruction"], "input": texts["input"], "options": question.options}
        if own is not None:
            task["revealed"] = revealed(assignment, question, own, texts["reference"])
            task["wording"] = texts
    return context | {"task": task}
