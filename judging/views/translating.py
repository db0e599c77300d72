"""Drafts of localisations: what waits, what a model has drafted and what native speakers made of it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from judging.forms.sets import show
from judging.translating.beginning import begin_translating, drafts_by_variety, varieties_of
from judging.translating.forms import DraftsForm
from projects.access import fetch_project
from projects.problems import Invalid
from projects.prompts_as_templates import as_templates, plain_prompts
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
        "n_plain": plain_prompts(project).count(),
    }
    return render(request, "judging/drafts.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def of_prompts(request: SignedInRequest, slug: str) -> HttpResponse:
    """Make templates of the prompts that were written as they are."""
    project = fetch_project(request.user, slug, "project.edit")
    made = as_templates(project, request.user)
    text = ngettext("%(n)d template was made.", "%(n)d templates were made.", made)
    messages.success(request, text % {"n": made})
    return redirect("prompt-drafts", slug)
