"""The team as its lead sees it: people by pseudonym, never by name."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from projects.access import fetch_project
from reports.team import members
from workflow.progress import PACE_DAYS, project_progress


@require_safe
@login_required
def team(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    stages = project_progress(project, with_people=False)
    context = {"project": project, "members": members(project), "stages": stages, "pace_days": PACE_DAYS}
    return render(request, "reports/team.html", context)
