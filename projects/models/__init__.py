from projects.models.counts import WindowCount
from projects.models.derived import Change, Derivation, DerivationStep
from projects.models.guidelines import (
    GuidelinesChoice,
    GuidelinesDraft,
    GuidelinesRead,
    GuidelinesSetAside,
    GuidelinesTranslation,
    GuidelinesVersion,
)
from projects.models.imports import Import, ImportMapping
from projects.models.labels import Label, Vocabulary
from projects.models.notes import ContentNote, ContentNoteSet
from projects.models.pairs import ResponsePair
from projects.models.people import (
    ApiToken,
    Invitation,
    Membership,
    PanelLaboratory,
    Rater,
    RaterKind,
    Role,
    User,
    digest,
    is_panel,
)
from projects.models.project import AuditEvent, Project
from projects.models.questions import Dimension, Level, QuestionType
from projects.models.templates import DraftOutcome, Localisation, LocalisationDraft, PromptTemplate, Split
from projects.models.texts import (
    Direction,
    Laboratory,
    LanguageVariety,
    ModelLaboratory,
    ProjectVariety,
    Prompt,
    Response,
    Segmentation,
    TargetModel,
)

__all__ = [
    "ApiToken",
    "AuditEvent",
    "Change",
    "ContentNote",
    "ContentNoteSet",
    "Derivation",
    "DerivationStep",
    "Dimension",
    "Direction",
    "DraftOutcome",
    "GuidelinesChoice",
    "GuidelinesDraft",
    "GuidelinesRead",
    "GuidelinesSetAside",
    "GuidelinesTranslation",
    "GuidelinesVersion",
    "Import",
    "ImportMapping",
    "Invitation",
    "Label",
    "Laboratory",
    "LanguageVariety",
    "Level",
    "Localisation",
    "LocalisationDraft",
    "Membership",
    "ModelLaboratory",
    "PanelLaboratory",
    "Project",
    "ProjectVariety",
    "Prompt",
    "PromptTemplate",
    "QuestionType",
    "Rater",
    "RaterKind",
    "Response",
    "ResponsePair",
    "Role",
    "Segmentation",
    "Split",
    "TargetModel",
    "User",
    "Vocabulary",
    "WindowCount",
    "digest",
    "is_panel",
]
