"""What the rules of a stage (formats/answer_rules.py) say of the ratings of an answer. No database.

The screen asks by the same rules (static/src/ratings/rules.js); both are held to tests/annotation/rating_rules.json.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from formats.answer_rules import COMMENT
from workflow.broken_rules import Broken, is_miscounted
from workflow.rule_words import RuleWords

CONDITIONS = ("question", "at_least", "at_most")
DEMANDS = ("needs", "most", "least", "ask", "after")
RULE_WORDS = RuleWords((COMMENT,), DEMANDS, CONDITIONS)
RULE_WORDS_OF_PAIRS = RuleWords((COMMENT,), DEMANDS, (*CONDITIONS, "preference"))
GRADES = ("first", "second")

Rules = Sequence[Mapping[str, Any]]
Ratings = Sequence[Mapping[str, Any]]


def left_open(rules: Rules, ratings: Ratings) -> set[str]:
    """The questions that nobody need answer, for what they are asked after was not said.

    rules, ratings  as stages and drafts hold them; a rating has `question`, `first` and `comment`, of a pair also
                    `second` and `preference`.
    """
    return {slug for rule in rules if rule.get("ask") and not _is_said(rule, ratings) for slug in rule["ask"]}


def broken(rules: Rules, ratings: Ratings) -> list[Broken]:
    """Every rule that these ratings do not keep, question by question, then those of all together."""
    given = [rating for rating in ratings if is_answered(rating)]
    found = []
    for rating in given:
        for rule in rules:
            if rule.get("needs") and _is_of(rule, rating) and not (rating.get("comment") or "").strip():
                found.append(Broken(rule, rating["question"], "comment"))
            elif rule.get("ask") and rating["question"] in rule["ask"] and not _is_said(rule, ratings):
                found.append(Broken(rule, rating["question"], _first_field(rating)))
    return found + [
        Broken(rule, None, "ratings")
        for rule in rules
        if is_miscounted(rule, sum(_is_of(rule, rating) for rating in given))
    ]


def is_answered(rating: Mapping[str, Any]) -> bool:
    return any(rating.get(field) is not None for field in GRADES) or bool(rating.get("preference"))


def _is_said(rule: Mapping[str, Any], ratings: Ratings) -> bool:
    """Whether the question that comes first has such an answer."""
    first = [rating for rating in ratings if rating["question"] == rule["after"] and is_answered(rating)]
    return any(_is_so(rule, rating) for rating in first)


def _is_of(rule: Mapping[str, Any], rating: Mapping[str, Any]) -> bool:
    return (not rule.get("question") or rating["question"] in rule["question"]) and _is_so(rule, rating)


def _is_so(rule: Mapping[str, Any], rating: Mapping[str, Any]) -> bool:
    """Of a pair, either side's grade will do."""
    lowest, highest = rule.get("at_least"), rule.get("at_most")
    if lowest is not None or highest is not None:
        grades = [rating[field] for field in GRADES if rating.get(field) is not None]
        if not any((lowest is None or grade >= lowest) and (highest is None or grade <= highest) for grade in grades):
            return False
    return not rule.get("preference") or rating.get("preference") in rule["preference"]


def _first_field(rating: Mapping[str, Any]) -> str:
    return next((field for field in GRADES if rating.get(field) is not None), "preference")
