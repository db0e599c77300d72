"""From a figure to the texts: the list of responses it counts."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from projects.access import fetch_project
from reports.dashboard.filters import NarrowingForm
from reports.dashboard.listing import PER_PAGE
from reports.spans.listing import lines, selected
from reports.spans.scope import SpanListScope


@require_safe
@login_required
def responses(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "answers.read")
    form = NarrowingForm(SpanListScope, project, request.GET)
    selection = selected(project, form.chosen).select_related("variety", "target_model", "gold_answer").order_by("id")
    page = Paginator(selection, PER_PAGE).get_page(request.GET.get("page"))
    context = {"project": project, "form": form, "page": page, "lines": lines(list(page))}
    return render(request, "reports/spans/responses.html", context)
