"""What part of a project's answers figures are made of, and the settings of the formulas."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.utils.translation import gettext as _

from agreement.spans import THRESHOLD
from annotation.models import Criticality
from projects.problems import Invalid, Problem

SOME, ONE_TO_ONE = "some", "one-to-one"
MATCHINGS = (SOME, ONE_TO_ONE)


@dataclass(frozen=True)
class Scope:
    """Everything a reader may narrow or set; the defaults are those of the study that JuICE published.

    variety      tag of the one setting to keep; "" keeps all.
    model        name of the one target model to keep; "" keeps all.
    criticality  keep errors of this weight alone, on both sides; "" keeps all.
    threshold    a pair of spans matches when its word IoU is strictly greater.
    matching     "some": a span is matched when some span of the other side is close enough; "one-to-one": by the
                 optimal assignment.
    """

    variety: str = ""
    model: str = ""
    criticality: str = ""
    threshold: float = THRESHOLD
    matching: str = SOME

    @classmethod
    def of(cls, filters: Mapping[str, Any] | None) -> "Scope":
        """Checked scope of what stands in an address or was given to a command; empty values count as not given.

        Raises projects.problems.Invalid naming each filter that is unknown or has no such value.
        """
        given = {name: value for name, value in (filters or {}).items() if value not in ("", None)}
        problems = [
            Problem("unknown_filter", _("There is no such filter."), name) for name in given if name not in FILTERS
        ]
        if given.get("criticality", "high") not in Criticality.values:
            problems.append(Problem("unknown_value", _("Criticality is high, medium or low."), "criticality"))
        if given.get("matching", SOME) not in MATCHINGS:
            problems.append(Problem("unknown_value", _("Matching is “some” or “one-to-one”."), "matching"))
        if "threshold" in given:
            given["threshold"] = _threshold(given["threshold"], problems)
        if problems:
            raise Invalid(problems)
        return cls(**given)

    @property
    def filters(self) -> dict[str, str]:
        """Which part of the data, as a recipe says it."""
        chosen = {"variety": self.variety, "model": self.model, "criticality": self.criticality}
        return {name: value for name, value in chosen.items() if value}

    @property
    def of_a_setting(self) -> tuple:
        """What the figures of one setting depend on: all but the choice of settings."""
        return (self.model, self.criticality, self.threshold, self.matching)


def _threshold(value: Any, problems: list[Problem]) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number <= 1:
        problems.append(Problem("unknown_value", _("The threshold is a number from 0 to 1."), "threshold"))
    return number


FILTERS = tuple(field.name for field in fields(Scope))
