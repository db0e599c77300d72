"""Which questions of a version some models do not solve: a list for people, never a deletion."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from benchmark.access import fetch_set
from benchmark.screening_form import ScreeningForm, too_many
from benchmark.set_jobs import is_large
from projects.requests import SignedInRequest


@require_safe
@login_required
def unsolved(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    form = ScreeningForm(row.project, request.GET or None)
    context: dict[str, Any] = {"project": row.project, "question_set": row, "form": form}
    if is_large(row):
        context["too_many"] = too_many()
    elif form.is_valid():
        context["found"] = found = form.found(row)
        context["lists"] = [
            (_("Look at these first"), found.sample),
            (_("Solved by none"), found.unsolved),
            (_("Not to be told: none solves it, and an answer or a score is missing"), found.unscored),
        ]
    return render(request, "benchmark/unsolved.html", context)
