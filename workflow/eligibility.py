"""Who may take work of a stage at all, and what they are given beside the queue: asked of the rooms above.

A room that has a say registers it in its app's `ready()`: a check of eligibility refuses, a source of checks
chooses. They are asked of stages that `screen` was called for.
"""

from collections.abc import Callable

from django.db.models import QuerySet

from projects.models import Rater
from workflow.models import Stage, WorkItem

# Raises workflow.refusals.Refused where the rater may take nothing of the stage just now.
EligibilityCheck = Callable[[Rater, Stage], None]
# The check that the rater is to be given instead of the next item of the queue, or None.
CheckSource = Callable[[Rater, Stage], WorkItem | None]

_eligibility_checks: list[EligibilityCheck] = []
_sources: list[CheckSource] = []


def register_eligibility_check(check: EligibilityCheck) -> None:
    _eligibility_checks.append(check)


def register_check_source(source: CheckSource) -> None:
    _sources.append(source)


def screen(stage: Stage) -> None:
    """From now on eligibility and check sources are asked about this stage."""
    if not stage.is_screened:
        stage.is_screened = True
        Stage.objects.filter(pk=stage.pk).update(is_screened=True)


def screen_stages(stages: QuerySet[Stage]) -> None:
    """The same for all of these in one statement; those that are in memory already do not know of it."""
    stages.filter(is_screened=False).update(is_screened=True)


def check_eligible(rater: Rater, stage: Stage) -> None:
    """Raises Refused with the first reason that one of the checks gives."""
    if not stage.is_screened:
        return
    for check in _eligibility_checks:
        check(rater, stage)


def due_check(rater: Rater, stage: Stage) -> WorkItem | None:
    """The check that is due now. It has not been given to this rater before."""
    if not stage.is_screened:
        return None
    return next((item for source in _sources if (item := source(rater, stage)) is not None), None)
