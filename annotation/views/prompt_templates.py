"""A lead writes prompt templates, sees how far they are localised, and draws their splits."""

from collections import defaultdict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from annotation.localising.speakers import spoken_varieties
from annotation.prompt_templates.forms import SplitsForm, TemplateFilterForm, TemplateForm
from projects import placeholders
from projects.access import fetch_project
from projects.audit import record
from projects.models import Project, PromptTemplate, Split
from projects.requests import SignedInRequest
from projects.splits import assign

PAGE = 50


@require_safe
@login_required
def templates(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    filters = TemplateFilterForm(request.GET, project=project)
    matching = (
        project.prompt_templates.filter(**filters.chosen)
        .select_related("question__dimension")
        .annotate(n_localised=Count("localisations"))
        .order_by("question__dimension__position", "question__position", "key")
    )
    page = Paginator(matching, PAGE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "filters": filters,
        "page": page,
        "rows": [(template, list(placeholders.parts(template.text))) for template in page],
        "n_varieties": spoken_varieties(project.pk).count(),
        "can_be_added": project.question_types.exists(),
    }
    return render(request, "annotation/templates/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add_template(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    return _edit(request, project, PromptTemplate(project=project))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def template(request: SignedInRequest, slug: str, template: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    with transaction.atomic():
        rows = project.prompt_templates.all()
        if request.method == "POST":
            rows = rows.select_for_update(no_key=True)  # nobody localises what is being changed
        return _edit(request, project, get_object_or_404(rows, pk=template))


def _edit(request: SignedInRequest, project: Project, template: PromptTemplate) -> HttpResponse:
    is_new, text = template.pk is None, template.text
    form = TemplateForm(request.POST if request.method == "POST" else None, instance=template)
    if form.is_valid() and form.may_save:
        with transaction.atomic():
            saved = form.save()
            if "text" in form.changed_data:
                saved.drafts.all().delete()  # of the words that stood before
            action = "template.added" if is_new else "template.changed"
            record(action, actor=request.user, project=project, subject=saved.key, fields=form.changed_data)
        messages.success(request, _("The template was saved."))
        return redirect("templates", project.slug)
    localisations = (
        [] if is_new else template.localisations.select_related("variety", "prompt", "rater", "draft__target_model")
    )
    context = {
        "project": project,
        "form": form,
        "template": None if is_new else template,
        "parts": list(placeholders.parts(text)),
        "localisations": localisations,
    }
    return render(request, "annotation/templates/edit.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def splits(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    form = SplitsForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        drawn = assign(project, form.shares, form.cleaned_data["seed"], request.user, anew=form.cleaned_data["anew"])
        if drawn:
            text = ngettext("%(n)d template was drawn.", "%(n)d templates were drawn.", len(drawn))
            messages.success(request, text % {"n": len(drawn)})
        else:
            messages.info(request, _("Every template has its split already; nothing was changed."))
        return redirect("template-splits", slug)
    context = {"project": project, "form": form, "table": split_table(project), "splits": Split.choices}
    return render(request, "annotation/templates/splits.html", context, status=422 if form.errors else 200)


def split_table(project: Project) -> list[tuple[str, list[int]]]:
    """Per question type: how many templates stand in each split, and how many in none yet."""
    columns = [*Split.values, ""]
    counts: defaultdict[int | None, dict[str, int]] = defaultdict(dict)
    split_counts = project.prompt_templates.order_by().values_list("question", "split").annotate(n=Count("pk"))
    for question, split, n in split_counts:
        counts[question][split] = n
    names = [(question.pk, question.label) for question in project.question_types.all()]
    return [
        (label, [counts[question].get(split, 0) for split in columns])
        for question, label in [*names, (None, "–")]
        if question in counts
    ]
