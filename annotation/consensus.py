"""Gold of rated responses and pairs, from people's answers: the rules of a project, stated once. Knows no database.

An expert's answers come before everybody's; else the project's rule decides (annotation.models.GoldRule). Grades that
are fractions have no majority: their gold is the mean. A preference follows from the two gold grades; where nobody
graded, it is the majority of the stated ones, for a preference has no mean. Of a person's rounds the latest counts
(`latest_rounds`). Judges never make gold. The arithmetic is in agreement/consensus.py.

A rule that weighs raters (Dawid-Skene, MACE) rests on all that people graded of a question type in a variety: there
it is fitted, and applied to any item's answers (annotation/fitted_rules.py, agreement/weighed_gold.py). Where it cannot
be fitted, and among experts, the majority decides, and the gold says so.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from agreement.consensus import Gold, Nominal, gold
from agreement.weighed_gold import MODELS, RaterWeights, weighed_gold

MAJORITY, MEDIAN, MEAN, EXPERT = "majority", "median", "mean", "expert"
LOSS, TIE, WIN = -1, 0, 1
# Preferences as numbers, so that their majority is one of grades: a win against a loss gives a tie.
SIGNS = {"second": LOSS, "tie": TIE, "first": WIN}
PREFERENCES = {sign: preference for preference, sign in SIGNS.items()}

Scale = tuple[int, int]
Row = TypeVar("Row")


@dataclass(frozen=True)
class Rule:
    """The project's rule: its name, and of one that weighs raters its weights by question type (slug) and variety (id).

    Without weights such a rule is the majority. of_fractions  slugs of the question types that somebody gave a fraction
    of a grade: their gold is the mean, whichever part of their answers is looked at.
    """

    name: str
    weights: Mapping[tuple[str, int], RaterWeights] = field(default_factory=dict)
    of_fractions: frozenset[str] = frozenset()

    @classmethod
    def of(cls, rule: "str | Rule") -> "Rule":
        return rule if isinstance(rule, Rule) else cls(rule)


class RatedAnswer(NamedTuple):
    """One person's answer to one question type: on a pair two grades or a preference, on a response `first` alone.

    rater, variety  ids, asked for by rules that weigh raters.
    """

    subject: int
    question: str
    first: float | None
    second: float | None
    preference: str
    is_expert: bool
    rater: int = 0
    variety: int = 0


class ConsensusAnswer(NamedTuple):
    """Gold of one subject on one question type.

    `preference` is what the two grades say, else what most say outright; "" of a single response. `rule` is
    "expert", or a rule of gold; `n` the answers it rests on.
    """

    first: float | None
    second: float | None
    preference: str
    rule: str
    n: int


# --- Rules over arrays --------------------------------------------------------------------------------


def applied_rule(grades: ArrayLike, rule: str, weights: RaterWeights | None = None) -> str:
    """The project's rule; the mean in place of the majority where any of these grades is a fraction, and the majority
    where a rule that weighs raters has no weights."""
    if rule == MEDIAN:
        return MEDIAN
    values = np.asarray(grades, dtype=float)
    if not (values == np.round(values)).all():
        return MEAN
    return MAJORITY if rule in MODELS and weights is None else rule


def consensus_of_grades(
    items: ArrayLike,
    grades: ArrayLike,
    is_expert: ArrayLike,
    rule: str,
    scale: Scale | None,
    raters: ArrayLike | None = None,
    weights: RaterWeights | None = None,
) -> Gold:
    """Gold of items by people's grades, by `applied_rule`; arguments and errors as of `agreement.consensus.gold`.

    raters, weights  of each grade its rater's id, and what the rule says of them; only of a rule that weighs raters.
    """
    applied = applied_rule(grades, rule, weights)
    if applied not in MODELS:
        return gold(items, grades, is_expert, applied, scale)
    assert weights is not None
    assert raters is not None
    assert scale is not None
    return weighed_gold(items, raters, grades, is_expert, weights, scale)


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
    answers: Iterable[RatedAnswer], rule: str | Rule, scales: Mapping[str, Scale | None]
) -> dict[tuple[int, str], ConsensusAnswer]:
    """Gold by subject and question type, of each question type in the order of the subjects' ids.

    `rule` is the project's; one that weighs raters is the majority where only its name is given. `scales` has lowest
    and highest grade of each question type that has them. Raises ValueError for a grade off its scale.
    """
    chosen = Rule.of(rule)
    by_question: dict[str, list[RatedAnswer]] = defaultdict(list)
    for answer in answers:
        by_question[answer.question].append(answer)
    consensus: dict[tuple[int, str], ConsensusAnswer] = {}
    for question, of_question in by_question.items():
        graded = [answer for answer in of_question if answer.first is not None]
        by_subject = _graded(graded, question, chosen, scales.get(question))
        by_subject |= _by_preferences([answer for answer in of_question if answer.subject not in by_subject])
        consensus |= {(subject, question): answer for subject, answer in by_subject.items()}
    return consensus


def _graded(
    answers: Sequence[RatedAnswer], question: str, rule: Rule, scale: Scale | None
) -> dict[int, ConsensusAnswer]:
    """One variety after the other where raters are weighed, for they are weighed in each."""
    if question in rule.of_fractions:
        return _by_grades(answers, MEAN, scale, None)
    if not rule.weights:
        return _by_grades(answers, rule.name, scale, None)
    by_variety: dict[int, list[RatedAnswer]] = defaultdict(list)
    for answer in answers:
        by_variety[answer.variety].append(answer)
    consensus: dict[int, ConsensusAnswer] = {}
    for variety, of_variety in by_variety.items():
        consensus |= _by_grades(of_variety, rule.name, scale, rule.weights.get((question, variety)))
    return dict(sorted(consensus.items()))


def _by_grades(
    answers: Sequence[RatedAnswer], rule: str, scale: Scale | None, weights: RaterWeights | None
) -> dict[int, ConsensusAnswer]:
    grades = [grade for answer in answers for grade in (answer.first, answer.second) if grade is not None]
    applied = applied_rule(grades, rule, weights)
    of_pairs = [answer for answer in answers if answer.second is not None]
    first, second = (
        _gold([(one.subject, grade, one.is_expert, one.rater) for one, grade in side], applied, scale, weights)
        for side in ([(one, one.first) for one in answers], [(one, one.second) for one in of_pairs])
    )
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
        consensus[subject] = ConsensusAnswer(grade, other, preference, EXPERT if by_experts else applied, n)
    return consensus


def _by_preferences(answers: Sequence[RatedAnswer]) -> dict[int, ConsensusAnswer]:
    signs = [
        (answer.subject, SIGNS[answer.preference], answer.is_expert, answer.rater)
        for answer in answers
        if answer.preference
    ]
    return {
        subject: ConsensusAnswer(None, None, PREFERENCES[int(sign)], EXPERT if by_experts else MAJORITY, n)
        for subject, (sign, by_experts, n) in _gold(signs, MAJORITY, (LOSS, WIN)).items()
    }


def _gold(
    grades: Sequence[tuple[int, float | None, bool, int]],
    rule: str,
    scale: Scale | None,
    weights: RaterWeights | None = None,
) -> dict[int, tuple[float, bool, int]]:
    """Gold by subject, whether experts gave it, and the answers it rests on; of (subject, grade, by an expert, rater)
    under a rule that was applied."""
    if not grades:
        return {}
    subjects, values, experts, raters = zip(*grades, strict=True)
    made = consensus_of_grades(subjects, values, experts, rule, scale, raters, weights)
    columns = (made.values.tolist(), made.by_experts.tolist(), made.n.tolist())
    return dict(zip(made.items.tolist(), zip(*columns, strict=True), strict=True))


def as_number(grade: float | None) -> float | int | None:
    """A whole grade as a whole number, as files have it."""
    return int(grade) if grade is not None and grade == int(grade) else grade
