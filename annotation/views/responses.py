"""The page of a response: everybody's spans over its text, and what became of them."""

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation import groups, overlap_jobs
from annotation.acceptance.kinds import asked_first
from annotation.access import Refiner, fetch_answers_of, fetch_refiner, kept_from
from annotation.models import GroupProposal, Span
from annotation.overlay import pieces
from annotation.overview import name_of, overview, places_of
from annotation.spans.storing import further
from projects.audit import record
from projects.models import Response
from projects.neighbours import neighbours
from projects.problems import Invalid


@require_safe
@login_required
def response_page(request: HttpRequest, slug: str, response: uuid.UUID) -> HttpResponse:
    refiner = fetch_refiner(request.user, slug)
    answered = fetch_answers_of(refiner, response)
    context = {
        "project": refiner.project,
        "refiner": refiner,
        "response": answered,
        "overview": overview(answered, blinded=not refiner.is_lead, coder=refiner.rater),
    }
    if refiner.is_lead:  # who codes or settles errors is handed responses, and finds none by its key
        context["neighbours"] = neighbours(refiner.project.responses.all(), answered, request.GET.get("find", ""))
    return render(request, "annotation/response.html", context)


@require_POST
@login_required
def group_spans(request: HttpRequest, slug: str, response: uuid.UUID) -> HttpResponse:
    """Group or ungroup the spans chosen on the response's page."""
    refiner = fetch_refiner(request.user, slug)
    answered = fetch_answers_of(refiner, response)
    chosen = [value for value in request.POST.getlist("span") if value.isdigit()]
    spans = list(Span.objects.filter(response=answered, pk__in=chosen))
    try:
        if request.POST.get("act") == "ungroup":
            groups.ungroup(spans)
            noted(refiner, "spans.ungrouped", answered, spans=len(spans))
            messages.success(request, _("The errors stand on their own again."))
        else:
            made = groups.group(spans, refiner.acting())
            noted(refiner, "spans.grouped", answered, group=made.key, spans=len(spans))
            messages.success(request, _("The errors count as one now."))
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
    return redirect("response", slug, answered.uuid)


@require_safe
@login_required
def proposals(request: HttpRequest, slug: str) -> HttpResponse:
    """The next proposal of a group, to be confirmed as it is or in part, or to be dismissed."""
    refiner = fetch_refiner(request.user, slug)
    waiting, is_sample = asked_first(open_proposals(refiner), "group_proposal")
    proposal = next_of(waiting, request.GET.get("after", ""))
    context = {"project": refiner.project, "refiner": refiner, "proposal": proposal, "waiting": waiting.count()}
    context["is_sample"] = is_sample
    if proposal is not None:
        spans = sorted(proposal.spans.all(), key=lambda span: (span.start or 0, span.pk))
        context["spans"] = [(name_of(span, further(span)), span) for span in spans]
        places = [each for number, span in enumerate(spans, start=1) for each in places_of(number, span, further(span))]
        context["pieces"] = pieces(proposal.response.text, places)
    return render(request, "annotation/groups/proposals.html", context)


def open_proposals(refiner: Refiner) -> QuerySet[GroupProposal]:
    proposals = GroupProposal.objects.filter(response__project=refiner.project, state=GroupProposal.State.OPEN)
    return proposals.exclude(response__in=kept_from(refiner)).order_by("response_id", "pk")


def next_of(waiting: QuerySet[GroupProposal], after: str) -> GroupProposal | None:
    """The first that waits, or the one behind the proposal that is to be decided later."""
    whole = waiting.select_related("response__variety", "response__prompt", "proposed_by")
    whole = whole.prefetch_related("spans__more")
    passed = waiting.model.objects.filter(pk=after).first() if after.isdigit() else None
    if passed is None:
        return whole.first()
    behind = Q(response__gt=passed.response_id) | Q(response=passed.response_id, pk__gt=passed.pk)
    return whole.filter(behind).first() or whole.first()


@require_POST
@login_required
def decide_proposal(request: HttpRequest, slug: str, proposal: int) -> HttpResponse:
    refiner = fetch_refiner(request.user, slug)
    chosen = get_object_or_404(open_proposals(refiner), pk=proposal)
    if request.POST.get("act") == "confirm":
        # The page of a response has no boxes to choose with: there, and without the field, all of them are meant.
        of_group = {int(value) for value in request.POST.getlist("span") if value.isdigit()}
        try:
            groups.confirm(chosen, refiner.acting(), of_group if "choosing" in request.POST else None)
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
    """Of few responses at once; of more as a job, whose page is shown."""
    refiner = fetch_refiner(request.user, slug)
    responses = overlap_jobs.to_look_at(refiner.project)
    if len(responses) > overlap_jobs.FEW_RESPONSES:
        return redirect("job", slug, overlap_jobs.begin_overlaps(refiner.project, refiner.user).uuid)
    messages.info(request, overlap_jobs.proposals_in_words(groups.propose_overlaps(responses)))
    return redirect("group-proposals", slug)


def noted(refiner: Refiner, action: str, response: Response, **detail: Any) -> None:
    record(action, actor=refiner.user, project=refiner.project, subject=response.key, **detail)
