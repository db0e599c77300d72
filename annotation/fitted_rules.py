"""Rules of gold that weigh raters, fitted to what people graded: question type by question type, variety by variety.

A fit is of every grade that people gave in the variety, whatever part of it is looked at: the gold of a response is the
same in a file, on its page and among examples of judges. It takes a few milliseconds for some hundreds of grades.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.functions import Floor

from agreement.weighed_gold import MODELS, RaterWeights, weights_of
from annotation.consensus import MEAN, Rule, latest_rounds
from annotation.models import Rating
from annotation.questions.settings import gold_rule
from projects.models import Project, QuestionType, RaterKind


class Graded(NamedTuple):
    """One person's rating with its grades: of a pair the two responses, of a response that alone."""

    id: int
    question: int
    rater: int
    round: int
    pair: int | None
    response: int | None
    first: int | None
    second: int | None
    first_grade: float | None
    second_grade: float | None
    variety_of_pair: int | None
    variety_of_response: int | None

    def items(self) -> Iterator[tuple[int, float]]:
        """Response and grade, none where the latest answer is a preference alone."""
        for response, grade in ((self.response or self.first, self.first_grade), (self.second, self.second_grade)):
            if response is not None and grade is not None:
                yield response, grade

    @property
    def variety(self) -> int:
        return self.variety_of_pair or self.variety_of_response or 0


COLUMNS = (
    *("id", "question_id", "rater_id", "round", "pair_id", "response_id", "pair__first_id", "pair__second_id"),
    *("first_grade", "second_grade", "pair__variety_id", "response__variety_id"),
)


def fitted_rule(project: Project, question: QuestionType | None = None, variety: int | None = None) -> Rule:
    """The project's rule of gold, with the weights of its raters where it has any, and the question types whose gold is
    the mean whatever the rule; of one question type or variety (id) alone where these are given. Two statements, of a
    rule that weighs raters four."""
    rule = unweighed_rule(project, question)
    if rule.name not in MODELS:
        return rule
    questions = {one.pk: one for one in project.question_types.all() if one.has_scale and question in (None, one)}
    ratings = Rating.objects.filter(question__in=list(questions), rater__kind=RaterKind.HUMAN, is_check=False)
    rows = [Graded(*row) for row in _within(ratings, variety).order_by("id").values_list(*COLUMNS).iterator()]
    latest = latest_rounds(rows, lambda row: ((row.question, row.pair, row.response, row.rater), row.round))
    weights = {}
    for (pk, place), columns in _by_place(latest).items():
        found = _weights(rule.name, columns, questions[pk])
        if found is not None:
            weights[questions[pk].slug, place] = found
    return replace(rule, weights=weights)


def unweighed_rule(project: Project, question: QuestionType | None = None) -> Rule:
    """As `fitted_rule` without the weights of raters, for answers of experts alone, which no rule weighs. Two
    statements."""
    name = gold_rule(project)
    return Rule(name, of_fractions=frozenset() if name == MEAN else _of_fractions(project, question))


def _of_fractions(project: Project, question: QuestionType | None) -> frozenset[str]:
    """Slugs of the question types that people gave a fraction of a grade anywhere."""
    asked = QuestionType.objects.filter(project=project)
    if question is not None:
        asked = asked.filter(pk=question.pk)
    people = Rating.objects.filter(question__in=asked, rater__kind=RaterKind.HUMAN, is_check=False)
    is_fraction = Q(first_grade__gt=Floor("first_grade")) | Q(second_grade__gt=Floor("second_grade"))
    return frozenset(people.filter(is_fraction).values_list("question__slug", flat=True).distinct())


def _within(ratings: QuerySet[Rating], variety: int | None) -> QuerySet[Rating]:
    if variety is None:
        return ratings
    return ratings.filter(pair__variety=variety) | ratings.filter(response__variety=variety)


def _by_place(rows: Iterable[Graded]) -> dict[tuple[int, int], dict[tuple[int, int], float]]:
    """By question type and variety, the grade of each response by each rater: of several, in pairs, the latest."""
    grades: dict[tuple[int, int], dict[tuple[int, int], float]] = defaultdict(dict)
    for row in rows:
        for response, grade in row.items():
            grades[row.question, row.variety][response, row.rater] = grade
    return grades


def _weights(name: str, grades: dict[tuple[int, int], float], question: QuestionType) -> RaterWeights | None:
    items, raters = zip(*grades, strict=True)
    ends = question.ends
    return None if ends is None else weights_of(name, items, raters, list(grades.values()), ends)
