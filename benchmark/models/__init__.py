"""What a benchmark consists of: question sets, who answers them, what answers are worth, and who looks after both."""

from benchmark.models.answers import Answer, RuleScore, Ruling
from benchmark.models.boards import DRIFT_LIMIT, AcceptedDrift, Board, FrozenControl
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
from benchmark.models.defence import Flag, FlagKind, Paraphrase, Probe, ProbeKind, ProbeResult
from benchmark.models.exposures import Exposure, ExposureKind
from benchmark.models.sets import Question, QuestionSet, RuleUse, ShuffledSet, Skill, Source
from benchmark.models.speed import SpeedMeasurement, SpeedSample, SpeedSpending
from benchmark.models.submissions import Ban, Submission, SubmissionState, VerifiedAccount
from formats.choices import Access, ConfigurationKind, Standing

__all__ = [
    "DRIFT_LIMIT",
    "AcceptedDrift",
    "Access",
    "Answer",
    "Ban",
    "Board",
    "Configuration",
    "ConfigurationKind",
    "Decision",
    "Erratum",
    "ErratumState",
    "Exposure",
    "ExposureKind",
    "Fault",
    "Flag",
    "FlagKind",
    "FrozenControl",
    "ModelCard",
    "OwnAnswer",
    "Paraphrase",
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
    "ShuffledSet",
    "Skill",
    "Source",
    "SpeedMeasurement",
    "SpeedSample",
    "SpeedSpending",
    "Standing",
    "Submission",
    "SubmissionState",
    "VerifiedAccount",
]
