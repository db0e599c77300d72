"""What a lead does with checked questions: takes over what a checker decided, or keeps all that everybody keeps."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchmark.access import fetch_set
from benchmark.editing import drop, keep
from benchmark.models import Decision, QuestionCheck, QuestionSet
from benchmark.question_check.deciding import keep_agreed, take_over
from projects.problems import Invalid
from projects.requests import SignedInRequest

# The filters and the page that a lead comes back to.
KEPT = ("state", "decision", "fault", "page")


@require_POST
@login_required
def take_over_check(request: SignedInRequest, slug: str, question_set: str, version: int, check: int) -> HttpResponse:
    """Do what this checker decided."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    rows = QuestionCheck.objects.select_related("question").filter(question__question_set=row)
    chosen = get_object_or_404(rows, pk=check)
    return _decided(request, row, lambda: take_over(chosen, request.user))


@require_POST
@login_required
def decide(request: SignedInRequest, slug: str, question_set: str, version: int, question: int) -> HttpResponse:
    """Keep or drop a question whatever the checkers said."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    asked = get_object_or_404(row.questions, pk=question)
    act = drop if request.POST.get("decision") == Decision.DROP else keep
    return _decided(request, row, lambda: act(asked, request.user))


@require_POST
@login_required
def keep_all(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    n = keep_agreed(row, request.user)
    told = ngettext("%(n)d question is kept.", "%(n)d questions are kept.", n) % {"n": n}
    messages.success(request, told)
    return _back(request.POST, row)


def _decided(request: SignedInRequest, row: QuestionSet, act) -> HttpResponse:  # type: ignore[no-untyped-def]
    try:
        act()
    except Invalid as refused:
        for problem in refused.problems:
            messages.error(request, problem.message)
    else:
        messages.success(request, _("Decided, and written down."))
    return _back(request.POST, row)


def _back(sent: Mapping[str, str], row: QuestionSet) -> HttpResponse:
    address = reverse("question-checks", args=[row.project.slug, row.slug, row.version])
    kept = {name: sent[name] for name in KEPT if sent.get(name)}
    return redirect(f"{address}?{urlencode(kept)}" if kept else address)
