"""Signals of attention as a lead sees them: people by pseudonym, numbers beside what would be expected."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from agreement.attention import RUSHED
from projects.access import fetch_project
from projects.requests import SignedInRequest
from reports.signals import MOST, NOTABLE_P, NOTABLE_SHARE, SIGNALS, headline, shown
from reports.views.computing import figures_or_page
from reports.warming import Asked

PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def signals(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    figures = figures_or_page(request, Asked(SIGNALS, project, {}), {})
    if isinstance(figures, HttpResponse):
        return figures
    people = shown(figures.read())
    page = Paginator(people, PAGE).get_page(request.GET.get("page"))
    rules = {"rushed": RUSHED, "share": NOTABLE_SHARE, "p": NOTABLE_P, "most": MOST}
    context = {"project": project, "page": page, "rules": rules, "as_of": figures.as_of, **headline(people)}
    return render(request, "reports/signals.html", context)
