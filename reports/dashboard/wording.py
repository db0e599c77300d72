"""Figures in words, for pages, summaries, the command and whoever reads a table aloud."""

import math
import re
from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from agreement.figures import Figure
from projects.directions import isolated, set_apart
from projects.enumeration import enumerated
from reports.dashboard.tables import Table

# Reasons are fixed words of agreement/ and reports/; their translations are looked up when they are shown.
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
    gettext_noop("no pair overlaps so much"),
    gettext_noop("no pair is one issue"),
    gettext_noop("undefined on one side"),
    gettext_noop("no criticality given"),
    gettext_noop("no matched spans with a category"),
    gettext_noop("no responses planned"),
    gettext_noop("no responses answered by both"),
    gettext_noop("no responses with settled errors"),
    gettext_noop("no errors with a category"),
    gettext_noop("no criterion counts for the person"),
    gettext_noop("no errors recorded"),
    gettext_noop("no such errors on one side"),
    gettext_noop("not linked"),
    gettext_noop("asked in one order"),
    gettext_noop("every verdict is a tie"),
    gettext_noop("people are the measure"),
    gettext_noop("no item without a human label"),
    gettext_noop("too few shared items"),
    gettext_noop("no rater with enough shared items"),
    gettext_noop("no price is known"),
    gettext_noop("the provider counted no tokens"),
    gettext_noop("free text"),
    gettext_noop("too few prompts"),
    gettext_noop("too few raters"),
    gettext_noop("lengths hardly differ"),
    gettext_noop("the raw judge is what is compared with"),
    gettext_noop("questions on different scales"),
    gettext_noop("grades without an order"),
    gettext_noop("fewer than two systems"),
    gettext_noop("the baseline's mean is 0"),
    gettext_noop("not connected"),
    gettext_noop("some never lost to others"),
    gettext_noop("told by people's grades alone"),
    gettext_noop("a scale of one value"),
    gettext_noop("does not vary"),
    gettext_noop("follows from the others"),
    gettext_noop("no prompts in every round"),
    gettext_noop("no page with marks of both"),
    gettext_noop("all cards alike"),
)
MARKS = {
    "simulated": gettext_lazy("simulated"),
    "panel": gettext_lazy("panel"),
    "held out": gettext_lazy("without the prompts that weighed it"),
    "gold-builder": gettext_lazy("helped to build the gold"),
    "own laboratory": gettext_lazy("without models of its own laboratory"),
    "generated": gettext_lazy("generated data"),
}
PLACES = {
    "share": 2,
    "count": 0,
    "per response": 2,
    "points": 1,
    "minutes": 1,
    "percent": 2,
    "pp": 2,
    "rate": 1,
    "logits": 2,
    "grade": 2,
    "p": 4,
    "usd": 4,
    "seconds": 2,
    "per second": 1,
    "score": 2,
    "ratio": 2,
    "length": 1,
}
# What stands behind a measure where its name does not say it; shares, counts and p-values are read by their name.
UNIT_NAMES = {
    "per response": gettext_lazy("per response"),
    "points": gettext_lazy("points"),
    "minutes": gettext_lazy("minutes"),
    "percent": gettext_lazy("percent"),
    "pp": gettext_lazy("percentage points"),
    "rate": gettext_lazy("per 100 pairs"),
    "logits": gettext_lazy("logits"),
    "grade": gettext_lazy("grades"),
    "usd": gettext_lazy("US dollars"),
}
# A ratio says as much turned over: 1.70 and 0.588, not 0.59.
DIGITS_OF_RATIO = 3
# No test of ours is as sure as a p-value of 0.
MIN_P = 0.0001
NARROW_SPACE, NO_BREAK_SPACE, MINUS = "\u202f", "\u00a0", "\u2212"
# "[0.48, 0.56]" as `interval` writes it, in a sentence.
INTERVAL = re.compile(rf"(\[[\d.{NARROW_SPACE}{MINUS}]+), ([\d.{NARROW_SPACE}{MINUS}]+\])")


