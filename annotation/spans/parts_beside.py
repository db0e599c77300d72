"""The parts that a stage asks beside its marks (`Stage.ask`), answered in one with them.

They are a questionnaire's answers of the same assignment; a check's stay in the check's own body.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.questionnaires.checking import check_complete, read_draft
from annotation.questionnaires.rules import broken, is_of_parts, rules_of_parts
from formats.layout import Asked
from projects.problems import Invalid, Problem

FIELD = "answers"

Rules = Sequence[Mapping[str, Any]]


def read_answers(parts: Sequence[Asked], body: Mapping[str, Any]) -> dict[str, Any]:
    """The answers in a draft's body, a value by the key of each part that has one. Raises Invalid."""
    if body.get(FIELD) is None:
        return {}
    answers: dict[str, Any] = read_draft({FIELD: body[FIELD]}, parts, ())[FIELD]
    return answers


def missing_answers(parts: Sequence[Asked], answers: Mapping[str, Any], rules: Rules) -> list[Problem]:
    """What keeps marks with these answers from being an answer: each part that is asked, though there are no errors."""
    if not parts:
        return []
    try:
        check_complete({FIELD: answers}, parts, (), of_parts(rules), may_be_empty=True)
    except Invalid as refused:
        return list(refused.problems)
    return []


def warned_of(answers: Mapping[str, Any], rules: Rules) -> list[Problem]:
    return [each.problem for each in broken(of_parts(rules), answers) if each.warns]


def of_parts(rules: Rules) -> list[Mapping[str, Any]]:
    return [rule for rule in rules if is_of_parts(rule)]


def kept_rules(rules: Rules, parts: Sequence[Asked]) -> list[dict[str, Any]]:
    """Those of marks, and those that what is asked now can keep, in their order: of parts, and of marks `unless` a part
    is answered so."""
    return [kept for rule in rules for kept in _kept(rule, parts)]


def _kept(rule: Mapping[str, Any], parts: Sequence[Asked]) -> list[dict[str, Any]]:
    if is_of_parts(rule):
        return rules_of_parts([rule], parts)
    if not rule.get("unless"):
        return [dict(rule)]
    kept = rules_of_parts([of_part(rule)], parts)
    return [{**rule, **({"answer": each["answer"]} if "answer" in each else {})} for each in kept]


def of_part(rule: Mapping[str, Any]) -> dict[str, Any]:
    """What a rule of marks says of a part, as one of parts says it."""
    return {"after": rule["unless"]} | ({"answer": rule["answer"]} if rule.get("answer") else {})
