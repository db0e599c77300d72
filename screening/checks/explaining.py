"""Checks that are over, explained to who answered them: what experts had answered beside their own answer.

Over is a check that nobody can be given any more: it is retired, or its stage is closed or locked. Until then a word
about it would tell everybody who still may be given it.
"""

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from projects.models import Project, Rater
from screening.checks.kinds import Compared, check_kind
from screening.models import CheckResult

IS_OVER = Q(check_item__is_active=False) | Q(stage__is_open=False) | Q(stage__locked_at__isnull=False)


def over(rater: Rater, project: Project) -> QuerySet[CheckResult]:
    """The person's answers to checks that are over, the latest first."""
    results = CheckResult.objects.filter(IS_OVER, rater=rater, stage__project=project)
    parts = ("response__prompt", "pair__prompt", "response__variety", "pair__first", "pair__second")
    return results.select_related(
        "stage", "check_item", "assignment", *(f"assignment__item__{part}" for part in parts)
    ).order_by("-pk")


def explained(results: Sequence[CheckResult]) -> list[tuple[CheckResult, list[Compared]]]:
    """Each with its answers side by side; a number of queries per stage."""
    compared: dict[int, list[Compared]] = {}
    for stage in {result.stage_id: result.stage for result in results}.values():
        kind = check_kind(stage)
        if kind is not None:
            compared |= kind.compared([result for result in results if result.stage_id == stage.pk])
    return [(result, compared.get(result.pk, [])) for result in results]