def reason(figure: Figure) -> str:
    """Why there is no value, in the reader's language."""
    because = figure.undefined or ""
    return _("undefined: %(reason)s") % {"reason": _(because)}


def bare_reason(figure: Figure) -> str:
    """The same for a sentence that says itself that there is no value."""
    return _(figure.undefined or "")


def number(value: float, unit: str = "share") -> str:
    """0.5 as "0.50" where it is a share, 7470 as "7 470" where it is a count.

    With a point in every language, as charts, exports and the literature have it: a decimal comma could not be told
    from the one between the bounds of an interval.
    """
    places = PLACES.get(unit, 2)
    if unit == "ratio" and value:
        places = max(0, DIGITS_OF_RATIO - 1 - math.floor(math.log10(abs(value))))
    if unit == "p" and 0 < value < MIN_P:
        return f"< {MIN_P}"
    # Adding 0.0 turns a rounded -0.0 into 0.0.
    return f"{round(value, places) + 0.0:,.{places}f}".replace(",", NARROW_SPACE).replace("-", MINUS)


def count_text(n: float) -> str:
    """How many, in a sentence: 21775 as "21 775"."""
    return number(n, "count")


def interval(figure: Figure, unit: str = "share") -> str:
    """The bounds as "[0.48, 0.56]"; "" where there are none."""
    if figure.low is None or figure.high is None:
        return ""
    return f"[{number(figure.low, unit)}, {number(figure.high, unit)}]"


def figure_text(figure: Figure, unit: str = "share") -> str:
    """ "0.52 [0.48, 0.56]", "0.52", or the reason why there is no value.

    In running text from right to left the bounds would change places and a minus its side, so they are isolated.
    """
    if figure.value is None:
        return reason(figure)
    words = " ".join(filter(None, (number(figure.value, unit), interval(figure, unit))))
    return isolated(words)


def value_and_interval(figure: Figure, unit: str = "share") -> tuple[str, str]:
    """Number and bounds of a figure with a value, for a sentence in which words stand between the two."""
    return isolated(number(figure.number, unit)), isolated(interval(figure, unit))


def labelled_figure(name: object, figure: Figure, unit: str = "share") -> str:
    """ "Muse Spark: 0.52 [0.48, 0.56]", as one of several in a sentence.

    From right to left a name in Latin letters would draw the figure of its neighbour to itself, so each stands apart.
    """
    return set_apart(f"{name}: {figure_text(figure, unit)}")


def known_figures(figures: Iterable[tuple[object, Figure]], unit: str = "share") -> str:
    """Those that have a value, each with its name, as a list in a sentence; "" where none has. A sentence that names
    what was found names no figure that is undefined: the table beside it has the reason."""
    return enumerated([labelled_figure(name, figure, unit) for name, figure in figures if figure.value is not None])


def no_figure_yet() -> str:
    """In place of a sentence whose figures have no value."""
    return _("No figure here has a value yet; the table says why.")


def unbroken(sentence: str) -> str:
    """The sentence as it is read on a page: no line ends within an interval. Files keep the sentence as it is."""
    return INTERVAL.sub(f"\\1,{NO_BREAK_SPACE}\\2", sentence)


def unit_name(unit: str, measure: str) -> str:
    """The unit in words; "" where the name of the measure says it, or there is none."""
    name = str(UNIT_NAMES.get(unit, ""))
    return "" if name.casefold() in measure.casefold() else name


def measure_with_unit(table: Table, measure: str) -> str:
    """ "MAD (percentage points)", as the title of an axis."""
    unit = unit_name(table.unit_of(measure), measure)
    return f"{titled(measure)} ({unit})" if unit else titled(measure)


def titled(term: str) -> str:
    """The name of a column, which stands in running text as well, at the head of it."""
    return term[:1].upper() + term[1:]


def mark(term: str) -> str:
    """What is said beside a row, such as "simulated"."""
    return str(MARKS.get(term, term))
