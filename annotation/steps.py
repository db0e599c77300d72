"""How far the marked errors of a project have been settled."""

from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import GoldAnswer
from projects.models import Project
from projects.steps import BEGUN, DONE, OPEN, Step


def refinement(project: Project) -> tuple[str, str]:
    answers = GoldAnswer.objects.filter(response__project=project)
    found = answers.aggregate(kept=Sum("kept"), open=Sum("open"), pending=Sum("pending"))
    if found["kept"] is None:
        return OPEN, _("Decide what reviewers leave open, group what is one error, and give every error a category.")
    if found["open"]:
        n = found["open"]
        return BEGUN, ngettext("%(n)d error is left to an expert.", "%(n)d errors are left to an expert.", n) % {"n": n}
    if found["pending"]:
        n = found["pending"]
        text = ngettext("%(n)d error still awaits verdicts.", "%(n)d errors still await verdicts.", n) % {"n": n}
        return BEGUN, text
    return DONE, _("Nothing is left open.")


STEPS = (Step(57, gettext_lazy("Settle what is open"), "adjudication", refinement, area="spans"),)
