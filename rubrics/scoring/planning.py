"""Which responses can be graded, and by whom they may not be. Planning again adds only what is new."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from projects.derived import taken
from projects.models import Rater, Response
from projects.prepared import Given
from rubrics.authoring.settings import judges_grade_alone
from rubrics.models import Grade, GradeRole, Rubric, RubricSettings
from rubrics.reveal import revealed
from workflow.models import Assignment, Stage, WorkItem
from workflow.planning import add_items, in_project, plan_downstream_stages
from workflow.signals import answer_stored, answer_withdrawn
from workflow.task_types import task_type

# The kinds whose items follow from what others have done: from a freeze, and from a reference grade.
FOLLOWING_KINDS = ("scoring", "regrading")


def scorable(project_id: int) -> QuerySet[Response]:
    """Responses whose prompt has a frozen rubric: before the freeze nobody is handed one. None where judges grade
    alone."""
    responses = revealed(taken(Response.objects.filter(project=project_id)))
    return responses.none() if judges_grade_alone(project_id) else responses


def with_reference(project_id: int) -> QuerySet[Response]:
    """Responses that have a complete reference grade."""
    references = Grade.objects.filter(response=OuterRef("pk"), role=GradeRole.REFERENCE, is_complete=True)
    return Response.objects.filter(Exists(references), project=project_id)


def ungraded_by(items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
    """Items about responses that this rater has not graded in any way; none where judges grade alone."""
    alone = RubricSettings.objects.filter(project=OuterRef("stage__project"), judges_alone=True)
    return items.filter(~Exists(Grade.objects.filter(rater=rater, response=OuterRef("response"))), ~Exists(alone))


def plan_open_stages(response_ids: Iterable[int]) -> int:
    """Make these responses items of their project's open scoring and regrading stages as far as they are ready.

    Called when a grade came in or was taken back; to be called by whoever freezes a rubric or collects responses.
    Returns how many items are new.
    """
    return plan_downstream_stages(response_ids, dict.fromkeys(FOLLOWING_KINDS, _plan))


def _plan(stage: Stage, response_ids: list[int]) -> int:
    planned = WorkItem.objects.filter(stage=stage, response=OuterRef("pk"), is_check=False)
    ready = task_type(stage.kind).responses(stage).filter(~Exists(planned), pk__in=response_ids)
    return add_items(stage, "response", in_project(ready))


def follow(sender: type, assignment: Assignment, **kwargs: Any) -> None:
    """In the transaction of the answer: what it makes ready can be handed out when it is committed."""
    if assignment.item.response_id is not None:
        plan_open_stages([assignment.item.response_id])
        return
    rubric = Rubric.objects.filter(assignment=assignment, frozen_at__isnull=False).first()
    if rubric is not None:
        plan_open_stages(Response.objects.filter(prompt=rubric.prompt_id).values_list("pk", flat=True))


def connect() -> None:
    answer_stored.connect(follow, dispatch_uid="rubrics.scoring.planning")
    answer_withdrawn.connect(follow, dispatch_uid="rubrics.scoring.planning")
