"""How far judges are with a project."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Marking
from projects.models import Project, RaterKind
from projects.steps import BEGUN, DONE, OPEN, Step


def judges(project: Project) -> tuple[str, str]:
    judging = Marking.objects.filter(response__project=project, rater__kind=RaterKind.JUDGE)
    n = judging.values("rater").distinct().count()
    if n:
        return DONE, ngettext("%(n)d judge has answered.", "%(n)d judges have answered.", n) % {"n": n}
    if project.judges.exists():
        return BEGUN, _("A judge is set up and has not answered yet.")
    return OPEN, _("Set up a judge and let it mark the same responses; nobody who annotates sees what it says.")


STEPS = (Step(50, gettext_lazy("Let models judge"), "judges", judges, is_optional=True, area="spans"),)
