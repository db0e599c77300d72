"""One rated pair, or one rated response, with everything that was said of it: people, judges, gold."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agreement import consensus
from annotation.models import GoldRule, Preference, Rating, RatingSettings
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
    return _asked(pair.project, ratings, judge, pair)


def of_response(response: Response, judge: str = "") -> list[Asked]:
    return _asked(response.project, Rating.objects.filter(response=response), judge, None)


def _asked(project: Project, ratings: object, judge: str, pair: ResponsePair | None) -> list[Asked]:
    rows = ratings.filter(is_check=False).select_related("rater", "question__dimension").order_by("id")  # type: ignore[attr-defined]
    settings = RatingSettings.objects.filter(project=project).first() or RatingSettings()
    latest: dict[tuple, Rating] = {}
    for one in rows:
        key = (one.question_id, one.pair_id, one.response_id, one.rater_id, one.is_swapped)
        if key not in latest or latest[key].round <= one.round:
            latest[key] = one
    found: dict[int, Asked] = {}
    for one in latest.values():
        found.setdefault(one.question_id, Asked(one.question)).said.append(_said(one, pair))
    for asked in found.values():
        _add_gold(asked, settings, pair)
        asked.said = [
            said for said in asked.said if not judge or not said.is_judge or said.rating.rater.pseudonym == judge
        ]
        asked.said.sort(key=lambda said: (said.is_judge, not said.is_expert, said.label, said.rating.is_swapped))
    order = {pk: at for at, pk in enumerate(project.question_types.values_list("id", flat=True))}
    return sorted(found.values(), key=lambda asked: order[asked.question.pk])


def _said(rating: Rating, pair: ResponsePair | None) -> Said:
    rater = rating.rater
    return Said(rating, name_of(rater), rater.kind == RaterKind.JUDGE, to_be_marked(rater), prefers(rating))


def prefers(rating: Rating) -> str:
    """Stated, or told by the two grades; "" where neither is there."""
    if rating.first_grade is None or rating.second_grade is None:
        return rating.preference
    return by_grades(rating.first_grade, rating.second_grade)


def by_grades(first: float, second: float) -> str:
    if first == second:
        return Preference.TIE.value
    return (Preference.FIRST if first > second else Preference.SECOND).value


def _add_gold(asked: Asked, settings: RatingSettings, pair: ResponsePair | None) -> None:
    """Gold by the project's rule, from people's answers alone."""
    people = [said for said in asked.said if not said.is_judge]
    sides: list[list[tuple[float, bool]]] = [[], []]
    for said in people:
        rating = said.rating
        if rating.first_grade is None:
            continue
        at = 1 if pair is not None and rating.response_id == pair.second_id else 0
        sides[at].append((rating.first_grade, said.is_expert))
        if rating.second_grade is not None:
            sides[1].append((rating.second_grade, said.is_expert))
    asked.first, asked.second = (_of(side, settings.gold_rule, asked.question.scale) for side in sides)
    asked.by_experts = any(said.is_expert for said in people)
    if asked.first is not None and asked.second is not None:
        asked.prefers = by_grades(asked.first, asked.second)
    elif people and asked.first is None:
        values = {Preference.FIRST.value: 1.0, Preference.TIE.value: 0.0, Preference.SECOND.value: -1.0}
        stated = [(values[said.prefers], said.is_expert) for said in people if said.prefers]
        says = _of(stated, GoldRule.MAJORITY.value, range(-1, 2))
        asked.prefers = next((name for name, value in values.items() if value == says), "")


def _of(grades: Sequence[tuple[float, bool]], rule: str, scale: range) -> float | None:
    if not grades:
        return None
    values, experts = [grade for grade, _expert in grades], [expert for _grade, expert in grades]
    if any(value != round(value) for value in values):
        rule = GoldRule.MEAN.value
    return float(consensus.gold([0] * len(values), values, experts, rule, (scale[0], scale[-1])).values[0])
