"""A lead says by which words the project tells errors apart."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from projects.access import fetch_project
from projects.audit import record
from projects.label_forms import label_formsets
from projects.requests import SignedInRequest


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def labels(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    data = request.POST if request.method == "POST" else None
    formsets = label_formsets(project, data)
    if data is not None and all(formset.is_valid() for formset in formsets):
        with transaction.atomic():
            kept = {str(formset.vocabulary): [label.slug for label in formset.save()] for formset in formsets}
            record("labels.changed", actor=request.user, project=project, **kept)
        messages.success(request, _("Saved."))
        return redirect("labels", slug)
    context = {"project": project, "formsets": formsets}
    return render(request, "projects/labels.html", context, status=422 if data is not None else 200)
