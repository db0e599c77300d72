"""Signals of attention as a lead sees them: people by pseudonym, numbers beside what would be expected."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from agreement.attention import RUSHED
from projects.access import fetch_project
from reports.signals import MOST, NOTABLE_P, NOTABLE_SHARE, headline
from reports.signals import signals as signals_of

PAGE = 50


@require_safe
@login_required
def signals(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    people = signals_of(project)
    page = Paginator(people, PAGE).get_page(request.GET.get("page"))
    rules = {"rushed": RUSHED, "share": NOTABLE_SHARE, "p": NOTABLE_P, "most": MOST}
    return render(
        request, "reports/signals.html", {"project": project, "page": page, "rules": rules, **headline(people)}
    )
