"""What a lead reads first: how far people and judges agree, every figure with its table, recipe and files."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from projects.access import fetch_project
from projects.models import Project
from reports import cache
from reports.filters import ResponsesForm, ResultsForm
from reports.response_list import MISSED
from reports.sections import section
from reports.spans import dashboard
from reports.spans.headline import headline
from reports.spans.scope import Scope
from reports.tables import Row, Table, by_id

# Spreadsheets take a file for UTF-8 by this mark alone; without it Arabic and Bengali labels arrive broken.
BYTE_ORDER_MARK = "\ufeff"


@require_safe
@login_required
def results(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    form = ResultsForm(project, request.GET)
    chosen = form.chosen
    reading = dashboard.read(project, filters=chosen)
    context = {
        "project": project,
        "form": form,
        "query": urlencode(chosen),
        "tiles": headline(project, Scope.of(chosen), reading.tables),
        "is_empty": not any(table.rows for table in reading.tables),
        "tables": reading.tables,
        "sections": sections(project, chosen, reading),
    }
    return render(request, "reports/results.html", context)


def sections(project: Project, chosen: dict, reading: dashboard.Reading) -> SafeString:
    """The tables as HTML. Nothing in it is about who reads, so it is written once for each state of the answers."""

    def written(_missing: list[str]) -> dict[str, str]:
        shown = [section(table, lambda row: responses_address(project, chosen, row)) for table in reading.tables]
        context = {"project": project, "query": urlencode(chosen), "sections": shown}
        return {"html": str(render_to_string("reports/sections.html", context))}

    key = cache.key_of("sections", project.slug, sorted(chosen.items()), translation.get_language(), reading.state)
    return mark_safe(cache.remembered({"html": key}, written)["html"])


@require_safe
@login_required
def table_csv(request: HttpRequest, slug: str, table_id: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    table = chosen_table(request, project, table_id)
    response = HttpResponse(BYTE_ORDER_MARK + table.as_csv(), content_type="text/csv; charset=utf-8")
    return as_file(response, project, table_id, "csv")


@require_safe
@login_required
def table_json(request: HttpRequest, slug: str, table_id: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    table = chosen_table(request, project, table_id)
    response = JsonResponse(table.as_json(), json_dumps_params={"ensure_ascii": False, "indent": 1})
    return as_file(response, project, table_id, "json")


def chosen_table(request: HttpRequest, project: Project, table_id: str) -> Table:
    """The table of this id under the page's filters, in English: files of two readers are to be the same file.

    A file could not say that a filter was not applied, so with such a filter there is none.
    """
    form = ResultsForm(project, request.GET)
    with translation.override("en"):
        table = None if form.errors else by_id(dashboard.tables(project, filters=form.chosen), table_id)
    if table is None:
        raise Http404
    return table


def as_file(response: HttpResponse, project: Project, table_id: str, extension: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-{table_id}.{extension}"'
    return response


def responses_address(project: Project, chosen: dict, row: Row) -> str:
    """The list of responses a row counts: its own filters, and of the page's those the list knows."""
    if not row.drill:
        return ""
    filters = {**chosen, **row.drill}
    if filters.get("missed"):
        filters["outcome"] = MISSED
    known = {name: value for name, value in filters.items() if name in ResponsesForm.base_fields}
    return f"{reverse('responses', args=[project.slug])}?{urlencode(known)}"
