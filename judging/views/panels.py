"""Panels: the list, adding one, its page, and bringing its answers up to date."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from jobs.listing import entry_of
from jobs.models import Job, JobState
from judging.ensembles import panel_kinds
from judging.ensembles.adding import add_panel, candidates
from judging.ensembles.assembly_jobs import begin_assembly, newest_assembly
from judging.ensembles.forms import PanelForm
from judging.ensembles.summaries import summaries, summary_of
from judging.models import Panel
from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest

LEAST = 2  # members of a panel


def fetch_panel(project: Project, pk: int) -> Panel:
    panels = Panel.objects.select_related("rater", "project", "created_by")
    return get_object_or_404(panels.prefetch_related("memberships__rater__laboratory"), project=project, pk=pk)


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
        values = form.cleaned_data
        try:
            added = add_panel(project, kind, values.pop("members"), by=request.user, **values)
        except Invalid as invalid:
            for problem in invalid.problems:
                form.add_error(problem.field or None, problem.message)
        else:
            return redirect("panel", slug, added.pk)
    kinds = [(name, panel_type.name, seats[name]) for name, panel_type in panel_kinds().items()]
    context = {"project": project, "form": form, "kinds": kinds, "kind": kind, "can_add": seats[kind] >= LEAST}
    return render(request, "judging/panel_add.html", context, status=422 if form.errors else 200)


@require_safe
@login_required
def panel(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """A panel, and how far its assembly is while one is under way: for htmx that part alone, until it is over."""
    project = fetch_project(request.user, slug, "judges.run")
    row = fetch_panel(project, pk)
    job = newest_assembly(row)
    entry = entry_of(job) if job else None
    context = {"project": project, "panel": row, "job": job, "entry": entry, "result": in_words(job)}
    if request.htmx:
        if entry is None or not entry.is_moving:
            return HttpResponse(headers={"HX-Refresh": "true"})
        response = render(request, "judging/panel_assembly.html", context)
    else:
        response = render(request, "judging/panel.html", {**context, **shown(row)})
    patch_vary_headers(response, ["HX-Request"])
    return response


def shown(panel: Panel) -> dict[str, Any]:
    summary = summary_of(panel)
    return {
        "summary": summary,
        "members": [(member, summary.reason_without_weight(member)) for member in summary.members],
    }


def in_words(job: Job | None) -> str:
    """What came of an assembly that is done."""
    if job is None or job.state != JobState.DONE or not job.result:
        return ""
    if job.result["is_overtaken"]:
        return _("Somebody else began to assemble this panel a moment later and does the rest.")
    return _("Assembled. Answers written: %(written)d. Taken back: %(withdrawn)d.") % job.result


@require_POST
@login_required
def assemble_now(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    begin_assembly(fetch_panel(project, pk), request.user)
    return redirect("panel", slug, pk)
