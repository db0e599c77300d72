"""From scores of rules to the score of a question, and from questions to the benchmark."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agreement.answers.declaration import TOP
from agreement.figures import NO_ITEMS, Figure

#: Share of the planned questions that must have a score before a rank is shown.
SHARE_FOR_A_RANK = 0.99

NOT_SCORED = "no question has a score"


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """The score of one answer, or the reason why it has none.

    value     0 to 10; None exactly where `unscored` names a reason.
    fixed_by  the fixed rule that decided it alone or set a limit ("empty", "language", ...), else "".
    by_rule   score of each rule that has one.
    """

    value: float | None
    unscored: str = ""
    fixed_by: str = ""
    by_rule: Mapping[str, float] = field(default_factory=dict)


def fixed(value: float, rule: str) -> QuestionScore:
    """A score that a fixed rule gives whatever the rules of the question say: 0 for another language, for instance."""
    return QuestionScore(_checked(rule, value), fixed_by=rule)


def question_score(
    by_rule: Mapping[str, float | None],
    failures: Mapping[str, str] | None = None,
    limit: float = TOP,
    limited_by: str = "",
) -> QuestionScore:
    """The mean of a question's rules.

    by_rule   score of every rule the question names, None where one failed.
    failures  why, by rule.
    limit     what a fixed rule allows at most, and in `limited_by` its name.

    A question with a failed rule has no score, never the mean of its other rules. Raises ValueError for a question
    without rules and for a score that is not from 0 to 10.
    """
    if not by_rule:
        raise ValueError("a question needs a rule")
    scores = {rule: _checked(rule, value) for rule, value in by_rule.items() if value is not None}
    failed = [rule for rule, value in by_rule.items() if value is None]
    if failed:
        reasons = [f"{rule}: {(failures or {}).get(rule) or 'no score'}" for rule in failed]
        return QuestionScore(None, unscored="; ".join(reasons), by_rule=scores)
    mean = math.fsum(scores.values()) / len(scores)
    if mean > limit:
        return QuestionScore(limit, fixed_by=limited_by, by_rule=scores)
    return QuestionScore(mean, by_rule=scores)


def _checked(rule: str, value: float) -> float:
    if not 0 <= value <= TOP:
        raise ValueError(f"{rule}: a score is from 0 to 10, not {value!r}")
    return float(value)


def benchmark_score(questions: Sequence[QuestionScore], planned: int | None = None) -> Figure:
    """The mean over the questions that have a score; n is their number.

    planned  questions of the set; as many as given where left out. Those without an answer row count as unscored.

    detail: planned, unscored, share_scored and has_rank (false below 99 % scored). Undefined: "no items" where no
    question was planned, "no question has a score". Raises ValueError where more questions are given than planned.
    """
    planned = len(questions) if planned is None else planned
    if len(questions) > planned:
        raise ValueError(f"{len(questions)} questions, but {planned} planned")
    if not planned:
        return Figure.without_value(NO_ITEMS)
    values = [question.value for question in questions if question.value is not None]
    share = len(values) / planned
    detail: dict[str, Any] = {
        "planned": planned,
        "unscored": planned - len(values),
        "share_scored": share,
        # In whole numbers: 99 of 100 is 99 %, whatever 99 / 100 is in binary.
        "has_rank": len(values) * 100 >= round(SHARE_FOR_A_RANK * 100) * planned,
    }
    if not values:
        return Figure.without_value(NOT_SCORED, **detail)
    return Figure(math.fsum(values) / len(values), len(values), detail=detail)
