"""Frames of error spans: what people and judges marked, and each answer as a whole."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext_lazy as _

from agreement.validation import VERDICTS, outcome_of
from annotation.models import Adjudication, Marking, Review, Span
from annotation.outcomes import KEPT, OF_EVALUATION, OF_PANEL, REJECTED
from projects.models import Project, RaterKind
from reports.frames.columns import (
    CATEGORY_NOW,
    FLAG,
    IS_COUNTED,
    IS_FIRST,
    NUMBER,
    OWN_LABORATORY,
    RATER,
    RESPONSE,
    ROUND,
    TEXT,
    TIME,
    WHOLE,
    WORKED,
    Column,
    offsets,
)
from reports.frames.first import (
    OF_MARKS,
    First,
    Later,
    first_answers_as_a_whole,
    first_spans,
    firsts_of,
    number_first_given,
    with_first,
)
from reports.frames.frame import Columns, Frame, Row, by_column, responses_with_text
from reports.frames.places import MORE, more_of, offsets_of
from reports.frames.reading import Reading, Text

#: What decided over a span: an expert, people's verdicts, nothing yet; a panel's spans are put to nobody.
BY_EXPERT, BY_REVIEWS, UNDECIDED, OF_MEMBERS = "expert", "reviews", "nobody yet", "its members' spans"
#: Of what a judge was asked for to be evaluated.
NOBODY = "nobody: for evaluation"

ERROR = (
    Column("error_type", TEXT, "type of the error, a word of the project"),
    Column("category", TEXT, "slug of the category that the rater chose"),
    Column("criticality", TEXT, "how critical it is, a word of the project"),
    Column("explanation", TEXT, "why it is an error, in the rater's words"),
    Column("correction", TEXT, "what should stand there instead"),
)
SETTLED = (
    Column("outcome", TEXT, "kept, rejected, open (for an expert), pending (no verdicts yet), panel or evaluation"),
    Column("is_kept", FLAG, "true where kept, false where rejected, missing where that is not decided"),
    Column("decided_by", TEXT, f"{BY_EXPERT}, {BY_REVIEWS}, {UNDECIDED}, {OF_MEMBERS} (of a panel), or {NOBODY}"),
    Column("policy", TEXT, "what people's verdicts must add up to: unanimous, majority or any"),
    Column("verdicts_needed", WHOLE, "how many verdicts of people it gets before its outcome is certain"),
    *(Column(f"votes_{verdict}", WHOLE, f"people whose latest verdict is {verdict}") for verdict in VERDICTS),
    Column("expert_reason", TEXT, "why the expert decided so"),
)
SPANS = (
    *RESPONSE,
    *RATER,
    ROUND,
    Column("span_key", TEXT, "key of the span, unique in its response"),
    Column("anchor", TEXT, "words, paragraph or response: what the error is marked on, or what it is missing from"),
    *offsets("the span"),
    Column("paragraph", WHOLE, "number of the paragraph something is missing from, from 0"),
    *ERROR,
    CATEGORY_NOW,
    Column("penalty", NUMBER, "points the rater gave this very error, where the scheme weighs single errors"),
    Column("origin", TEXT, "key of the rater's span that it repeats on the same words elsewhere, where it does"),
    MORE,
    Column("group", TEXT, "key of the group of spans that are one and the same error"),
    Column("gold_key", TEXT, "key of the error of the gold that it became"),
    *WORKED,
    IS_COUNTED,
    IS_FIRST,
    *SETTLED,
    Column("created_at", TIME, "when the answer was stored"),
)
#: The place of the cells of SETTLED among the cells of a row: response and rater come as one each, time follows.
SPANS_SETTLED = len(SPANS) - len(RESPONSE) - len(RATER) + 2 - len(SETTLED) - 1
MARKINGS = (
    *RESPONSE,
    *RATER,
    ROUND,
    Column("no_errors", FLAG, "the rater stated that there are none"),
    Column("is_complete", FLAG, "false where part of a judge's answer was refused or unreadable"),
    Column("is_evaluation", FLAG, "the judge is only evaluated, or of the model's laboratory: its spans make no gold"),
    IS_COUNTED,
    IS_FIRST,
    OWN_LABORATORY,
    Column("spans", WHOLE, "how many spans the answer has"),
    Column("unlocatable", WHOLE, "quotes of a judge that could not be found in the text"),
    Column("normalised", WHOLE, "quotes of a judge that were found in other characters"),
    *WORKED,
    Column("submitted_at", TIME, "when a person submitted it here"),
    Column("created_at", TIME, "when it was stored"),
)
MARKING_FIELDS = (
    *("id", "response_id", "rater_id", "round", "no_errors", "is_complete", "is_evaluation", "created_at"),
    *("assignment_id", "assignment__active_seconds"),
)
SPAN_FIELDS = (
    *("id", "response_id", "rater_id", "marking_id", "key", "anchor", "start", "end", "quote", "paragraph"),
    *("error_type", "category_id", "criticality", "explanation", "correction", "penalty", "origin"),
    *("group__key", "gold_error__key"),
)


class MarkingRow(NamedTuple):
    id: int
    response_id: int
    rater_id: int
    round: int
    no_errors: bool
    is_complete: bool
    is_evaluation: bool
    created_at: Any
    assignment: int | None
    seconds: int | None


def by_id(batch: Sequence[Text]) -> dict[int, Text]:
    return {text.id: text for text in batch}


def markings_of(reading: Reading, batch: Sequence[Text], texts: Mapping[int, Text]) -> list[MarkingRow]:
    rows = Marking.objects.filter(**reading.within("response", batch)).order_by("response_id", "id")
    return [MarkingRow._make(row) for row in rows.values_list(*MARKING_FIELDS) if row[1] in texts]


def is_shown(reading: Reading, row: MarkingRow, text: Text) -> bool:
    return reading.is_shown(row.rater_id, text.prompt, text.model)


def counted_of(reading: Reading, markings: Sequence[MarkingRow], texts: Mapping[int, Text]) -> set[int]:
    """Ids of those that count: of each rater and response the latest complete round."""
    latest: dict[tuple[int, int], MarkingRow] = {}
    for row in markings:
        if row.is_complete and is_shown(reading, row, texts[row.response_id]):
            place = (row.response_id, row.rater_id)
            if place not in latest or row.round > latest[place].round:
                latest[place] = row
    return {row.id for row in latest.values()}


def span_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    """Column by column: there are more spans than rows of any other frame."""
    texts, raters, categories, categories_now = by_id(batch), reading.raters, reading.categories, reading.categories_now
    answers = markings_of(reading, batch, texts)
    counted = counted_of(reading, answers, texts)
    marking = {row.id: row for row in answers}
    worked = {row.id: reading.worked(row.assignment, row.seconds, row.created_at) for row in answers}
    outcomes = Outcomes(reading, batch, answers)
    rows = Span.objects.filter(**reading.within("response", batch)).order_by("response_id", "id")
    # Of an answer that was stored since the answers were read nothing is taken.
    values = by_column([row for row in rows.values_list(*SPAN_FIELDS) if row[3] in marking])
    first = first_spans(reading, first_markings(reading, batch, answers, counted), texts, len(SETTLED))
    if not values:
        return by_column([row for _response, row in first])
    more = more_of(reading, batch, texts)
    pk, response, rater, answer, key, anchor, start, end, quote, paragraph, error_type, category, *others = values
    criticality, explanation, correction, penalty, origin, group, gold = others
    made: Columns = [
        [texts[one].cells for one in response],
        [raters[one].cells for one in rater],
        [marking[one].round for one in answer],
        key,
        anchor,
        *offsets_of(texts, response, start, end),
        quote,
        paragraph,
        error_type,
        [categories[one] for one in category],
        criticality,
        explanation,
        correction,
        [categories_now[one] for one in category],
        penalty,
        [one or None for one in origin],
        [more.get(one) for one in pk],
        group,
        gold,
        *by_column([worked[one] for one in answer]),
        [one in counted for one in answer],
        [reading.is_first(one in counted, marking[one].assignment) for one in answer],
        [outcomes.of(*one) for one in zip(pk, response, rater, (marking[one] for one in answer), strict=True)],
        [marking[one].created_at for one in answer],
    ]
    return with_first(response, made, first)


class Outcomes:
    """What became of the spans of some responses, and why: the cells from `outcome` to `expert_reason`."""

    def __init__(self, reading: Reading, batch: Sequence[Text], answers: Sequence[MarkingRow]) -> None:
        self.raters, self.rule = reading.raters, reading.rule
        self.votes, self.decisions = votes_on(reading, batch), decisions_on(reading, batch)
        self.people: defaultdict[int, set[int]] = defaultdict(set)
        for row in answers:
            if self.raters[row.rater_id].is_human:
                self.people[row.response_id].add(row.rater_id)

    def of(self, span: int, response: int, rater: int, marking: MarkingRow) -> Row:
        needed = self.rule.needed(rater, self.people[response])
        is_panel = self.raters[rater].is_panel
        votes = tuple(sorted(self.votes.get(span, ())))
        return settled(votes, self.rule.policy, needed, self.decisions.get(span), is_panel, marking.is_evaluation)


@lru_cache(maxsize=4096)
def settled(
    votes: tuple[str, ...],
    policy: str,
    needed: int,
    decision: tuple[bool, str] | None,
    is_panel: bool,
    is_evaluation: bool = False,
) -> Row:
    """The rule is annotation.outcomes's; a test compares them."""
    reason = ""
    if is_evaluation:
        outcome, by = OF_EVALUATION, NOBODY
    elif is_panel:
        outcome, by = OF_PANEL, OF_MEMBERS
    elif decision is not None:
        outcome, by, reason = KEPT if decision[0] else REJECTED, BY_EXPERT, decision[1]
    else:
        outcome = outcome_of(votes, policy, needed)
        by = BY_REVIEWS if outcome in (KEPT, REJECTED) else UNDECIDED
    is_kept = outcome == KEPT if outcome in (KEPT, REJECTED) else None
    return (outcome, is_kept, by, str(policy), needed, *(votes.count(verdict) for verdict in VERDICTS), reason)


