"""A person's own assignments. Fetching is the permission check: anyone else's do not exist for them (404)."""

import uuid

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404

from projects.access import PERMISSIONS
from projects.models import Membership, Project, User
from workflow.models import Assignment, Stage


def own_assignments(user: User) -> QuerySet[Assignment]:
    """Those of a person who still works in the project: who left it or was demoted has none."""
    works = Membership.objects.filter(project=OuterRef("stage__project"), user=user, role__in=PERMISSIONS["work.claim"])
    return Assignment.objects.filter(Exists(works), rater__user=user).select_related(
        "item__response__variety", "stage__project", "rater"
    )


def fetch_own(user: User, assignment: uuid.UUID) -> Assignment:
    """The assignment with all that saving and submitting need, in one query; Http404 where it is not theirs."""
    try:
        return own_assignments(user).get(uuid=assignment)
    except Assignment.DoesNotExist:
        raise Http404 from None


def fetch_stage(project: Project, pk: int) -> Stage:
    """A stage of a project that was itself fetched with rights."""
    try:
        stage = project.stages.get(pk=pk)
    except Stage.DoesNotExist:
        raise Http404 from None
    stage.project = project
    return stage
