"""What attempts say of a quiz: how many pass, and how many answer each question rightly. A few queries each."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, F, Q

from agreement.figures import NO_ITEMS, Figure
from agreement.validation import wilson_interval
from screening.models import Attempt, AttemptQuestion, Quiz, QuizQuestion


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """A question of today's version, and how it was answered since it has had its wording."""

    question: QuizQuestion
    right: Figure


def share_right(right: int, n: int) -> Figure:
    """With its 95 % Wilson interval; undefined ("no items") where nobody answered."""
    if n == 0:
        return Figure.without_value(NO_ITEMS)
    low, high = wilson_interval(right, n)
    return Figure(right / n, n, low, high, detail={"interval": "Wilson", "confidence": 0.95})


def question_results(quiz: Quiz) -> list[QuestionResult]:
    """All graded attempts count, a person's second as their first."""
    rows = AttemptQuestion.objects.filter(
        question__quiz=quiz, is_right__isnull=False, attempt__version__gte=F("question__since_version")
    )
    answered = rows.order_by().values("question").annotate(n=Count("pk"), right=Count("pk", filter=Q(is_right=True)))
    counts = {row["question"]: (row["right"], row["n"]) for row in answered}
    return [
        QuestionResult(question, share_right(*counts.get(question.pk, (0, 0)))) for question in quiz.questions.all()
    ]


@dataclass(slots=True)
class Row:
    """A quiz among the others: how many people tried it, passed it, and have no attempt left."""

    quiz: Quiz
    questions: int = 0
    tried: int = 0
    passed: int = 0
    stuck: int = 0


def overview(quizzes: Iterable[Quiz]) -> list[Row]:
    rows = {quiz.pk: Row(quiz) for quiz in quizzes}
    asked = QuizQuestion.objects.filter(quiz__in=rows).order_by().values_list("quiz").annotate(Count("pk"))
    for pk, count in asked:
        rows[pk].questions = count
    graded = Attempt.objects.filter(quiz__in=rows, submitted_at__isnull=False).order_by()
    people = graded.values("quiz", "rater", "quiz__attempts_allowed").annotate(
        n=Count("pk"), passed=Count("pk", filter=Q(is_passed=True))
    )
    for person in people:
        row = rows[person["quiz"]]
        row.tried += 1
        row.passed += person["passed"]
        row.stuck += not person["passed"] and person["n"] >= person["quiz__attempts_allowed"]
    return list(rows.values())
