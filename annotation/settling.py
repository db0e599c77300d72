"""Gold grades of rated responses and pairs, from what people said of each. Knows no database.

An expert's grades come first; else the project's rule. Judges never make gold.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agreement import consensus

EXPERT = "expert"
# Preferences as numbers, so that their majority is one of grades: a win against a loss gives a tie.
SIGNS = {"second": -1, "tie": 0, "first": 1}
PREFERRED = {sign: preference for preference, sign in SIGNS.items()}


class Said(NamedTuple):
    """One person's answer to one question type: on a pair two grades or a preference, on a response `first` alone."""

    subject: int
    question: str
    first: float | None
    second: float | None
    preference: str
    is_expert: bool


class Settled(NamedTuple):
    """Gold of one subject on one question type.

    `preference` is what the two grades say, else what most say outright; "" of a single response. `rule` is
    "expert", or the project's: "majority" or "mean"; `n` the answers it rests on.
    """

    first: float | None
    second: float | None
    preference: str
    rule: str
    n: int


def settle(
    answers: Iterable[Said], rule: str, scales: dict[str, tuple[int, int] | None]
) -> dict[tuple[int, str], Settled]:
    """Gold by subject and question type. `scales` has lowest and highest grade of each question type that has them."""
    by_question: dict[str, list[Said]] = defaultdict(list)
    for answer in answers:
        by_question[answer.question].append(answer)
    settled: dict[tuple[int, str], Settled] = {}
    for question, said in by_question.items():
        graded = [each for each in said if each.first is not None]
        settled |= _by_grades(question, graded, rule, scales.get(question))
        stated = [each for each in said if (each.subject, question) not in settled and each.preference]
        settled |= _by_preferences(question, stated)
    return settled


def _by_grades(
    question: str, said: Sequence[Said], rule: str, scale: tuple[int, int] | None
) -> dict[tuple[int, str], Settled]:
    first = _gold([(each.subject, each.first, each.is_expert) for each in said], rule, scale)
    of_pairs = [(each.subject, each.second, each.is_expert) for each in said if each.second is not None]
    second = _gold(of_pairs, rule, scale)
    settled = {}
    for subject, (grade, by_experts, n) in first.items():
        other = second.get(subject)
        preference = PREFERRED[(grade > other[0]) - (grade < other[0])] if other else ""
        how = EXPERT if by_experts else rule
        settled[subject, question] = Settled(grade, other[0] if other else None, preference, how, n)
    return settled


def _by_preferences(question: str, said: Sequence[Said]) -> dict[tuple[int, str], Settled]:
    """By majority whatever the project's rule: a preference has no mean."""
    found = _gold([(each.subject, SIGNS[each.preference], each.is_expert) for each in said], "majority", (-1, 1))
    return {
        (subject, question): Settled(None, None, PREFERRED[int(sign)], EXPERT if by_experts else "majority", n)
        for subject, (sign, by_experts, n) in found.items()
    }


def _gold(
    grades: Sequence[tuple[int, float | None, bool]], rule: str, scale: tuple[int, int] | None
) -> dict[int, tuple[float, bool, int]]:
    if not grades:
        return {}
    items, values, experts = zip(*grades, strict=True)
    gold = consensus.gold(items, values, experts, rule, scale)
    columns = (gold.items.tolist(), gold.values.tolist(), gold.by_experts.tolist(), gold.n.tolist())
    return {item: (value, by_experts, n) for item, value, by_experts, n in zip(*columns, strict=True)}


def as_number(grade: float | None) -> float | int | None:
    """A whole grade as a whole number, as files have it."""
    return int(grade) if grade is not None and grade == int(grade) else grade
