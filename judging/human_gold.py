"""What people settled on: gold of responses and of pairs, for few-shot examples and training sets.

No prompt about an item holds anything of this module but what judging/kinds/examples.py draws from the training
split for it.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from agreement.consensus import gold, nearest_grade
from annotation.models import GoldRule, Preference, Rating, RatingSettings
from projects.models import Project, QuestionType, RaterKind

# Preferences as numbers, so that their majority is one of grades: a win against a loss gives a tie.
SIGNS = {Preference.SECOND: -1, Preference.TIE: 0, Preference.FIRST: 1}
PREFERRED = {sign: str(preference) for preference, sign in SIGNS.items()}


class GradedResponse(NamedTuple):
    """Gold of one response on one question type, as a whole grade of its scale."""

    response: int
    grade: int


class GradedPair(NamedTuple):
    """Gold of a pair on one question type: whole grades, or the preference where the type has no scale."""

    pair: int
    first: int
    second: int
    grades: tuple[int, int] | None
    preference: str
    by_experts: bool


class Said(NamedTuple):
    pair: int | None
    response: int | None
    first: int | None
    second: int | None
    grades: tuple[float | None, float | None]
    preference: str
    is_expert: bool


COLUMNS = (
    "question_id",
    "pair_id",
    "response_id",
    "pair__first_id",
    "pair__second_id",
    "first_grade",
    "second_grade",
    "preference",
    "rater__is_expert",
)


def rule_of(project: Project) -> str:
    """The project's gold rule, as agreement/consensus.py calls it."""
    settings = RatingSettings.objects.filter(project=project).first()
    return str(settings.gold_rule if settings else GoldRule.MAJORITY)


def said_by_people(project: Project) -> dict[int, list[Said]]:
    """People's ratings by question type; no judge's, and none that only checked the rater. One statement."""
    ratings = Rating.objects.filter(
        question__project=project, rater__kind=RaterKind.HUMAN, is_check=False, is_unparseable=False
    )
    found: dict[int, list[Said]] = defaultdict(list)
    for question, pair, response, first, second, one, other, preference, expert in ratings.values_list(*COLUMNS):
        found[question].append(Said(pair, response, first, second, (one, other), preference, expert))
    return found


def graded_responses(question: QuestionType, said: Iterable[Said], rule: str) -> list[GradedResponse]:
    """Gold of every response that people graded, by itself or in pairs, in the order of their ids."""
    grades = [
        (response, grade, each.is_expert)
        for each in said
        for response, grade in ((each.response or each.first, each.grades[0]), (each.second, each.grades[1]))
        if response is not None and grade is not None
    ]
    found = settled(question, grades, rule)
    return [GradedResponse(response, grade) for response, (grade, _by_experts) in found.items()]


def graded_pairs(question: QuestionType, said: Iterable[Said], rule: str) -> list[GradedPair]:
    """Gold of every pair that people rated side by side, in the order of their ids."""
    of_pairs = [each for each in said if each.pair is not None]
    sides = {each.pair: (each.first or 0, each.second or 0) for each in of_pairs}
    if not question.has_scale:
        signs = [(each.pair, SIGNS[Preference(each.preference)], each.is_expert) for each in of_pairs]
        preferred = settled(None, signs, rule)
        return [
            GradedPair(pair, *sides[pair], None, PREFERRED[sign], by_experts)
            for pair, (sign, by_experts) in preferred.items()
        ]
    graded = [each for each in of_pairs if None not in each.grades]
    first = settled(question, [(each.pair, each.grades[0], each.is_expert) for each in graded], rule)
    second = settled(question, [(each.pair, each.grades[1], each.is_expert) for each in graded], rule)
    return [
        GradedPair(pair, *sides[pair], (grade, second[pair][0]), "", by_experts)
        for pair, (grade, by_experts) in first.items()
    ]


def settled(question: QuestionType | None, grades: list[tuple], rule: str) -> dict[int, tuple[int, bool]]:
    """By item, its gold as a whole grade, and whether experts gave it. Of (item, grade, by an expert).

    Without a question type the grades are signs of preferences. A mean, and a majority of grades that are no whole
    ones, become the nearest grade.
    """
    if not grades:
        return {}
    lowest, highest = (-1, 1) if question is None else (question.scale[0], question.scale[-1])
    items, values, experts = (list(column) for column in zip(*grades, strict=True))
    if any(value != int(value) for value in values):
        rule = str(GoldRule.MEAN)
    found = gold(items, values, experts, rule, scale=(lowest, highest))
    whole = nearest_grade(found.values, lowest, highest)
    return {
        int(item): (int(grade), bool(by_experts))
        for item, grade, by_experts in zip(found.items, whole, found.by_experts, strict=True)
    }
