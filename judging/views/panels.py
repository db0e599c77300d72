"""Panels: the list, adding one, its page, and bringing its answers up to date."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judging.models import Panel
from judging.panels import panel_kinds
from judging.panels.adding import add_panel, candidates
from judging.panels.assembling import assemble
from judging.panels.forms import PanelForm
from judging.panels.summaries import summaries, summary_of
from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest

LEAST = 2  # members of a panel


def fetch_panel(project: Project, pk: int) -> Panel:
    found = Panel.objects.select_related("rater", "project", "created_by")
    return get_object_or_404(found.prefetch_related("memberships__rater__laboratory"), project=project, pk=pk)


@require_safe
@login_required
def panels(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    return render(request, "judging/panels.html", {"project": project, "panels": summaries(project)})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add(request: SignedInRequest, slug: str) -> HttpResponse:
    """The kind of answer stands in the address: each has other judges to choose from."""
    project = fetch_project(request.user, slug, "judges.run")
    seats = {name: candidates(project, name).count() for name in panel_kinds()}
    kind = request.GET.get("kind", "")
    if kind not in seats:
        kind = max(seats, key=lambda name: seats[name])
    form = PanelForm(project, kind, request.POST or None)
    if request.method == "POST" and form.is_valid():
        told = form.cleaned_data
        try:
            added = add_panel(project, kind, told.pop("members"), by=request.user, **told)
        except Invalid as invalid:
            for problem in invalid.problems:
                form.add_error(problem.field or None, problem.message)
        else:
            return redirect("panel", slug, added.pk)
    kinds = [(name, found.name, seats[name]) for name, found in panel_kinds().items()]
    context = {"project": project, "form": form, "kinds": kinds, "kind": kind, "can_add": seats[kind] >= LEAST}
    return render(request, "judging/panel_add.html", context, status=422 if form.errors else 200)


@require_safe
@login_required
def panel(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    return render(request, "judging/panel.html", shown(project, fetch_panel(project, pk)))


def shown(project: Project, found: Panel, problem: str = "") -> dict:
    summary = summary_of(found)
    members = [(member, summary.reason_without_weight(member)) for member in summary.members]
    return {"project": project, "panel": found, "summary": summary, "members": members, "problem": problem}


@require_POST
@login_required
def assemble_now(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    found = fetch_panel(project, pk)
    try:
        done = assemble(found, by=request.user)
    except Invalid as invalid:
        context = shown(project, fetch_panel(project, pk), invalid.problems[0].message)
        return render(request, "judging/panel.html", context, status=422)
    if done.is_overtaken:
        messages.info(request, _("Somebody else began to assemble this panel a moment later and does the rest."))
    else:
        told = {"written": done.counts["written"], "withdrawn": done.counts["withdrawn"]}
        messages.success(request, _("Assembled. Answers written: %(written)d. Taken back: %(withdrawn)d.") % told)
    return redirect("panel", slug, pk)
