"""How a project rates: the defaults hold where it never said otherwise."""

from annotation.models import RatingSettings
from projects.models import Project


def rating_settings(project: Project) -> RatingSettings:
    """The project's row, or one with the defaults that is not stored."""
    return RatingSettings.objects.filter(project=project).first() or RatingSettings(project=project)
