"""Who trained the models of a project: where the project and the installation differ, the lead settles it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from projects.access import fetch_project
from projects.laboratories import laboratories_of, models_of, settle
from projects.models import Laboratory
from projects.own_laboratories import touched
from projects.requests import SignedInRequest


@require_safe
@login_required
def laboratories(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    own, known = laboratories_of(project), list(Laboratory.objects.order_by("name"))
    rows = [
        {"model": model, "here": own.get(model.pk, model.laboratory_id), "differs": model.pk in own}
        for model in models_of(project)
    ]
    rows.sort(key=lambda row: not row["differs"])
    context = {"project": project, "rows": rows, "laboratories": known}
    return render(request, "projects/laboratories.html", context)


@require_POST
@login_required
def settle_laboratory(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Where judges of that laboratory have judged the model, it is said first which answers figures will leave out."""
    project = fetch_project(request.user, slug, "project.edit")
    model = get_object_or_404(models_of(project), pk=pk)
    chosen = request.POST.get("laboratory", "")
    laboratory = get_object_or_404(Laboratory, pk=int(chosen) if chosen.isdecimal() else 0)
    left_out = touched(project, model, laboratory)
    if left_out and not request.POST.get("confirmed"):
        context = {"project": project, "model": model, "laboratory": laboratory, "left_out": left_out}
        return render(request, "projects/laboratory_settle.html", context)
    settle(project, model, laboratory, request.user)
    message = _("%(model)s is of %(laboratory)s in this project. Judges of that laboratory are not asked about it.")
    messages.success(request, message % {"model": model.name, "laboratory": laboratory.name})
    return redirect("laboratories", slug)
