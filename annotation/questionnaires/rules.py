"""What the rules of a stage (formats/answer_rules.py) say of the answers to a questionnaire. No database.

The screen asks by the same rules (static/src/questionnaires/rules.js); both are held to
tests/annotation/questionnaire_rules.json.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from formats.layout import Asked
from workflow.broken_rules import Broken, is_miscounted
from workflow.rule_words import RuleWords

RULE_WORDS = RuleWords((), ("most", "least", "ask", "after"), ("question", "at_least", "at_most", "answer"))

#: What only a rule of parts says; beside marks any other rule is one of marks.
OF_PARTS = ("ask", "question", "at_least", "at_most", "answer")

Rules = Sequence[Mapping[str, Any]]
Answers = Mapping[str, Any]


def is_of_parts(rule: Mapping[str, Any]) -> bool:
    """Whether a rule of work that asks for marks and parts speaks of the parts. One with `unless` speaks of marks."""
    return not rule.get("unless") and any(rule.get(name) not in (None, "", []) for name in OF_PARTS)


def rules_of_parts(rules: Rules, parts: Sequence[Asked]) -> list[dict[str, Any]]:
    """Those of the rules that what is asked now can keep, without the questions and answers that are there no more:
    what each asks and asks after, and one at least of the questions and of the answers that it names, are there."""
    offered = {part.key: part.options for part in parts}

    def kept(rule: Mapping[str, Any]) -> dict[str, Any] | None:
        after = rule.get("after")
        asked = [after] if after is not None else rule.get("question") or list(offered)
        there = [key for key in asked if key in offered]
        now = {name: [key for key in rule[name] if key in offered] for name in ("ask", "question") if rule.get(name)}
        if rule.get("answer"):
            now["answer"] = [one for one in rule["answer"] if any(one in offered[key] for key in there)]
        return {**rule, **now} if there and all(now.values()) else None

    return [now for rule in rules if (now := kept(rule)) is not None]


def holding(rules: Rules, answers: Answers) -> list[Mapping[str, Any]]:
    """The rules without those that hold only until a part beside the marks is answered, where it is answered so."""

    def is_set_aside(rule: Mapping[str, Any]) -> bool:
        return bool(rule.get("unless")) and _is_said({**rule, "after": rule["unless"]}, answers)

    return [rule for rule in rules if not is_set_aside(rule)]


def is_open(value: object) -> bool:
    """Whether a value says nothing yet."""
    return value is None or value in ("", [], {}) or (isinstance(value, str) and not value.strip())


def words_of(parts: Iterable[Asked]) -> Mapping[str, Collection[str]]:
    """What rules may name of these parts: their keys, and the answers that they offer."""
    asked = list(parts)
    keys = [part.key for part in asked]
    return {
        **dict.fromkeys(("question", "ask", "after"), keys),
        "answer": list(dict.fromkeys(option for part in asked for option in part.options)),
    }


def left_open(rules: Rules, answers: Answers) -> set[str]:
    """The keys of the parts that nobody need answer, for what they are asked after was not said.

    rules, answers  as stages and drafts hold them.
    """
    return {key for rule in rules if rule.get("ask") and not _is_said(rule, answers) for key in rule["ask"]}


def broken(rules: Rules, answers: Answers) -> list[Broken]:
    """Every rule that these answers do not keep, part by part, then those of all together."""
    given = {key: value for key, value in answers.items() if not is_open(value)}
    found = [
        Broken(rule, key, key)
        for key in given
        for rule in rules
        if key in rule.get("ask", ()) and not _is_said(rule, answers)
    ]
    return found + [
        Broken(rule, None, "answers")
        for rule in rules
        if is_miscounted(rule, sum(_is_of(rule, key, value) for key, value in given.items()))
    ]


def _is_said(rule: Mapping[str, Any], answers: Answers) -> bool:
    """Whether the part that comes first has such an answer."""
    value = answers.get(rule["after"])
    return not is_open(value) and _is_so(rule, value)


def _is_of(rule: Mapping[str, Any], key: str, value: Any) -> bool:
    return (not rule.get("question") or key in rule["question"]) and _is_so(rule, value)


def _is_so(rule: Mapping[str, Any], value: Any) -> bool:
    """Of any of several, one such answer among them will do."""
    lowest, highest = rule.get("at_least"), rule.get("at_most")
    if lowest is not None or highest is not None:
        if type(value) not in (int, float):
            return False
        if (lowest is not None and value < lowest) or (highest is not None and value > highest):
            return False
    if not rule.get("answer"):
        return True
    said = value if isinstance(value, list) else [value]
    return any(one in rule["answer"] for one in said)
