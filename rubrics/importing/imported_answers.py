"""Imported grades of people who also work here: they take their turn in the stage as if given here."""

from collections.abc import Iterable

from projects.models import Project
from rubrics.models import Grade, GradeRole
from workflow.imported_answers import ImportedAnswer, assign_imported
from workflow.models import Stage

# The stage in which a grade of each role is given.
STAGES = {"scoring": GradeRole.REFERENCE, "regrading": GradeRole.REGRADE, "calibration": GradeRole.CALIBRATION}


def assign_imported_grades(project: Project, response_ids: Iterable[int]) -> int:
    """Give each imported grade of a person with an account its done assignment, where its response is an item."""
    responses = list(response_ids)
    assigned = 0
    for stage in Stage.objects.filter(project=project, kind__in=STAGES):
        grades = Grade.objects.filter(
            response__project=project, role=STAGES[stage.kind], assignment=None, rater__user__isnull=False
        ).order_by("id")
        rows = grades.values_list("id", "response_id", "rater_id", "round", "created_at")
        assigned += assign_imported(stage, Grade, map(ImportedAnswer._make, rows.iterator()), responses)
    return assigned
