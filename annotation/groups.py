"""Spans that point at one and the same issue are one error: grouped by hand, or proposed and confirmed."""

import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from hashlib import sha256
from itertools import combinations
from typing import NamedTuple

import numpy as np
from django.db import transaction
from django.utils.translation import gettext as _

from agreement.words import owned, words
from annotation.gold import derive
from annotation.models import AcceptanceMember, ErrorGroup, GroupProposal, Span
from annotation.outcomes import KEPT, Case, cases
from projects.among import Among
from projects.chunks import in_chunks
from projects.insertion import update_rows
from projects.models import Rater, Response, Segmentation
from projects.problems import Invalid, Problem

THRESHOLD = 0.5
# What is proposed of so many is one transaction.
RESPONSES_AT_ONCE = 50


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
    _made_here({span.group_id for span in spans})
    made = put_together(response_id, [span.pk for span in spans], rater)
    _dissolve_remains(response_id)
    derive([response_id])
    return made


def put_together(response_id: int, spans: Sequence[int], rater: Rater | None) -> ErrorGroup:
    """One group of these spans of a response, by id; whoever calls has the gold derived."""
    made = ErrorGroup.objects.create(response_id=response_id, key=_new_key(), confirmed_by=rater)
    Span.objects.filter(pk__in=spans).update(group=made)
    return made


def put_many_together(sets: Sequence[tuple[int, Collection[int]]], rater: Rater | None) -> list[ErrorGroup]:
    """A group of each set of spans, by id beside their response's; no span in two. Whoever calls has the gold derived.

    Their keys follow from the first span of each, so that the same groups of the same spans have the same; where
    another group of the response has that key, it is one of its own.
    """
    firsts = Span.objects.filter(pk__in=Among(min(spans) for _response, spans in sets)).values_list("pk", "key")
    keys = {pk: f"g-{sha256(key.encode()).hexdigest()[:16]}" for pk, key in firsts}
    of_responses = ErrorGroup.objects.filter(response__in=Among({response for response, _spans in sets}))
    given = set(of_responses.values_list("response_id", "key"))
    rows = []
    for response, spans in sets:
        key = keys[min(spans)]
        key = _new_key() if (response, key) in given else key
        rows.append(ErrorGroup(response_id=response, key=key, confirmed_by=rater))
    made = ErrorGroup.objects.bulk_create(rows)
    update_rows(
        Span, "group", [(one.pk, pk) for one, (_response, spans) in zip(made, sets, strict=True) for pk in spans]
    )
    return made


def _new_key() -> str:
    return f"g-{uuid.uuid4().hex[:16]}"


@transaction.atomic
def ungroup(spans: Sequence[Span]) -> None:
    """Let each of these spans be an error of its own again."""
    responses = {span.response_id for span in spans}
    _made_here({span.group_id for span in spans})
    Span.objects.filter(pk__in=[span.pk for span in spans]).update(group=None)
    for response_id in responses:
        _dissolve_remains(response_id)
    derive(responses)


def _made_here(groups: set[int | None]) -> None:
    """Groups that somebody changes are no longer those of the file that brought them, nor such as nobody has seen."""
    changed = [pk for pk in groups if pk]
    ErrorGroup.objects.filter(pk__in=changed, came_with__isnull=False).update(came_with=None)
    AcceptanceMember.objects.filter(made_group__in=changed).update(is_accepted=False)


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
    keys = [span.pk for span in spans]
    if frozenset(keys) in _known([response.pk])[response.pk]:
        return None
    return _put_forward(response, keys, proposed_by, reason)


class Issue(NamedTuple):
    """Spans of a response, by id, that are said to be one error, and why."""

    response: int
    spans: Collection[int]
    reason: str


