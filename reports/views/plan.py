"""A lead asks how large a study has to be. Nothing is stored: the address holds what was asked."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from projects.access import fetch_project
from projects.models import Project
from projects.requests import SignedInRequest
from reports.planning import wording
from reports.planning.form import PlanForm
from reports.planning.pilot import ASSUMPTIONS, PLAN, sources
from reports.views.computing import figures_or_page
from reports.warming import Asked


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def plan(request: SignedInRequest, slug: str) -> HttpResponse:
    """The plan, or how far its pilot is read: of many answers a worker reads it. POST tries again where that failed."""
    project = fetch_project(request.user, slug, "dashboard.read")
    told, as_of = None, None
    if source := pilot_asked_for(project, request):
        figures = figures_or_page(request, Asked(PLAN, project, {"source": source}), {})
        if isinstance(figures, HttpResponse):
            return figures
        told, as_of = figures.read, figures.as_of
    elif request.method == "POST":
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    form = PlanForm(project, request.GET or None, told=told)
    context: dict[str, Any] = {"project": project, "form": form, "as_of": as_of}
    if form.is_bound and form.is_valid() and form.plan is not None:
        made = form.plan
        context |= {
            "plan": made,
            "pilot": wording.of_pilot(form.pilot) if form.pilot else [],
            "spreads": wording.of_spreads(made),
            "heads": wording.heads(made),
            "rows": list(wording.rows(made)),
            "none": wording.why_none(made),
            "twice": wording.of_twice(made),
            "judge": wording.of_judge(made),
        }
    return render(request, "reports/plan.html", context)


def pilot_asked_for(project: Project, request: SignedInRequest) -> str:
    """The source of the address, where it is one that has to be read; "" for assumptions and for what is none."""
    asked = request.GET.get("source", "")
    return asked if asked != ASSUMPTIONS and asked in dict(sources(project)) else ""
