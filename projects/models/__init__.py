from projects.models.people import ApiToken, Invitation, Membership, Rater, RaterKind, Role, User, digest
from projects.models.project import AuditEvent, Preset, Project
from projects.models.texts import (
    Direction,
    Laboratory,
    LanguageVariety,
    Prompt,
    Response,
    Segmentation,
    TargetModel,
)

__all__ = [
    "ApiToken",
    "AuditEvent",
    "Direction",
    "Invitation",
    "Laboratory",
    "LanguageVariety",
    "Membership",
    "Preset",
    "Project",
    "Prompt",
    "Rater",
    "RaterKind",
    "Response",
    "Role",
    "Segmentation",
    "TargetModel",
    "User",
    "digest",
]
