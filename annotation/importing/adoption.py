"""Imported answers of people who also work here: they take their turn in the stage as if given here."""

from collections.abc import Iterable

from django.db import connection, transaction

from annotation.models import Marking
from workflow.claims import recount
from workflow.models import Assignment, Stage, Status, WorkItem


@transaction.atomic
def adopt_markings(stage: Stage, response_ids: Iterable[int] | None = None) -> int:
    """Give each imported marking of a person with an account its done assignment in the stage; return how many.

    The item is then not handed to that person again, its slot counts as taken, and it stands among the person's
    work. Items must be planned; markings of responses that are no item of the stage are left as they are.
    """
    items = WorkItem.objects.filter(stage=stage)
    if response_ids is not None:
        items = items.filter(response__in=list(response_ids))
    by_response = dict(items.values_list("response_id", "id"))
    held = set(Assignment.objects.filter(stage=stage).values_list("item_id", "rater_id", "round"))
    markings = Marking.objects.filter(
        response__project=stage.project_id, assignment=None, rater__user__isnull=False, rater__kind="human"
    ).order_by("id")
    adopted = [
        (marking, by_response[marking.response_id])
        for marking in markings.iterator()
        if marking.response_id in by_response
        and (by_response[marking.response_id], marking.rater_id, marking.round) not in held
    ]
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(
                item_id=item,
                stage=stage,
                rater_id=marking.rater_id,
                round=marking.round,
                status=Status.SUBMITTED,
                claimed_at=marking.created_at,
                submitted_at=marking.created_at,
            )
            for marking, item in adopted
        ]
    )
    links = [(assignment.pk, marking.pk) for assignment, (marking, _item) in zip(assignments, adopted, strict=True)]
    if links:
        with connection.cursor() as cursor:
            cursor.executemany("UPDATE annotation_marking SET assignment_id = %s WHERE id = %s", links)
        recount(sorted({item for _marking, item in adopted}))
    return len(links)
