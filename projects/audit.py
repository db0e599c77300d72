"""One verb: write down what was done."""

from typing import Any

from projects.models import AuditEvent, Project, User


def record(action: str, *, actor: User | None, project: Project | None, subject: object = "", **detail: Any) -> None:
    """Add an audit event inside the caller's transaction: the act and its record stand or fall together."""
    AuditEvent.objects.create(action=action, actor=actor, project=project, subject=str(subject)[:200], detail=detail)
