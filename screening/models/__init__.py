from screening.models.attempts import Attempt, AttemptQuestion
from screening.models.checks import CheckResult, CheckSettings, GoldCheck, Pause
from screening.models.quizzes import QuestionKind, Quiz, QuizQuestion

__all__ = [
    "Attempt",
    "AttemptQuestion",
    "CheckResult",
    "CheckSettings",
    "GoldCheck",
    "Pause",
    "QuestionKind",
    "Quiz",
    "QuizQuestion",
]
