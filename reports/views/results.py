"""What a lead reads first: how far people and judges agree, every figure with its table, recipe and files."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from projects.access import fetch_project
from projects.models import Project
from reports import cache
from reports.by_setting import Reading
from reports.dashboards import Dashboard, of_page
from reports.sections import section
from reports.tables import Table, by_id

# Spreadsheets take a file for UTF-8 by this mark alone; without it Arabic and Bengali labels arrive broken.
BYTE_ORDER_MARK = "\ufeff"


@require_safe
@login_required
def results(request: HttpRequest, slug: str, page: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    dashboard = of_page(page)
    form = dashboard.form(project, request.GET)
    chosen = form.chosen
    reading = dashboard.read(project, chosen)
    context = {
        "project": project,
        "dashboard": dashboard,
        "form": form,
        "tiles": dashboard.tiles(project, chosen, reading.tables),
        "is_empty": not any(table.rows for table in reading.tables),
        "tables": reading.tables,
        "sections": sections(project, dashboard, chosen, reading),
    }
    return render(request, "reports/results.html", context)


def sections(project: Project, dashboard: Dashboard, chosen: dict, reading: Reading) -> SafeString:
    """The tables as HTML. Nothing in it is about who reads, so it is written once for each state of the answers."""

    def written(_missing: list[str]) -> dict[str, str]:
        shown = [section(table, lambda row: dashboard.address(project, chosen, row)) for table in reading.tables]
        context = {
            "project": project,
            "query": urlencode(chosen),
            "sections": shown,
            "csv_url": f"{dashboard.page}-csv",
            "json_url": f"{dashboard.page}-json",
        }
        return {"html": str(render_to_string("reports/sections.html", context))}

    state = (sorted(chosen.items()), translation.get_language(), reading.state)
    key = cache.key_of("sections", dashboard.page, project.slug, *state)
    return mark_safe(cache.remembered({"html": key}, written)["html"])


@require_safe
@login_required
def table_csv(request: HttpRequest, slug: str, table_id: str, page: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    table = chosen_table(request, project, of_page(page), table_id)
    response = HttpResponse(BYTE_ORDER_MARK + table.as_csv(), content_type="text/csv; charset=utf-8")
    return as_file(response, project, table_id, "csv")


@require_safe
@login_required
def table_json(request: HttpRequest, slug: str, table_id: str, page: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    table = chosen_table(request, project, of_page(page), table_id)
    response = JsonResponse(table.as_json(), json_dumps_params={"ensure_ascii": False, "indent": 1})
    return as_file(response, project, table_id, "json")


def chosen_table(request: HttpRequest, project: Project, dashboard: Dashboard, table_id: str) -> Table:
    """The table of this id under the page's filters, in English: files of two readers are to be the same file.

    A file could not say that a filter was not applied, so with such a filter there is none.
    """
    form = dashboard.form(project, request.GET)
    with translation.override("en"):
        table = None if form.errors else by_id(dashboard.read(project, form.chosen).tables, table_id)
    if table is None:
        raise Http404
    return table


def as_file(response: HttpResponse, project: Project, table_id: str, extension: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-{table_id}.{extension}"'
    return response
