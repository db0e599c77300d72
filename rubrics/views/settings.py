"""A lead sets how the project writes its rubrics."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from projects.access import fetch_project
from projects.audit import record
from projects.requests import SignedInRequest
from rubrics.authoring.forms import BandFormSet, RubricSettingsForm
from rubrics.authoring.settings import settings_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    data = request.POST if request.method == "POST" else None
    form = RubricSettingsForm(data, instance=settings_of(project))
    bands = BandFormSet(data, instance=project, prefix="bands")
    if form.is_valid() and bands.is_valid():
        with transaction.atomic():
            form.save()
            bands.save()
            kept = {
                band.slug: [band.name, band.lowest, band.highest] for band in project.weight_bands.order_by("position")
            }
            record("rubrics.settings", actor=request.user, project=project, **form.cleaned_data, bands=kept)
        messages.success(request, _("The settings were saved. They hold for every rubric frozen from now on."))
        return redirect("rubric-settings", slug)
    context = {"project": project, "form": form, "bands": bands}
    return render(request, "rubrics/settings.html", context, status=422 if request.method == "POST" else 200)
