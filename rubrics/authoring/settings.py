"""How a project writes its rubrics: the defaults hold where it never said otherwise."""

from projects.models import Project
from rubrics.models import RubricSettings


def settings_of(project: Project) -> RubricSettings:
    """The project's row, or one with the defaults that is not stored."""
    return RubricSettings.objects.filter(project=project).first() or RubricSettings(project=project)
