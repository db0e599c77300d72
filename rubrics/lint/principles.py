"""The six principles that positive criteria are written by (Perle, section 2.3), in our own words for the screen."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext_lazy as _


class Principle(StrEnum):
    """`value` is stable: it stands in addresses and exports."""

    EXHAUSTIVE = "exhaustive"
    COMPLETE = "complete"
    NON_OVERLAPPING = "non-overlapping"
    ATOMIC = "atomic"
    SELF_CONTAINED = "self-contained"
    VERIFIABLE = "verifiable"


@dataclass(frozen=True, slots=True)
class Explained:
    """A principle as a person reads it; both are lazy translations."""

    name: Any
    explanation: Any


PRINCIPLES: dict[Principle, Explained] = {
    Principle.EXHAUSTIVE: Explained(
        _("No overlap and full coverage"),
        _("Every part of a perfect answer is asked for by one criterion, and by one only."),
    ),
    Principle.COMPLETE: Explained(
        _("Complete"),
        _("An answer that meets every criterion, each at its proper weight, is a very good answer."),
    ),
    Principle.NON_OVERLAPPING: Explained(
        _("Non-overlapping"),
        _("Each fact stands in one criterion, so that no single mistake costs points twice."),
    ),
    Principle.ATOMIC: Explained(
        _("Atomic"),
        _("A criterion asks for one thing, so that it is either met or not and never half met."),
    ),
    Principle.SELF_CONTAINED: Explained(
        _("Self-contained"),
        _("A criterion that asks for a fact says the fact, so that a grader need not know it beforehand."),
    ),
    Principle.VERIFIABLE: Explained(
        _("Verifiable without search"),
        _("The criterion and the response are enough to decide: nothing is looked up and nothing is left to taste."),
    ),
}
