"""What the rules of a stage (formats/answer_rules.py) say of the marks of an answer. No database.

The screen asks by the same rules (static/src/spans/rules.js); both are held to tests/annotation/answer_rules.json.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.questionnaires.rules import RULE_WORDS as OF_PARTS
from annotation.questionnaires.rules import is_of_parts
from formats.answer_rules import NEEDS, OF_MARKS
from workflow.broken_rules import Broken, is_miscounted
from workflow.rule_words import RuleWords

#: Where a stage says nothing else.
DEFAULT: tuple[Mapping[str, Any], ...] = ({"needs": "explanation"},)


#: What a rule of marks says of the answer beside them that sets it aside.
UNLESS = RuleWords((), (), ("unless", "answer", "at_least", "at_most"))


@dataclass(frozen=True)
class WordsOfMarksAndParts(RuleWords):
    """A rule says what one of marks may, or, where the stage asks parts beside them, what one of parts may. One of
    marks may hold `unless` a part is answered so."""

    def faults(self, rule: Mapping[str, Any], words: Mapping[str, Collection[str]]) -> Iterator[tuple[str, str, str]]:
        if is_of_parts(rule) and words.get("ask"):
            return OF_PARTS.faults(rule, words)
        if rule.get("unless"):
            return self._faults_unless(rule, words)
        return super().faults(rule, words)

    def _faults_unless(
        self, rule: Mapping[str, Any], words: Mapping[str, Collection[str]]
    ) -> Iterator[tuple[str, str, str]]:
        yield from super().faults({name: said for name, said in rule.items() if name not in UNLESS.conditions}, words)
        of_part = {name: rule[name] for name in UNLESS.conditions if name in rule}
        yield from UNLESS.faults(of_part, {"answer": words.get("answer", ()), "unless": words.get("ask", ())})


RULE_WORDS = WordsOfMarksAndParts(needs=NEEDS, conditions=OF_MARKS)
LINK = re.compile(r"https?://[^\s.]+\.\S")


def broken(rules: Sequence[Mapping[str, Any]], marks: Sequence[Mapping[str, Any]]) -> list[Broken]:
    """Every rule of marks that these do not keep, mark by mark, then those of all marks together.

    marks   as screens and files write them: `id`, `type`, `criticality`, `category` (its short name), `explanation`,
            `correction`.
    """
    rules = [rule for rule in rules if not is_of_parts(rule)]
    found = [
        Broken(rule, str(mark["id"]), "explanation" if rule["needs"] == "link" else rule["needs"])
        for mark in marks
        for rule in rules
        if rule.get("needs") and _is_of(rule, mark) and not _has(mark, rule["needs"])
    ]
    found += [
        Broken(rule, None, "spans") for rule in rules if is_miscounted(rule, sum(_is_of(rule, mark) for mark in marks))
    ]
    return found


def _is_of(rule: Mapping[str, Any], mark: Mapping[str, Any]) -> bool:
    return all(not rule.get(name) or mark.get(name) in rule[name] for name in OF_MARKS)


def _has(mark: Mapping[str, Any], need: str) -> bool:
    if need == "link":
        return LINK.search(mark.get("explanation") or "") is not None
    return bool((mark.get(need) or "").strip())
