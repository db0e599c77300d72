"""How often judges were asked for ratings, whatever came of it."""

from collections.abc import Collection, Mapping

from django.db.models import Count, Q

from judging.models import Call, CallState
from projects.among import Among
from reports.dashboard.columns import Integers
from reports.dashboard.reader import Reading

#: Judge kinds whose answers are ratings.
POINTWISE, PAIRWISE = "pointwise", "pairwise"
KINDS = (POINTWISE, PAIRWISE)


def calls_of_judges(
    reading: Reading, questions: Integers, prompts: Collection[int] | None, own: Mapping[tuple[int, int], int]
) -> dict[tuple[int, int], int]:
    """Calls by judge and variety that were not cancelled, one for each answer asked for.

    questions  ids of question types. prompts  None for all. own  by judge and variety the answers that were left out as
    those about models of its own laboratory, which are not counted here either.
    """
    about = Q(response__prompt__question=None) | Q(response__prompt__question__in=questions.tolist())
    rows = Call.objects.filter(
        about,
        run__project=reading.project,
        judge__kind__in=KINDS,
        judge__rater__in=reading.raters[~reading.is_human].tolist(),
        response__variety__in=reading.varieties,
    ).exclude(state=CallState.CANCELLED)
    if prompts is not None:
        rows = rows.filter(response__prompt__in=Among(prompts))
    by_judge = rows.order_by().values_list("judge__rater_id", "response__variety_id").annotate(n=Count("id"))
    return {(judge, variety): max(0, n - own.get((judge, variety), 0)) for judge, variety, n in by_judge}
