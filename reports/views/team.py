"""The team as its lead sees it: people by pseudonym, never by name."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from projects.access import fetch_project
from reports.team import members, progress


@require_safe
@login_required
def team(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    today = timezone.localdate()
    stages = [
        {"stage": one.stage, "rows": [(part, part.through(today)) for part in [one.whole, *listed(one.varieties)]]}
        for one in progress(project)
    ]
    return render(request, "reports/team.html", {"project": project, "members": members(project), "stages": stages})


def listed(varieties: list) -> list:
    """A stage in one variety is its whole already."""
    return varieties if len(varieties) > 1 else []
