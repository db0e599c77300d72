"""What a grader is asked about: a version of the rubric, its criteria, and errors others have named.

Which version that is follows from when the turn began, so that one frozen meanwhile changes nothing under a
grader's hands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from rubrics.models import Criterion, Grade, GradeRole, Rubric
from workflow.models import Assignment

Row = TypeVar("Row", Rubric, Grade)


@dataclass(frozen=True, slots=True)
class Asked:
    """The rubric and the criteria to decide about: its own in their author's order, then errors that others named."""

    rubric: Rubric
    criteria: Sequence[Criterion]

    @property
    def polarity(self) -> dict[str, bool]:
        """Whether each criterion is positive, by its key."""
        return {criterion.key: criterion.is_positive for criterion in self.criteria}


def rubric_alone(assignment: Assignment) -> Asked:
    """The frozen rubric as it stood when the turn began, and nothing of what anybody found in the response."""
    rubrics = Rubric.objects.filter(prompt=assignment.response.prompt_id, frozen_at__isnull=False)
    rubric = _before(assignment, [(rubric, rubric.frozen_at) for rubric in rubrics.order_by("-version")])
    if rubric is None:
        raise Rubric.DoesNotExist("nothing is handed out before its rubric is frozen")
    return Asked(rubric, _criteria(rubric))


def with_reference_errors(assignment: Assignment) -> Asked:
    """The rubric of the reference grade and the errors it names, without its verdicts."""
    references = Grade.objects.filter(response=assignment.item.response_id, role=GradeRole.REFERENCE, is_complete=True)
    ordered = references.select_related("rubric").order_by("-rubric__version")
    reference = _before(assignment, [(grade, grade.created_at) for grade in ordered])
    if reference is None:
        return rubric_alone(assignment)
    errors = reference.negative_criteria.order_by("position", "id")
    return Asked(reference.rubric, [*_criteria(reference.rubric), *errors])


def _criteria(rubric: Rubric) -> list[Criterion]:
    return list(rubric.criteria.filter(grade=None).select_related("band").order_by("position", "id"))


def _before(assignment: Assignment, rows: Sequence[tuple[Row, datetime | None]]) -> Row | None:
    """The first row that was there when the turn began, else the first of all."""
    begun = assignment.claimed_at
    there = (row for row, since in rows if begun is None or (since is not None and since <= begun))
    return next(there, rows[0][0] if rows else None)
