"""A lead changes the categories of errors after work has begun: with a preview, on the record, and back again."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from annotation import category_changes
from annotation.category_forms import MergeForm, RenameForm, SplitForm
from annotation.category_jobs import settle
from annotation.models import CategoryChange, Span
from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest

MOST_CHANGES = 100


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def categories(request: SignedInRequest, slug: str) -> HttpResponse:
    """All of them, several to be merged into one, and what was changed so far."""
    project = fetch_project(request.user, slug, "project.edit")
    form = MergeForm(request.POST if request.method == "POST" else None, project)
    touched = None
    if form.is_valid():
        chosen, into = list(form.cleaned_data["categories"]), form.cleaned_data["into"]
        if "confirm" in request.POST:
            try:
                change = category_changes.merge(chosen, into, request.user, form.cleaned_data["reason"])
                return changed(request, change)
            except Invalid as refused:
                add_problems(form, refused)
        else:
            touched = category_changes.touched(project, [one for one in chosen if one != into])
    context = listed(project) | {"form": form, "touched": touched}
    return render(request, "annotation/categories/list.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def category(request: SignedInRequest, slug: str, category: str) -> HttpResponse:
    """One: its words, and what it is split into."""
    project = fetch_project(request.user, slug, "project.edit")
    chosen = get_object_or_404(project.error_categories.offered(), slug=category)
    act = request.POST.get("act") if request.method == "POST" else None
    renaming = RenameForm(request.POST if act == "rename" else None, instance=chosen)
    splitting = SplitForm(request.POST if act == "split" else None)
    touched = None
    try:
        if renaming.is_bound and renaming.is_valid():
            cleaned = renaming.cleaned_data
            there = project.error_categories.get(pk=chosen.pk)
            return changed(request, category_changes.rename(there, cleaned, request.user, cleaned["reason"]))
        if splitting.is_bound and splitting.is_valid():
            cleaned = splitting.cleaned_data
            if "confirm" in request.POST:
                change = category_changes.split(chosen, cleaned["parts"], request.user, cleaned["reason"])
                return changed(request, change)
            touched = category_changes.touched(project, [chosen])
    except Invalid as refused:
        add_problems(renaming if renaming.is_bound else splitting, refused)
    context = {"project": project, "category": chosen, "renaming": renaming, "splitting": splitting, "touched": touched}
    is_refused = bool(renaming.errors or splitting.errors)
    return render(request, "annotation/categories/one.html", context, status=422 if is_refused else 200)


@require_POST
@login_required
def undo(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    change = get_object_or_404(project.category_changes.select_related("project"), number=number)
    try:
        return changed(request, category_changes.undo(change, request.user))
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("error-categories", slug)


def listed(project: Project) -> dict[str, Any]:
    """With the marks that name each, whatever they are read as."""
    marks = dict(
        Span.objects.filter(response__project=project, category__isnull=False)
        .order_by()
        .values_list("category")
        .annotate(n=Count("pk"))
    )
    rows = [(one, marks.get(one.pk, 0)) for one in project.error_categories.select_related("merged_into")]
    free = category_changes.can_undo(project)
    changes = project.category_changes.select_related("made_by", "undoes", "undone_by")[:MOST_CHANGES]
    names = {one.slug: one.label for one, _marks in rows}
    return {
        "project": project,
        "rows": rows,
        "changes": [
            (change, [names.get(each, each) for each in change.before], change.pk in free) for change in changes
        ],
    }


def changed(request: SignedInRequest, change: CategoryChange) -> HttpResponse:
    """On the record; the gold follows at once or as a job, whose page is then shown."""
    job = settle(change, request.user)
    if job is not None:
        return redirect("job", change.project.slug, job.uuid)
    messages.success(request, _("Saved."))
    return redirect("error-categories", change.project.slug)


def add_problems(form: Any, refused: Invalid) -> None:
    for problem in refused.problems:
        form.add_error(problem.field if problem.field in form.fields else None, problem.message)
