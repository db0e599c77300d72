"""What experts answered, as gold for sample questions and for checks."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import QuerySet

from annotation.models import AnchorKind, GoldAnswer, GoldError, Rating
from projects.models import Project, RaterKind
from screening.marking import Grades

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


def gold_grades(ratings: Iterable[Rating]) -> Grades:
    """The experts' grades of one thing on one question type: their mean; of preferences alone, the one most give
    (a tie where two lead). Raises ValueError where there is no rating."""
    found = list(ratings)
    if not found:
        raise ValueError("no expert has rated this")
    firsts = [rating.first_grade for rating in found if rating.first_grade is not None]
    seconds = [rating.second_grade for rating in found if rating.second_grade is not None]
    if firsts:
        second = sum(seconds) / len(seconds) if seconds else None
        return Grades(sum(firsts) / len(firsts), second)
    counts: dict[str, int] = defaultdict(int)
    for rating in found:
        counts[rating.preference] += 1
    most = [preference for preference, count in counts.items() if count == max(counts.values())]
    return Grades(preference=most[0] if len(most) == 1 else "tie")


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
