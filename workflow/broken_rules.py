"""Rules of a stage that an answer does not keep, as every kind of work tells of them. No database."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from projects.problems import Problem


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that an answer does not keep. `span` is the entry it is about, as problems name it (the id of a mark, the
    short name of a question), None where it is of all."""

    rule: Mapping[str, Any]
    span: str | None
    field: str

    @property
    def warns(self) -> bool:
        return bool(self.rule.get("warns"))

    @property
    def code(self) -> str:
        codes = {"needs": "required", "most": "too_many", "least": "too_few", "ask": "not_asked"}
        return next(code for demand, code in codes.items() if self.rule.get(demand) is not None)

    @property
    def problem(self) -> Problem:
        return Problem(self.code, message_of(self.rule), self.field, span=self.span)


def is_miscounted(rule: Mapping[str, Any], count: int) -> bool:
    """Whether so many entries are more, or fewer, than the rule says."""
    most, least = rule.get("most"), rule.get("least")
    return (most is not None and count > most) or (least is not None and count < least)


def message_of(rule: Mapping[str, Any]) -> str:
    """What people are told: the project's own words, else the rule's."""
    if rule.get("message"):
        return str(rule["message"])
    if rule.get("unless") and rule.get("most") == 0:
        return _("Marks of this kind are asked for only after another answer.")
    if rule.get("most") is not None:
        return _("There are more of this kind than the %(most)d that are asked for.") % {"most": rule["most"]}
    if rule.get("least") is not None:
        return _("At least %(least)d of this kind are asked for.") % {"least": rule["least"]}
    if rule.get("ask"):
        return _("This is asked only after another answer.")
    return {
        "explanation": _("Explain what is wrong."),
        "correction": _("Write a correction."),
        "category": _("Choose a category."),
        "link": _("Give a link in the explanation."),
        "comment": _("Say why, in the comment."),
    }[rule["needs"]]
