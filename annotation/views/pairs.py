"""A lead sets responses side by side: which models meet, what that would make, and making it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.pairs.forming import design_of, form, models_of, would_form
from annotation.pairs.forms import PairsForm
from projects.access import fetch_project
from projects.problems import Invalid
from projects.requests import SignedInRequest


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def form_pairs(request: SignedInRequest, slug: str) -> HttpResponse:
    """First what would be formed, then forming it: the second button says `form`."""
    project = fetch_project(request.user, slug, "project.edit")
    filled = PairsForm(project, design_of(project), request.POST if request.method == "POST" else None)
    formed = None
    if filled.is_valid():
        try:
            if "form" in request.POST:
                n = len(form(filled.chosen(), by=request.user).pairs)
                text = ngettext("%(n)d pair was formed.", "%(n)d pairs were formed.", n)
                messages.success(request, text % {"n": n})
                return redirect("pairs", slug)
            formed = would_form(filled.chosen())
        except Invalid as invalid:
            for problem in invalid.problems:
                filled.add_error(problem.field if problem.field in filled.fields else None, problem.message)
    context = {"project": project, "form": filled, "formed": formed}
    context |= {"n_pairs": project.pairs.count(), "n_models": len(models_of(project))}
    return render(request, "annotation/pairs/form.html", context, status=422 if filled.errors else 200)
