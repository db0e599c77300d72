"""What of the tables of quizzes and checks goes into an archive."""

from formats.archive.contents import Contents, LeftOut, Seal, Table
from screening.models import (
    Attempt,
    AttemptQuestion,
    BackgroundAnswer,
    BackgroundQuestion,
    CheckResult,
    CheckSettings,
    GoldCheck,
    GroupMember,
    Interview,
    InterviewResult,
    Pause,
    Quiz,
    QuizQuestion,
    RaterGroup,
)

NO_ACCOUNT = "lets an account begin work; no figure rests on it, and whoever begins work elsewhere takes the quiz there"

OF_SCREENING = Contents(
    "screening",
    70,
    (
        Table(model=BackgroundQuestion, project="project"),
        Table(model=RaterGroup, project="project"),
        Table(model=GroupMember, project="group__project"),
        Table(model=Interview, project="stage__project"),
        Table(model=Quiz, project="stage__project", later=("is_open",)),
        Table(model=QuizQuestion, project="quiz__stage__project"),
        Seal(Quiz),
        Table(model=CheckSettings, project="stage__project"),
        Table(model=GoldCheck, project="stage__project"),
        Table(model=CheckResult, project="stage__project"),
        Table(model=Pause, project="stage__project"),
    ),
    (
        LeftOut(Attempt, NO_ACCOUNT),
        LeftOut(AttemptQuestion, NO_ACCOUNT),
        LeftOut(InterviewResult, NO_ACCOUNT),
        LeftOut(BackgroundAnswer, "is the person's own, given for this project here; nobody takes it anywhere"),
    ),
)
