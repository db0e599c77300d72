"""Who writes rubrics: authors their own, leads and administrators too. Fetching is the permission check."""

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404

from projects.access import PERMISSIONS, fetch_project
from projects.models import LanguageVariety, Project, Rater, RaterKind, User
from workflow.access import acting_rater, fetch_own, fetch_stage
from workflow.models import Assignment, Stage, Status
from workflow.remaining import NOTHING, Left, left_for

AUTHORING = "authoring"
WRITABLE = (Status.CLAIMED, Status.EXPIRED, Status.RESERVED)


@dataclass(frozen=True, slots=True)
class Author:
    """A person who may write rubrics in a project. `is_lead` reads those of everybody."""

    user: User
    project: Project
    rater: Rater | None
    is_lead: bool

    def acting(self) -> Rater:
        """The person as a rater; a lead becomes one with the first rubric."""
        return self.rater or acting_rater(self.user, self.project)

    def varieties(self) -> QuerySet[LanguageVariety]:
        """What they may write in: an author's own languages; for a lead those of anybody in the project."""
        if self.rater is not None and self.rater.varieties.exists():
            return self.rater.varieties.all()
        if self.is_lead:
            return LanguageVariety.objects.filter(raters__project=self.project).distinct()
        return LanguageVariety.objects.none()

    def prompts_waiting(self, stage: Stage) -> Left:
        """The imported prompts that this person could take up."""
        if self.rater is None:
            return NOTHING
        return left_for(self.rater, stage, list(self.rater.varieties.values_list("pk", flat=True)))


def fetch_author(user: User | AnonymousUser, slug: str, permission: str = "rubrics.write") -> Author:
    """The person in the project, where they may write rubrics in it; Http404 otherwise."""
    project = fetch_project(user, slug, permission)
    assert isinstance(user, User)
    rater = Rater.objects.filter(project=project, user=user, kind=RaterKind.HUMAN).first()
    return Author(user, project, rater, bool(project.viewer_roles & PERMISSIONS["rubrics.read"]))


def fetch_reviewer(user: User | AnonymousUser, slug: str) -> Author:
    """An author who may read what others ask to be reviewed; Http404 for everybody else."""
    reviewer = fetch_author(user, slug, "rubrics.review")
    if reviewer.rater is None:
        raise Http404
    return reviewer


def fetch_own_rubric(user: User, assignment: uuid.UUID, to_write: bool = False) -> Assignment:
    """One's own rubric in the making; Http404 where it is not theirs, is no rubric, or cannot be written any more."""
    own = fetch_own(user, assignment)
    if own.stage.kind != AUTHORING or (to_write and own.status not in WRITABLE):
        raise Http404
    return own


def fetch_authoring_stage(project: Project, pk: int) -> Stage:
    stage = fetch_stage(project, pk)
    if stage.kind != AUTHORING:
        raise Http404
    return stage
