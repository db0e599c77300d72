"""Answers of people that came by import: they take their turn in a stage as if they had been given there."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Model

from projects.chunks import in_chunks
from projects.insertion import column_of
from workflow.models import Assignment, Stage, Status, WorkItem
from workflow.planning import BATCH, recount


class ImportedAnswer(NamedTuple):
    """A row of a rater's answer. Several rows of one subject, rater and round are one answer."""

    id: int
    subject: int  # id of the response or of the pair it is about
    rater: int
    round: int
    given_at: datetime


@transaction.atomic
def assign_imported(
    stage: Stage,
    model: type[Model],
    answers: Iterable[ImportedAnswer],
    subject_ids: Iterable[int] | None = None,
    subject: str = "response",
) -> int:
    """Give each answer its done assignment in the stage, and its rows of `model` their `assignment`; return how many.

    The item is then not handed to that person again, its slot counts as taken, and it stands among the person's
    work. Items must be planned; answers about what is no item of the stage are left as they are. `subject` says
    what the answers are about: "response" or "pair".
    """
    by_subject = _items_by_subject(stage, subject, subject_ids)
    held = set(Assignment.objects.filter(stage=stage).values_list("item_id", "rater_id", "round"))
    rows: dict[tuple[int, int, int], list[ImportedAnswer]] = defaultdict(list)
    for answer in answers:
        place = (by_subject.get(answer.subject, 0), answer.rater, answer.round)
        if answer.subject in by_subject and place not in held:
            rows[place].append(answer)
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(
                item_id=item,
                stage=stage,
                rater_id=rater,
                round=round_number,
                status=Status.SUBMITTED,
                claimed_at=max(answer.given_at for answer in given),
                submitted_at=max(answer.given_at for answer in given),
            )
            for (item, rater, round_number), given in rows.items()
        ],
        batch_size=BATCH,
    )
    links = [
        (assignment.pk, answer.id)
        for assignment, given in zip(assignments, rows.values(), strict=True)
        for answer in given
    ]
    if links:
        table = connection.ops.quote_name(model._meta.db_table)
        column = connection.ops.quote_name(column_of(model, "assignment"))
        with connection.cursor() as cursor:
            cursor.executemany(f"UPDATE {table} SET {column} = %s WHERE id = %s", links)
        recount(item for item, _rater, _round in rows)
    return len(assignments)


@transaction.atomic
def take_turns_back(assignment_ids: Iterable[int]) -> None:
    """The turns of answers that are taken back: their items may be handed out again. No answer names them any more."""
    for chunk in in_chunks(assignment_ids):
        turns = Assignment.objects.filter(pk__in=chunk)
        items = set(turns.values_list("item", flat=True))
        turns.delete()
        recount(items)


def _items_by_subject(stage: Stage, subject: str, subject_ids: Iterable[int] | None) -> dict[int, int]:
    items = WorkItem.objects.filter(stage=stage, is_check=False, **{f"{subject}__isnull": False})
    columns = f"{subject}_id", "id"
    if subject_ids is None:
        return dict(items.values_list(*columns))
    by_subject: dict[int, int] = {}
    for chunk in in_chunks(subject_ids):
        by_subject.update(items.filter(**{f"{subject}__in": chunk}).values_list(*columns))
    return by_subject
