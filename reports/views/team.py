"""The team as its lead sees it: people by pseudonym, never by name."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from projects.access import fetch_project
from reports.team import members
from workflow.progress import PACE_DAYS, project_progress

PAGE = 100


@require_safe
@login_required
def team(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    stages = project_progress(project, with_people=False)
    page = Paginator(members(project), PAGE).get_page(request.GET.get("page"))
    context = {"project": project, "members": page, "page": page, "stages": stages, "pace_days": PACE_DAYS}
    return render(request, "reports/team.html", context)
