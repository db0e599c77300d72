"""Derives the one set of errors of a response from spans, reviews, adjudications, groups and classifications.

`derive` may be called after anything changed, any number of times: it writes only what differs from what
stands. A response whose gold came from a file keeps it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q

from annotation.models import (
    AcceptanceMember,
    Classification,
    ErrorGroup,
    GoldAnswer,
    GoldError,
    Refinement,
    Review,
    Span,
)
from annotation.outcomes import KEPT, OPEN, PENDING, REJECTED, Case, ReviewRow, cases, human_annotators
from annotation.spans.storing import parts_of_responses
from annotation.taxonomy import read_as, replaced
from projects.chunks import in_chunks
from projects.insertion import as_json, insert_rows, update_rows
from projects.models import Rater, RaterKind, Response

#: What stands for an error of what was proposed or written to refine it.
STANDING = Q(rater__kind=RaterKind.HUMAN) | Q(confirmed_by__isnull=False)
# Parts of an error that may have been accepted unseen.
CATEGORY, GROUP, REFINEMENT = "category", "group", "refinement"
VOTES = ("keep", "correct", "differs", "reject")


class ErrorRow(NamedTuple):
    """What makes a derived error what it is; a row that differs in none of these stays as it stands."""

    anchor: str
    start: int | None
    end: int | None
    quote: str
    paragraph: int | None
    error_type: str
    category_id: int | None
    criticality: str
    explanation: str
    correction: str
    varies_by_region: bool
    found_by_human: bool
    found_by_judge: bool
    provenance: dict


INSERTED = ("response", "key", *(name.removesuffix("_id") for name in ErrorRow._fields), "is_imported")


class RaterRow(NamedTuple):
    id: int
    pseudonym: str
    kind: str
    model: str
    laboratory: str | None
    is_simulated: bool


class ClassificationRow(NamedTuple):
    id: int
    span_id: int
    rater_id: int
    category_id: int
    confirmed_by_id: int | None
    rater_kind: str


class RefinementRow(NamedTuple):
    id: int
    span_id: int
    rater_id: int
    confirmed_by_id: int | None
    start: int | None
    end: int | None
    quote: str
    explanation: str


class Evidence:
    """What derivation looks up beside the cases: raters, classifications, refinements, keys of groups, categories that
    were merged or split since, what was accepted unseen, and further parts. Seven queries."""

    def __init__(self, response_ids: Sequence[int]):
        projects = Response.objects.filter(id__in=response_ids).values("project")
        raters = Rater.objects.filter(project__in=projects)
        self.replaced = replaced(projects)
        self.raters = {
            row[0]: RaterRow._make(row)
            for row in raters.order_by().values_list(
                "id", "pseudonym", "kind", "model", "laboratory__slug", "is_simulated"
            )
        }
        self.more = parts_of_responses(response_ids)
        self.group_keys = dict(ErrorGroup.objects.filter(response__in=response_ids).values_list("id", "key"))
        self.classifications: dict[int, list[ClassificationRow]] = defaultdict(list)
        rows = Classification.objects.filter(span__response__in=response_ids).order_by("id")
        fields = ("id", "span_id", "rater_id", "category_id", "confirmed_by_id", "rater__kind")
        for row in map(ClassificationRow._make, rows.values_list(*fields)):
            if (now := read_as(row.category_id, self.replaced)) is not None:
                self.classifications[row.span_id].append(row._replace(category_id=now))
        self.refinements: dict[int, list[RefinementRow]] = defaultdict(list)
        standing = Refinement.objects.filter(STANDING, span__response__in=response_ids).order_by("id")
        for refined in map(RefinementRow._make, standing.values_list(*RefinementRow._fields)):
            self.refinements[refined.span_id].append(refined)
        # By what it is of and its id, the number of the acceptance in which nobody looked at it.
        self.unseen: dict[tuple[str, int | None], int] = {}
        accepted = AcceptanceMember.objects.filter(response__in=response_ids, is_accepted=True)
        columns = ("classification_id", "made_group_id", "refinement_id", "acceptance__number")
        for coding, group, refined_as, number in accepted.values_list(*columns):
            self.unseen |= {(CATEGORY, coding): number, (GROUP, group): number, (REFINEMENT, refined_as): number}


def chosen_correction(reviews: Sequence[ReviewRow]) -> list[ReviewRow]:
    """The corrections that most reviewers share, word for word; on a tie those of the first by id."""
    shared: dict[tuple, list[ReviewRow]] = defaultdict(list)
    for review in sorted(reviews):
        if review.verdict == "correct":
            shared[review[6:]].append(review)
    # max returns the first of equals, and the groups stand in the order of their first review.
    return max(shared.values(), key=len, default=[])


def chosen_classification(rows: Sequence[ClassificationRow]) -> ClassificationRow | None:
    """A confirmed one, else the first by a person. A judge's stays a proposal until it is confirmed."""
    confirmed = [row for row in rows if row.confirmed_by_id]
    by_people = [row for row in rows if row.rater_kind == RaterKind.HUMAN]
    return next(iter(confirmed + by_people), None)


