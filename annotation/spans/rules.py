"""What the rules of a stage (formats/answer_rules.py) say of the marks of an answer. No database.

The screen asks by the same rules (static/src/spans/rules.js); both are held to tests/annotation/answer_rules.json.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from formats.answer_rules import OF_MARKS
from projects.problems import Problem

#: Where a stage says nothing else.
DEFAULT: tuple[Mapping[str, Any], ...] = ({"needs": "explanation"},)
LINK = re.compile(r"https?://[^\s.]+\.\S")


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that an answer does not keep. `span` is the id of the mark it is about, None where it is of all."""

    rule: Mapping[str, Any]
    span: str | None
    field: str

    @property
    def warns(self) -> bool:
        return bool(self.rule.get("warns"))

    @property
    def problem(self) -> Problem:
        code = "required" if self.rule.get("needs") else "too_many"
        return Problem(code, message_of(self.rule), self.field, span=self.span)


def broken(rules: Sequence[Mapping[str, Any]], marks: Sequence[Mapping[str, Any]]) -> list[Broken]:
    """Every rule that these marks do not keep, mark by mark, then those of all marks together.

    marks   as screens and files write them: `id`, `type`, `criticality`, `category` (its short name), `explanation`,
            `correction`.
    """
    found = [
        Broken(rule, str(mark["id"]), "explanation" if rule["needs"] == "link" else rule["needs"])
        for mark in marks
        for rule in rules
        if rule.get("needs") and _is_of(rule, mark) and not _has(mark, rule["needs"])
    ]
    found += [
        Broken(rule, None, "spans")
        for rule in rules
        if rule.get("most") is not None and sum(_is_of(rule, mark) for mark in marks) > rule["most"]
    ]
    return found


def _is_of(rule: Mapping[str, Any], mark: Mapping[str, Any]) -> bool:
    return all(not rule.get(name) or mark.get(name) in rule[name] for name in OF_MARKS)


def _has(mark: Mapping[str, Any], need: str) -> bool:
    if need == "link":
        return LINK.search(mark.get("explanation") or "") is not None
    return bool((mark.get(need) or "").strip())


def message_of(rule: Mapping[str, Any]) -> str:
    """What people are told: the project's own words, else the rule's."""
    if rule.get("message"):
        return str(rule["message"])
    if rule.get("most") is not None:
        return _("There are more marks of this kind than the %(most)d that are asked for.") % {"most": rule["most"]}
    return {
        "explanation": _("Explain what is wrong."),
        "correction": _("Write a correction."),
        "category": _("Choose a category."),
        "link": _("Give a link in the explanation."),
    }[rule["needs"]]
