"""Spans that the policy leaves open go to an expert, whose word is the last."""

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.gold import derive
from annotation.models import Adjudication, GoldAnswer, Span
from annotation.outcomes import OF_EVALUATION, OPEN, Case, cases
from projects.chunks import in_chunks
from projects.models import Project, Rater
from projects.problems import Invalid, Problem


def open_cases(project: Project, rater: Rater | None, limit: int = 20) -> list[Case]:
    """The first open spans without those the rater marked or reviewed: nobody settles their own dispute."""
    responses = GoldAnswer.objects.filter(response__project=project, open__gt=0).values_list("response_id", flat=True)
    own = rater.pk if rater else None
    unsettled: list[Case] = []
    for chunk in in_chunks(responses, size=50):
        unsettled += [
            case
            for case in cases(chunk)
            if case.outcome == OPEN
            and case.span.rater_id != own
            and all(review.rater_id != own for review in case.reviews)
        ]
        if len(unsettled) >= limit:
            break
    return unsettled[:limit]


@transaction.atomic
def adjudicate(span: Span, rater: Rater, *, is_kept: bool, varies_by_region: bool, reason: str) -> Adjudication:
    """Settle a span. Deciding again replaces the earlier decision.

    Raises Invalid without a reason, for a span of the rater's own, and for one that is not open.
    """
    if not reason.strip():
        raise Invalid(Problem("required", _("Say why: the reason goes on record with the decision."), "reason"))
    if span.rater_id == rater.pk:
        raise Invalid(Problem("own_span", _("Nobody settles an error they marked themselves.")))
    [case] = [case for case in cases([span.response_id]) if case.span.id == span.pk]
    if case.outcome == OF_EVALUATION or (case.outcome != OPEN and case.adjudication is None):
        raise Invalid(Problem("not_open", _("This error is not open: its reviews have settled it or are under way.")))
    made, _created = Adjudication.objects.update_or_create(
        span=span,
        defaults={
            "rater": rater,
            "is_kept": is_kept,
            "varies_by_region": is_kept and varies_by_region,
            "reason": reason.strip(),
        },
    )
    derive([span.response_id])
    return made
