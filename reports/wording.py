"""Figures in words, for summaries, the command and whoever reads a table aloud."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agreement.figures import Figure

# Reasons are fixed words of agreement/ and reports/spans; their translations are looked up when they are shown.
REASONS = (
    gettext_noop("no items"),
    gettext_noop("n < 2"),
    gettext_noop("no variation"),
    gettext_noop("no pairable values"),
    gettext_noop("no predicted spans"),
    gettext_noop("no gold spans"),
    gettext_noop("no spans"),
    gettext_noop("no predicted sentences"),
    gettext_noop("no erroneous sentences"),
    gettext_noop("undefined on one side"),
    gettext_noop("no criticality given"),
    gettext_noop("no matched spans with a category"),
    gettext_noop("no responses planned"),
    gettext_noop("no responses answered by both"),
    gettext_noop("no errors with a category"),
)


def reason(figure: Figure) -> str:
    """Why there is no value, in the reader's language."""
    return _("undefined: %(reason)s") % {"reason": _(figure.undefined or "")}


def said(figure: Figure, decimals: int = 2) -> str:
    """ "0.42 (0.38 to 0.46)", "0.42", or the reason why there is no value."""
    if figure.value is None:
        return reason(figure)
    # Django cuts digits off where it should round.
    value = number_format(round(figure.value, decimals), decimals)
    if figure.low is None:
        return value
    low, high = (number_format(round(bound, decimals), decimals) for bound in figure.bounds)
    return _("%(value)s (%(low)s to %(high)s)") % {"value": value, "low": low, "high": high}