def chosen_refinement(rows: Sequence[RefinementRow]) -> RefinementRow | None:
    """A confirmed one, else the first by a person."""
    return next(iter([row for row in rows if row.confirmed_by_id] + list(rows)), None)


def representative(kept: Sequence[Case]) -> Case:
    """The span that speaks for its group: most keep votes, then the longest, then the first."""
    return min(kept, key=lambda case: (-case.keep_votes, (case.span.start or 0) - (case.span.end or 0), case.span.id))


def compose(kept: Sequence[Case], evidence: Evidence) -> ErrorRow:
    """One error out of the kept spans that found it.

    Where it lies says its representative, with all its parts (`provenance["more"]`), unless a correction or a
    refinement names other words: these stand for all parts.
    """
    chosen = representative(kept)
    span = chosen.span
    correction = chosen_correction(chosen.reviews)
    mended = correction[0] if correction else None
    anchor = (span.anchor, span.start, span.end, span.quote, span.paragraph)
    if mended and mended.start is not None:
        anchor = ("words", mended.start, mended.end, mended.quote, None)

    ordered = [chosen, *(case for case in kept if case is not chosen)]
    refined = next(filter(None, (chosen_refinement(evidence.refinements[case.span.id]) for case in ordered)), None)
    if refined and refined.start is not None:
        anchor = ("words", refined.start, refined.end, refined.quote, None)

    is_moved = (mended and mended.start is not None) or (refined and refined.start is not None)
    more = [part.raw for part in evidence.more.get(span.id, ())] if not is_moved else []

    def content(name: str) -> Any:
        return (mended and getattr(mended, name)) or getattr(span, name)

    classified = next(filter(None, (chosen_classification(evidence.classifications[c.span.id]) for c in ordered)), None)
    chosen_by_raters = [content("category_id"), *(case.span.category_id for case in ordered)]
    own_category = next(filter(None, (read_as(one, evidence.replaced) for one in chosen_by_raters)), None)
    kinds = {evidence.raters[case.span.rater_id].kind for case in kept}
    return ErrorRow(
        *anchor,
        error_type=content("error_type"),
        category_id=classified.category_id if classified else own_category,
        criticality=content("criticality"),
        explanation=(refined and refined.explanation) or content("explanation"),
        correction=content("correction"),
        varies_by_region=any(case.varies_by_region for case in kept),
        found_by_human=RaterKind.HUMAN in kinds,
        found_by_judge=RaterKind.JUDGE in kinds,
        provenance=provenance(ordered, correction, classified, refined, evidence) | ({"more": more} if more else {}),
    )


def provenance(
    kept: Sequence[Case],
    correction: Sequence[ReviewRow],
    classified: ClassificationRow | None,
    refined: RefinementRow | None,
    evidence: Evidence,
) -> dict:
    """Who found the error, who validated it, and how. The representative's span stands first; no names.

    Where part of it was accepted unseen, `accepted_unseen` says of which part and in which acceptance.
    """
    raters = evidence.raters
    adjudicators = {case.adjudication.rater_id for case in kept if case.adjudication}
    classifiers = {classified.rater_id, classified.confirmed_by_id} if classified else set()
    refiners = {refined.rater_id, refined.confirmed_by_id} if refined else set()
    parts = {CATEGORY: classified.id if classified else 0, GROUP: kept[0].span.group_id or 0}
    parts[REFINEMENT] = refined.id if refined else 0
    unseen = {part: evidence.unseen[part, pk] for part, pk in parts.items() if (part, pk) in evidence.unseen}
    return {
        "spans": [_found(case, raters[case.span.rater_id]) for case in kept],
        "policy": str(kept[0].policy),
        "corrected_by": sorted(raters[review.rater_id].pseudonym for review in correction),
        "adjudicated_by": sorted(raters[rater_id].pseudonym for rater_id in adjudicators),
        "classified_by": sorted(raters[rater_id].pseudonym for rater_id in classifiers if rater_id),
        **({"refined_by": sorted(raters[one].pseudonym for one in refiners if one)} if refiners else {}),
        **({"accepted_unseen": unseen} if unseen else {}),
    }


def _found(case: Case, rater: RaterRow) -> dict:
    votes = Counter(review.verdict for review in case.reviews)
    finder = {
        "id": case.span.key,
        "rater": rater.pseudonym,
        "kind": rater.kind,
        "votes": {verdict: votes[verdict] for verdict in VOTES},
        "needed": case.needed,
    }
    if rater.kind == RaterKind.JUDGE:
        finder |= {"model": rater.model, "laboratory": rater.laboratory, "simulated": rater.is_simulated}
    return finder


