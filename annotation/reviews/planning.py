"""Which responses are ready for review, and whose turn it is. Planning again adds only what is new.

Set-based throughout: the statements per few hundred responses do not grow with their spans. A span that came
after a reviewer was done (a judge ran late) gives that reviewer another turn, with the new spans alone.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.models import Marking, Review, Span
from annotation.outcomes import BY_ANNOTATORS, BY_VALIDATORS
from projects.chunks import in_chunks
from projects.models import Rater, RaterKind, Response
from workflow.models import Assignment, Stage, Status, WorkItem
from workflow.planning import Ready, add_items, in_project, plan_downstream_stages

MARKING_KIND = "spans"


def ready_responses(stage: Stage) -> QuerySet[Response]:
    """Responses that as many people have marked as the marking stage asks for, with at least one span."""
    marking_stage = Stage.objects.filter(project=stage.project_id, kind=MARKING_KIND).order_by("position").first()
    wanted = marking_stage.overlap if marking_stage else 1
    by_people = Count("markings__rater", filter=Q(markings__rater__kind=RaterKind.HUMAN), distinct=True)
    responses = Response.objects.filter(project=stage.project_id).annotate(marked_by=by_people)
    return responses.filter(Exists(reviewed_spans().filter(response=OuterRef("pk"))), marked_by__gte=wanted)


def reviewed_spans() -> QuerySet[Span]:
    """The spans that people review: all but those of several judges as one, whose members' spans are reviewed, and
    those of judges that are evaluated."""
    return Span.objects.filter(marking__is_evaluation=False).exclude(rater__in=Rater.objects.filter(Rater.PANELS))


def plan_open_stages(response_ids: Iterable[int]) -> int:
    """Plan the open review stages of these responses' projects: called when a marking came in."""
    return plan_downstream_stages(
        response_ids, {BY_ANNOTATORS: reserve_for_annotators, BY_VALIDATORS: open_for_validators}
    )


def unplan(response_ids: Iterable[int]) -> None:
    """Let the reviews go that nobody has begun: of responses whose answers are fewer now, they are planned anew."""
    begun = Assignment.objects.filter(item=OuterRef("pk")).exclude(status=Status.RESERVED)
    for chunk in in_chunks(response_ids):
        items = WorkItem.objects.filter(stage__kind__in=(BY_ANNOTATORS, BY_VALIDATORS), response__in=chunk)
        items.filter(~Exists(begun), is_check=False).delete()


def reserve_for_annotators(stage: Stage, response_ids: Iterable[int] | None = None) -> int:
    return sum(_reserve_chunk(stage, chunk) for chunk in in_chunks(_ready_ids(stage, response_ids)))


def open_for_validators(stage: Stage, response_ids: Iterable[int] | None = None) -> int:
    """An item with the stage's number of slots for each ready response; further turns for who is done already."""
    return sum(_open_chunk(stage, chunk) for chunk in in_chunks(_ready_ids(stage, response_ids)))


def _ready_ids(stage: Stage, response_ids: Iterable[int] | None) -> Iterator[int]:
    ready = ready_responses(stage)
    if response_ids is None:
        yield from ready.values_list("pk", flat=True)
        return
    for chunk in in_chunks(response_ids):
        yield from ready.filter(pk__in=chunk).values_list("pk", flat=True)


@transaction.atomic
def _reserve_chunk(stage: Stage, response_ids: Sequence[int]) -> int:
    reviewers = annotators_with_accounts(response_ids)
    unreviewed = unreviewed_by(response_ids, reviewers)
    wanted = {response_id: raters for response_id, raters in unreviewed.items() if raters}
    slots = {response_id: len(raters) for response_id, raters in wanted.items()}
    items = _items(stage, wanted, slots, are_open=False)
    return _add_turns(stage, [(items[response_id], rater) for response_id in wanted for rater in wanted[response_id]])


