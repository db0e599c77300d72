"""Who may do what. Fetching is the permission check: what a person may not see, they cannot fetch (404).

PERMISSIONS is the permission matrix in code; tests/security/permissions.yaml states it a second time, for every route.
"""

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.shortcuts import get_object_or_404

from projects.models import Membership, Project, Rater, RaterKind, Role, User

ADMIN = "admin"
EVERYONE = frozenset({Role.ANNOTATOR, Role.VALIDATOR, Role.AUTHOR, Role.LEAD, ADMIN})
LEADS = frozenset({Role.LEAD, ADMIN})
WORKERS = frozenset({Role.ANNOTATOR, Role.VALIDATOR, Role.AUTHOR})

PERMISSIONS: dict[str, frozenset[str]] = {
    "project.read": EVERYONE,
    "project.edit": LEADS,
    "data.import": LEADS,
    "jobs.run": LEADS,
    "work.claim": WORKERS,
    "item.read": LEADS,
    "answers.read": LEADS,
    "answers.reopen": LEADS,
    "work.reassign": LEADS,
    "spans.refine": LEADS,
    "rubrics.write": frozenset({Role.AUTHOR, Role.LEAD, ADMIN}),
    "rubrics.freeze": frozenset({Role.AUTHOR, Role.LEAD, ADMIN}),
    "rubrics.review": frozenset({Role.AUTHOR}),
    "rubrics.read": LEADS,
    "judges.run": LEADS,
    "dashboard.read": LEADS,
    "gold.export": LEADS,
    "people.read": LEADS,
    "people.invite": LEADS,
    "roles.change": frozenset({ADMIN}),
    "audit.read": LEADS,
}
# An administrator gives any role; a lead cannot make another lead.
INVITABLE = {ADMIN: frozenset(Role.values), Role.LEAD: WORKERS}


def roles_in(user: User | AnonymousUser, project: Project) -> frozenset[str]:
    """All roles of a person in a project; a person with several has their union."""
    if not user.is_authenticated or not user.is_active:
        return frozenset()
    roles = set(Membership.objects.filter(project=project, user=user).values_list("role", flat=True))
    if user.is_superuser:
        roles.add(ADMIN)
    return frozenset(roles)


def may(user: User | AnonymousUser, project: Project, permission: str) -> bool:
    return bool(roles_in(user, project) & PERMISSIONS[permission])


def fetch_project(user: User | AnonymousUser, slug: str, permission: str = "project.read") -> Project:
    """The project, where the person may do this in it; Http404 otherwise, as if it did not exist.

    The roles found are kept on the project as `viewer_roles`, for templates and for finer questions.
    """
    project = get_object_or_404(Project.objects.visible_to(user), slug=slug)
    project.viewer_roles = roles_in(user, project)
    if not project.viewer_roles & PERMISSIONS[permission]:
        raise Http404
    return project


def fetch_rater(user: User, project: Project) -> Rater:
    """The person as a rater of the project; Http404 where they do no work in it."""
    return get_object_or_404(Rater.objects.filter(kind=RaterKind.HUMAN), project=project, user=user)
