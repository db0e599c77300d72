"""Boundaries and explanations that judges propose for kept errors, one at a time."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation import refining
from annotation.acceptance.kinds import asked_first
from annotation.access import Refiner, fetch_answers_of, fetch_refiner, kept_from
from annotation.models import GoldError, Refinement, Review, Span
from annotation.overview import name_of
from annotation.spans.storing import further
from annotation.views.adjudication import surroundings
from annotation.views.responses import noted
from projects.models import RaterKind
from projects.problems import Invalid
from projects.requests import SignedInRequest

MOST_OCCURRENCES = 100_000


class RefinedForm(forms.Form):
    """What an expert makes of a proposal: the words of the error, and what is wrong."""

    quote = forms.CharField(
        label=gettext_lazy("Its words, as they stand in the text"),
        required=False,
        strip=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    occurrence = forms.IntegerField(
        label=gettext_lazy("Which of several such places"), required=False, min_value=1, max_value=MOST_OCCURRENCES
    )
    explanation = forms.CharField(
        label=gettext_lazy("Explanation"),
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )


@require_safe
@login_required
def queue(request: SignedInRequest, slug: str) -> HttpResponse:
    """The next proposal, beside the marks and what was said of them."""
    refiner = fetch_refiner(request.user, slug)
    waiting, is_sample = asked_first(open_to(refiner), "refinement")
    after = request.GET.get("after", "")
    whole = waiting.select_related("span__response__variety", "span__response__prompt__variety", "rater")
    passed = Refinement.objects.select_related("span").filter(pk=after).first() if after.isdigit() else None
    later = whole.filter(span__response__gt=passed.span.response_id) if passed else whole.none()
    beside = whole.filter(span__response=passed.span.response_id, pk__gt=passed.pk) if passed else whole.none()
    proposal = beside.first() or later.first() or whole.first()
    context = {"project": refiner.project, "refiner": refiner, "proposal": proposal}
    context |= {"waiting": waiting.count(), "is_sample": is_sample}
    if proposal is not None:
        context |= shown(proposal)
    return render(request, "annotation/refinements/queue.html", context)


def open_to(refiner: Refiner) -> QuerySet[Refinement]:
    return refining.proposals_of(refiner.project).exclude(span__response__in=kept_from(refiner))


def shown(proposal: Refinement) -> dict[str, object]:
    """The error as it stands, every mark of it with the comments, and what it would be."""
    error, response = error_of(proposal), proposal.span.response
    marks = list(error.spans.prefetch_related("more").order_by("pk"))
    reviews = Review.objects.filter(span__gold_error=error, rater__kind=RaterKind.HUMAN).exclude(comment="")
    comments = list(reviews.order_by("round", "pk").values_list("span_id", "comment"))
    place = proposal if proposal.start is not None else error
    refined = Span(start=place.start, end=place.end)
    quote = proposal.quote or error.quote
    occurrence = refining.occurrence_of(response.text, quote, place.start)
    initial = {"quote": quote, "occurrence": occurrence, "explanation": proposal.explanation or error.explanation}
    return {
        "error": error,
        "response": response,
        "text": surroundings(response.text, refined, error.more if place is error else ()),
        "marks": [
            (name_of(mark, further(mark)), mark, [said for pk, said in comments if pk == mark.pk]) for mark in marks
        ],
        "form": RefinedForm(initial=initial),
    }


def error_of(proposal: Refinement) -> GoldError:
    return get_object_or_404(GoldError.objects.select_related("response"), spans=proposal.span_id)


@require_POST
@login_required
def decide(request: SignedInRequest, slug: str, proposal: int) -> HttpResponse:
    """Confirm a proposal, let the person's own words stand, or leave the error as it was."""
    refiner = fetch_refiner(request.user, slug)
    proposals = Refinement.objects.select_related("span__response", "rater")
    chosen = get_object_or_404(proposals, pk=proposal, span__response__project=refiner.project)
    fetch_answers_of(refiner, chosen.span.response.uuid)
    act = request.POST.get("act", "")
    try:
        if act == "confirm":
            refining.confirm(chosen, refiner.acting())
        elif act == "change":
            form = RefinedForm(request.POST)
            if not form.is_valid():
                messages.error(request, str(next(iter(form.errors.values()))[0]))
                return redirect("refinements", slug)
            refining.change(chosen, refiner.acting(), refining.written(error_of(chosen), **form.cleaned_data))
        elif act == "refuse":
            refining.refuse(chosen, refiner.acting())
        else:
            messages.error(request, _("Choose what becomes of the error."))
            return redirect("refinements", slug)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("refinements", slug)
    noted(refiner, "span.refined", chosen.span.response, span=chosen.span.key, decision=act)
    return redirect("refinements", slug)
