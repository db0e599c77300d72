"""What experts answered, as gold for sample questions and for checks."""

from collections.abc import Iterable
from statistics import multimode

from django.db.models import QuerySet

from agreement.consensus import gold
from annotation.models import AnchorKind, GoldAnswer, GoldError, Rating, RatingSettings
from projects.models import Project, RaterKind
from screening.marking import TIE, Grades

Place = tuple[int, int]


def expert_ratings(project: Project) -> QuerySet[Rating]:
    """Ratings of the project's experts that carry a grade or a preference; answers to checks are none."""
    return Rating.objects.filter(
        question__project=project,
        rater__is_expert=True,
        rater__kind=RaterKind.HUMAN,
        is_check=False,
        is_unparseable=False,
    )


def gold_grades(ratings: Iterable[Rating], rule: str) -> Grades:
    """One answer from those that experts gave to one question type: their grades, each side by `rule`, the project's
    gold rule (`agreement.consensus`); where they gave preferences alone, the one most gave, a tie where two lead.

    Raises ValueError where there is no rating.
    """
    found = list(ratings)
    if not found:
        raise ValueError("no expert has rated this")
    firsts = [rating.first_grade for rating in found if rating.first_grade is not None]
    if firsts:
        seconds = [rating.second_grade for rating in found if rating.second_grade is not None]
        return Grades(_consensus(firsts, rule), _consensus(seconds, rule) if seconds else None)
    most = multimode(rating.preference for rating in found)
    return Grades(preference=most[0] if len(most) == 1 else TIE)


def _consensus(grades: list[float], rule: str) -> float:
    return float(gold([0] * len(grades), grades, rule=rule).values[0])


def gold_rule(project: Project) -> str:
    settings = RatingSettings.objects.filter(project=project).first()
    return (settings or RatingSettings(project=project)).gold_rule


def gold_places(responses: Iterable[int]) -> dict[int, list[Place]]:
    """Half-open code-point offsets of the settled errors of each response, by its id.

    Only responses whose gold is settled stand in it: an empty list says that there are no errors. One whose errors are
    all omissions is left out, as there are no words to find.
    """
    settled = GoldAnswer.objects.filter(response__in=responses, open=0, pending=0)
    kept = dict(settled.values_list("response_id", "kept"))
    places: dict[int, list[Place]] = {response: [] for response in kept}
    errors = GoldError.objects.filter(response__in=kept, anchor=AnchorKind.WORDS).order_by("start", "end")
    for response, start, end in errors.values_list("response_id", "start", "end"):
        assert start is not None
        assert end is not None
        places[response].append((start, end))
    return {response: found for response, found in places.items() if found or not kept[response]}
