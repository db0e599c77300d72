"""What the rules of a stage (formats/answer_rules.py) say of a grading. No database.

The screen asks by the same rules (static/src/scoring/rules.js); both are held to tests/rubrics/grading_rules.json.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from formats.answer_rules import COMMENT
from rubrics.models import VerdictValue
from workflow.broken_rules import Broken, is_miscounted
from workflow.rule_words import RuleWords

CONDITIONS = ("verdict", "tag")
RULE_WORDS = RuleWords((COMMENT,), conditions=CONDITIONS)
WORDS = {"verdict": VerdictValue.values}


def broken(
    rules: Sequence[Mapping[str, Any]], draft: Mapping[str, Any], tags: Mapping[str, Sequence[str]]
) -> list[Broken]:
    """Every rule that a grading does not keep.

    draft  a checked body. tags  of each criterion that was asked about, by its key. A grader's own errors are present
           and have no tags.
    """
    said = [(value, tags.get(key, ())) for key, value in draft["verdicts"].items()]
    said += [(VerdictValue.PRESENT.value, ())] * len(draft["negatives"])
    found = []
    for rule in rules:
        count = sum(_is_of(rule, value, words) for value, words in said)
        if rule.get("needs") and count and not draft["comment"].strip():
            found.append(Broken(rule, None, "comment"))
        elif is_miscounted(rule, count):
            found.append(Broken(rule, None, "verdicts"))
    return found


def _is_of(rule: Mapping[str, Any], value: str, tags: Sequence[str]) -> bool:
    if rule.get("verdict") and value not in rule["verdict"]:
        return False
    return not rule.get("tag") or any(tag in rule["tag"] for tag in tags)
