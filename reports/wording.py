"""How figures and the columns of a table are put to people, in their language.

Tables name their dimensions, measures and reasons by stable ids, because exports and programs read them; pages and
charts show what stands here. What is not listed is shown as it is.
"""

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from agreement.figures import (
    NO_GOLD_SPANS,
    NO_ITEMS,
    NO_PAIRABLE_VALUES,
    NO_PREDICTED_SPANS,
    NO_SPANS,
    NO_VARIATION,
    TOO_FEW,
    Figure,
)

REASONS = {
    NO_ITEMS: _("no items"),
    TOO_FEW: _("n < 2"),
    NO_VARIATION: _("no variation"),
    NO_PAIRABLE_VALUES: _("no pairable values"),
    NO_PREDICTED_SPANS: _("no predicted spans"),
    NO_GOLD_SPANS: _("no gold spans"),
    NO_SPANS: _("no spans"),
    "no predicted sentences": _("no predicted sentences"),
    "no erroneous sentences": _("no erroneous sentences"),
    "undefined on one side": _("undefined on one side"),
    "no criticality given": _("no criticality given"),
    "no matched spans with a category": _("no matched spans with a category"),
    "no responses planned": _("no responses planned"),
    "no responses answered by both": _("no responses answered by both"),
    "no errors with a category": _("no errors with a category"),
}
NAMES = {
    "accuracy": _("Accuracy"),
    "category": _("Category"),
    "character_f1": _("F1 of characters"),
    "class": _("Class"),
    "criticality": _("Criticality"),
    "depth": _("Thin or thick"),
    "detector": _("Detector"),
    "errors": _("Errors"),
    "f1": _("F1"),
    "high": _("High"),
    "human": _("Person"),
    "judge": _("Judge"),
    "kappa": _("Cohen's kappa"),
    "low": _("Low"),
    "medium": _("Medium"),
    "model": _("Model"),
    "precision": _("Precision"),
    "rater": _("Rater"),
    "recall": _("Recall"),
    "responses": _("Responses"),
    "retained": _("Share kept by others"),
    "round": _("Round"),
    "scored": pgettext_lazy("answers that could be read", "Scored"),
    "setting": _("Setting"),
    "spans": _("Spans"),
    "stage": _("Stage"),
    "subset": _("Gold errors"),
    "thick": _("Thick"),
    "thin": _("Thin"),
    "threshold": _("Threshold"),
    "variety": _("Variety"),
}
MARKS = {"simulated": _("simulated"), "generated": _("generated data")}
# Decimal places by unit. Figures are written with a point, as the literature and the exports have them, whatever
# the language: a comma inside "[0,48, 0,56]" could not be told from the one between the bounds.
PLACES = {"share": 2, "count": 0, "per response": 2, "points": 1, "minutes": 1}
NARROW_SPACE = "\u202f"


def name(term: str) -> str:
    """A dimension, measure or series as people read it."""
    if term in NAMES:
        return str(NAMES[term])
    return term[:1].upper() + term[1:].replace("_", " ")


def label(text: str) -> str:
    """A row's label: a term of ours in words, a name as it is."""
    return str(NAMES.get(text, text))


def reason(undefined: str) -> str:
    return str(REASONS.get(undefined, undefined))


def number(value: float, unit: str = "share") -> str:
    """0.5 as "0.50" where it is a share, 7470 as "7 470" where it is a count; "-0.00" is never shown."""
    text = f"{round(value, PLACES.get(unit, 2)) + 0.0:,.{PLACES.get(unit, 2)}f}"
    return text.replace(",", NARROW_SPACE).replace("-", "\u2212")


def interval(figure: Figure, unit: str = "share") -> str:
    """The bounds as "[0.48, 0.56]"; "" where there are none."""
    if figure.low is None or figure.high is None:
        return ""
    return f"[{number(figure.low, unit)}, {number(figure.high, unit)}]"


def in_words(figure: Figure, unit: str = "share") -> str:
    """One line of plain text: "0.52 [0.48, 0.56]", or "undefined: n < 2"."""
    if figure.value is None:
        return gettext("undefined: %(reason)s") % {"reason": reason(figure.undefined or "")}
    return " ".join(filter(None, (number(figure.value, unit), interval(figure, unit))))


def mark(term: str) -> str:
    return str(MARKS.get(term, term))
