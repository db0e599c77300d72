"""What of the tables of work goes into an archive."""

from django.db.models import Case, Count, DateTimeField, F, IntegerField, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce, Least

from formats.archive.contents import Contents, LeftOut, Table
from workflow.models import (
    Assignment,
    Draft,
    FeedbackRules,
    FirstAnswer,
    ItemQuestion,
    NothingOpen,
    OwnKeys,
    OwnLimits,
    OwnReading,
    QuestionMessage,
    Remark,
    ReturnedAnswer,
    SetAsideDraft,
    Stage,
    StageRules,
    Status,
    Survey,
    SurveyAnswer,
    TimeCorrection,
    TimeRules,
    WorkedInterval,
    WorkItem,
)

UNDER_WAY = (Status.RESERVED, Status.CLAIMED)
_of_item = Assignment.objects.filter(item=OuterRef("pk"), status__in=UNDER_WAY).order_by().values("item")
_held = Coalesce(Subquery(_of_item.annotate(n=Count("pk")).values("n")), 0, output_field=IntegerField())

# What somebody is at goes back to the queue: drafts do not go along, nor accounts.
OF_WORK = Contents(
    "workflow",
    20,
    (
        Table(model=TimeRules, project="project"),
        Table(model=FeedbackRules, project="project"),
        Table(model=Stage, project="project"),
        Table(model=StageRules, project="stage__project"),
        Table(model=Survey, project="stage__project"),
        Table(
            model=WorkItem,
            project="stage__project",
            instead={"open_slots": Least(F("slots"), F("open_slots") + _held)},
        ),
        Table(
            model=Assignment,
            project="stage__project",
            instead={
                "status": Case(When(status__in=UNDER_WAY, then=Value(Status.RELEASED)), default=F("status")),
                "lease_expires_at": Case(
                    When(Q(status__in=UNDER_WAY), then=Value(None, output_field=DateTimeField())),
                    default=F("lease_expires_at"),
                ),
            },
        ),
        Table(model=FirstAnswer, project="assignment__stage__project"),
        Table(model=ReturnedAnswer, project="assignment__stage__project"),
        Table(model=ItemQuestion, project="project"),
        Table(model=QuestionMessage, project="question__project"),
        Table(model=SurveyAnswer, project="survey__stage__project"),
        Table(model=WorkedInterval, project="rater__project"),
        Table(model=TimeCorrection, project="rater__project"),
    ),
    (
        LeftOut(NothingOpen, "found out again by the clock"),
        LeftOut(OwnKeys, "of accounts, which do not go along"),
        LeftOut(OwnReading, "of accounts, which do not go along"),
        LeftOut(Remark, "a person's own, as accounts are"),
        LeftOut(OwnLimits, "a person's own, which nobody else is shown"),
        LeftOut(Draft, "not handed in"),
        LeftOut(SetAsideDraft, "not handed in"),
    ),
)
