"""What the rating screen shows: one response or two, the questions, the meaning of every grade. Never another's rating.

Nothing on it names a target model, unless the project says so: sides are called A and B, and no key of theirs is shown.
"""

from collections.abc import Sequence
from typing import Any

from annotation.questions.settings import rating_settings
from projects.models import QuestionType, Response
from workflow.answer_rules import rules_of
from workflow.broken_rules import message_of
from workflow.models import Assignment

LETTERS = ("A", "B")
OF_PAIR = ("first", "second")


def screen(
    assignment: Assignment,
    body: dict,
    responses: Sequence[Response],
    questions: Sequence[QuestionType],
    is_swapped: bool = False,
) -> dict:
    """Template context; `task` is what the page's script reads.

    responses  one, or a pair's first and second; they need `variety` and `target_model`
    questions  they need `dimension` and `levels`
    """
    project = assignment.stage.project
    settings = rating_settings(project)
    named = list(zip(OF_PAIR, responses, strict=False))
    if is_swapped:
        named.reverse()
    is_pair = len(named) > 1
    rules = rules_of(assignment.stage)
    return {
        "prompt": responses[0].prompt,
        "sides": [
            _side(letter, side, response, project.show_target_model)
            for letter, (side, response) in zip(LETTERS, named, strict=False)
        ],
        "questions": questions,
        "is_pair": is_pair,
        "task": {
            "draft": body,
            "sides": [side for side, _response in named],
            "lang": responses[0].variety.tag,
            "dir": responses[0].variety.direction,
            "questions": [as_asked(question) for question in questions],
            "asks_preference": is_pair and settings.asks_preference,
            "asks_comment": settings.asks_comment or any(rule.get("needs") for rule in rules),
            "rules": [{**rule, "message": message_of(rule)} for rule in rules],
        },
    }


def _side(letter: str, side: str, response: Response, shows_model: bool) -> dict[str, Any]:
    return {
        "letter": letter,
        "side": side,
        "text": response.text,
        "variety": response.variety,
        "target_model": response.target_model.name if shows_model else "",
    }


def as_asked(question: QuestionType) -> dict[str, Any]:
    """What a script needs to know of a question type; it needs `levels`."""
    return {
        "slug": question.slug,
        "name": question.label,
        "lowest": question.lowest,
        "highest": question.highest,
        "labels": {str(level.grade): level.named for level in question.levels.all() if level.label},
    }
