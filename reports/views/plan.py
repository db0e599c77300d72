"""A lead asks how large a study has to be. Nothing is stored: the address holds what was asked."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from projects.access import fetch_project
from projects.requests import SignedInRequest
from reports.planning import wording
from reports.planning.form import PlanForm


@require_safe
@login_required
def plan(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    form = PlanForm(project, request.GET or None)
    context = {"project": project, "form": form}
    if form.is_bound and form.is_valid() and form.plan is not None:
        made = form.plan
        context |= {
            "plan": made,
            "pilot": wording.of_pilot(form.pilot) if form.pilot else [],
            "spreads": wording.of_spreads(made),
            "heads": wording.heads(made),
            "rows": list(wording.rows(made)),
            "none": wording.why_none(made),
            "twice": wording.of_twice(made),
            "judge": wording.of_judge(made),
        }
    return render(request, "reports/plan.html", context)
