"""Gold of rated responses and pairs, from people's answers: the rules of a project, stated once. Knows no database.

An expert's answers come before everybody's; else the project's rule decides (annotation.models.GoldRule). Grades that
are fractions have no majority: their gold is the mean. A preference follows from the two gold grades; where nobody
graded, it is the majority of the stated ones, for a preference has no mean. Of a person's rounds the latest counts
(`latest_rounds`). Judges never make gold. The arithmetic is
in agreement/consensus.py.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from agreement.consensus import Gold, Nominal, gold

MAJORITY, MEAN, EXPERT = "majority", "mean", "expert"
LOSS, TIE, WIN = -1, 0, 1
# Preferences as numbers, so that their majority is one of grades: a win against a loss gives a tie.
SIGNS = {"second": LOSS, "tie": TIE, "first": WIN}
PREFERENCES = {sign: preference for preference, sign in SIGNS.items()}

Scale = tuple[int, int]
Row = TypeVar("Row")


class RatedAnswer(NamedTuple):
    """One person's answer to one question type: on a pair two grades or a preference, on a response `first` alone."""

    subject: int
    question: str
    first: float | None
    second: float | None
    preference: str
    is_expert: bool


class ConsensusAnswer(NamedTuple):
    """Gold of one subject on one question type.

    `preference` is what the two grades say, else what most say outright; "" of a single response. `rule` is
    "expert", "majority" or "mean"; `n` the answers it rests on.
    """

    first: float | None
    second: float | None
    preference: str
    rule: str
    n: int


# --- Rules over arrays --------------------------------------------------------------------------------


def applied_rule(grades: ArrayLike, rule: str) -> str:
    """The project's rule, "majority" or "mean"; the mean where any of these grades is a fraction."""
    values = np.asarray(grades, dtype=float)
    return rule if (values == np.round(values)).all() else MEAN


def consensus_of_grades(
    items: ArrayLike, grades: ArrayLike, is_expert: ArrayLike, rule: str, scale: Scale | None
) -> Gold:
    """Gold of items by people's grades, by `applied_rule`; arguments and errors as of `agreement.consensus.gold`."""
    return gold(items, grades, is_expert, applied_rule(grades, rule), scale)


def consensus_of_signs(items: ArrayLike, signs: ArrayLike, is_expert: ArrayLike) -> Gold:
    """Gold of items by stated preferences as `SIGNS`, all of shape (N,): the majority, whatever the project's rule."""
    return gold(items, signs, is_expert, MAJORITY, (LOSS, WIN))


def preference_between(first: float, second: float) -> str:
    """The preference that two grades imply: "first", "second" or "tie"."""
    return PREFERENCES[(first > second) - (first < second)]


def latest_rounds(rows: Iterable[Row], answer_of: Callable[[Row], tuple[Hashable, int]]) -> list[Row]:
    """The rows of each person's latest round alone, in their order: whoever answers again changes what they said.

    `answer_of` names of a row what was answered by whom, and the round.
    """
    answers = [(row, *answer_of(row)) for row in rows]
    latest: dict[Hashable, int] = {}
    for _row, answer, round in answers:
        latest[answer] = max(round, latest.get(answer, round))
    return [row for row, answer, round in answers if round == latest[answer]]


# --- Rules over rows ----------------------------------------------------------------------------------


def consensus_of(
    answers: Iterable[RatedAnswer], rule: str, scales: Mapping[str, Scale | None]
) -> dict[tuple[int, str], ConsensusAnswer]:
    """Gold by subject and question type, of each question type in the order of the subjects' ids.

    `rule` is the project's, "majority" or "mean". `scales` has lowest and highest grade of each question type that
    has them. Raises ValueError for a grade off its scale.
    """
    by_question: dict[str, list[RatedAnswer]] = defaultdict(list)
    for answer in answers:
        by_question[answer.question].append(answer)
    consensus: dict[tuple[int, str], ConsensusAnswer] = {}
    for question, of_question in by_question.items():
        graded = [answer for answer in of_question if answer.first is not None]
        by_subject = _by_grades(graded, rule, scales.get(question))
        by_subject |= _by_preferences([answer for answer in of_question if answer.subject not in by_subject])
        consensus |= {(subject, question): answer for subject, answer in by_subject.items()}
    return consensus


def _by_grades(answers: Sequence[RatedAnswer], rule: str, scale: Scale | None) -> dict[int, ConsensusAnswer]:
    grades = [grade for answer in answers for grade in (answer.first, answer.second) if grade is not None]
    rule = applied_rule(grades, rule)
    first = _gold([(answer.subject, answer.first, answer.is_expert) for answer in answers], rule, scale)
    of_pairs = [answer for answer in answers if answer.second is not None]
    second = _gold([(answer.subject, answer.second, answer.is_expert) for answer in of_pairs], rule, scale)
    has_order = not isinstance(scale, Nominal)
    stated = {} if has_order else _by_preferences(of_pairs)
    paired = {answer.subject for answer in of_pairs}
    consensus = {}
    for subject, (grade, by_experts, n) in first.items():
        other = second[subject][0] if subject in second else None
        preference = "" if other is None else preference_between(grade, other)
        if not has_order:
            # Of the pair both grades have to lead; which of two names is better nobody can infer.
            if other is None and subject in paired:
                continue
            preference = stated[subject].preference if subject in stated else ""
        consensus[subject] = ConsensusAnswer(grade, other, preference, EXPERT if by_experts else rule, n)
    return consensus


def _by_preferences(answers: Sequence[RatedAnswer]) -> dict[int, ConsensusAnswer]:
    signs = [(answer.subject, SIGNS[answer.preference], answer.is_expert) for answer in answers if answer.preference]
    return {
        subject: ConsensusAnswer(None, None, PREFERENCES[int(sign)], EXPERT if by_experts else MAJORITY, n)
        for subject, (sign, by_experts, n) in _gold(signs, MAJORITY, (LOSS, WIN)).items()
    }


def _gold(
    grades: Sequence[tuple[int, float | None, bool]], rule: str, scale: Scale | None
) -> dict[int, tuple[float, bool, int]]:
    """Gold by subject, whether experts gave it, and the answers it rests on; of (subject, grade, by an expert)."""
    if not grades:
        return {}
    subjects, values, experts = zip(*grades, strict=True)
    made = gold(subjects, values, experts, rule, scale)
    columns = (made.values.tolist(), made.by_experts.tolist(), made.n.tolist())
    return dict(zip(made.items.tolist(), zip(*columns, strict=True), strict=True))


def as_number(grade: float | None) -> float | int | None:
    """A whole grade as a whole number, as files have it."""
    return int(grade) if grade is not None and grade == int(grade) else grade
