"""Criteria as what is graded by: which ones a response is asked about, and what may be read of them.

Only what a criterion says and weighs is read for a judge. Verdicts, failure types, the words an error points at,
justifications and the people who gave them are in no column named here, so no prompt can hold them.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, Subquery

from judging.kinds import ShownCriterion
from projects.among import Among
from projects.models import Response
from rubrics.models import Criterion, Grade, GradeRole, Rubric

COLUMNS = ("id", "text", "weight")


class Asked(NamedTuple):
    """What is asked of a response: the ids of the criteria of its newest rubric, and of the errors that its
    reference grade names; of none where judges grade alone."""

    rubric: int
    criteria: tuple[int, ...]


# No later version of the grade's rubric has been frozen.
NEWEST = ~Exists(
    Rubric.objects.filter(
        prompt=OuterRef("rubric__prompt"), version__gt=OuterRef("rubric__version"), frozen_at__isnull=False
    )
)

# Responses that no person grades, with the newest rubric of their prompt.
FROZEN = Rubric.objects.filter(prompt=OuterRef("prompt"), frozen_at__isnull=False).order_by("-version")
JUDGED_ALONE = (
    Response.objects.filter(project__rubric_settings__judges_alone=True)
    .annotate(newest=Subquery(FROZEN.values("pk")[:1]))
    .filter(newest__isnull=False)
)


def asked_of(responses: Collection[int], hold: bool = False) -> dict[int, Asked]:
    """By response id, of those that have a complete reference grade under the newest version of their rubric; where
    judges grade alone, of those whose prompt has a frozen rubric.

    Three statements. `hold` takes the lock that graders take as well, a fourth: nothing changes until the transaction
    has ended.
    """
    if hold:
        list(
            Response.objects.filter(pk__in=Among(responses))
            .order_by("pk")
            .select_for_update(no_key=True)
            .values_list("pk")
        )
    references = Grade.objects.filter(NEWEST, response__in=Among(responses), role=GradeRole.REFERENCE, is_complete=True)
    reference_rows: list[tuple[int | None, int, int]] = list(references.values_list("pk", "response_id", "rubric_id"))
    if alone := dict(JUDGED_ALONE.filter(pk__in=Among(responses)).values_list("pk", "newest")):
        reference_rows = [row for row in reference_rows if row[1] not in alone]
        reference_rows += [(None, response, rubric) for response, rubric in alone.items()]
    written: dict[int, list[int]] = defaultdict(list)  # by rubric
    found: dict[int, list[int]] = defaultdict(list)  # by reference grade
    of_these = Q(rubric__in=Among(rubric for _pk, _response, rubric in reference_rows), grade=None)
    criteria = Criterion.objects.filter(
        of_these | Q(grade__in=Among(pk for pk, _response, _rubric in reference_rows if pk))
    )
    for pk, rubric, grade in criteria.order_by("position", "pk").values_list("pk", "rubric_id", "grade_id"):
        (found[grade] if grade else written[rubric]).append(pk)
    return {
        response: Asked(rubric, (*written[rubric], *(found[reference] if reference else ())))
        for reference, response, rubric in reference_rows
    }


def shown_criteria(ids: Collection[int]) -> dict[int, ShownCriterion]:
    """The criteria that are still there, by id. One statement."""
    if not ids:
        return {}
    return {row[0]: ShownCriterion(*row) for row in Criterion.objects.filter(pk__in=Among(ids)).values_list(*COLUMNS)}
