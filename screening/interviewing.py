"""Interviews: set up by a lead, and recorded once they were held. Every act is audited, people by pseudonym."""

from django.db import transaction

from projects import audit
from projects.models import User
from screening.models import Interview, InterviewResult


def set_up(interview: Interview, lead: User) -> None:
    """Store it as new, or as open or closed as it is now."""
    with transaction.atomic():
        interview.save()
        said = {"language": interview.language, "step": interview.step, "open": interview.is_open}
        project = interview.stage.project
        audit.record("interview.set_up", actor=lead, project=project, subject=interview.stage.name, **said)


def record(result: InterviewResult, lead: User) -> None:
    """Keep it in place of what was recorded of this person before. The note stays out of the audit log."""
    interview = result.interview
    fields = ("is_passed", "held_on", "interviewer", "note", "note_is_shown")
    values = {name: getattr(result, name) for name in fields}
    with transaction.atomic():
        InterviewResult.objects.update_or_create(
            interview=interview, rater=result.rater, defaults={**values, "recorded_by": lead}
        )
        said = {"stage": interview.stage.name, "step": interview.step, "passed": result.is_passed}
        audit.record(
            "interview.recorded",
            actor=lead,
            project=interview.stage.project,
            subject=result.rater.pseudonym,
            held_on=result.held_on.isoformat(),
            **said,
        )
