"""Two frozen versions of a question set beside each other, for every model."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from benchmark.access import fetch_set
from benchmark.comparing import compare
from projects.requests import SignedInRequest


@require_safe
@login_required
def question_versions(request: SignedInRequest, slug: str, question_set: str, version: int, later: int) -> HttpResponse:
    """The scores in both, over the questions they have in common and over all; a draft has none (404)."""
    before = fetch_set(request.user, slug, question_set, version, "dashboard.read")
    after = get_object_or_404(before.project.question_sets, slug=question_set, version=later)
    if not (before.is_frozen and after.is_frozen):
        raise Http404
    after.project = before.project
    context = {"project": before.project, "question_set": before, "compared": compare(before, after)}
    return render(request, "reports/leaderboard/versions.html", context)
