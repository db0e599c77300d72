"""From a figure of rubrics to the responses it counts, and to the verdicts of one of them side by side."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from projects.access import fetch_project
from projects.neighbours import neighbours
from reports.dashboard.filters import NarrowingForm
from reports.dashboard.listing import PER_PAGE, chosen_judge
from reports.rubrics.listing import lines, selected
from reports.rubrics.scope import GradedScope
from reports.rubrics.side_by_side import side_by_side
from rubrics.models import Grade


@require_safe
@login_required
def graded_responses(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "answers.read")
    form = NarrowingForm(GradedScope, project, request.GET)
    selection = selected(project, form.chosen)
    page = Paginator(selection.ids, PER_PAGE).get_page(request.GET.get("page"))
    judge = form.chosen.get("judge", "")
    context = {
        "project": project,
        "form": form,
        "page": page,
        "lines": lines(project, selection, list(page)),
        "judge": judge,
    }
    return render(request, "reports/rubrics/responses.html", context)


@require_safe
@login_required
def graded_response(request: HttpRequest, slug: str, response: UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "answers.read")
    graded = get_object_or_404(
        project.responses.select_related("variety", "target_model", "prompt__variety"), uuid=response
    )
    judge = chosen_judge(project, request.GET.get("judge", ""))
    sides = side_by_side(graded, judge.pseudonym if judge else "")
    others = project.responses.filter(Exists(Grade.objects.filter(response=OuterRef("pk"))))
    context = {
        "project": project,
        "response": graded,
        "sides": sides,
        "judge": judge,
        "neighbours": neighbours(others, graded, request.GET.get("find", "")),
    }
    return render(request, "reports/rubrics/response.html", context)
