"""Shares on the pages of screening: in percent, as marks are set, with the interval; or why there is none."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from agreement.figures import Figure

register = template.Library()


@register.filter
def percent(shown: Figure) -> SafeString:
    """The share with its bounds and n. `dir` keeps number and brackets in order on a page that runs right to left."""
    if shown.value is None:
        return format_html('<span class="figure figure--undefined">{}</span>', _("no answers yet"))
    low, high = shown.bounds
    n = _("n = %(n)s") % {"n": shown.n}
    return format_html(
        '<bdi class="figure" dir="ltr">{} % <span class="figure__interval">[{}, {}]</span></bdi>'
        '<span class="figure-n">{}</span>',
        *(round(100 * value) for value in (shown.value, low, high)),
        n,
    )