@transaction.atomic
def _open_chunk(stage: Stage, response_ids: Sequence[int]) -> int:
    known = _standing(stage, response_ids).keys()
    fresh = add_items(stage, "response", _ready(set(response_ids) - known))
    done = Assignment.objects.filter(stage=stage, item__response__in=known, status=Status.SUBMITTED)
    reviewers: dict[int, set[int]] = defaultdict(set)
    for response_id, rater_id in done.values_list("item__response_id", "rater_id"):
        reviewers[response_id].add(rater_id)
    again = unreviewed_by(sorted(known), reviewers)
    items = _items(stage, again)
    turns = [(items[response_id], rater) for response_id, raters in again.items() for rater in raters]
    return _add_turns(stage, turns) + stage.overlap * fresh


def annotators_with_accounts(response_ids: Sequence[int]) -> dict[int, set[int]]:
    """People who marked each response and can sign in; one who worked elsewhere can review nothing here."""
    raters: dict[int, set[int]] = defaultdict(set)
    here = Rater.objects.filter(kind=RaterKind.HUMAN, user__is_active=True)
    markings = Marking.objects.filter(response__in=response_ids, rater__in=here)
    for response_id, rater_id in markings.values_list("response_id", "rater_id"):
        raters[response_id].add(rater_id)
    return raters


def unreviewed_by(response_ids: Sequence[int], reviewers: dict[int, set[int]]) -> dict[int, list[int]]:
    """Of each response's reviewers those who have not reviewed all spans of others, in order of id."""
    reviewed = set(Review.objects.filter(span__response__in=response_ids).values_list("span_id", "rater_id"))
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for response_id, span_id, author in (
        reviewed_spans().filter(response__in=response_ids).values_list("response_id", "id", "rater_id")
    ):
        spans[response_id].append((span_id, author))
    return {
        response_id: [
            rater
            for rater in sorted(reviewers.get(response_id, ()))
            if any(author != rater and (span, rater) not in reviewed for span, author in spans[response_id])
        ]
        for response_id in response_ids
    }


def _items(
    stage: Stage, response_ids: Iterable[int], slots: dict[int, int] | None = None, *, are_open: bool = True
) -> dict[int, WorkItem]:
    """The stage's item of each response, made where there is none yet."""
    wanted = set(response_ids)
    standing = _standing(stage, wanted)
    missing = wanted - standing.keys()
    if not missing:
        return standing
    add_items(stage, "response", _ready(missing), slots, are_open=are_open)
    return standing | _standing(stage, missing)  # read again: another answer may have made one of them this moment


def _standing(stage: Stage, response_ids: Collection[int]) -> dict[int, WorkItem]:
    items = WorkItem.objects.filter(stage=stage, response__in=response_ids, is_check=False)
    return {item.response_id: item for item in items if item.response_id is not None}


def _ready(response_ids: Collection[int]) -> list[Ready]:
    return in_project(Response.objects.filter(pk__in=response_ids)) if response_ids else []


def _add_turns(stage: Stage, wanted: Sequence[tuple[WorkItem, int]]) -> int:
    """Reserve a turn for each (item, rater) who has none, or who has submitted all earlier ones."""
    turns: dict[tuple[int, int], list[tuple[int, str]]] = defaultdict(list)
    held = Assignment.objects.filter(item__in=[item.pk for item, _rater in wanted])
    for item_id, rater_id, round_, status in held.values_list("item_id", "rater_id", "round", "status"):
        turns[item_id, rater_id].append((round_, status))
    fresh = [
        Assignment(
            item=item,
            stage=stage,
            rater_id=rater,
            round=max((round_ for round_, _status in turns[item.pk, rater]), default=0) + 1,
            status=Status.RESERVED,
        )
        for item, rater in wanted
        if all(status == Status.SUBMITTED for _round, status in turns[item.pk, rater])
    ]
    return len(Assignment.objects.bulk_create(fresh))
