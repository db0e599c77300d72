"""What a project has to show: figures and gold."""

from django.utils.translation import gettext as _

from annotation.models import GoldAnswer, Rating
from projects.models import Project
from projects.steps import DONE, OPEN
from reports.dashboard.wording import count_text
from reports.spans.gold import errors_in_gold
from rubrics.models import Grade, GradeRole


def figures(project: Project) -> tuple[str, str]:
    text = _("How far people agree with each other and judges with people, down to the single response.")
    return (DONE if GoldAnswer.objects.filter(response__project=project).exists() else OPEN), text


def rubric_figures(project: Project) -> tuple[str, str]:
    graded = Grade.objects.filter(response__project=project, is_complete=True).exists()
    text = _("What people's grades say of the target models, and how near judges come to them.")
    return (DONE if graded else OPEN), text


def rating_figures(project: Project) -> tuple[str, str]:
    rated = Rating.objects.filter(question__project=project, is_check=False).exists()
    text = _("How people grade and prefer, how far they agree, and how near judges come to them.")
    return (DONE if rated else OPEN), text


def gold(project: Project) -> tuple[str, str]:
    n = GoldAnswer.objects.filter(response__project=project).count()
    if not n:
        return OPEN, _("The errors that were kept, as JSON lines with their schema and a dataset card.")
    return DONE, _("Errors: %(errors)s. Responses: %(n)s.") % {
        "errors": count_text(errors_in_gold(project).count()),
        "n": count_text(n),
    }


def rubric_gold(project: Project) -> tuple[str, str]:
    n = Grade.objects.filter(response__project=project, role=GradeRole.REFERENCE).count()
    if not n:
        return OPEN, _("Responses with rubric and every grade, as JSON lines with their schema and a dataset card.")
    return DONE, _("Graded responses: %(n)s.") % {"n": count_text(n)}
