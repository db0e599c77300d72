"""A lead sets up interviews and records what came of them; a person reads how theirs stands."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.access import fetch_project, fetch_rater
from projects.requests import SignedInRequest
from screening import interviewing
from screening.access import fetch_interview
from screening.eligibility import meant_for
from screening.forms import InterviewForm, InterviewResultForm, language_name
from screening.models import Interview, InterviewResult

PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def interviews(request: SignedInRequest, slug: str) -> HttpResponse:
    """Those there are, and one more."""
    project = fetch_project(request.user, slug, "project.edit")
    form = InterviewForm(request.POST if request.method == "POST" else None, project=project)
    if form.is_valid():
        interviewing.set_up(form.save(commit=False), request.user)
        return redirect("interviews", slug)
    counted = Interview.objects.filter(stage__project=project).select_related("stage")
    counted = counted.annotate(recorded=Count("results"), passed=Count("results", filter=Q(results__is_passed=True)))
    rows = [(row, language_name(row.language)) for row in counted.order_by("stage__position", "step", "language", "pk")]
    context = {"project": project, "rows": rows, "form": form, "has_stages": project.stages.exists()}
    return render(request, "screening/interviews/list.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def results(request: SignedInRequest, slug: str, interview: int) -> HttpResponse:
    """What was recorded, and one more; recorded again, it is what was recorded last."""
    project = fetch_project(request.user, slug, "project.edit")
    chosen = fetch_interview(project, interview)
    posted = request.POST if request.method == "POST" else None
    form = InterviewResultForm(posted, instance=InterviewResult(interview=chosen), project=project)
    if form.is_valid():
        interviewing.record(form.save(commit=False), request.user)
        messages.success(request, _("Saved."))
        return redirect("interview-results", slug, chosen.pk)
    recorded = chosen.results.select_related("rater").order_by("-recorded_at", "-pk")
    page = Paginator(recorded, PAGE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "interview": chosen,
        "language": language_name(chosen.language),
        "form": form,
        "page": page,
    }
    return render(request, "screening/interviews/results.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def set_open(request: SignedInRequest, slug: str, interview: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen = fetch_interview(project, interview)
    chosen.is_open = request.POST.get("open") == "1"
    interviewing.set_up(chosen, request.user)
    return redirect("interview-results", slug, chosen.pk)


@require_safe
@never_cache
@login_required
def own(request: SignedInRequest, slug: str, interview: int) -> HttpResponse:
    """How a person's own interview stands; the note where they may read it."""
    project = fetch_project(request.user, slug, "work.claim")
    rater, chosen = fetch_rater(request.user, project), fetch_interview(project, interview)
    result = chosen.results.filter(rater=rater).first()
    if result is None and chosen not in meant_for(rater, list(chosen.stage.interviews.filter(is_open=True))):
        raise Http404
    context = {"project": project, "interview": chosen, "result": result}
    return render(request, "screening/interviews/own.html", context)
