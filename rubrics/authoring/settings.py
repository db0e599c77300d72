"""How a project writes its rubrics: the defaults hold where it never said otherwise."""

from django.utils.translation import gettext as _

from projects.models import Project, RaterKind
from rubrics.models import Grade, RubricSettings


def settings_of(project: Project) -> RubricSettings:
    """The project's row, or one with the defaults that is not stored."""
    return RubricSettings.objects.filter(project=project).first() or RubricSettings(project=project)


def judges_grade_alone(project: Project | int) -> bool:
    """Whether no person grades here: judges are asked about the rubric itself as soon as it is frozen."""
    return RubricSettings.objects.filter(project=project, judges_alone=True).exists()


def graded_by_people(project: Project) -> str:
    """Why judges cannot grade alone here, empty where they can."""
    if Grade.objects.filter(response__project=project, rater__kind=RaterKind.HUMAN).exists():
        return _("People have graded responses here: judges are asked about the errors that they found.")
    return ""