def propose_many(issues: Sequence[Issue], proposed_by: Rater) -> int:
    """Suggest what a judge says of many responses; return how many suggestions are new. As `propose` of each."""
    known: defaultdict[int, set[frozenset[int]]] = defaultdict(set)
    for chunk in in_chunks(sorted({issue.response for issue in issues}), RESPONSES_AT_ONCE):
        known |= _known(chunk)
    new = []
    for issue in issues:
        spans = frozenset(issue.spans)
        if spans not in known[issue.response]:
            known[issue.response].add(spans)
            new.append(issue)
    made = GroupProposal.objects.bulk_create(
        GroupProposal(response_id=issue.response, proposed_by=proposed_by, reason=issue.reason) for issue in new
    )
    member = GroupProposal.spans.through
    member.objects.bulk_create(
        member(groupproposal_id=proposal.pk, span_id=span)
        for proposal, issue in zip(made, new, strict=True)
        for span in issue.spans
    )
    return len(made)


def _put_forward(
    response: Response, spans: Iterable[int], proposed_by: Rater | None = None, reason: str = ""
) -> GroupProposal:
    proposal = GroupProposal.objects.create(response=response, proposed_by=proposed_by, reason=reason)
    member = GroupProposal.spans.through
    member.objects.bulk_create(member(groupproposal_id=proposal.pk, span_id=span) for span in spans)
    return proposal


def _known(response_ids: Collection[int]) -> defaultdict[int, set[frozenset[int]]]:
    """Sets of spans that were proposed or are grouped, by response id."""
    sets: dict[tuple, set[int]] = defaultdict(set)
    rows = GroupProposal.spans.through.objects.filter(groupproposal__response__in=response_ids)
    for response_id, proposal_id, span_id in rows.values_list(
        "groupproposal__response_id", "groupproposal_id", "span_id"
    ):
        sets[response_id, "proposal", proposal_id].add(span_id)
    grouped = Span.objects.filter(response__in=response_ids, group__isnull=False)
    for response_id, group_id, span_id in grouped.values_list("response_id", "group", "id"):
        sets[response_id, "group", group_id].add(span_id)
    known: defaultdict[int, set[frozenset[int]]] = defaultdict(set)
    for (response_id, *_which), members in sets.items():
        known[response_id].add(frozenset(members))
    return known


def propose_overlaps(
    response_ids: Iterable[int], threshold: float = THRESHOLD, on_part: Callable[[int], None] = lambda done: None
) -> int:
    """Suggest groups of kept spans of one type whose words overlap with an IoU of at least `threshold`.

    Some responses at a time: those of one part are looked at first and then written in one transaction. `on_part` is
    told before each how many responses are done; what it raises leaves what was suggested until then.
    """
    count = done = 0
    for chunk in in_chunks(response_ids, RESPONSES_AT_ONCE):
        on_part(done)
        overlapping = overlaps(chunk, threshold)
        with transaction.atomic():
            known = _known(chunk)
            for response, spans in overlapping:
                if frozenset(spans) not in known[response.pk]:
                    _put_forward(response, spans, reason=f"overlap rule: same type, IoU of words >= {threshold:g}")
                    count += 1
        done += len(chunk)
    return count


def overlaps(response_ids: Sequence[int], threshold: float) -> list[tuple[Response, list[int]]]:
    """Ids of spans of one type that share words, by response."""

    def close(one: Case, other: Case, shared: int, union: int) -> bool:
        return one.span.error_type == other.span.error_type and shared > 0 and shared >= threshold * union

    return [
        (response, [case.span.id for case in members])
        for response, kept in kept_cases(response_ids)
        for members in connected(response, kept, close)
    ]


class Candidates(NamedTuple):
    """Sets of span ids, ascending, by response id; and how many spans of other sets were left out."""

    sets: dict[int, list[tuple[int, ...]]]
    left_out: int


