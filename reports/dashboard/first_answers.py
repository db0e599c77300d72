"""Answers of people as first handed in, where they were amended or sent back since: agreement counts these.

What was written on second thoughts or in sight of a lead's note is no independent judgement, while gold goes by the
answer that stands. An area reads its answers once more with these in place of the later ones (`Loaded.at_first`).
"""

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from projects.models import Project
from workflow.models import FirstAnswer

#: As a recipe names it.
FIRST_ANSWERS = "of agreement the first of each person, where it was amended or sent back since"


def first_answers(project: Project, kinds: Collection[str], **narrowed: Any) -> dict[int, dict]:
    """Id of the assignment to the body of its first answer, of `kept_first`; one statement."""
    return dict(kept_first(project, kinds, **narrowed).values_list("assignment_id", "body"))


def kept_first(project: Project, kinds: Collection[str], **narrowed: Any) -> QuerySet[FirstAnswer]:
    """First answers in stages of these kinds, without checks; `narrowed` by conditions on the assignment.

    Only of answers that were handed in again: of one that is still open nothing counts.
    """
    rows = FirstAnswer.objects.filter(
        assignment__stage__project=project,
        assignment__stage__kind__in=kinds,
        assignment__item__is_check=False,
        assignment__submitted_at__isnull=False,
    )
    return rows.filter(**{f"assignment__{name}": value for name, value in narrowed.items()})
