"""Working time as people say it."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()


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
