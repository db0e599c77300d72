from django import template
from django.utils.translation import ngettext

from judging.problem_texts import in_words

register = template.Library()
register.filter(in_words)


@register.filter
def duration(seconds: int) -> str:
    """Seconds as a person says them: under a minute in seconds, under an hour in minutes, else in hours."""
    if seconds < 60:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    minutes = round(seconds / 60)
    if minutes < 60:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    hours = round(minutes / 60)
    return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
