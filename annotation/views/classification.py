"""Categories for kept errors, one at a time; the sample that is coded twice; and how well the coders agree."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation import classification
from annotation.acceptance.kinds import asked_first
from annotation.access import Refiner, fetch_answers_of, fetch_refiner, kept_from
from annotation.models import Classification, CodingSample, ErrorCategory, Span
from annotation.spans.storing import further
from annotation.views.adjudication import surroundings
from annotation.views.responses import noted
from projects.access import fetch_project
from projects.audit import record
from projects.problems import Invalid
from projects.requests import SignedInRequest


class SampleForm(forms.Form):
    size = forms.IntegerField(label=gettext_lazy("How many errors"), min_value=1, max_value=10_000, initial=50)
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=2**31 - 1, initial=1)


@require_safe
@login_required
def queue(request: SignedInRequest, slug: str) -> HttpResponse:
    """The next kept error without a category, and nothing of what a judge proposes: this coding is a person's own."""
    refiner = fetch_refiner(request.user, slug)
    waiting = classification.unclassified(refiner.project, refiner.rater)
    context = page_of(refiner, waiting, request.GET.get("after", ""))
    context["proposed"] = proposed_to(refiner).count()
    return render(request, "annotation/classification/queue.html", context)


@require_safe
@login_required
def second_coding(request: SignedInRequest, slug: str) -> HttpResponse:
    """The next error of the sample, without what the first coder chose."""
    refiner = fetch_refiner(request.user, slug)
    sample = latest_sample(refiner)
    waiting = classification.to_code_again(sample, refiner.rater) if sample else Span.objects.none()
    context = page_of(refiner, waiting, request.GET.get("after", "")) | {"is_second": True, "sample": sample}
    return render(request, "annotation/classification/queue.html", context)


@require_safe
@login_required
def proposals(request: SignedInRequest, slug: str) -> HttpResponse:
    """The next category that a judge proposes, to be confirmed, changed or refused."""
    refiner = fetch_refiner(request.user, slug)
    waiting, is_sample = asked_first(proposed_to(refiner), "classification__span")
    context = page_of(refiner, waiting, request.GET.get("after", "")) | {"is_sample": is_sample}
    if context["span"] is not None:
        context["proposal"] = proposal = classification.proposal_for(context["span"])
        context["suggested"] = classification.category_now(proposal) if proposal else None
    return render(request, "annotation/classification/proposals.html", context)


def proposed_to(refiner: Refiner) -> QuerySet[Span]:
    return classification.proposed(refiner.project).exclude(response__in=kept_from(refiner))


def page_of(refiner: Refiner, waiting: QuerySet[Span], after: str) -> dict:
    spans = waiting.select_related("response__variety", "response__prompt__variety")
    span = (spans.filter(pk__gt=int(after)).first() if after.isdigit() else None) or spans.first()
    sample = latest_sample(refiner)
    context = {
        "project": refiner.project,
        "refiner": refiner,
        "span": span,
        "waiting": waiting.count(),
        "categories": refiner.project.error_categories.offered(),
        "sample": sample,
    }
    if span is not None:
        context |= {"response": span.response, "text": surroundings(span.response.text, span, further(span))}
    if refiner.is_lead:
        context["form"] = SampleForm()
        context["kappa"] = classification.sample_kappa(sample) if sample else None
    return context


def latest_sample(refiner: Refiner) -> CodingSample | None:
    return CodingSample.objects.filter(project=refiner.project).first()


@require_POST
@login_required
def classify(request: SignedInRequest, slug: str, span: int) -> HttpResponse:
    refiner = fetch_refiner(request.user, slug)
    chosen = get_object_or_404(Span.objects.select_related("response"), pk=span, response__project=refiner.project)
    fetch_answers_of(refiner, chosen.response.uuid)
    back = "second-coding" if request.POST.get("from") == "sample" else "classification"
    category = (
        ErrorCategory.objects.offered().filter(project=refiner.project, slug=request.POST.get("category", "")).first()
    )
    if category is None:
        messages.error(request, _("Choose one of the project's categories."))
        return redirect(back, slug)
    classification.classify(chosen, refiner.acting(), category)
    noted(refiner, "span.classified", chosen.response, span=chosen.key, category=category.slug)
    return redirect(back, slug)


def fetch_proposal(refiner: Refiner, pk: int) -> Classification:
    classifications = Classification.objects.select_related("span__response", "category")
    chosen = get_object_or_404(classifications, pk=pk, span__response__project=refiner.project)
    fetch_answers_of(refiner, chosen.span.response.uuid)
    return chosen


@require_POST
@login_required
def confirm(request: SignedInRequest, slug: str, proposal: int) -> HttpResponse:
    """Make a judge's proposal, or one of two coders' choices, the category of the error."""
    refiner = fetch_refiner(request.user, slug)
    chosen = fetch_proposal(refiner, proposal)
    classification.confirm(chosen, refiner.acting())
    noted(refiner, "span.classified", chosen.span.response, span=chosen.span.key, category=chosen.category.slug)
    return redirect("category-proposals", slug)


@require_POST
@login_required
def change(request: SignedInRequest, slug: str, proposal: int) -> HttpResponse:
    """Give the error another category than the judge proposed."""
    refiner = fetch_refiner(request.user, slug)
    chosen = fetch_proposal(refiner, proposal)
    category = (
        ErrorCategory.objects.offered().filter(project=refiner.project, slug=request.POST.get("category", "")).first()
    )
    if category is None:
        messages.error(request, _("Choose one of the project's categories."))
        return redirect("category-proposals", slug)
    try:
        classification.change(chosen, refiner.acting(), category)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("category-proposals", slug)
    noted(refiner, "span.classified", chosen.span.response, span=chosen.span.key, category=category.slug)
    return redirect("category-proposals", slug)


@require_POST
@login_required
def refuse(request: SignedInRequest, slug: str, proposal: int) -> HttpResponse:
    """Set a judge's proposal aside; the error still waits for a category."""
    refiner = fetch_refiner(request.user, slug)
    chosen = fetch_proposal(refiner, proposal)
    try:
        classification.refuse(chosen, refiner.acting())
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("category-proposals", slug)
    noted(refiner, "category.refused", chosen.span.response, span=chosen.span.key, category=chosen.category.slug)
    return redirect("category-proposals", slug)


@require_POST
@login_required
def draw(request: SignedInRequest, slug: str) -> HttpResponse:
    """Draw the sample to be coded twice."""
    project = fetch_project(request.user, slug, "spans.refine")
    form = SampleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Give a number of errors and a seed, both whole numbers."))
        return redirect("classification", slug)
    try:
        sample = classification.draw_sample(project, form.cleaned_data["size"], form.cleaned_data["seed"])
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("classification", slug)
    record("sample.drawn", actor=request.user, project=project, subject=str(sample), **form.cleaned_data)
    messages.success(request, _("The sample was drawn. A second coder can begin."))
    return redirect("classification", slug)
