"""What became of a person's own marks: kept, corrected or rejected, once everybody has had their say.

Nothing here names a reviewer or tells a person from a judge: only people's verdicts count (annotation/outcomes.py), and
they are shown without name, time or order. Checks are no marks and never stand here; so nothing is said of how many
marks still wait, from which a check could be counted out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from annotation.models import Adjudication, Marking
from annotation.outcomes import BY_ANNOTATORS, BY_VALIDATORS, KEPT, REJECTED, Case, cases
from annotation.said import Names, Said
from annotation.spans.parts import words_of
from annotation.spans.storing import parts_of_responses
from formats.choices import ReviewVerdict
from projects.chunks import in_chunks
from projects.held_back import canary_of
from projects.models import Project, Rater, Response
from workflow.models import Assignment, Status, WorkItem

# Of so many of the latest items the page speaks: what it costs does not grow with years of work.
LATEST_ITEMS = 300
CORRECTED = "corrected"
FATES = (KEPT, CORRECTED, REJECTED)
UNDER_WAY = (Status.RESERVED, Status.CLAIMED, Status.EXPIRED)


@dataclass(slots=True)
class SettledMark:
    """One of the person's marks that is kept or rejected. `words` are those of all its parts, filled by
    `add_responses`; `said` and `last_word` by `add_words` alone."""

    case: Case
    fate: str
    marked_at: datetime
    task: UUID | None
    prompt: int
    response: Response | None = None
    is_held_back: bool = False
    said: list[Said] = field(default_factory=list)
    last_word: str = ""
    words: str = ""


def settled_marks(rater: Rater) -> list[SettledMark]:
    """Those in the person's latest LATEST_ITEMS items, the latest first. A number of queries that does not grow.

    Of a response whose other marks the person has still to review nothing is told: what was said of their own would be
    in their mind.
    """
    own = Marking.objects.filter(rater=rater, is_evaluation=False).order_by("-created_at", "-pk")
    rows = own.values_list("response_id", "response__prompt_id", "created_at", "assignment__uuid")[:LATEST_ITEMS]
    latest = {response: (prompt, at, task) for response, prompt, at, task in reversed(rows)}
    still_to_review = to_review(rater, list(latest))
    marks = []
    for chunk in in_chunks(set(latest) - still_to_review):
        for case in cases(chunk):
            if case.span.rater_id == rater.pk and case.outcome in (KEPT, REJECTED):
                prompt, at, task = latest[case.span.response_id]
                marks.append(SettledMark(case, fate(case), at, task, prompt))
    marks.sort(key=lambda mark: (mark.marked_at, mark.case.span.id), reverse=True)
    return marks


def fate(case: Case) -> str:
    """The outcome, and of kept marks whether somebody put them right."""
    is_corrected = any(review.verdict == ReviewVerdict.CORRECT for review in case.reviews)
    return CORRECTED if case.outcome == KEPT and is_corrected else case.outcome


def to_review(rater: Rater, responses: Sequence[int]) -> set[int]:
    """Those of the responses in which the person has marks of others to review, or may still be given them."""
    own = Assignment.objects.filter(item=OuterRef("pk"), rater=rater)
    may_come = Q(
        ~Exists(own), open_slots__gt=0, stage__kind=BY_ANNOTATORS, stage__is_open=True, stage__locked_at__isnull=True
    )
    items = WorkItem.objects.filter(
        Exists(own.filter(status__in=UNDER_WAY)) | may_come,
        response__in=responses,
        stage__kind__in=(BY_ANNOTATORS, BY_VALIDATORS),
        is_check=False,
    )
    return set(items.values_list("response_id", flat=True))


def add_responses(marks: Sequence[SettledMark]) -> None:
    """What each mark of a page was about; a text that is held back stands on the page of its item alone."""
    responses = Response.objects.select_related("variety").annotate(canary=canary_of("prompt"))
    found = responses.in_bulk({mark.case.span.response_id for mark in marks})
    more = parts_of_responses(list(found))
    for mark in marks:
        response = found[mark.case.span.response_id]
        mark.words = words_of(mark.case.span.quote, more.get(mark.case.span.id, ()))
        mark.response, mark.is_held_back = response, response.canary is not None


def add_words(project: Project, marks: Sequence[SettledMark]) -> None:
    """What reviewers wrote of each mark of a page, and an expert's last word. Nobody's name; the order is drawn."""
    reasons = dict(
        Adjudication.objects.filter(span__in=[mark.case.span.id for mark in marks]).values_list("span_id", "reason")
    )
    names = Names(project)
    for mark in marks:
        mark.said = names.of(mark.case)
        mark.last_word = reasons.get(mark.case.span.id, "")
