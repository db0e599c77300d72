"""The languages of a project: any language tag, each with what the project calls it in its tables and files."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from projects.access import fetch_project
from projects.audit import record
from projects.forms import LanguageForm
from projects.languages.names import suggestions
from projects.models import LanguageVariety, Project, ProjectVariety
from projects.requests import SignedInRequest
from projects.varieties import faults_of_short_names, notes_of, used_in, variety_of


@require_safe
@login_required
def languages(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    return render(request, "projects/languages.html", context_of(project, LanguageForm()))


@require_POST
@login_required
def add_language(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    form = LanguageForm(request.POST)
    if form.is_valid():
        variety = variety_of(form.cleaned_data["language"])
        if fault := call(project, variety, form.cleaned_data["short_name"], request):
            form.add_error("short_name", fault)
    if form.errors:
        return render(request, "projects/languages.html", context_of(project, form), status=422)
    return redirect("languages", slug)


@require_POST
@login_required
def change_language(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Another short name, or, with `remove`, the language taken from the list: texts and people keep theirs."""
    project = fetch_project(request.user, slug, "project.edit")
    variety = get_object_or_404(LanguageVariety, pk=pk)
    if "remove" in request.POST:
        ProjectVariety.objects.filter(project=project, variety=variety).delete()
        record("project.changed", actor=request.user, project=project, subject=variety.tag)
    elif fault := call(project, variety, request.POST.get("short_name", "").strip()[:12], request):
        messages.error(request, f"{variety.local_name}: {fault}")
    return redirect("languages", slug)


@transaction.atomic
def call(project: Project, variety: LanguageVariety, short_name: str, request: SignedInRequest) -> str:
    """Give the variety its short name in the project, or say what speaks against it."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    rows = {row.variety_id: row for row in project.varieties.select_related("variety")}
    others = [(row.variety.tag, row.short_name) for row in rows.values() if row.variety_id != variety.pk]
    for place, _code, message in faults_of_short_names([*others, (variety.tag, short_name)]):
        if place == len(others):
            return message
    row = rows.get(variety.pk) or ProjectVariety(project=project, variety=variety, position=len(rows) + 1)
    row.short_name = short_name
    row.save()
    record("project.changed", actor=request.user, project=project, subject=variety.tag, short_name=short_name)
    return ""


def context_of(project: Project, form: LanguageForm) -> dict[str, Any]:
    rows = {row.variety_id: row for row in project.varieties.all()}
    used = used_in(project)
    used.sort(key=lambda variety: rows[variety.pk].position if variety.pk in rows else len(rows) + 1)
    found = [{"variety": variety, "row": rows.get(variety.pk)} for variety in used]
    return {
        "project": project,
        "form": form,
        "rows": found,
        "notes": notes_of(project),
        "suggestions": suggestions(get_language() or "en"),
    }
