"""Which questions a stage of checks is about. The stages of a project are rounds, in the order they were begun in."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from benchmark.models import Decision, Question, QuestionRevision
from projects.models import Prompt
from workflow.models import Assignment, Stage, WorkItem

KIND = "question_check"


def round_of(stage: Stage) -> int:
    """1 for the first stage of this kind in its project."""
    return Stage.objects.filter(project=stage.project_id, kind=KIND, pk__lte=stage.pk).count()


def of_drafts(project_id: int) -> QuerySet[Question]:
    """The questions that can still be changed."""
    return Question.objects.filter(question_set__project=project_id, question_set__frozen_at=None)


def to_check(stage: Stage) -> QuerySet[Prompt]:
    """Prompts of drafts that no other round has asked about, or whose question was repaired in the round before.

    What was repaired in this round or a later one is the next round's.
    """
    number = round_of(stage)
    elsewhere = WorkItem.objects.filter(stage__kind=KIND, prompt=OuterRef("prompt")).exclude(stage=stage)
    repairs = QuestionRevision.objects.filter(
        question_set=OuterRef("question_set"), key=OuterRef("key"), decision=Decision.REPAIR
    )
    questions = of_drafts(stage.project_id).filter(
        ~Exists(elsewhere) | Q(Exists(repairs.filter(round=number - 1, round__gte=1))),
        ~Exists(repairs.filter(round__gte=number)),
    )
    return Prompt.objects.filter(Exists(questions.filter(prompt=OuterRef("pk"))), project=stage.project_id)


def question_of(assignment: Assignment) -> Question | None:
    """The question of a turn as its draft has it now; None where it was worded otherwise, dropped or frozen since."""
    rows = of_drafts(assignment.stage.project_id).filter(prompt=assignment.item.prompt_id)
    return rows.select_related("question_set", "prompt__variety", "skill").first()
