"""Refinement of kept errors: a judge proposes boundaries and an explanation, a person confirms, edits or refuses."""

from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from annotation.gold import STANDING, derive
from annotation.models import GoldError, Refinement, Span
from projects.anchors import MAX_COUNTED, check_anchor, locate, occurrences
from projects.models import Project, Rater, RaterKind
from projects.problems import Invalid, Problem

OPEN_PROPOSAL = Q(rater__kind=RaterKind.JUDGE, confirmed_by=None, refused_by=None)


class Refined(NamedTuple):
    """Boundaries in code points, half-open, with their words, or None and ""; and an explanation, or ""."""

    start: int | None = None
    end: int | None = None
    quote: str = ""
    explanation: str = ""


def unrefined(project: Project) -> QuerySet[Span]:
    """Kept spans of errors that nothing stands refined of, in order."""
    standing = Refinement.objects.filter(STANDING, span__gold_error=OuterRef("gold_error"))
    kept = Span.objects.filter(response__project=project, gold_error__isnull=False, gold_error__is_imported=False)
    return kept.filter(~Exists(standing)).order_by("response_id", "start", "pk")


def proposals_of(project: Project) -> QuerySet[Refinement]:
    """What judges propose for kept errors and nobody has decided on, in the order of the texts."""
    waiting = Refinement.objects.filter(OPEN_PROPOSAL, span__in=unrefined(project).order_by())
    return waiting.order_by("span__response", "pk")


@transaction.atomic
def propose(judge: Rater, chosen: Mapping[int, Refined]) -> int:
    """Store a judge's proposals by span id; return how many are new. A span that is kept no longer, or has one of this
    judge, is passed over. Raises ValueError where a person is to propose."""
    if judge.kind != RaterKind.JUDGE:
        raise ValueError("people refine, judges propose")
    own = Refinement.objects.filter(rater=judge, span=OuterRef("pk"))
    kept = Span.objects.filter(~Exists(own), pk__in=chosen, gold_error__isnull=False)
    # Of which project a span is, is looked at here: SQLite, asked for it, goes through all responses of the project.
    of_projects = kept.values_list("pk", "response__project_id")
    waiting = sorted(pk for pk, project in of_projects if project == judge.project_id)
    rows = [Refinement(span_id=pk, rater=judge, **chosen[pk]._asdict()) for pk in waiting]
    return len(Refinement.objects.bulk_create(rows))


@transaction.atomic
def confirm(proposal: Refinement, rater: Rater) -> None:
    """Let it stand for the error. Raises Invalid where it was decided before."""
    _decide(proposal, confirmed_by=rater)
    derive([proposal.span.response_id])


def refuse(proposal: Refinement, rater: Rater) -> None:
    """Let the error stand as it did. Raises Invalid where it was decided before."""
    _decide(proposal, refused_by=rater)


@transaction.atomic
def change(proposal: Refinement, rater: Rater, refined: Refined) -> None:
    """Let the person's own boundaries and explanation stand; the very same confirm the proposal.

    Raises Invalid where it was decided before.
    """
    if refined == Refined(proposal.start, proposal.end, proposal.quote, proposal.explanation):
        confirm(proposal, rater)
        return
    _decide(proposal, refused_by=rater)
    Refinement.objects.update_or_create(span=proposal.span, rater=rater, defaults=refined._asdict())
    derive([proposal.span.response_id])


def _decide(proposal: Refinement, **by: Rater) -> None:
    if not Refinement.objects.filter(OPEN_PROPOSAL, pk=proposal.pk).update(**by):
        raise Invalid(Problem("decided", _("This proposal was decided meanwhile. Nothing was changed.")))


def written(error: GoldError, quote: str, occurrence: int | None, explanation: str) -> Refined:
    """What a person wrote, put into its place: nothing where it is what the error says already.

    Raises Invalid where the words have no certain place, or lie elsewhere than the error.
    """
    text = error.response.text
    explanation = explanation.strip()
    explanation = "" if explanation == error.explanation else explanation
    if quote not in text:
        quote = quote.replace("\r\n", "\n")  # as browsers send lines
    same_place = occurrence in (None, occurrence_of(text, error.quote, error.start))
    if not quote or (quote == error.quote and same_place):
        return Refined(explanation=explanation)
    start, end = locate(text, quote, occurrence)
    quote = check_anchor(text, start, end, quote)
    if not touches(error.start, error.end, start, end):
        raise Invalid(Problem("quote_elsewhere", _("These words lie elsewhere than the error."), "quote"))
    return Refined(start, end, quote, explanation)


def touches(start: int | None, end: int | None, other: int, other_end: int) -> bool:
    """Whether both share a character; what is missing has none."""
    return start is not None and end is not None and start < other_end and other < end


def occurrence_of(text: str, quote: str, start: int | None) -> int | None:
    """Which of the places of these words begins there, from 1; None where they have one place, or none is meant."""
    if not quote or start is None:
        return None
    places = list(islice(occurrences(text, quote), MAX_COUNTED))
    return places.index(start) + 1 if len(places) > 1 and start in places else None