def candidates(response_ids: Iterable[int], leaving_out: Collection[int] = ()) -> Candidates:
    """Sets of kept errors that may be one and the same: they share words, or are missing from the same place.

    `leaving_out` are raters whose spans are not looked at. A set that is one group already is no candidate, nor
    is a pair that was proposed before, whatever came of it: nothing new could be said of either.
    """
    sets: dict[int, list[tuple[int, ...]]] = {}
    left_out = 0
    for chunk in in_chunks(response_ids):
        known = _known(chunk)
        for response, kept_of_response in kept_cases(chunk):
            # Where the final set came in a gold file, kept spans make no errors of it.
            kept_of_response = [case for case in kept_of_response if case.span.gold_error_id is not None]
            connected_groups = connected(response, kept_of_response, touching)
            left_out += sum(case.span.rater_id in leaving_out for members in connected_groups for case in members)
            if leaving_out:
                left = [case for case in kept_of_response if case.span.rater_id not in leaving_out]
                connected_groups = connected(response, left, touching)
            ids = [tuple(sorted(case.span.id for case in members)) for members in connected_groups]
            new = [of_set for of_set in ids if len(of_set) > 2 or frozenset(of_set) not in known[response.pk]]
            if new:
                sets[response.pk] = new
    return Candidates(sets, left_out)


def kept_cases(response_ids: Sequence[int]) -> list[tuple[Response, list[Case]]]:
    """The kept spans of each response that has any."""
    responses = Response.objects.filter(pk__in=response_ids).select_related("variety").in_bulk()
    kept: dict[int, list[Case]] = defaultdict(list)
    for case in cases(response_ids):
        if case.outcome == KEPT:
            kept[case.span.response_id].append(case)
    return [(responses[response_id], of_response) for response_id, of_response in kept.items()]


def touching(one: Case, other: Case, shared: int, union: int) -> bool:
    if one.span.start is None or other.span.start is None:
        return one.span.anchor == other.span.anchor and one.span.paragraph == other.span.paragraph
    return shared > 0


def connected(
    response: Response, kept: Sequence[Case], belong: Callable[[Case, Case, int, int], bool]
) -> list[list[Case]]:
    """Each connected set of spans that belong together and are not all in one group already.

    `belong` is told, of two spans, how many words they share and how many they have in all.
    """
    if len(kept) < 2:
        return []
    pieces = words(response.text, Segmentation(response.variety.segmentation).rule)
    # What is missing owns no word: an empty span at the beginning.
    first, last = owned(
        pieces, np.array([case.span.start or 0 for case in kept]), np.array([case.span.end or 0 for case in kept])
    )
    leader = list(range(len(kept)))

    def root(index: int) -> int:
        while leader[index] != index:
            index = leader[index]
        return index

    for one, other in combinations(range(len(kept)), 2):
        shared = int(min(last[one], last[other]) - max(first[one], first[other]))
        union = int((last[one] - first[one]) + (last[other] - first[other]) - shared)
        if belong(kept[one], kept[other], shared, union):
            leader[root(other)] = root(one)
    sets: dict[int, list[Case]] = defaultdict(list)
    for index, case in enumerate(kept):
        sets[root(index)].append(case)
    return [
        members
        for members in sets.values()
        if len(members) > 1 and (members[0].span.group_id is None or len({case.span.group_id for case in members}) > 1)
    ]


@transaction.atomic
def confirm(proposal: GroupProposal, rater: Rater, chosen: Collection[int] | None = None) -> ErrorGroup:
    """Make the proposed spans one error, or only those of them that were chosen by id.

    Raises Invalid where fewer than two are left; the proposal stays open.
    """
    proposed = list(proposal.spans.all())
    spans = [span for span in proposed if chosen is None or span.pk in chosen]
    made = group(spans, rater)
    whole = len(spans) == len(proposed)
    _decide(proposal, GroupProposal.State.CONFIRMED if whole else GroupProposal.State.CHANGED, rater)
    return made


def dismiss(proposal: GroupProposal, rater: Rater) -> None:
    _decide(proposal, GroupProposal.State.DISMISSED, rater)


def _decide(proposal: GroupProposal, state: str, rater: Rater) -> None:
    proposal.state, proposal.decided_by = state, rater
    proposal.save(update_fields=["state", "decided_by"])
