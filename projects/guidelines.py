"""The guidelines of a project by version: publishing one, and telling people what has changed since they began."""

from django.db import transaction
from django.db.models import QuerySet

from projects.audit import record
from projects.models import GuidelinesRead, GuidelinesVersion, Project, Rater, User


def publish(project: Project, text: str, change: str, by: User | None) -> GuidelinesVersion:
    """Make this text the guidelines, as their next version. What stood before stays readable under its number."""
    with transaction.atomic():
        stored = Project.objects.select_for_update().get(pk=project.pk)
        earlier = {"text": stored.guidelines}
        GuidelinesVersion.objects.get_or_create(project=stored, number=stored.guidelines_version, defaults=earlier)
        version = GuidelinesVersion.objects.create(
            project=stored, number=stored.guidelines_version + 1, text=text, change=change, published_by=by
        )
        project.guidelines, project.guidelines_version = text, version.number
        project.save(update_fields=["guidelines", "guidelines_version"])
        record("guidelines.published", actor=by, project=project, subject=f"v{version.number}", change=change)
    return version


def unread(rater: Rater) -> QuerySet[GuidelinesVersion]:
    """The versions that came after the rater did and that they have not put away, the newest first.

    Whoever comes new reads the guidelines as they are: nothing has changed for them.
    """
    since = GuidelinesVersion.objects.filter(project=rater.project_id, published_at__gt=rater.created_at)
    return since.exclude(readings__rater=rater).exclude(change="")


def put_away(rater: Rater, number: int) -> None:
    """The rater has read what changed up to this version; a second time changes nothing."""
    versions = unread(rater).filter(number__lte=number)
    GuidelinesRead.objects.bulk_create(
        [GuidelinesRead(version=version, rater=rater) for version in versions], ignore_conflicts=True
    )
