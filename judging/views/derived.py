"""Texts that were made from responses: the steps that made them, what each changed, and which text is taken further."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from judging.deriving import cutting
from judging.deriving.forms import CutForm
from judging.deriving.steps import add_cut, take
from judging.forms.sets import show
from projects.access import fetch_project
from projects.derived import steps_of, to_change
from projects.differences import laid_side_by_side
from projects.models import Change, Derivation, DerivationStep, Project, User
from projects.problems import Invalid
from projects.requests import SignedInRequest

TEXTS_PER_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def derived(request: SignedInRequest, slug: str) -> HttpResponse:
    """The steps of a project; POST adds a cut."""
    project = fetch_project(request.user, slug, "judges.run")
    form = CutForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            step = add_cut(project, form.cleaned_data["change"], form.cleaned_data["limit"], by=request.user)
        except Invalid as invalid:
            show(invalid, form)
        else:
            return applied(step, request.user)
    context = {"project": project, "steps": steps_of(project), "form": form}
    return render(request, "judging/derived/steps.html", context, status=422 if form.errors else 200)


def applied(step: DerivationStep, by: User) -> HttpResponse:
    job = cutting.begin(step, by)
    if job is not None:
        return redirect("job", step.project.slug, job.uuid)
    return redirect("derived-step", step.project.slug, step.pk)


def fetch_step(project: Project, pk: int) -> DerivationStep:
    return get_object_or_404(steps_of(project).select_related("project"), pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def step(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """What a step made. POST: take its texts further or not, or apply a cut to what has come since."""
    project = fetch_project(request.user, slug, "judges.run")
    of_project = fetch_step(project, pk)
    if request.method == "POST":
        act = request.POST.get("act")
        if act == "apply" and of_project.change != Change.MODEL:
            return applied(of_project, request.user)
        if act in ("take", "leave"):
            take(of_project, act == "take", by=request.user)
            messages.success(request, _("Saved. What was planned before stays as it is."))
        return redirect("derived-step", slug, pk)
    rows = Derivation.objects.filter(step=of_project, response__isnull=False).order_by("pk")
    rows = rows.select_related("response__variety", "source", "rater").defer("source__text", "response__text")
    context = {
        "project": project,
        "step": of_project,
        "page": Paginator(rows, TEXTS_PER_PAGE).get_page(number(request)),
    }
    context["left"] = 0 if of_project.change == Change.MODEL else to_change(of_project).count()
    return render(request, "judging/derived/step.html", context)


def number(request: SignedInRequest) -> str | None:
    return request.GET.get("page")


@require_safe
@login_required
def text(request: SignedInRequest, slug: str, response: UUID) -> HttpResponse:
    """A text beside what it was made from: what was taken out, and what stands in its place."""
    project = fetch_project(request.user, slug, "judges.run")
    rows = Derivation.objects.select_related("step", "source__variety", "response__prompt__variety", "rater")
    made = get_object_or_404(rows, response__uuid=response, step__project=project)
    assert made.response is not None, "it was found by it"
    parts = list(laid_side_by_side(made.source.text, made.response.text, made.edits))
    context = {"project": project, "made": made, "variety": made.source.variety, "parts": parts}
    return render(request, "judging/derived/text.html", context)
