"""What becomes of each marked span: its verdicts put to the policy of the project's review stages.

Everything that asks whether a span was kept (gold, dashboards, the adjudication queue, the response page) asks
here, so that all of them give the same answer.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from agreement.validation import outcome_of
from annotation.models import Adjudication, Marking, Review, Span
from projects.chunks import in_chunks
from projects.models import Rater, RaterKind, Response
from workflow.models import Policy, Stage

# Task types whose answers are reviews: by the annotators of the response, and by validators beside them.
BY_ANNOTATORS = "reviews"
BY_VALIDATORS = "validation"

KEPT, REJECTED, OPEN, PENDING = "kept", "rejected", "open", "pending"
# Of a span of several judges as one. It is made of its members' spans, which people review once each: it is put to
# nobody by itself and makes no gold, where one error would else stand twice.
OF_PANEL = "panel"
# Of a span that a judge was asked for to be evaluated: it is put to nobody and makes no gold, whatever was said of it.
OF_EVALUATION = "evaluation"


class SpanRow(NamedTuple):
    """A span as it is read for its outcome: plain values, for instances would cost most of the time."""

    id: int
    response_id: int
    key: str
    rater_id: int
    group_id: int | None
    gold_error_id: int | None
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


class ReviewRow(NamedTuple):
    id: int
    span_id: int
    rater_id: int
    round: int
    verdict: str
    comment: str
    start: int | None
    end: int | None
    quote: str
    error_type: str
    category_id: int | None
    criticality: str
    explanation: str
    correction: str


class AdjudicationRow(NamedTuple):
    span_id: int
    rater_id: int
    is_kept: bool
    varies_by_region: bool


@dataclass(slots=True)
class Case:
    """A span with everything that was said about it, and what that makes of it."""

    span: SpanRow
    policy: str
    needed: int
    reviews: list[ReviewRow] = field(default_factory=list)
    adjudication: AdjudicationRow | None = None
    outcome: str = PENDING

    @property
    def keep_votes(self) -> int:
        return sum(review.verdict in ("keep", "correct") for review in self.reviews)

    @property
    def varies_by_region(self) -> bool:
        if self.adjudication:
            return self.adjudication.varies_by_region
        return any(review.verdict == "differs" for review in self.reviews)


@dataclass(frozen=True, slots=True)
class ReviewRule:
    """Who reviews in a project and what their verdicts must add up to.

    Recipe of `needed`: every other person who annotated the response reviews a person's span, and all of them
    a judge's; a validation stage adds its number of validators. At least one verdict is always needed.
    """

    policy: str = Policy.UNANIMOUS
    annotators_review: bool = True
    validators: int = 0

    def needed(self, author: int, annotators: set[int]) -> int:
        others = len(annotators) - (author in annotators) if self.annotators_review else 0
        return max(1, others + self.validators)


def review_rules(project_ids: Iterable[int]) -> dict[int, ReviewRule]:
    """Rule per project. The policy of the last review stage holds; without any, annotators review unanimously."""
    stages = defaultdict(list)
    kinds = (BY_ANNOTATORS, BY_VALIDATORS)
    for stage in Stage.objects.filter(project__in=project_ids, kind__in=kinds).order_by("position", "id"):
        stages[stage.project_id].append(stage)
    rules = {project_id: ReviewRule() for project_id in project_ids}
    for project_id, of_project in stages.items():
        rules[project_id] = ReviewRule(
            policy=of_project[-1].policy,
            annotators_review=any(stage.kind == BY_ANNOTATORS for stage in of_project),
            validators=sum(stage.overlap for stage in of_project if stage.kind == BY_VALIDATORS),
        )
    return rules


@lru_cache(maxsize=4096)
def _outcome(verdicts: tuple[str, ...], policy: str, needed: int) -> str:
    return outcome_of(verdicts, policy, needed)


def cases(response_ids: Sequence[int]) -> list[Case]:
    """A case for every span of these responses, by response and id. Nine queries for a chunk of responses.

    Verdicts of people count, each with their latest round; a judge's review is an opinion to be measured, not
    a vote. An adjudication is the last word whatever the votes were.
    """
    project_of = dict(Response.objects.filter(id__in=response_ids).values_list("id", "project_id"))
    rules = review_rules(set(project_of.values()))
    annotators = human_annotators(response_ids)
    panels = set(Rater.objects.filter(Rater.PANELS, project__in=rules).values_list("id", flat=True))
    evaluated = evaluated_spans(response_ids)
    by_span = {}
    spans = Span.objects.filter(response_id__in=response_ids).order_by("response_id", "id")
    for row in spans.values_list(*SpanRow._fields):
        span = SpanRow._make(row)
        rule = rules[project_of[span.response_id]]
        by_span[span.id] = Case(span, rule.policy, rule.needed(span.rater_id, annotators[span.response_id]))
    if not by_span:
        return []
    for review in latest_reviews(response_ids):
        by_span[review.span_id].reviews.append(review)
    adjudications = Adjudication.objects.filter(span__response_id__in=response_ids)
    for row in adjudications.values_list("span_id", "rater_id", "is_kept", "varies_by_region"):
        by_span[row[0]].adjudication = AdjudicationRow._make(row)
    for case in by_span.values():
        if case.span.id in evaluated:
            case.outcome = OF_EVALUATION
        else:
            case.outcome = OF_PANEL if case.span.rater_id in panels else outcome(case)
    return list(by_span.values())


def outcome(case: Case) -> str:
    if case.adjudication:
        return KEPT if case.adjudication.is_kept else REJECTED
    return _outcome(tuple(sorted(review.verdict for review in case.reviews)), case.policy, case.needed)


def evaluated_spans(response_ids: Sequence[int]) -> set[int]:
    """Ids of the spans that judges were asked for to be evaluated."""
    spans = Span.objects.filter(response_id__in=response_ids, marking__is_evaluation=True)
    return set(spans.values_list("pk", flat=True))


def human_annotators(response_ids: Sequence[int]) -> defaultdict[int, set[int]]:
    """Rater ids of the people who marked each response."""
    raters: defaultdict[int, set[int]] = defaultdict(set)
    markings = Marking.objects.filter(response_id__in=response_ids, rater__kind=RaterKind.HUMAN)
    for response_id, rater_id in markings.values_list("response_id", "rater_id"):
        raters[response_id].add(rater_id)
    return raters


def latest_reviews(response_ids: Sequence[int]) -> list[ReviewRow]:
    """People's reviews in order of id, of each person and span the latest round alone."""
    rows = Review.objects.filter(span__response_id__in=response_ids, rater__kind=RaterKind.HUMAN).order_by("id")
    latest: dict[tuple[int, int], ReviewRow] = {}
    for row in rows.values_list(*ReviewRow._fields):
        review = ReviewRow._make(row)
        known = latest.get((review.span_id, review.rater_id))
        if known is None or review.round > known.round:
            latest[review.span_id, review.rater_id] = review
    return sorted(latest.values())


def outcomes(response_ids: Iterable[int]) -> dict[int, str]:
    """Span id to "kept", "rejected", "open" or "pending" (or "panel", "evaluation"), for dashboards."""
    return {case.span.id: case.outcome for chunk in in_chunks(response_ids) for case in cases(chunk)}
