"""Working time as people say it."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.access import PERMISSIONS
from projects.models import Project
from workflow.models import Activity
from workflow.working_time import rules_of

register = template.Library()


@register.simple_tag
def counted_reading(project: Project, activity: str) -> int:
    """The pause in seconds after which time on this page stops; 0 where it does not count, or not for the viewer."""
    roles = getattr(project, "viewer_roles", None)  # none where the page is somebody's own work
    if roles is not None and not PERMISSIONS["work.claim"] & roles:
        return 0
    rules = rules_of(project)
    counts = {Activity.QUIZ: rules.counts_quizzes, Activity.GUIDELINES: rules.counts_guidelines}
    return rules.idle_seconds if counts[Activity(activity)] else 0


@register.filter
def minutes(seconds: int) -> int:
    """Seconds as whole minutes, towards zero."""
    return int(seconds / 60)


@register.filter
def duration(seconds: float | None) -> str:
    """Seconds as hours and minutes, or seconds where it is less than a minute; a dash where it is not known."""
    if seconds is None:
        return "–"
    whole = round(seconds)
    if whole < 60:
        return ngettext("%(count)d second", "%(count)d seconds", whole) % {"count": whole}
    minutes = round(whole / 60)
    if minutes < 60:
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    return _("%(hours)d h %(minutes)d min") % {"hours": minutes // 60, "minutes": minutes % 60}
