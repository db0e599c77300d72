"""Gold of responses and of pairs as whole grades, for few-shot examples, training sets and weights of panels.

No prompt about an item holds anything of this module but what judging/kinds/examples.py draws from the training
split for it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agreement.consensus import nearest_grade
from annotation.consensus import EXPERT, ConsensusAnswer, RatedAnswer, Rule, consensus_of, latest_rounds
from annotation.models import Rating
from projects.models import Project, QuestionType, RaterKind


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


class HumanRating(NamedTuple):
    """One person's rating: of a response, or of a pair with its two responses."""

    pair: int | None
    response: int | None
    first_response: int | None
    second_response: int | None
    first_grade: float | None
    second_grade: float | None
    preference: str
    is_expert: bool
    rater: int
    round: int
    variety_of_pair: int | None
    variety_of_response: int | None

    @property
    def variety(self) -> int:
        return self.variety_of_pair or self.variety_of_response or 0


COLUMNS = (
    "pair_id",
    "response_id",
    "pair__first_id",
    "pair__second_id",
    "first_grade",
    "second_grade",
    "preference",
    "rater__is_expert",
    "rater_id",
    "round",
    "pair__variety_id",
    "response__variety_id",
)


def human_ratings(project: Project) -> dict[int, list[HumanRating]]:
    """People's ratings by question type, the latest round of each; no judge's, and none that only checked the rater.

    One statement.
    """
    ratings = Rating.objects.filter(
        question__project=project, rater__kind=RaterKind.HUMAN, is_check=False, is_unparseable=False
    )
    by_question: dict[int, list[HumanRating]] = defaultdict(list)
    for question, *columns in ratings.values_list("question_id", *COLUMNS):
        by_question[question].append(HumanRating(*columns))
    for question, of_question in by_question.items():
        by_question[question] = latest_rounds(of_question, lambda row: ((row.pair, row.response, row.rater), row.round))
    return by_question


def graded_responses(question: QuestionType, ratings: Iterable[HumanRating], rule: str | Rule) -> list[GradedResponse]:
    """Gold of every response that people graded, by itself or in pairs, in the order of their ids."""
    answers = [
        RatedAnswer(response, question.slug, grade, None, "", rating.is_expert, rating.rater, rating.variety)
        for rating in ratings
        for response, grade in (
            (rating.response or rating.first_response, rating.first_grade),
            (rating.second_response, rating.second_grade),
        )
        if response is not None and grade is not None
    ]
    consensus = _consensus(question, answers, rule)
    grades = _whole_grades(question, [answer.first for answer in consensus.values()])
    return [GradedResponse(response, grade) for response, grade in zip(consensus, grades, strict=True)]


def graded_pairs(question: QuestionType, ratings: Iterable[HumanRating], rule: str | Rule) -> list[GradedPair]:
    """Gold of every pair that people rated side by side, in the order of their ids."""
    sides: dict[int, tuple[int, int]] = {}
    answers = []
    for rating in ratings:
        if rating.pair is not None and question.has_scale is (rating.first_grade is not None):
            sides[rating.pair] = (rating.first_response or 0, rating.second_response or 0)
            grades = (rating.first_grade, rating.second_grade)
            answer = RatedAnswer(rating.pair, question.slug, *grades, rating.preference, rating.is_expert)
            answers.append(answer._replace(rater=rating.rater, variety=rating.variety))
    consensus = _consensus(question, answers, rule)
    if not question.has_scale:
        return [
            GradedPair(pair, *sides[pair], None, answer.preference, answer.rule == EXPERT)
            for pair, answer in consensus.items()
        ]
    first = _whole_grades(question, [answer.first for answer in consensus.values()])
    second = _whole_grades(question, [answer.second for answer in consensus.values()])
    return [
        GradedPair(pair, *sides[pair], grades, "", answer.rule == EXPERT)
        for (pair, answer), grades in zip(consensus.items(), zip(first, second, strict=True), strict=True)
    ]


def _consensus(question: QuestionType, answers: Sequence[RatedAnswer], rule: str | Rule) -> dict[int, ConsensusAnswer]:
    """By what the answers are of, in the order of their ids."""
    scales = {question.slug: question.ends}
    return {subject: answer for (subject, _slug), answer in consensus_of(answers, rule, scales).items()}


def _whole_grades(question: QuestionType, grades: Sequence[float | None]) -> list[int]:
    """The grade of the scale nearest each: a mean is one of the grades that a judge may give."""
    present = [grade for grade in grades if grade is not None]
    return nearest_grade(present, question.scale[0], question.scale[-1]).tolist() if present else []
