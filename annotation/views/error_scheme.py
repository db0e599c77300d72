"""A lead says what errors of the source cost."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.error_scheme import ErrorSchemeForm, error_scheme
from projects.access import fetch_project
from projects.audit import record
from projects.requests import SignedInRequest


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def scheme(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    form = ErrorSchemeForm(request.POST if request.method == "POST" else None, instance=error_scheme(project))
    if form.is_valid():
        with transaction.atomic():
            form.save()
            record("errors.scheme", actor=request.user, project=project, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("error-scheme", slug)
    context = {"project": project, "form": form}
    return render(request, "annotation/error_scheme.html", context, status=422 if form.errors else 200)
