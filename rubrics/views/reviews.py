"""A second author reads a rubric before its freeze, and approves it or returns it."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from projects.audit import record
from projects.problems import Invalid
from projects.requests import SignedInRequest
from rubrics.access import Author, fetch_reviewer
from rubrics.authoring import reviewing
from rubrics.authoring.reading import readable
from rubrics.models import DraftReview, ReviewDecision

PAGE = 50


class DecisionForm(forms.Form):
    """`body_sha256` names the words that were read: what the author changed meanwhile is not decided unread."""

    body_sha256 = forms.CharField(widget=forms.HiddenInput, max_length=64)
    decision = forms.ChoiceField(
        label=gettext_lazy("Decision"), choices=ReviewDecision.choices, widget=forms.RadioSelect
    )
    remarks = forms.CharField(
        label=gettext_lazy("Remarks"),
        required=False,
        max_length=reviewing.MAX_REMARKS,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
        help_text=gettext_lazy("The author reads them. They are needed where you return the rubric."),
    )


@require_safe
@never_cache
@login_required
def queue(request: SignedInRequest, slug: str) -> HttpResponse:
    """The rubrics of other authors that wait for a second look, the one that waits longest first."""
    reviewer = fetch_reviewer(request.user, slug)
    waiting = reviewing.waiting_for(reviewer.acting()).select_related("assignment__item__variety").order_by("pk")
    page = Paginator(waiting, PAGE).get_page(request.GET.get("page"))
    return render(request, "rubrics/reviews/queue.html", {"project": reviewer.project, "page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def review(request: SignedInRequest, slug: str, review: int) -> HttpResponse:
    reviewer = fetch_reviewer(request.user, slug)
    draft = fetch_waiting(reviewer, review)
    form = DecisionForm(request.POST if request.method == "POST" else None, initial={"body_sha256": draft.body_sha256})
    if form.is_valid():
        try:
            reviewing.decide(draft, reviewer.acting(), **form.cleaned_data)
        except Invalid as refused:
            for problem in refused.problems:
                form.add_error(problem.field if problem.field in form.fields else None, problem.message)
        else:
            decision = form.cleaned_data["decision"]
            record("rubric.reviewed", actor=request.user, project=reviewer.project, subject=draft.pk, decision=decision)
            messages.success(request, _("Your decision was stored, and the author sees it."))
            return redirect("rubric-reviews", slug)
    context = {
        "project": reviewer.project,
        "form": form,
        "reading": readable(draft.body, reviewer.project.weight_bands.all()),
        "variety": draft.assignment.item.variety,
        "review": draft,
    }
    return render(request, "rubrics/reviews/review.html", context, status=422 if request.method == "POST" else 200)


def fetch_waiting(reviewer: Author, pk: int) -> DraftReview:
    waiting = reviewing.waiting_for(reviewer.acting())
    return get_object_or_404(waiting.select_related("assignment__item__variety"), pk=pk)
