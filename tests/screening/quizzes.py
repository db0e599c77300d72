"""Quizzes and checks for the stories: questions of every kind, right and wrong answers to them, checks of spans."""

from typing import Any

from annotation.models import ErrorCategory, GoldAnswer, GoldError
from projects.models import Project, Rater, Response, User
from screening.models import Attempt, CheckSettings, GoldCheck, Quiz, QuizQuestion
from screening.quiz.kinds import question_kind
from screening.quiz.taking import begin, questions_of
from tests.annotation.marked import rater_of
from tests.people import add_response
from workflow.models import Stage, WorkItem

SUHOOR = "على السحور"


def true_false(quiz: Quiz, text: str, right: bool, **fields: Any) -> QuizQuestion:
    return QuizQuestion.objects.create(quiz=quiz, kind="true_false", text=text, content={"right": right}, **fields)


def choice(quiz: Quiz, text: str, right: list[str], wrong: list[str], **fields: Any) -> QuizQuestion:
    options = [{"text": each, "right": True} for each in right] + [{"text": each, "right": False} for each in wrong]
    return QuizQuestion.objects.create(quiz=quiz, kind="choice", text=text, content={"options": options}, **fields)


def five_statements(stage: Stage, language: str = "ar", is_open: bool = True, **fields: Any) -> Quiz:
    """A quiz of five statements, the odd ones true: four right answers reach 80 %."""
    quiz = Quiz.objects.create(stage=stage, language=language, **fields)
    for number in range(1, 6):
        true_false(quiz, f"Statement {number}", number % 2 == 1, position=number, explanation=f"Because of {number}.")
    open_up(quiz, is_open)
    return quiz


def open_up(quiz: Quiz, is_open: bool = True) -> Quiz:
    quiz.is_open = is_open
    quiz.save(update_fields=["is_open"])
    return quiz


def right_answers(attempt: Attempt, wrong: int = 0) -> dict[int, Any]:
    """Answers by position, all right but the first `wrong` ones, which are left out."""
    answers: dict[int, Any] = {}
    for question in questions_of(attempt)[wrong:]:
        content = question.content
        answers[question.position] = {
            "true_false": lambda content: content["right"],
            "choice": lambda content: [i for i, option in enumerate(content["options"]) if option["right"]],
            "rating": lambda content: content["gold"],
            "spans": lambda content: {"places": content["gold"], "no_errors": not content["gold"]},
        }[question.kind](content)
    return answers


def as_form(attempt: Attempt, answers: dict[int, Any]) -> dict[str, Any]:
    """The fields that a browser posts for these answers."""
    posted: dict[str, Any] = {}
    for question in questions_of(attempt):
        answer, name = answers.get(question.position), f"q{question.position}"
        if answer is None:
            continue
        if question.kind == "true_false":
            posted[name] = "true" if answer else "false"
        elif question.kind == "choice":
            posted[name] = [str(index) for index in answer]
        elif question.kind == "rating":
            posted |= {f"{name}-{side}": str(answer[side]) for side in ("first", "second") if answer[side] is not None}
        else:
            shown = question_kind("spans").shown(question, [], answer)
            posted[f"{name}-word"] = [str(index) for _gap, index, _word, chosen in shown["words"] if chosen]
            posted[f"{name}-none"] = "1" if answer["no_errors"] else ""
    return posted


def attempt_at(quiz: Quiz, person: User | Rater, seed: int | None = None) -> Attempt:
    return begin(rater_of(person, quiz.stage.project), quiz, seed)


# --- Checks -------------------------------------------------------------------------------------------


def settle(response: Response, *quotes: str) -> None:
    """The final set of errors of a response, as an imported gold file leaves it; no quotes: there are none."""
    ErrorCategory.objects.get_or_create(project=response.project, slug="inaccuracy", defaults={"name": "Inaccuracy"})
    GoldAnswer.objects.create(response=response, kept=len(quotes), is_imported=True)
    for number, quote in enumerate(quotes):
        start = response.text.index(quote)
        GoldError.objects.create(
            response=response, key=f"g{number}", start=start, end=start + len(quote), quote=quote, is_imported=True
        )


def add_check(stage: Stage, response: Response, *quotes: str) -> GoldCheck:
    """A response with known errors as a check of the stage."""
    places = [[response.text.index(quote), response.text.index(quote) + len(quote)] for quote in quotes]
    item = WorkItem.objects.create(
        stage=stage,
        response=response,
        variety=response.variety,
        is_check=True,
        position=0,
        slots=1000,
        open_slots=1000,
    )
    return GoldCheck.objects.create(stage=stage, item=item, gold={"places": places})


def many_checks(project: Project, stage: Stage, count: int, tag: str = "ar-EG", **settings: Any) -> list[GoldCheck]:
    """Responses of five words of which the fourth is wrong, all of them checks."""
    CheckSettings.objects.create(stage=stage, **settings)
    checks = []
    for number in range(count):
        response = add_response(project, f"check-{number}", f"كلمة كلمتان ثلاث خطأ{number} خمس", tag)
        checks.append(add_check(stage, response, f"خطأ{number}"))
    return checks
