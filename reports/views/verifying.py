"""Alphas recomputed by the package `krippendorff`: the page of a dashboard's, and of one table a part of its page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from jobs.listing import entry_of
from jobs.models import Job
from projects.access import fetch_project
from projects.requests import SignedInRequest
from reports.dashboard.dashboards import of_page
from reports.verification import Comparison, disagreeing, package_version
from reports.verifying import TITLE, Verification
from reports.views.computing import figures_or_page
from reports.warming import Asked, wanted


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def verified_page(request: SignedInRequest, slug: str, page: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    dashboard, table = of_page(page), request.GET.get("table", "")
    form = dashboard.form(project, request.GET)
    asked = Asked(Verification(dashboard).page, project, form.chosen)
    if request.htmx and table:
        return part_of_page(request, asked, table)
    figures = figures_or_page(request, asked, {})
    if isinstance(figures, HttpResponse):
        return figures
    comparisons = of_table(figures.read(), table)
    context = {"project": project, "title": TITLE, "dashboard": dashboard, "form": form, "as_of": figures.as_of}
    return render(request, "reports/verified.html", {**context, **shown(comparisons)})


def part_of_page(request: SignedInRequest, asked: Asked, table: str) -> HttpResponse:
    """The alphas of one table, or how far they are, which asks again by itself."""
    outcome = wanted(asked, request.user)
    if isinstance(outcome, Job):
        context = {"job": outcome, "entry": entry_of(outcome)}
    else:
        context = shown(of_table(outcome.read(), table))
    response = render(request, "reports/verified_table.html", {"project": asked.project, "table": table, **context})
    patch_vary_headers(response, ["HX-Request"])
    return response


def of_table(comparisons: list[Comparison], table: str) -> list[Comparison]:
    return [comparison for comparison in comparisons if table in ("", comparison.table)]


def shown(comparisons: list[Comparison]) -> dict[str, object]:
    return {
        "comparisons": comparisons,
        "disagreeing": disagreeing(comparisons),
        "package": package_version(),
    }
