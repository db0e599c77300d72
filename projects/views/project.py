"""The list of projects, one project's front page, its beginning, its settings."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.access import WORKERS, fetch_project, may
from projects.audit import record
from projects.creation import create_project, may_create_projects
from projects.forms import ProjectForm, SettingsForm
from projects.models import AuditEvent, Membership, Project, Role
from projects.presets import presets
from projects.requests import SignedInRequest
from projects.steps import steps_of


@require_safe
@login_required
def start(request: SignedInRequest) -> HttpResponse:
    """Where signing in leads: to one's work where that is all one does here, else to the projects."""
    memberships = Membership.objects.filter(user=request.user, project__archived_at=None)
    roles: dict[str, set[str]] = {}
    for slug, role in memberships.values_list("project__slug", "role"):
        roles.setdefault(slug, set()).add(role)
    if len(roles) == 1 and not request.user.is_administrator:
        slug, held = roles.popitem()
        if held <= WORKERS:
            return redirect("work", slug)
    return redirect("home")


# Whoever comes by the installation's own address is not led back to it but to `start`, as by the page of signing in.
@require_safe
@login_required(redirect_field_name=None)
def home(request: SignedInRequest) -> HttpResponse:
    projects = Project.objects.visible_to(request.user).filter(archived_at=None)
    roles: dict[int, list[Role]] = {}
    for project_id, role in Membership.objects.filter(user=request.user).values_list("project", "role"):
        roles.setdefault(project_id, []).append(Role(role))
    listed = [
        (project, [str(role.label) for role in held], not WORKERS.isdisjoint(held))
        for project, held in ((project, roles.get(project.pk, [])) for project in projects)
    ]
    context = {"projects": listed, "may_create_projects": may_create_projects(request.user)}
    return render(request, "projects/home.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: SignedInRequest) -> HttpResponse:
    if not may_create_projects(request.user):
        raise PermissionDenied
    form = ProjectForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        project = create_project(form.save(commit=False), request.user)
        messages.success(request, _("The project is ready. What comes next stands below."))
        return redirect("project", project.slug)
    return render(request, "projects/create.html", {"form": form}, status=422 if form.errors else 200)


@require_safe
@login_required
def overview(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug)
    context: dict = {"project": project}
    if may(request.user, project, "project.edit"):
        context["steps"] = steps_of(project)
        preset = presets().get(project.preset)
        context["way"] = preset.way if preset else ""
    return render(request, "projects/overview.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    form = SettingsForm(request.POST if request.method == "POST" else None, instance=project)
    if form.is_valid():
        form.save()
        record("project.changed", actor=request.user, project=project, subject=slug, fields=form.changed_data)
        messages.success(request, _("Saved."))
        return redirect("project-settings", slug)
    context = {"project": project, "form": form}
    return render(request, "projects/settings.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def archive(request: SignedInRequest, slug: str) -> HttpResponse:
    """Archive a project, or bring it back: nothing is deleted, it only leaves the lists."""
    project = fetch_project(request.user, slug, "project.edit")
    project.archived_at = None if project.archived_at else timezone.now()
    project.save(update_fields=["archived_at"])
    action = "project.archived" if project.archived_at else "project.restored"
    record(action, actor=request.user, project=project, subject=slug)
    return redirect("project-settings", slug)


@require_safe
@login_required
def installation_audit(request: SignedInRequest) -> HttpResponse:
    """What belongs to no project. For everybody but an administrator the page does not exist."""
    if not request.user.is_administrator:
        raise Http404
    events = AuditEvent.objects.filter(project=None).select_related("actor")
    page = Paginator(events, 50).get_page(request.GET.get("page"))
    return render(request, "projects/installation_audit.html", {"page": page})


@require_safe
@login_required
def audit(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "audit.read")
    events = project.audit_events.select_related("actor")
    page = Paginator(events, 50).get_page(request.GET.get("page"))
    return render(request, "projects/audit.html", {"project": project, "page": page})
