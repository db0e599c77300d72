"""From a figure of ratings to the pairs it counts, and to all that was said of one of them."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.models import Rating
from projects.access import fetch_project
from projects.neighbours import neighbours
from projects.requests import SignedInRequest
from reports.dashboard.filters import NarrowingForm
from reports.dashboard.listing import PER_PAGE, chosen_judge
from reports.ratings.listing import RATED, lines, selected
from reports.ratings.scope import Narrowed, RatedScope
from reports.ratings.side_by_side import of_pair, of_response
from reports.views.computing import figures_or_page
from reports.warming import Asked


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def rated_pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "answers.read")
    form = NarrowingForm(RatedScope, project, request.GET)
    figures = figures_or_page(request, Asked(RATED, project, Narrowed.known(form.chosen)), {"form": form})
    if isinstance(figures, HttpResponse):
        return figures
    selection = selected(project, form.chosen, figures.read())
    page = Paginator(selection.places, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "form": form,
        "page": page,
        "as_of": figures.as_of,
        "lines": lines(project, selection, list(page)),
        "judge": form.chosen.get("judge", ""),
    }
    return render(request, "reports/ratings/pairs.html", context)


@require_safe
@login_required
def rated_pair(request: HttpRequest, slug: str, pair: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "answers.read")
    texts = ("prompt__variety", "variety", "first__target_model", "second__target_model")
    rated = get_object_or_404(project.pairs.select_related(*texts), pk=pair)
    judge = chosen_judge(project, request.GET.get("judge", ""))
    context: dict[str, Any] = {
        "project": project,
        "subject": rated,
        "responses": [rated.first, rated.second],
        "asked": of_pair(rated, judge.pseudonym if judge else ""),
        "judge": judge,
        "url_name": "rated-pair",
        "neighbours": neighbours(project.pairs.all(), rated, request.GET.get("find", ""), by="pk"),
    }
    return render(request, "reports/ratings/pair.html", context)


@require_safe
@login_required
def rated_response(request: HttpRequest, slug: str, response: UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "answers.read")
    texts = ("variety", "target_model", "prompt__variety")
    rated = get_object_or_404(project.responses.select_related(*texts), uuid=response)
    judge = chosen_judge(project, request.GET.get("judge", ""))
    others = project.responses.filter(Exists(Rating.objects.filter(response=OuterRef("pk"))))
    context: dict[str, Any] = {
        "project": project,
        "subject": rated,
        "responses": [rated],
        "asked": of_response(rated, judge.pseudonym if judge else ""),
        "judge": judge,
        "url_name": "rated-response",
        "neighbours": neighbours(others, rated, request.GET.get("find", "")),
    }
    return render(request, "reports/ratings/pair.html", context)
