"""Who takes part in a project: members, invitations, roles."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.access import fetch_project
from projects.accounts import INVITATION_SESSION_KEY, open_invitation
from projects.forms import InvitationForm, RolesForm
from projects.invitations import accept, change_roles, invite, send, withdraw
from projects.models import Invitation, Project, Rater, Role, User
from projects.requests import SignedInRequest


@dataclass(frozen=True, slots=True)
class Member:
    """One person in a project: `rater` is None for those who do no work in it."""

    user: User
    role_labels: list[str]
    rater: Rater | None


def members(project: Project) -> list[Member]:
    """The members by name, in four queries and no more, however many they are."""
    users = User.objects.filter(memberships__project=project).distinct().order_by("name", "email")
    raters = {rater.user_id: rater for rater in project.raters.exclude(user=None).prefetch_related("varieties")}
    roles: dict[int, list[str]] = {}
    for user_id, role in project.memberships.values_list("user", "role"):
        roles.setdefault(user_id, []).append(role)
    return [
        Member(user, [str(Role(role).label) for role in sorted(roles[user.pk])], raters.get(user.pk)) for user in users
    ]


@require_safe
@login_required
def people(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "people.read")
    return render(request, "projects/people/list.html", people_context(request, project))


def people_context(request: HttpRequest, project: Project, form: InvitationForm | None = None) -> dict:
    return {
        "project": project,
        "members": members(project),
        "invitations": project.invitations.filter(accepted_at=None, withdrawn_at=None).order_by("-created_at"),
        "form": form or InvitationForm(project=project),
    }


@require_POST
@login_required
def invite_person(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "people.invite")
    form = InvitationForm(request.POST, project=project)
    if not form.is_valid():
        return render(request, "projects/people/list.html", people_context(request, project, form), status=422)
    invitation, token = invite(project, invited_by=request.user, **form.cleaned_data)
    link = request.build_absolute_uri(reverse("accept-invitation", args=[token]))
    was_mailed = send(invitation, link)
    context = people_context(request, project) | {"made": invitation, "was_mailed": was_mailed, "link": link}
    return render(request, "projects/people/list.html", context)


@require_POST
@login_required
def withdraw_invitation(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "people.invite")
    withdraw(get_object_or_404(project.invitations, pk=pk), request.user)
    messages.success(request, _("The invitation no longer opens."))
    return redirect("people", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def roles(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """An administrator sets a member's roles, never their own."""
    project = fetch_project(request.user, slug, "roles.change")
    member = get_object_or_404(User.objects.filter(memberships__project=project).distinct(), pk=pk)
    if member == request.user:
        raise Http404
    held = list(project.memberships.filter(user=member).values_list("role", flat=True))
    form = RolesForm(request.POST if request.method == "POST" else None, initial={"roles": held})
    if request.method == "POST" and form.is_valid():
        change_roles(project, member, form.cleaned_data["roles"], request.user)
        messages.success(request, _("The roles were changed."))
        return redirect("people", slug)
    return render(request, "projects/people/roles.html", {"project": project, "member": member, "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The page behind an invitation's link: join with the account one has, or make one first."""
    invitation = open_invitation(token)
    if invitation is None:
        return render(request, "projects/people/invitation_closed.html", status=410)
    if request.method == "POST":
        return take_up(request, invitation)
    context = {
        "invitation": invitation,
        "role_labels": [Role(role).label for role in invitation.roles],
        "has_account": User.objects.filter(email=invitation.email).exists(),
        "is_other_person": request.user.is_authenticated and request.user.email != invitation.email,
    }
    return render(request, "projects/people/invitation.html", context)


def take_up(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    if request.user.is_authenticated and request.user.email == invitation.email:
        accept(invitation, request.user)
        return redirect("project", invitation.project.slug)
    request.session[INVITATION_SESSION_KEY] = invitation.pk
    if User.objects.filter(email=invitation.email).exists():
        return redirect(f"{reverse('account_login')}?next={request.path}")
    return redirect("account_signup")
