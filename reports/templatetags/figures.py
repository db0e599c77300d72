"""Figures in templates: always the number with its interval and n, or the reason why there is none."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from agreement.figures import Figure
from annotation.models import Depth, Preference
from projects.enumeration import enumerated
from reports.dashboard import wording

register = template.Library()
register.filter("titled", wording.titled)
register.filter("mark", wording.mark)
register.filter("unbroken", wording.unbroken)


@register.filter
def depth_name(depth: str) -> str:
    """ "thin" as a reader of the page calls it; nothing for an error without a category."""
    return str(Depth(depth).label) if depth else ""


@register.filter
def figure(shown: Figure, unit: str = "share") -> SafeString:
    """The figure as HTML. `dir` keeps number and brackets in order on a page that runs right to left."""
    if shown.value is None:
        return format_html('<span class="figure figure--undefined">{}</span>', wording.reason(shown))
    interval = wording.interval(shown, unit)
    bounds = format_html(' <span class="figure__interval">{}</span>', interval) if interval else ""
    return format_html('<bdi class="figure" dir="ltr">{}{}</bdi>', wording.number(shown.value, unit), bounds)


@register.filter
def rests_on(shown: Figure) -> str:
    """What stands beside a figure: its n, and how many of the planned answers could be scored."""
    parts = [gettext("n = %(n)s") % {"n": wording.number(shown.n, "count")}]
    planned = shown.detail.get("planned")
    if planned is not None:
        scored = wording.number(shown.detail.get("scored", shown.n), "count")
        parts.append(
            gettext("%(scored)s of %(planned)s scored")
            % {"scored": scored, "planned": wording.number(planned, "count")}
        )
    return enumerated(parts)


@register.filter
def cells(shown: Sequence[Figure | None], units: list[str]) -> SafeString:
    """The cells of a row, empty where there is None. In one piece: a results page has thousands, and a template takes
    longer over them."""
    return format_html_join("", "<td>{}</td>", ((cell(one, unit),) for one, unit in zip(shown, units, strict=True)))


def cell(shown: Figure | None, unit: str) -> SafeString:
    if shown is None:
        return SafeString()
    return format_html('{}<span class="figure-n">{}</span>', figure(shown, unit), rests_on(shown))


@register.filter
def amount(value: float, unit: str) -> str:
    """A number as the figures write it."""
    return wording.number(value, unit)


@register.filter
def signed(value: float, unit: str) -> str:
    """A number with its sign, also where it is above 0: an error, or a weight."""
    return f"+{wording.number(value, unit)}" if value > 0 else wording.number(value, unit)


@register.filter
def preference_name(preference: str) -> str:
    """ "first" as a reader of the page calls it; nothing where nothing is preferred."""
    return str(Preference(preference).label) if preference else ""


@register.filter
def preferred(says: int) -> str:
    """The same of a preference in figures: 1 for the first response, -1 for the second, 0 for neither."""
    return preference_name({1: Preference.FIRST, 0: Preference.TIE, -1: Preference.SECOND}[says])
