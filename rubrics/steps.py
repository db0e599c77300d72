"""How far the rubrics of a project have been written."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.models import Project
from projects.steps import BEGUN, DONE, OPEN
from rubrics.access import AUTHORING
from rubrics.models import Rubric
from workflow.models import Assignment, Status


def writing(project: Project) -> tuple[str, str]:
    """Done where rubrics are frozen and none is in the making."""
    frozen = Rubric.objects.filter(project=project, frozen_at__isnull=False).count()
    begun = Assignment.objects.filter(
        stage__project=project, stage__kind=AUTHORING, status__in=(Status.CLAIMED, Status.EXPIRED, Status.RESERVED)
    ).count()
    if not frozen and not begun:
        return OPEN, _("Authors write a prompt, its gold answer and weighted criteria, before any response is seen.")
    text = ngettext("%(n)d rubric is frozen", "%(n)d rubrics are frozen", frozen) % {"n": frozen}
    if begun:
        making = ngettext("%(n)d is in the making.", "%(n)d are in the making.", begun) % {"n": begun}
        return BEGUN, f"{text}; {making}"
    return DONE, f"{text}."