def votes_on(reading: Reading, batch: Sequence[Text]) -> Mapping[int, Sequence[str]]:
    """By span, people's verdicts, of each person the latest round."""
    later = Review.objects.filter(span=OuterRef("span"), rater=OuterRef("rater"), round__gt=OuterRef("round"))
    rows = Review.objects.filter(~Exists(later), **reading.within("span__response", batch), rater__kind=RaterKind.HUMAN)
    votes: defaultdict[int, list[str]] = defaultdict(list)
    for span, verdict in rows.order_by().values_list("span_id", "verdict"):
        votes[span].append(verdict)
    return votes


def decisions_on(reading: Reading, batch: Sequence[Text]) -> dict[int, tuple[bool, str]]:
    """By span, whether an expert kept it, and why."""
    rows = Adjudication.objects.filter(**reading.within("span__response", batch))
    return {pk: (is_kept, reason) for pk, is_kept, reason in rows.values_list("span_id", "is_kept", "reason")}


def marking_rows(reading: Reading, batch: Sequence[Text]) -> Columns:
    texts = by_id(batch)
    answers = markings_of(reading, batch, texts)
    counted = counted_of(reading, answers, texts)
    within = reading.within("response", batch)
    beside = {
        pk: others
        for pk, *others in Marking.objects.filter(**within)
        .order_by()
        .values_list("id", "metadata", "assignment__submitted_at")
    }
    spans: defaultdict[int, int] = defaultdict(int)
    for (answer,) in Span.objects.filter(**within).order_by().values_list("marking_id"):
        spans[answer] += 1
    made: list[Row] = []
    for row in answers:
        # What was stored between the two queries is there with the next reading.
        metadata, submitted_at = beside.get(row.id, (None, None))
        rater = reading.raters[row.rater_id]
        quotes = [
            None if rater.is_human else int((metadata or {}).get(name, 0)) for name in ("unlocatable", "normalised")
        ]
        made.append(
            (
                texts[row.response_id].cells,
                rater.cells,
                row.round,
                row.no_errors,
                row.is_complete,
                row.is_evaluation,
                row.id in counted,
                reading.is_first(row.id in counted, row.assignment),
                reading.is_own(row.rater_id, texts[row.response_id].model),
                spans[row.id],
                *quotes,
                *reading.worked(row.assignment, row.seconds, row.created_at),
                submitted_at,
                row.created_at,
            )
        )
    first = first_answers_as_a_whole(first_markings(reading, batch, answers, counted), reading, texts)
    return with_first([row.response_id for row in answers], by_column(made), first)


def first_markings(
    reading: Reading, batch: Sequence[Text], answers: Sequence[MarkingRow], counted: set[int]
) -> list[First]:
    """Of answers that were amended, what was first handed in."""
    later = {
        row.assignment: Later(row.response_id, row.rater_id, row.round, row.id in counted)
        for row in answers
        if row.assignment is not None
    }
    return firsts_of(reading, batch, OF_MARKS, later)


def number_of_spans(project: Project) -> int:
    return Span.objects.filter(response__project=project).count() + number_first_given(project, OF_MARKS, "spans")


def number_of_markings(project: Project) -> int:
    return Marking.objects.filter(response__project=project).count() + number_first_given(project, OF_MARKS)


spans = Frame(
    "spans",
    _("Every error as somebody marked it, with what became of it and why: also those that were rejected."),
    SPANS,
    span_rows,
    number_of_spans,
    responses_with_text,
    shared={0: len(RESPONSE), 1: len(RATER), SPANS_SETTLED: len(SETTLED)},
)
markings = Frame(
    "markings",
    _("Every answer on a response as a whole: also the explicit statement that it has no errors."),
    MARKINGS,
    marking_rows,
    number_of_markings,
)
