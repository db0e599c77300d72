"""Drafts of localisations: what waits, what a model has drafted and what native speakers made of it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judging.forms.sets import show
from judging.translating.beginning import begin_translating, drafts_by_variety, varieties_of
from judging.translating.forms import DraftsForm
from projects.access import fetch_project
from projects.problems import Invalid
from projects.requests import SignedInRequest


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def drafts(request: SignedInRequest, slug: str) -> HttpResponse:
    """POST has a model draft what waits; the job's page shows how far it is and cancels it."""
    project = fetch_project(request.user, slug, "judges.run")
    form = DraftsForm(project, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        limits = (form.money_limit, form.cleaned_data["tokens"])
        try:
            job = begin_translating(project, form.endpoint, form.chosen, *limits, by=request.user)
        except Invalid as invalid:
            show(invalid, form)
        else:
            messages.success(request, _("Begun. Drafts come one by one."))
            return redirect("job", slug, job.uuid)
    context = {
        "project": project,
        "form": form,
        "rows": drafts_by_variety(project, varieties_of(project)),
        "has_templates": project.prompt_templates.exists(),
    }
    return render(request, "judging/drafts.html", context, status=422 if form.errors else 200)
