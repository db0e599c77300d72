"""How far a project's screening is, and whether somebody waits for the lead's word."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.models import Project
from projects.steps import BEGUN, DONE, OPEN
from screening.models import CheckSettings, Pause, Quiz


def screening(project: Project) -> tuple[str, str]:
    states = Quiz.objects.filter(stage__project=project).values_list("is_open", flat=True)
    if not states:
        return OPEN, _("Let people pass a short quiz before they are handed any work.")
    count = sum(states)
    if not count:
        return BEGUN, _("No quiz is open yet: everybody is handed work.")
    return DONE, ngettext("%(n)d quiz is open.", "%(n)d quizzes are open.", count) % {"n": count}


def watching(project: Project) -> tuple[str, str]:
    paused = Pause.objects.filter(stage__project=project, lifted_at=None).count()
    if paused:
        text = ngettext(
            "%(n)d person is paused and waits for you.", "%(n)d people are paused and wait for you.", paused
        )
        return BEGUN, text % {"n": paused}
    if CheckSettings.objects.filter(stage__project=project, share__gt=0, stage__gold_checks__is_active=True).exists():
        return DONE, _("Checks are mixed into the work. Nobody is paused.")
    return OPEN, _("Mix items with a known answer into the work; whoever falls below the mark is paused.")
