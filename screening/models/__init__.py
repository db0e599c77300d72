from screening.models.attempts import Attempt, AttemptQuestion
from screening.models.background import BackgroundAnswer, BackgroundKind, BackgroundQuestion
from screening.models.checks import CheckResult, CheckSettings, GoldCheck, Pause
from screening.models.groups import GroupMember, RaterGroup
from screening.models.interviews import Interview, InterviewResult
from screening.models.quizzes import QuestionKind, Quiz, QuizQuestion

__all__ = [
    "Attempt",
    "AttemptQuestion",
    "BackgroundAnswer",
    "BackgroundKind",
    "BackgroundQuestion",
    "CheckResult",
    "CheckSettings",
    "GoldCheck",
    "GroupMember",
    "Interview",
    "InterviewResult",
    "Pause",
    "QuestionKind",
    "Quiz",
    "QuizQuestion",
    "RaterGroup",
]
