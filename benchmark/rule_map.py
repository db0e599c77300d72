"""Rules by skill and format, for files whose questions state none: a small JSON file.

It is a list; the first entry that fits a question counts. An entry without a skill or a format fits any:

    [{"skill": "Diacritization", "rules": [{"rule": "diacritization"}]},
     {"format": "mcq", "rules": [{"rule": "judge_choice"}]}]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from benchmark.scoring_rules import ReadRule, read_rule
from formats.choices import QuestionFormat
from formats.reading import parse_json
from projects.problems import Invalid, Problem

#: Our reading of table 6 of the paper, which has the counts of the rules and not what each is used for.
SHIPPED = Path(__file__).parent / "data" / "rule_map.json"
FIELDS = {"skill", "format", "rules", "why"}


@dataclass(frozen=True, slots=True)
class Entry:
    skill: str
    format: str
    rules: tuple[ReadRule, ...]


@dataclass(frozen=True, slots=True)
class RuleMap:
    entries: Sequence[Entry]

    def rules_of(self, skill: str, question_format: str) -> tuple[ReadRule, ...]:
        """Those of the first entry that fits, none where no entry does. Capitals of the skill's name count for
        nothing."""
        for entry in self.entries:
            if entry.skill in ("", skill.casefold()) and entry.format in ("", question_format):
                return entry.rules
        return ()


def read_rule_map(text: str) -> RuleMap:
    """Raises Invalid with every problem, each with the place of its entry."""
    try:
        stated = parse_json(text.encode())
    except Invalid as refused:
        reason = refused.problems[0].message.rstrip(".")
        raise Invalid(Problem("not_json", _("The rule map is not JSON: %(reason)s.") % {"reason": reason})) from None
    if not isinstance(stated, list) or not all(isinstance(entry, dict) for entry in stated):
        raise Invalid(Problem("not_list", _("The rule map is a list of JSON objects.")))
    problems: list[Problem] = []
    entries = [_entry(entry, f"[{index}]", problems) for index, entry in enumerate(stated)]
    if problems:
        raise Invalid(problems)
    return RuleMap(entries)


@cache
def shipped() -> RuleMap:
    return read_rule_map(SHIPPED.read_text(encoding="utf-8"))


def _entry(stated: dict[str, Any], place: str, problems: list[Problem]) -> Entry:
    for name in sorted(set(stated) - FIELDS):
        problems.append(Problem("unknown_field", _("There is no such field."), f"{place}.{name}"))
    skill, question_format = stated.get("skill", ""), stated.get("format", "")
    if not isinstance(skill, str):
        problems.append(Problem("not_text", _("A text in quotes is expected."), f"{place}.skill"))
        skill = ""
    if question_format not in ("", *QuestionFormat.values):
        message = _("One of these is expected: %(values)s.") % {"values": ", ".join(QuestionFormat.values)}
        problems.append(Problem("not_a_choice", message, f"{place}.format"))
    uses = stated.get("rules")
    if not isinstance(uses, list) or not all(isinstance(use, dict) for use in uses):
        problems.append(Problem("not_list", _("A list of rules is expected."), f"{place}.rules"))
        uses = []
    read = [_rule(use, f"{place}.rules[{index}]", problems) for index, use in enumerate(uses)]
    return Entry(skill.casefold(), question_format, tuple(rule for rule in read if rule is not None))


def _rule(stated: dict[str, Any], place: str, problems: list[Problem]) -> ReadRule | None:
    parameters = stated.get("parameters", {})
    if set(stated) - {"rule", "parameters"} or not isinstance(parameters, dict):
        problems.append(Problem("unknown_field", _("A rule has a name and parameters, and nothing else."), place))
        return None
    read = read_rule(str(stated.get("rule", "")), None, parameters)
    if isinstance(read, ReadRule):
        return read
    code, message, field = read
    problems.append(Problem(code, message, place + field))
    return None
