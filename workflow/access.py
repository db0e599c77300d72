"""A person's own assignments. Fetching is the permission check: anyone else's do not exist for them (404)."""

import uuid

from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, UUIDField
from django.http import Http404

from projects.access import ADMIN, PERMISSIONS, fetch_project, may
from projects.models import Membership, Project, Rater, RaterKind, User
from projects.prepared import Given, Prepared
from workflow.models import Assignment, Stage
from workflow.task_types import task_type, task_types


def own_assignments(user: int | Given) -> QuerySet[Assignment]:
    """Those of a person (the id of an account) who may still do that work in the project: who left it or was demoted
    has none."""
    mine = Assignment.objects.filter(_may("work.claim", user) | Q(stage__kind__in=_kinds_for_few()), rater__user=user)
    for kind in _kinds_for_few():
        mine = mine.filter(~Q(stage__kind=kind) | _may(task_type(kind).permission, user))
    return mine.select_related(
        "item__response__variety",
        "item__prompt",
        "item__pair",
        "item__template",
        "item__variety",
        "stage__project",
        "rater",
    )


def _may(permission: str, user: int | Given) -> Q:
    """That the person has a role in the assignment's project which the permission names."""
    roles = PERMISSIONS[permission]
    works = Q(Exists(Membership.objects.filter(project=OuterRef("stage__project"), user=user, role__in=roles)))
    return works | Q(Exists(User.objects.filter(Q(pk=user), is_superuser=True))) if ADMIN in roles else works


def _kinds_for_few() -> list[str]:
    """The kinds of work that not everybody does who works in a project."""
    return sorted(kind for kind, task in task_types().items() if task.permission != "work.claim")


def fetch_own(user: User, assignment: uuid.UUID) -> Assignment:
    """The assignment with all that showing and submitting need, in one query; Http404 where it is not theirs."""
    return _found(OWN.first(user=user.pk, uuid=assignment))


def fetch_own_to_save(user: User, assignment: uuid.UUID) -> Assignment:
    """As fetch_own, with what saving a draft needs and no more: it is the call that comes most often by far."""
    return _found(OWN_TO_SAVE.first(user=user.pk, uuid=assignment))


def acting_rater(user: User, project: Project, *, is_expert: bool = False) -> Rater:
    """The person as a rater of the project; made where there is none, under a name that no other person has."""
    name = user.name or user.email
    if Rater.objects.filter(project=project, kind=RaterKind.HUMAN, name=name).exists():
        name = f"{name} ({user.email})"[:120]
    defaults = {"kind": RaterKind.HUMAN, "name": name, "is_expert": is_expert}
    rater, _is_new = Rater.objects.get_or_create(project=project, user=user, defaults=defaults)
    return rater


def _found(assignment: Assignment | None) -> Assignment:
    if assignment is None:
        raise Http404
    return assignment


def _own() -> QuerySet[Assignment]:
    return own_assignments(Given("user", User)).filter(uuid=Given("uuid", UUIDField()))


def _own_to_save() -> QuerySet[Assignment]:
    return (
        _own()
        .select_related(None)
        .select_related("item__response", "stage")
        .only(
            *("uuid", "rater_id", "round", "status", "skip_reason", "claimed_at", "lease_expires_at"),
            *("stage__kind", "stage__lease_minutes", "stage__project_id", "stage__scored_on"),
            *("stage__show", "stage__ask"),
            "item__response__text",
        )
    )


OWN = Prepared(_own)
OWN_TO_SAVE = Prepared(_own_to_save)


def fetch_at_work(user: User, slug: str, stage: int) -> tuple[Rater, Stage]:
    """The person as a rater and a stage of the project they work in; Http404 where they do not."""
    rater, chosen = WORKER.first(user=user.pk, slug=slug), STAGE.first(slug=slug, stage=stage)
    if rater is None or chosen is None:
        raise Http404
    permission = task_type(chosen.kind).permission
    if permission != "work.claim" and not may(user, chosen.project, permission):
        raise Http404
    return rater, chosen


def _worker() -> QuerySet[Rater]:
    user = Given("user", User)
    works = Membership.objects.filter(project=OuterRef("project"), user=user, role__in=PERMISSIONS["work.claim"])
    slug = Given("slug", CharField())
    return Rater.objects.filter(Exists(works), kind=RaterKind.HUMAN, user=user, project__slug=slug)


WORKER = Prepared(_worker)
STAGE = Prepared(
    lambda: Stage.objects.filter(pk=Given("stage", Stage), project__slug=Given("slug", CharField())).select_related(
        "project"
    )
)


def fetch_stage(project: Project, pk: int) -> Stage:
    """A stage of a project that was itself fetched with rights."""
    try:
        stage = project.stages.get(pk=pk)
    except Stage.DoesNotExist:
        raise Http404 from None
    stage.project = project
    return stage


def fetch_answerer(user: User, slug: str) -> tuple[Project, Rater | None, bool]:
    """Who may answer raters' questions: leads, and experts among those who work in the project; Http404 otherwise.

    The project, the person as a rater where they are one, and whether they lead.
    """
    project = fetch_project(user, slug)
    rater = Rater.objects.filter(project=project, user=user, kind=RaterKind.HUMAN).first()
    is_lead = bool(project.viewer_roles & PERMISSIONS["item.read"])
    is_expert = rater is not None and rater.is_expert and bool(project.viewer_roles & PERMISSIONS["work.claim"])
    if not is_lead and not is_expert:
        raise Http404
    return project, rater, is_lead
