"""The queue of spans that the policy leaves open, one at a time."""

from collections.abc import Iterable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import Refiner, fetch_answers_of, fetch_refiner, has_unfinished_work
from annotation.adjudication import adjudicate, open_cases
from annotation.models import Span
from annotation.outcomes import Case, SpanRow
from annotation.overlay import Piece, pieces
from annotation.overview import overview, places_of
from annotation.spans.parts import Part
from annotation.views.responses import noted
from projects.models import Response
from projects.problems import Invalid

DECISIONS = {"keep": (True, False), "reject": (False, False), "varies": (True, True)}


@require_safe
@login_required
def queue(request: HttpRequest, slug: str) -> HttpResponse:
    refiner = fetch_refiner(request.user, slug)
    after = request.GET.get("after", "")
    waiting = [case for case in open_cases(refiner.project, refiner.rater, limit=200) if may_see(refiner, case)]
    later = [case for case in waiting if after.isdigit() and case.span.id > int(after)]
    context = {"project": refiner.project, "refiner": refiner, "waiting": len(waiting)}
    if waiting:
        case = (later or waiting)[0]
        response = get_object_or_404(
            Response.objects.select_related("prompt__variety", "variety"), pk=case.span.response_id
        )
        # Blinded for everybody: a decision should rest on what was said, not on who said it.
        everything = overview(response, blinded=True)
        [view] = [view for view in everything.spans if view.span.id == case.span.id]
        context |= {"response": response, "view": view, "text": surroundings(response.text, view.span, view.more)}
    return render(request, "annotation/adjudication/queue.html", context)


def may_see(refiner: Refiner, case: Case) -> bool:
    return refiner.is_lead or not has_unfinished_work(refiner.rater, Response(pk=case.span.response_id))


def surroundings(text: str, span: SpanRow | Span, more: Iterable[Part] = ()) -> list[Piece]:
    """The text before, in and after the span, part by part; one piece where the span has no place."""
    return pieces(text, places_of(span.id, span, more))


@require_POST
@login_required
def decide(request: HttpRequest, slug: str, span: int) -> HttpResponse:
    refiner = fetch_refiner(request.user, slug)
    chosen = get_object_or_404(Span.objects.select_related("response"), pk=span, response__project=refiner.project)
    fetch_answers_of(refiner, chosen.response.uuid)
    decision = request.POST.get("decision", "")
    if decision not in DECISIONS:
        messages.error(request, _("Choose what becomes of the error."))
        return redirect("adjudication", slug)
    is_kept, varies = DECISIONS[decision]
    try:
        reason = request.POST.get("reason", "")[:10_000]
        adjudicate(chosen, refiner.acting(), is_kept=is_kept, varies_by_region=varies, reason=reason)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("adjudication", slug)
    noted(refiner, "span.adjudicated", chosen.response, span=chosen.key, decision=decision)
    messages.success(request, _("Decided. Here is the next one."))
    return redirect("adjudication", slug)
