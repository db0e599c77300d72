"""What a lead reads first: how far people and judges agree, every figure with its table, recipe and files."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_http_methods, require_safe

from jobs.models import Job
from projects.access import fetch_project
from projects.models import Project
from projects.requests import SignedInRequest
from reports.dashboard.dashboards import Dashboard, of_page
from reports.dashboard.tables import Table, by_id
from reports.sections import sections
from reports.views.computing import FILE_SECONDS, come_again, figures_or_page
from reports.warming import Asked, in_english

# Spreadsheets take a file for UTF-8 by this mark alone; without it Arabic and Bengali labels arrive broken.
BYTE_ORDER_MARK = "\ufeff"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def results(request: SignedInRequest, slug: str, page: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    dashboard = of_page(page)
    form = dashboard.form(project, request.GET)
    chosen = form.chosen
    figures = figures_or_page(request, Asked(dashboard, project, chosen), {"dashboard": dashboard, "form": form})
    if isinstance(figures, HttpResponse):
        return figures
    reading = figures.read()
    context = {
        "project": project,
        "dashboard": dashboard,
        "form": form,
        "as_of": figures.as_of,
        "tiles": dashboard.tiles(project, chosen, reading.tables),
        "is_empty": not any(table.rows for table in reading.tables),
        "tables": reading.tables,
        "sections": sections(project, chosen, reading, dashboard),
    }
    return render(request, "reports/results.html", context)


@require_safe
@login_required
def table_csv(request: SignedInRequest, slug: str, table_id: str, page: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    table = chosen_table(request, project, of_page(page), table_id)
    if isinstance(table, HttpResponse):
        return table
    response = HttpResponse(BYTE_ORDER_MARK + table.as_csv(), content_type="text/csv; charset=utf-8")
    return as_file(response, project, table_id, "csv")


@require_safe
@login_required
def table_json(request: SignedInRequest, slug: str, table_id: str, page: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    table = chosen_table(request, project, of_page(page), table_id)
    if isinstance(table, HttpResponse):
        return table
    response = JsonResponse(table.as_json(), json_dumps_params={"ensure_ascii": False, "indent": 1})
    return as_file(response, project, table_id, "json")


def chosen_table(
    request: SignedInRequest, project: Project, dashboard: Dashboard, table_id: str
) -> Table | HttpResponse:
    """The table of this id under the page's filters, in English: files of two readers are to be the same file. Where
    its figures are still computed after a while, the answer that says so.

    A file could not say that a filter was not applied, so with such a filter there is none.
    """
    form = dashboard.form(project, request.GET)
    if form.errors:
        raise Http404
    asked = Asked(dashboard, project, form.chosen)
    figures = in_english(asked, request.user, FILE_SECONDS)
    if isinstance(figures, Job):
        return come_again(asked, figures)
    with translation.override("en"):
        table = by_id(figures.read().tables, table_id)
    if table is None:
        raise Http404
    return table


def as_file(response: HttpResponse, project: Project, table_id: str, extension: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-{table_id}.{extension}"'
    return response
