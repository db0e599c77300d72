"""What makes a rating well-formed: grades on the scale of their question, an answer that is whole. Knows no database.

The screen, the importer and the judges all ask here, so that a rating means the same wherever it came from.
"""

import math
from dataclasses import dataclass

from django.utils.translation import gettext as _

# The field of an answer (without any place in front of it), a code, and what is wrong.
FieldFault = tuple[str, str, str]
PREFERENCES = ("first", "second", "tie")


@dataclass(frozen=True, slots=True)
class Scale:
    """Whole grades from `lowest` to `highest`; None for both where a preference alone is asked for."""

    lowest: int | None
    highest: int | None

    @property
    def has_grades(self) -> bool:
        return self.lowest is not None


@dataclass(frozen=True, slots=True)
class Given:
    """One rater's answer to one question type. Of a single response there is `first` alone."""

    first: object = None
    second: object = None
    preference: str = ""
    is_unparseable: bool = False


def check_grade(value: object, scale: Scale, fractions: bool = False) -> tuple[str, str] | None:
    """None for a grade on the scale, else a code and a message. true is no grade, and 4.0 no whole one.

    A judge's grade may be a fraction (`fractions`), where it is the expectation over the grades.
    """
    if scale.lowest is None or scale.highest is None:
        return "no_scale", _("This question has no scale; it asks which response is better.")
    if type(value) is float and fractions and math.isfinite(value):
        number: float = value
    elif type(value) is int:
        number = value
    elif fractions:
        return "not_a_number", _("A number is expected.")
    else:
        return "not_whole_number", _("A whole number is expected.")
    if not scale.lowest <= number <= scale.highest:
        message = _("A number from %(low)d to %(high)d is expected.")
        return "out_of_range", message % {"low": scale.lowest, "high": scale.highest}
    return None


def check_grades(given: Given, scale: Scale, *, of_pair: bool, by_judge: bool) -> list[FieldFault]:
    """All that is wrong with an answer; empty where it can be stored.

    A question with a scale is answered by a grade for each response, one without by a preference; a judge that was
    asked for no grades may give a preference in their place. An unreadable verdict is a judge's, and says nothing.
    """
    if given.is_unparseable:
        return _unparseable_faults(given, by_judge)
    faults: list[FieldFault] = []
    sides = {"first": given.first, "second": given.second} if of_pair else {"first": given.first}
    is_preferred = by_judge and of_pair and given.preference and all(value is None for value in sides.values())
    needs_grades = scale.has_grades and not is_preferred
    for side, value in sides.items():
        if value is not None:
            fault = check_grade(value, scale, fractions=by_judge)
            faults += [(side, *fault)] if fault else []
        elif needs_grades:
            faults.append((side, "missing", _("The grade is missing.")))
    if not of_pair:
        if given.second is not None:
            faults.append(("second", "not_of_response", _("A single response has one grade.")))
        if given.preference:
            faults.append(("preference", "not_of_response", _("Only of two responses one can be better.")))
        if not scale.has_grades and given.first is None:
            faults.append(("first", "no_scale", _("This question has no scale; it asks which response is better.")))
    elif given.preference and given.preference not in PREFERENCES:
        message = _("One of these is expected: %(values)s.")
        faults.append(("preference", "not_a_choice", message % {"values": ", ".join(PREFERENCES)}))
    elif not given.preference and not scale.has_grades:
        faults.append(("preference", "missing", _("The preference is missing.")))
    return faults


def _unparseable_faults(given: Given, by_judge: bool) -> list[FieldFault]:
    if not by_judge:
        return [("unparseable", "judge_field", _("Only a judge has this field; this rater is a person."))]
    said = {"first": given.first, "second": given.second, "preference": given.preference or None}
    message = _("An unreadable verdict has neither grades nor a preference.")
    return [(field, "not_with_unparseable", message) for field, value in said.items() if value is not None]
