from workflow.models.drafts import Draft, SetAsideDraft
from workflow.models.feedback import CaseBook, FeedbackRules, feedback_rules
from workflow.models.own_keys import OwnKeys
from workflow.models.own_reading import OwnReading
from workflow.models.remarks import Remark
from workflow.models.rules import StageRules
from workflow.models.stages import Layout, Policy, Stage
from workflow.models.time import Activity, OwnLimits, TimeCorrection, TimeRules, WorkedInterval
from workflow.models.work import (
    HOLDING,
    SUBJECTS,
    Assignment,
    FirstAnswer,
    ItemQuestion,
    NothingOpen,
    QuestionMessage,
    QuestionState,
    ReturnedAnswer,
    Status,
    Survey,
    SurveyAnswer,
    WorkItem,
)

__all__ = [
    "HOLDING",
    "SUBJECTS",
    "Activity",
    "Assignment",
    "CaseBook",
    "Draft",
    "FeedbackRules",
    "FirstAnswer",
    "ItemQuestion",
    "Layout",
    "NothingOpen",
    "OwnKeys",
    "OwnLimits",
    "OwnReading",
    "Policy",
    "QuestionMessage",
    "QuestionState",
    "Remark",
    "ReturnedAnswer",
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
