"""What a benchmark consists of: question sets, who answers them, what answers are worth, and who looks after both."""

from benchmark.models.answers import Answer, RuleScore, Ruling
from benchmark.models.boards import Board, FrozenControl
from benchmark.models.configurations import Configuration, ModelCard
from benchmark.models.curation import (
    Decision,
    Erratum,
    ErratumState,
    Fault,
    OwnAnswer,
    QuestionCheck,
    QuestionRevision,
)
from benchmark.models.defence import Flag, FlagKind, Probe, ProbeKind, ProbeResult
from benchmark.models.sets import Question, QuestionSet, RuleUse, Skill, Source
from benchmark.models.speed import SpeedMeasurement, SpeedSample
from benchmark.models.submissions import Ban, Submission, SubmissionState, VerifiedAccount
from formats.choices import Access, ConfigurationKind, Standing

__all__ = [
    "Access",
    "Answer",
    "Ban",
    "Board",
    "Configuration",
    "ConfigurationKind",
    "Decision",
    "Erratum",
    "ErratumState",
    "Fault",
    "Flag",
    "FlagKind",
    "FrozenControl",
    "ModelCard",
    "OwnAnswer",
    "Probe",
    "ProbeKind",
    "ProbeResult",
    "Question",
    "QuestionCheck",
    "QuestionRevision",
    "QuestionSet",
    "RuleScore",
    "RuleUse",
    "Ruling",
    "Skill",
    "Source",
    "SpeedMeasurement",
    "SpeedSample",
    "Standing",
    "Submission",
    "SubmissionState",
    "VerifiedAccount",
]
