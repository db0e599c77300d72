"""Imported markings of people who also work here: they take their turn in the stage as if given here."""

from collections.abc import Iterable

from annotation.models import Marking
from workflow.adoption import ImportedAnswer, adopt
from workflow.models import Stage


def adopt_markings(stage: Stage, response_ids: Iterable[int] | None = None) -> int:
    """Give each imported marking of a person with an account its done assignment in the stage; return how many."""
    markings = Marking.objects.filter(
        response__project=stage.project_id, assignment=None, rater__user__isnull=False, rater__kind="human"
    ).order_by("id")
    rows = markings.values_list("id", "response_id", "rater_id", "round", "created_at")
    return adopt(stage, Marking, map(ImportedAnswer._make, rows.iterator()), response_ids)