def derive(response_ids: Iterable[int]) -> int:
    """Bring the derived gold of these responses up to date; return how many derived errors they now have.

    Set-based: about a dozen statements per few hundred responses, however many spans they have.
    """
    return sum(_derive_chunk(chunk) for chunk in in_chunks(response_ids))


@transaction.atomic
def _derive_chunk(response_ids: list[int]) -> int:
    # Two answers to one response stored at once would otherwise both write its errors.
    locked = Response.objects.select_for_update(no_key=True).filter(id__in=response_ids).order_by("id")
    list(locked.values_list("id"))
    all_cases = cases(response_ids)
    # Most answers are markings that nobody has reviewed yet: nothing is kept, and nothing need be looked up.
    is_any_kept = any(case.outcome == KEPT for case in all_cases)
    wanted, members = compose_all(all_cases, Evidence(response_ids)) if is_any_kept else ({}, {})
    # A response of an imported gold file keeps that set: what people mark here is measured against it.
    answers = GoldAnswer.objects.filter(response__in=response_ids, is_imported=True)
    imported = set(answers.values_list("response_id", flat=True))
    wanted = {place: error for place, error in wanted.items() if place[0] not in imported}
    derived = GoldError.objects.filter(response__in=response_ids, is_imported=False)
    rows = derived.values_list("pk", "response_id", "key", *ErrorRow._fields)
    standing = {(row[1], row[2]): (row[0], ErrorRow._make(row[3:])) for row in rows}
    stale = [pk for place, (pk, row) in standing.items() if wanted.get(place) != row]
    fresh = [(place, row) for place, row in wanted.items() if place not in standing or standing[place][1] != row]
    for few in in_chunks(stale):
        # Every span that points at these is pointed elsewhere below, in this transaction.
        GoldError.objects.filter(pk__in=few)._raw_delete(using=derived.db)
    insert_rows(GoldError, INSERTED, ((*place, *row[:-1], as_json(row.provenance), False) for place, row in fresh))
    current = {place: pk for place, (pk, row) in standing.items() if wanted.get(place) == row}
    if fresh:
        current = {(response, key): pk for pk, response, key in derived.values_list("pk", "response_id", "key")}
    _link(all_cases, {span_id: current.get(place) for span_id, place in members.items()})
    _note_states([response_id for response_id in response_ids if response_id not in imported], all_cases)
    return len(wanted)


def compose_all(all_cases: Sequence[Case], evidence: Evidence) -> tuple[dict[tuple, ErrorRow], dict[int, tuple]]:
    """Errors by (response id, key) in reading order, and where each kept span went.

    A span on its own gives its key to the error, a group gives its own.
    """
    gathered: dict[tuple[int, str], list[Case]] = defaultdict(list)
    for case in all_cases:
        if case.outcome == KEPT:
            key = evidence.group_keys[case.span.group_id] if case.span.group_id else case.span.key
            gathered[case.span.response_id, key].append(case)
    errors = {place: compose(kept, evidence) for place, kept in gathered.items()}
    members = {case.span.id: place for place, kept in gathered.items() for case in kept}
    return errors, members


def _link(all_cases: Sequence[Case], gold_of: dict[int, int | None]) -> None:
    """Point each span at the error it became."""
    became = ((gold_of.get(case.span.id), case.span) for case in all_cases)
    update_rows(Span, "gold_error", [(error, span.id) for error, span in became if span.gold_error_id != error])


def _note_states(response_ids: Sequence[int], all_cases: Sequence[Case]) -> None:
    """Keep the counts of each response that a person has answered, and take away those nobody answers any more."""
    counts: dict[int, Counter] = defaultdict(Counter)
    for case in all_cases:
        counts[case.span.response_id][case.outcome] += 1
    reviews = Review.objects.filter(span__response__in=response_ids, rater__kind=RaterKind.HUMAN)
    answered = set(human_annotators(response_ids)) | set(reviews.values_list("span__response_id", flat=True))
    if unanswered := set(response_ids) - answered:
        GoldAnswer.objects.filter(response__in=unanswered).delete()
    GoldAnswer.objects.bulk_create(
        [
            GoldAnswer(
                response_id=response_id,
                **{outcome: counts[response_id][outcome] for outcome in (KEPT, REJECTED, OPEN, PENDING)},
            )
            for response_id in sorted(answered)
        ],
        update_conflicts=True,
        unique_fields=["response"],
        update_fields=[KEPT, REJECTED, OPEN, PENDING, "updated_at"],
    )
