"""Answers of people that came by import: they take their turn in a stage as if they had been given there."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Model

from projects.insertion import column_of
from workflow.claims import recount
from workflow.models import Assignment, Stage, Status, WorkItem


class ImportedAnswer(NamedTuple):
    id: int
    response: int
    rater: int
    round: int
    given_at: datetime


@transaction.atomic
def adopt(
    stage: Stage, model: type[Model], answers: Iterable[ImportedAnswer], response_ids: Iterable[int] | None = None
) -> int:
    """Give each answer its done assignment in the stage, and the row of `model` its `assignment`; return how many.

    The item is then not handed to that person again, its slot counts as taken, and it stands among the person's
    work. Items must be planned; answers about responses that are no item of the stage are left as they are.
    """
    items = WorkItem.objects.filter(stage=stage)
    if response_ids is not None:
        items = items.filter(response__in=list(response_ids))
    by_response = dict(items.values_list("response_id", "id"))
    held = set(Assignment.objects.filter(stage=stage).values_list("item_id", "rater_id", "round"))
    adopted = [
        (answer, by_response[answer.response])
        for answer in answers
        if answer.response in by_response and (by_response[answer.response], answer.rater, answer.round) not in held
    ]
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(
                item_id=item,
                stage=stage,
                rater_id=answer.rater,
                round=answer.round,
                status=Status.SUBMITTED,
                claimed_at=answer.given_at,
                submitted_at=answer.given_at,
            )
            for answer, item in adopted
        ]
    )
    links = [(assignment.pk, answer.id) for assignment, (answer, _item) in zip(assignments, adopted, strict=True)]
    if links:
        table = connection.ops.quote_name(model._meta.db_table)
        column = connection.ops.quote_name(column_of(model, "assignment"))
        with connection.cursor() as cursor:
            cursor.executemany(f"UPDATE {table} SET {column} = %s WHERE id = %s", links)
        recount(sorted({item for _answer, item in adopted}))
    return len(links)
