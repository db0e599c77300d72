"""What a lead reads first: how far people and judges agree, as an index of findings, and a page for each finding with
its figure, table, recipe and files."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_safe

from jobs.listing import entry_of
from jobs.models import Job
from projects.access import fetch_project
from projects.models import Project
from projects.requests import SignedInRequest
from projects.spreadsheets import BYTE_ORDER_MARK
from reports.dashboard.dashboards import Dashboard, of_page
from reports.dashboard.figures import BEFORE, Reading
from reports.dashboard.index import Index, Place, Shown, finding_address
from reports.dashboard.tables import Table, by_id
from reports.sections import section
from reports.views.computing import FILE_SECONDS, come_again, try_again, waiting
from reports.warming import Asked, Progress, in_english, read_what_can_be, wanted
from workflow.progress import work_so_far

# So many rows of a table stand on the page of its finding before all are asked for.
MAX_ROWS = 100


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def index(request: SignedInRequest, slug: str, page: str) -> HttpResponse:
    """The index of findings. What is not computed yet comes by itself: htmx asks with what the browser has."""
    project = fetch_project(request.user, slug, "dashboard.read")
    dashboard = of_page(page)
    form = dashboard.form(project, request.GET)
    asked = Asked(dashboard, project, form.chosen)
    if request.method == "POST":
        return try_again(request, asked)
    look = asked.look()
    outcome = wanted(asked, request.user, look)
    context = {"project": project, "dashboard": dashboard, "form": form, "query": urlencode(form.chosen)}
    if dashboard.above and not request.htmx:
        context |= dashboard.shown_above(project, form.chosen)
    findings = Index(dashboard, project, form.chosen)
    if isinstance(outcome, Job):
        shown = findings.of_progress(asked.progress(outcome), look)
        context |= {"job": outcome, "entry": entry_of(outcome)}
        if not request.htmx:  # there at once, while what takes long is computed
            context["work"] = work_so_far(project)
    elif isinstance(reading := read_what_can_be(outcome, look), Progress):
        shown = findings.of_progress(reading, look)
        context["is_broken"] = True
    else:
        shown = findings.of_figures(reading, outcome.state, outcome.as_of)
        context["is_empty"] = not any(table.rows for table in reading.tables)
        context["tiles"] = dashboard.tiles(project, form.chosen, reading.tables)
    if request.htmx and context.get("is_empty"):
        return HttpResponse(headers={"HX-Refresh": "true"})
    context |= {
        "shown": shown,
        "as_of": shown.as_of,
        "fresh": not_yet_there(request, shown, isinstance(outcome, Job) and not outcome.is_over),
    }
    response = render(request, "reports/index_live.html" if request.htmx else "reports/index.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def not_yet_there(request: SignedInRequest, shown: Shown, is_awaited: bool) -> list[Place]:
    """The groups whose place is another than in the browser: of another state than its own all of them, else those
    that are finished since, or were given up."""
    if request.GET.get("state") != shown.state:
        return list(shown.places)
    there = request.GET.get("there", "").split(",")
    if not is_awaited:  # what is read afresh each time may be newer by now
        there = [name for name in there if name != BEFORE]
    return [place for place in shown.places if place.name not in there and (place.cards is not None or not is_awaited)]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def finding(request: SignedInRequest, slug: str, table_id: str, page: str) -> HttpResponse:
    """One finding with all that belongs to it; there as soon as the figures of its group are."""
    project = fetch_project(request.user, slug, "dashboard.read")
    dashboard = of_page(page)
    form = dashboard.form(project, request.GET)
    asked = Asked(dashboard, project, form.chosen)
    if request.method == "POST":
        return try_again(request, asked)
    index_address = address_of_index(dashboard, project, form.chosen)
    context = {"project": project, "dashboard": dashboard, "form": form, "index_address": index_address}
    look = asked.look()
    outcome = wanted(asked, request.user, look)
    as_of = None
    if isinstance(outcome, Job):
        progress = asked.progress(outcome)
        tables = tables_of(progress) if progress else []
        if progress is None or by_id(tables, table_id) is None:
            return waiting(request, asked, outcome, context)
        as_of = None if progress.state == look.state else progress.at
    else:
        reading = read_what_can_be(outcome, look)
        tables, as_of = tables_of(reading), outcome.as_of
        if isinstance(reading, Progress) and by_id(tables, table_id) is None:
            return redirect(index_address)  # which says what could not be computed
    table = by_id(tables, table_id)
    if table is None:
        raise Http404
    if request.htmx:  # the frame asks: the page is loaded anew, with its scripts
        return HttpResponse(headers={"HX-Refresh": "true"})
    max_rows = None if request.GET.get("rows") == "all" else MAX_ROWS
    context |= {
        "as_of": as_of,
        "section": section(table, lambda row: dashboard.address(project, form.chosen, row), max_rows),
        "beside": beside(dashboard, project, form.chosen, tables, table),
        "query": urlencode(form.chosen),
        "csv_url": f"{page}-csv",
        "json_url": f"{page}-json",
        "alpha_tables": dashboard.alphas.tables if dashboard.alphas else (),
        "verify_url": f"{page}-verified",
    }
    return render(request, "reports/finding.html", context)


def tables_of(computed: Reading | Progress) -> list[Table]:
    if isinstance(computed, Progress):
        return [table for group in computed.groups for table in group.tables]
    return list(computed.tables)


def address_of_index(dashboard: Dashboard, project: Project, chosen: Mapping[str, Any]) -> str:
    address = reverse(dashboard.page, args=[project.slug])
    return f"{address}?{urlencode(chosen)}" if chosen else address


def beside(
    dashboard: Dashboard, project: Project, chosen: Mapping[str, Any], tables: Sequence[Table], table: Table
) -> dict[str, tuple[str, str]]:
    """Address and title of the findings before and after, where there are any."""
    at = tables.index(table)
    neighbours = {"before": tables[at - 1] if at else None, "after": tables[at + 1] if at + 1 < len(tables) else None}
    return {
        name: (finding_address(dashboard, project, chosen, neighbour.id), neighbour.title)
        for name, neighbour in neighbours.items()
        if neighbour is not None
    }


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
