"""Answers of people as first handed in, where they were amended or sent back since: agreement counts these.

What was written on second thoughts or in sight of a lead's note is no independent judgement, while gold goes by the
answer that stands. An area reads its answers once more with these in place of the later ones (`Loaded.at_first`).
"""

from collections.abc import Collection

from projects.models import Project
from workflow.models import FirstAnswer

#: As a recipe names it.
FIRST_ANSWERS = "of agreement the first of each person, where it was amended or sent back since"


def first_answers(project: Project, kinds: Collection[str]) -> dict[int, dict]:
    """Id of the assignment to the body of its first answer, in stages of these kinds, without checks; one statement.

    Only of answers that were handed in again: of one that is still open nothing counts.
    """
    rows = FirstAnswer.objects.filter(
        assignment__stage__project=project, assignment__stage__kind__in=kinds, assignment__item__is_check=False
    )
    return dict(rows.filter(assignment__submitted_at__isnull=False).values_list("assignment_id", "body"))
