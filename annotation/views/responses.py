"""The page of a response: everybody's spans over its text, and what became of them."""

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation import groups
from annotation.access import Refiner, fetch_answers_of, fetch_refiner
from annotation.models import GroupProposal, Span
from annotation.overview import name_of, overview
from projects.audit import record
from projects.models import Response
from projects.problems import Invalid


@require_safe
@login_required
def response_page(request: HttpRequest, slug: str, response: uuid.UUID) -> HttpResponse:
    refiner = fetch_refiner(request.user, slug)
    found = fetch_answers_of(refiner, response)
    context = {
        "project": refiner.project,
        "refiner": refiner,
        "response": found,
        "overview": overview(found, blinded=not refiner.is_lead),
    }
    return render(request, "annotation/response.html", context)


@require_POST
@login_required
def group_spans(request: HttpRequest, slug: str, response: uuid.UUID) -> HttpResponse:
    """Group or ungroup the spans chosen on the response's page."""
    refiner = fetch_refiner(request.user, slug)
    found = fetch_answers_of(refiner, response)
    chosen = [value for value in request.POST.getlist("span") if value.isdigit()]
    spans = list(Span.objects.filter(response=found, pk__in=chosen))
    try:
        if request.POST.get("act") == "ungroup":
            groups.ungroup(spans)
            noted(refiner, "spans.ungrouped", found, spans=len(spans))
            messages.success(request, _("The errors stand on their own again."))
        else:
            made = groups.group(spans, refiner.acting())
            noted(refiner, "spans.grouped", found, group=made.key, spans=len(spans))
            messages.success(request, _("The errors count as one now."))
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
    return redirect("response", slug, found.uuid)


@require_safe
@login_required
def proposals(request: HttpRequest, slug: str) -> HttpResponse:
    """The next proposal of a group, to be confirmed or dismissed."""
    refiner = fetch_refiner(request.user, slug)
    waiting = open_proposals(refiner)
    proposal = waiting.select_related("response__variety", "response__prompt").prefetch_related("spans").first()
    context = {"project": refiner.project, "refiner": refiner, "proposal": proposal, "waiting": waiting.count()}
    if proposal is not None:
        spans = sorted(proposal.spans.all(), key=lambda span: (span.start or 0, span.pk))
        context["spans"] = [(name_of(span), span) for span in spans]
    return render(request, "annotation/groups/proposals.html", context)


def open_proposals(refiner: Refiner) -> QuerySet[GroupProposal]:
    found = GroupProposal.objects.filter(response__project=refiner.project, state=GroupProposal.State.OPEN)
    return found.order_by("response_id", "pk")


@require_POST
@login_required
def decide_proposal(request: HttpRequest, slug: str, proposal: int) -> HttpResponse:
    refiner = fetch_refiner(request.user, slug)
    chosen = get_object_or_404(open_proposals(refiner), pk=proposal)
    if request.POST.get("act") == "confirm":
        try:
            groups.confirm(chosen, refiner.acting())
        except Invalid as refused:
            messages.error(request, refused.problems[0].message)
            return redirect("group-proposals", slug)
    else:
        groups.dismiss(chosen, refiner.acting())
    noted(refiner, f"group.{chosen.state}", chosen.response, proposal=chosen.pk)
    return redirect("group-proposals", slug)


@require_POST
@login_required
def propose_overlaps(request: HttpRequest, slug: str) -> HttpResponse:
    refiner = fetch_refiner(request.user, slug)
    responses = Response.objects.filter(project=refiner.project, gold_answer__kept__gte=2)
    count = groups.propose_overlaps(responses.values_list("pk", flat=True))
    messages.info(request, _("%(count)d new proposals.") % {"count": count})
    return redirect("group-proposals", slug)


def noted(refiner: Refiner, action: str, response: Response, **detail: Any) -> None:
    record(action, actor=refiner.user, project=refiner.project, subject=response.key, **detail)
