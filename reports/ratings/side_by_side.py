"""One rated pair, or one rated response, with everything that was said of it: people, judges, gold."""

from dataclasses import dataclass, field

from annotation.consensus import RatedAnswer, Rule, consensus_of, latest_rounds, preference_between
from annotation.fitted_rules import fitted_rule
from annotation.models import Rating
from projects.models import Project, QuestionType, RaterKind, Response, ResponsePair
from reports.dashboard.names import to_be_marked
from reports.dashboard.scope import name_of


@dataclass(frozen=True)
class Said:
    """One answer as it stands: grades, what it prefers, which response was shown first, and why."""

    rating: Rating
    label: str
    is_judge: bool
    is_simulated: bool
    prefers: str

    @property
    def is_expert(self) -> bool:
        return not self.is_judge and self.rating.rater.is_expert


@dataclass
class Asked:
    """A question type with gold and all answers to it, people first, experts before them all."""

    question: QuestionType
    first: float | None = None
    second: float | None = None
    prefers: str = ""
    by_experts: bool = False
    said: list[Said] = field(default_factory=list)


def of_pair(pair: ResponsePair, judge: str = "") -> list[Asked]:
    """Answers to the pair, and to its two responses one by one. `judge`, a pseudonym, keeps that judge alone."""
    ratings = Rating.objects.filter(pair=pair) | Rating.objects.filter(response__in=(pair.first_id, pair.second_id))
    return _asked(pair.project, pair.variety_id, ratings, judge, pair)


def of_response(response: Response, judge: str = "") -> list[Asked]:
    return _asked(response.project, response.variety_id, Rating.objects.filter(response=response), judge, None)


def _asked(project: Project, variety: int, ratings: object, judge: str, pair: ResponsePair | None) -> list[Asked]:
    rows = ratings.filter(is_check=False).select_related("rater", "question__dimension").order_by("id")  # type: ignore[attr-defined]
    rule = fitted_rule(project, variety=variety)
    latest: dict[tuple, Rating] = {}
    for rating in rows:
        key = (rating.question_id, rating.pair_id, rating.response_id, rating.rater_id, rating.is_swapped)
        if key not in latest or latest[key].round <= rating.round:
            latest[key] = rating
    asked_by_question: dict[int, Asked] = {}
    for rating in latest.values():
        asked_by_question.setdefault(rating.question_id, Asked(rating.question)).said.append(_said(rating, pair))
    for asked in asked_by_question.values():
        _add_gold(asked, rule, variety, pair)
        asked.said = [
            answer
            for answer in asked.said
            if not judge or not answer.is_judge or answer.rating.rater.pseudonym == judge
        ]
        asked.said.sort(
            key=lambda answer: (answer.is_judge, not answer.is_expert, answer.label, answer.rating.is_swapped)
        )
    order = {pk: at for at, pk in enumerate(project.question_types.values_list("id", flat=True))}
    return sorted(asked_by_question.values(), key=lambda asked: order[asked.question.pk])


def _said(rating: Rating, pair: ResponsePair | None) -> Said:
    rater = rating.rater
    return Said(rating, name_of(rater), rater.kind == RaterKind.JUDGE, to_be_marked(rater), prefers(rating))


def prefers(rating: Rating) -> str:
    """Stated, or told by the two grades, where these have an order; "" where neither is there."""
    if rating.question.is_nominal or rating.first_grade is None or rating.second_grade is None:
        return rating.preference
    return preference_between(rating.first_grade, rating.second_grade)


def _add_gold(asked: Asked, rule: Rule, variety: int, pair: ResponsePair | None) -> None:
    """Gold by the project's rule, from people's answers alone: to the pair, and to its responses one by one."""
    people = latest_rounds(
        (rated for rated in asked.said if not rated.is_judge),
        lambda rated: ((rated.rating.pair_id, rated.rating.response_id, rated.rating.rater_id), rated.rating.round),
    )
    slug = asked.question.slug
    # Each response by itself, for some are rated in the pair and some alone.
    grades: list[RatedAnswer] = []
    for rated in people:
        rating = rated.rating
        first = 1 if pair is not None and rating.response_id == pair.second_id else 0
        for side, grade in ((first, rating.first_grade), (1, rating.second_grade)):
            if grade is not None:
                grades.append(RatedAnswer(side, slug, grade, None, "", rated.is_expert, rating.rater_id, variety))
    by_side = consensus_of(grades, rule, {slug: asked.question.ends})
    asked.first, asked.second = (by_side[side, slug].first if (side, slug) in by_side else None for side in (0, 1))
    asked.by_experts = any(rated.is_expert for rated in people)
    if asked.first is not None and asked.second is not None and not asked.question.is_nominal:
        asked.prefers = preference_between(asked.first, asked.second)
    elif asked.first is None or asked.question.is_nominal:
        stated = [RatedAnswer(0, "", None, None, rated.prefers, rated.is_expert) for rated in people]
        asked.prefers = next((answer.preference for answer in consensus_of(stated, rule.name, {}).values()), "")
