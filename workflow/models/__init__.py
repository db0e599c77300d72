from workflow.models.feedback import FeedbackRules, feedback_rules
from workflow.models.rules import StageRules
from workflow.models.time import TimeCorrection, TimeRules, WorkedInterval
from workflow.models.work import (
    HOLDING,
    SUBJECTS,
    Assignment,
    Draft,
    ItemQuestion,
    Layout,
    Policy,
    QuestionMessage,
    QuestionState,
    SetAsideDraft,
    Stage,
    Status,
    Survey,
    SurveyAnswer,
    WorkItem,
)

__all__ = [
    "HOLDING",
    "SUBJECTS",
    "Assignment",
    "Draft",
    "FeedbackRules",
    "ItemQuestion",
    "Layout",
    "Policy",
    "QuestionMessage",
    "QuestionState",
    "SetAsideDraft",
    "Stage",
    "StageRules",
    "Status",
    "Survey",
    "SurveyAnswer",
    "TimeCorrection",
    "TimeRules",
    "WorkItem",
    "WorkedInterval",
    "feedback_rules",
]
