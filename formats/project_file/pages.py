"""Pages of the project file: take it, bring one in after a look at what would change, clone, compare, begin anew."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from formats.project_file.applying import Applied, apply_file, clone, create_from_file
from formats.project_file.comparing import differences
from formats.project_file.describing import described, file_of
from formats.project_file.forms import CloneForm, CompareForm, NewProjectFileForm, ProjectFileForm
from projects.access import fetch_project
from projects.creation import may_create_projects
from projects.models import Membership, Project, Role, User
from projects.problems import Invalid
from projects.requests import SignedInRequest

CONTENT_TYPE = "application/yaml"
SHOWN = 500


def _sent(request: SignedInRequest) -> tuple[Any, Any]:
    """What a form is bound to; a form sent empty is bound as well."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


def led_by(user: User) -> QuerySet[Project]:
    """The projects whose settings a person may read."""
    if user.is_superuser:
        return Project.objects.all()
    return Project.objects.filter(pk__in=Membership.objects.filter(user=user, role=Role.LEAD).values("project"))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def project_file(request: SignedInRequest, slug: str) -> HttpResponse:
    """A file is first tried: the page says what would change, and keeps the text until it is brought in."""
    project = fetch_project(request.user, slug, "project.edit")
    form = ProjectFileForm(*_sent(request))
    context: dict[str, Any] = {"project": project, "clone_form": CloneForm(prefix="clone")}
    context["compare_form"] = CompareForm(project=project, projects=led_by(request.user))
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            is_trial = "apply" not in request.POST
            content = form.cleaned_data["content"]
            try:
                applied = apply_file(project, content, request.user, dry_run=is_trial)
            except Invalid as invalid:
                context["problems"] = invalid.problems
            else:
                if not is_trial:
                    _say(request, applied)
                    return redirect("project-file", slug)
                context |= _shown(applied)
                status = 200
            project = context["project"] = Project.objects.get(pk=project.pk)  # as it is stored
            form = ProjectFileForm(initial={"text": content.decode("utf-8-sig", "replace")})
    return render(request, "formats/project_file.html", context | {"form": form}, status=status)


def _say(request: SignedInRequest, applied: Applied) -> None:
    count = len(applied.changes)
    text = ngettext("%(n)d change was made.", "%(n)d changes were made.", count) % {"n": count}
    messages.success(request, text if count else _("Nothing changed: the project is as the file says."))
    for note in applied.notes:
        messages.warning(request, note)


def _shown(applied: Applied) -> dict[str, Any]:
    return {
        "is_tried": True,
        "changes": applied.changes[:SHOWN],
        "count": len(applied.changes),
        "notes": applied.notes,
    }


@require_safe
@login_required
def download(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    name = f'attachment; filename="{project.slug}.yaml"'
    return HttpResponse(file_of(project), content_type=CONTENT_TYPE, headers={"Content-Disposition": name})


@require_POST
@login_required
def clone_project(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    form = CloneForm(request.POST, prefix="clone")
    if form.is_valid():
        try:
            applied = clone(project, form.cleaned_data["slug"], request.user, form.cleaned_data["name"])
        except Invalid as invalid:
            form.add_error("slug", " ".join(problem.message for problem in invalid.problems))
        else:
            messages.success(request, _("The new project is ready. It has no texts and no people yet but you."))
            for note in applied.notes:
                messages.warning(request, note)
            return redirect("project", applied.project.slug)
    context = {"project": project, "form": ProjectFileForm(), "clone_form": form}
    context["compare_form"] = CompareForm(project=project, projects=led_by(request.user))
    return render(request, "formats/project_file.html", context, status=422)


@require_safe
@login_required
def compare(request: SignedInRequest, slug: str) -> HttpResponse:
    """In what the project differs from another one that the person leads."""
    project = fetch_project(request.user, slug, "project.edit")
    form = CompareForm(request.GET or None, project=project, projects=led_by(request.user))
    context: dict[str, Any] = {"project": project, "form": form}
    if form.is_valid():
        other = form.cleaned_data["other"]
        found = list(differences(described(project), described(other)))
        context |= {"other": other, "differences": found[:SHOWN], "count": len(found)}
    return render(request, "formats/compare_projects.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: SignedInRequest) -> HttpResponse:
    """Begin a project from a file, after a look at what would be in it."""
    if not may_create_projects(request.user):
        raise PermissionDenied
    form = NewProjectFileForm(*_sent(request))
    context: dict[str, Any] = {}
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            content, slug = form.cleaned_data["content"], form.cleaned_data["slug"]
            is_trial = "apply" not in request.POST
            try:
                applied = create_from_file(content, slug, request.user, dry_run=is_trial)
            except Invalid as invalid:
                context["problems"] = invalid.problems
            else:
                if not is_trial:
                    messages.success(request, _("The project is ready. What comes next stands below."))
                    for note in applied.notes:
                        messages.warning(request, note)
                    return redirect("project", applied.project.slug)
                context |= _shown(applied)
                status = 200
            form = NewProjectFileForm(initial={"text": content.decode("utf-8-sig", "replace"), "slug": slug})
    return render(request, "formats/create_from_file.html", context | {"form": form}, status=status)
