"""Spans that point at one and the same issue are one error: grouped by hand, or proposed and confirmed."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from django.db import transaction
from django.utils.translation import gettext as _

from agreement.words import owned, words
from annotation.gold import derive
from annotation.models import ErrorGroup, GroupProposal, Span
from annotation.settlement import KEPT, Case, cases, in_chunks
from projects.models import Rater, Response, Segmentation
from projects.problems import Invalid, Problem

THRESHOLD = 0.5
SEGMENTATION_OF = {Segmentation.SPACE: "whitespace", Segmentation.UNICODE: "uax29"}


@transaction.atomic
def group(spans: Sequence[Span], rater: Rater | None) -> ErrorGroup:
    """Make these spans of one response one error. Spans that were in other groups leave them.

    Raises Invalid for fewer than two spans or spans of several responses.
    """
    if len({span.pk for span in spans}) < 2:
        raise Invalid(Problem("too_few", _("Choose at least two errors to group.")))
    if len({span.response_id for span in spans}) > 1:
        raise Invalid(Problem("several_responses", _("Only errors of one response can be grouped.")))
    response_id = spans[0].response_id
    made = ErrorGroup.objects.create(response_id=response_id, key=f"g-{uuid.uuid4().hex[:16]}", confirmed_by=rater)
    Span.objects.filter(pk__in=[span.pk for span in spans]).update(group=made)
    _dissolve_remains(response_id)
    derive([response_id])
    return made


@transaction.atomic
def ungroup(spans: Sequence[Span]) -> None:
    """Let each of these spans be an error of its own again."""
    responses = {span.response_id for span in spans}
    Span.objects.filter(pk__in=[span.pk for span in spans]).update(group=None)
    for response_id in responses:
        _dissolve_remains(response_id)
    derive(responses)


def _dissolve_remains(response_id: int) -> None:
    """A group of one is no group."""
    sizes: dict[int, int] = dict.fromkeys(
        ErrorGroup.objects.filter(response=response_id).values_list("pk", flat=True), 0
    )
    for group_id in Span.objects.filter(response=response_id, group__isnull=False).values_list("group", flat=True):
        sizes[group_id] += 1
    ErrorGroup.objects.filter(pk__in=[pk for pk, size in sizes.items() if size < 2]).delete()


# --- Proposals ----------------------------------------------------------------------------------------


def propose(
    response: Response, spans: Sequence[Span], proposed_by: Rater | None = None, reason: str = ""
) -> GroupProposal | None:
    """Suggest that spans are one error; None where the very same was suggested before, whatever came of it.

    `proposed_by` is the judge that suggests it, or None for the overlap rule. Nothing counts until a person
    has confirmed it.
    """
    keys = frozenset(span.pk for span in spans)
    if keys in _known(response.pk):
        return None
    proposal = GroupProposal.objects.create(response=response, proposed_by=proposed_by, reason=reason)
    proposal.spans.set(spans)
    return proposal


def _known(response_id: int) -> set[frozenset[int]]:
    """Sets of spans that were proposed or are grouped."""
    sets: dict[object, set[int]] = defaultdict(set)
    rows = GroupProposal.spans.through.objects.filter(groupproposal__response=response_id)
    for proposal_id, span_id in rows.values_list("groupproposal_id", "span_id"):
        sets["proposal", proposal_id].add(span_id)
    for span_id, group_id in Span.objects.filter(response=response_id, group__isnull=False).values_list("id", "group"):
        sets["group", group_id].add(span_id)
    return {frozenset(members) for members in sets.values()}


@transaction.atomic
def propose_overlaps(response_ids: Iterable[int], threshold: float = THRESHOLD) -> int:
    """Suggest groups of kept spans of one type whose words overlap with an IoU of at least `threshold`."""
    count = 0
    reason = f"overlap rule: same type, IoU of words >= {threshold:g}"
    for chunk in in_chunks(response_ids):
        texts = {response.pk: response for response in Response.objects.filter(pk__in=chunk).select_related("variety")}
        kept: dict[int, list[Case]] = defaultdict(list)
        for case in cases(chunk):
            if case.outcome == KEPT and case.span.start is not None:
                kept[case.span.response_id].append(case)
        for response_id, of_response in kept.items():
            for members in overlapping(texts[response_id], of_response, threshold):
                spans = Span.objects.filter(pk__in=members)
                count += propose(texts[response_id], list(spans), reason=reason) is not None
    return count


def overlapping(response: Response, kept: Sequence[Case], threshold: float) -> list[list[int]]:
    """Span ids of each connected set of overlapping spans that are not all in one group already."""
    pieces = words(response.text, SEGMENTATION_OF[Segmentation(response.variety.segmentation)])
    first, last = owned(
        pieces, np.array([case.span.start for case in kept]), np.array([case.span.end for case in kept])
    )
    leader = list(range(len(kept)))

    def root(index: int) -> int:
        while leader[index] != index:
            index = leader[index]
        return index

    for one, other in combinations(range(len(kept)), 2):
        shared = min(last[one], last[other]) - max(first[one], first[other])
        union = (last[one] - first[one]) + (last[other] - first[other]) - shared
        same_type = kept[one].span.error_type == kept[other].span.error_type
        if same_type and shared > 0 and shared >= threshold * union:
            leader[root(other)] = root(one)
    sets: dict[int, list[Case]] = defaultdict(list)
    for index, case in enumerate(kept):
        sets[root(index)].append(case)
    return [
        [case.span.id for case in members]
        for members in sets.values()
        if len(members) > 1 and (members[0].span.group_id is None or len({case.span.group_id for case in members}) > 1)
    ]


@transaction.atomic
def confirm(proposal: GroupProposal, rater: Rater) -> ErrorGroup:
    made = group(list(proposal.spans.all()), rater)
    _decide(proposal, GroupProposal.State.CONFIRMED, rater)
    return made


def dismiss(proposal: GroupProposal, rater: Rater) -> None:
    _decide(proposal, GroupProposal.State.DISMISSED, rater)


def _decide(proposal: GroupProposal, state: str, rater: Rater) -> None:
    proposal.state, proposal.decided_by = state, rater
    proposal.save(update_fields=["state", "decided_by"])
