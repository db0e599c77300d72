"""A lead sets what responses are rated on: dimensions, question types with their scales, and how ratings are taken."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.models import Rating
from annotation.questions.changing import is_rated, remove, save_dimension, save_question
from annotation.questions.forms import DimensionForm, QuestionTypeForm, RatingSettingsForm, level_forms
from annotation.questions.settings import rating_settings
from projects.access import fetch_project
from projects.audit import record
from projects.models import Dimension, Project, QuestionType
from projects.requests import SignedInRequest


@require_safe
@login_required
def question_types(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    questions = QuestionType.objects.annotate(
        n_templates=Count("templates"), is_rated=Exists(Rating.objects.filter(question=OuterRef("pk")))
    ).order_by("position", "pk")
    dimensions = project.dimensions.prefetch_related(Prefetch("question_types", questions))
    return render(request, "annotation/questions/list.html", {"project": project, "dimensions": dimensions})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add_question_type(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    if not project.dimensions.exists():
        messages.info(request, _("A question type belongs to a dimension. Add a dimension first."))
        return redirect("dimension-add", slug)
    return _edit(request, project, QuestionType(project=project))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def question_type(request: SignedInRequest, slug: str, question: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    return _edit(request, project, get_object_or_404(project.question_types, pk=question))


def _edit(request: SignedInRequest, project: Project, question: QuestionType) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    initial = {} if question.pk else {"dimension": request.GET.get("dimension", "")}
    form = QuestionTypeForm(data, instance=question, initial=initial)
    levels = level_forms(form, data)
    if form.is_valid() and all(level.is_valid() for level in levels):
        said = [level.save(commit=False) for level in levels if not level.says_nothing]
        save_question(form.save(commit=False), said, request.user)
        messages.success(request, _("The question type was saved."))
        return redirect("question-types", project.slug)
    context = {
        "project": project,
        "form": form,
        "levels": levels,
        "question": QuestionType.objects.filter(pk=question.pk).first(),
        "is_rated": question.pk is not None and is_rated(question),
        "has_new_grades": data is not None and form.is_valid() and any(not level.is_bound for level in levels),
    }
    return render(request, "annotation/questions/edit.html", context, status=422 if data is not None else 200)


@require_POST
@login_required
def remove_question_type(request: SignedInRequest, slug: str, question: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen = get_object_or_404(project.question_types, pk=question)
    if remove(chosen, request.user):
        messages.success(request, _("The question type was removed."))
        return redirect("question-types", slug)
    messages.error(
        request, _("Prompts, templates or ratings belong to this question type, so it stays. Nothing was changed.")
    )
    return redirect("question-type", slug, question)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add_dimension(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    return _edit_dimension(request, project, Dimension(project=project))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def dimension(request: SignedInRequest, slug: str, dimension: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    return _edit_dimension(request, project, get_object_or_404(project.dimensions, pk=dimension))


def _edit_dimension(request: SignedInRequest, project: Project, row: Dimension) -> HttpResponse:
    form = DimensionForm(request.POST if request.method == "POST" else None, instance=row)
    if form.is_valid():
        save_dimension(form.save(commit=False), request.user)
        messages.success(request, _("The dimension was saved."))
        return redirect("question-types", project.slug)
    context = {"project": project, "form": form, "dimension": row if row.pk else None}
    return render(request, "annotation/questions/dimension.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def remove_dimension(request: SignedInRequest, slug: str, dimension: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    if remove(get_object_or_404(project.dimensions, pk=dimension), request.user):
        messages.success(request, _("The dimension was removed."))
    else:
        messages.error(request, _("The dimension still has question types, so it stays. Remove those first."))
    return redirect("question-types", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    form = RatingSettingsForm(request.POST if request.method == "POST" else None, instance=rating_settings(project))
    if form.is_valid():
        with transaction.atomic():
            form.save()
            record("ratings.settings", actor=request.user, project=project, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("rating-settings", slug)
    context = {"project": project, "form": form}
    return render(request, "annotation/questions/settings.html", context, status=422 if form.errors else 200)
