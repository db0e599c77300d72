"""The team as its lead sees it: people by pseudonym, never by name."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from projects.access import fetch_project
from projects.requests import SignedInRequest
from reports.team import TEAM, members
from reports.views.computing import figures_or_page
from reports.warming import Asked
from workflow.progress import PACE_DAYS, project_progress

PAGE = 100


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def team(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    figures = figures_or_page(request, Asked(TEAM, project, {}), {})
    if isinstance(figures, HttpResponse):
        return figures
    stages = project_progress(project, with_people=False)
    page = Paginator(members(project, figures.read()), PAGE).get_page(request.GET.get("page"))
    context = {"project": project, "members": page, "page": page, "stages": stages, "pace_days": PACE_DAYS}
    context["as_of"] = figures.as_of
    return render(request, "reports/team.html", context)
