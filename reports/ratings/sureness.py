"""Which answers people were sure of."""

import numpy as np

from projects.models import Project
from reports.dashboard.columns import Floats, Integers, columns
from workflow.models import Assignment, Status


def sure_of(project: Project, turn: Integers) -> Floats:
    """Of each answer, by the id of its assignment, 1 where the person was sure and 0 where not; NaN where the id is 0,
    for nobody answered it here."""
    if not turn.any():
        return np.full(len(turn), np.nan)
    turns = Assignment.objects.filter(stage__project=project, is_unsure=True, status=Status.SUBMITTED)
    [unsure] = columns(turns.values_list("id"), "i")
    return np.where(turn > 0, ~np.isin(turn, unsure), np.nan)
