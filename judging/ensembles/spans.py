"""Panels that mark errors: an error is the panel's where most of its members mark spans that match one and the same.

Spans match where the IoU of their words is above the threshold (`agreement.spans.THRESHOLD` unless the panel's
options name another); something missing matches something missing from the same place. The error lies where more
than half of those who mark it put it to the character, else on the words that more than half of them cover. Type and
criticality are those with the most weight, and of equals the more serious; a category stands only where it has the
most by itself. Explanation and correction are those of the member whose span is nearest, word for word.

An error that exactly half of the members mark is left out and counted in the answer. Where there is such a one and no
error of most members, the response has no answer: neither "no errors" nor the error would be what the panel says.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count, Max, Q
from django.utils.translation import gettext_lazy as _

from agreement.figures import NO_ITEMS, Figure
from agreement.panels import EXACT, is_more_than_half
from agreement.span_panels import Issue, issues, overlaps, words_of_most
from agreement.spans import THRESHOLD, Spans, f1, figure, marked, match_counts, overlap
from agreement.words import Intervals, words
from annotation.models import (
    AnchorKind,
    Criticality,
    ErrorCategory,
    ErrorType,
    GoldAnswer,
    GoldError,
    Marking,
    Span,
)
from annotation.spans.storing import MarkingData, SpanData, store_markings
from judging.ensembles import TIE, TOO_FEW, Answer, Author, Bench, Made, Member, Standing, in_batches
from projects.among import Among
from projects.anchors import check_anchor
from projects.models import Project, Rater, RaterKind, Response, Segmentation
from projects.problems import Invalid

# The more serious first: what a tie is decided by.
CRITICALITIES = (Criticality.HIGH.value, Criticality.MEDIUM.value, Criticality.LOW.value, "")
TYPES = (ErrorType.BOTH.value, ErrorType.CULTURAL.value, ErrorType.LINGUISTIC.value, ErrorType.LOGICAL.value, "")
# Reviewed, classified, adjudicated or grouped: deleting the span would take people's work with it.
WORKED_ON = (
    Q(reviews__isnull=False)
    | Q(classifications__isnull=False)
    | Q(adjudication__isnull=False)
    | Q(group__isnull=False)
    | Q(group_proposals__isnull=False)
)


class Marked(NamedTuple):
    """One span as a member marked it."""

    marking: int
    anchor: str
    start: int | None
    end: int | None
    quote: str
    paragraph: int | None
    error_type: str
    category: int | None
    criticality: str
    explanation: str
    correction: str

    @property
    def place(self) -> tuple:
        return (self.anchor, self.start, self.end, self.paragraph)


SPAN_COLUMNS = tuple(name if name != "category" else "category_id" for name in ("marking_id", *Marked._fields[1:]))


class Said(NamedTuple):
    """A member's latest complete marking."""

    round: int
    spans: list[Marked]


class Text(NamedTuple):
    key: str
    prompt: int
    author: Author
    text: str
    segmentation: str

    @property
    def words(self) -> Intervals:
        return words(self.text, Segmentation(self.segmentation).rule)


class Read(NamedTuple):
    """What the answers of a batch are made of."""

    texts: dict[int, Text]
    said: dict[tuple[int, int], Said]
    categories: Sequence[Mapping[str, Any]]  # as rows: two instances of a model are equal whatever they say


class SpanPanels:
    kind = "spans"
    name = _("Error spans")
    judge_kinds: tuple[str, ...] = ("spans",)
    weighed_by = _("F1 of its spans with the final errors of responses that are settled")

    def answering(self, project: Project) -> set[int]:
        markings = Marking.objects.filter(response__project=project, rater__kind=RaterKind.JUDGE)
        return set(markings.order_by().values_list("rater_id", flat=True).distinct())

    def state(self, raters: Collection[int]) -> dict[str, list[int]]:
        rows = Marking.objects.filter(rater__in=raters).order_by().values_list("rater_id")
        return {str(rater): [n, last] for rater, n, last in rows.annotate(n=Count("pk"), last=Max("pk"))}

    def gold_state(self, project: Project) -> list[int]:
        found = GoldError.objects.filter(response__project=project).aggregate(n=Count("pk"), last=Max("pk"))
        settled = GoldAnswer.objects.filter(response__project=project, open=0, pending=0).count()
        return [found["n"], found["last"] or 0, settled]

    def batches(self, raters: Collection[int]) -> Iterator[list[int]]:
        markings = Marking.objects.filter(rater__in=raters).order_by()
        return in_batches(set(markings.values_list("response_id", flat=True)))

    def read(self, bench: Bench, batch: Sequence[int], hold: bool = False) -> Read:
        """Four statements."""
        categories = ErrorCategory.objects.filter(project=bench.panel.project_id).order_by("pk")
        return Read(texts_of(batch), markings_of(bench.by_id, batch), list(categories.values()))

    def made(self, bench: Bench, batch: Sequence[int], read: Read) -> Made:
        texts, said = read.texts, read.said
        categories = {row["id"]: ErrorCategory(**row) for row in read.categories}
        threshold = float(bench.panel.options.get("threshold", THRESHOLD))
        made = Made()
        for response in batch:
            text = texts[response]
            seated = bench.seated([text.author])
            voting = [(member, one) for member in seated if (one := said.get((response, member.rater)))]
            if not bench.is_enough(voting):
                made.without(TOO_FEW, text.key)
                continue
            common = Found(text, voting, categories, threshold)
            if common.is_tie:
                made.without(TIE, text.key)
                continue
            rounds = [(member, marking.round) for member, marking in voting]
            own = len(bench.members) - len(seated)
            metadata = bench.provenance(rounds, own, text.prompt, threshold=threshold, half=common.half)
            spans = common.spans(bench.rater.pseudonym)
            made.counts["answers"] += 1
            made.answers[response] = Answer(
                (not spans, True, [content(span) for span in spans], metadata),
                MarkingData(Response(pk=response), bench.rater, 1, not spans, True, spans, metadata=metadata),
            )
        return made

    def standing(self, rater: Rater, batch: Sequence[int]) -> Mapping[Hashable, Standing]:
        spans: dict[int, list[tuple]] = defaultdict(list)
        rows = Span.objects.filter(rater=rater, response__in=batch).order_by("pk")
        for row in rows.values_list(*SPAN_COLUMNS, "key", "metadata"):
            spans[row[0]].append((*row[1:],))
        markings = Marking.objects.filter(rater=rater, response__in=batch)
        columns = ("pk", "response_id", "no_errors", "is_complete", "metadata")
        return {
            response: Standing(pk, (no_errors, is_complete, spans[pk], metadata))
            for pk, response, no_errors, is_complete, metadata in markings.values_list(*columns)
        }

    def withdraw(self, ids: Collection[int]) -> set[int]:
        worked_on = Span.objects.filter(WORKED_ON, marking__in=Among(ids))
        kept = set(worked_on.values_list("marking_id", flat=True))
        Marking.objects.filter(pk__in=Among(set(ids) - kept)).delete()
        return kept

    def store(self, data: Sequence[MarkingData], changed: Collection[Hashable]) -> None:
        store_markings(data)

    def agreement(self, project: Project, raters: Collection[int], prompts: Collection[int]) -> dict[int, Figure]:
        """F1 over the settled responses that the rater has answered; n = responses."""
        settled = GoldAnswer.objects.filter(response__project=project, open=0, pending=0)
        chosen = set(prompts)
        rows = settled.order_by("response_id").values_list("response_id", "response__prompt_id")
        responses = [response for response, prompt in rows if prompt in chosen]
        pieces: list[Intervals] = []
        gold: dict[int, list[tuple]] = defaultdict(list)
        said: dict[tuple[int, int], Said] = {}
        for batch in in_batches(responses):
            texts = texts_of(batch)
            pieces += [texts[response].words for response in batch]
            errors = GoldError.objects.filter(response__in=batch).order_by("pk")
            for response, *place in errors.values_list("response_id", "anchor", "start", "end"):
                gold[response].append(tuple(place))
            said |= markings_of(dict.fromkeys(raters), batch)
        return {rater: f1_with(rater, responses, pieces, gold, said) for rater in raters}


def f1_with(
    rater: int,
    responses: Sequence[int],
    pieces: Sequence[Intervals],
    gold: Mapping[int, Sequence[tuple]],
    said: Mapping[tuple[int, int], Said],
) -> Figure:
    answered = [at for at, response in enumerate(responses) if (response, rater) in said]
    if not answered:
        return Figure.without_value(NO_ITEMS)
    texts = [pieces[at] for at in answered]
    ids = [responses[at] for at in answered]
    own = [[span.place[:3] for span in said[pk, rater].spans] for pk in ids]
    counts = match_counts(overlap(placed(texts, own), placed(texts, [gold.get(pk, ()) for pk in ids])))
    return figure(counts, f1)


def placed(texts: Sequence[Intervals], places: Sequence[Sequence[tuple]]) -> Spans:
    """Spans of many responses from their anchor, start and end."""
    rows = [(at, *place) for at, of_one in enumerate(places) for place in of_one]
    response = [row[0] for row in rows]
    start, end = [row[2] or 0 for row in rows], [row[3] or 0 for row in rows]
    return marked(texts, response, start, end, [row[1] != AnchorKind.WORDS for row in rows])


def texts_of(responses: Collection[int]) -> dict[int, Text]:
    author = ("target_model__name", "target_model__laboratory__slug")
    columns = ("pk", "key", "prompt_id", *author, "text", "variety__segmentation")
    rows = Response.objects.filter(pk__in=responses).values_list(*columns)
    return {pk: Text(key, prompt, (model, maker), *rest) for pk, key, prompt, model, maker, *rest in rows}


def markings_of(members: Mapping[int, Any], responses: Collection[int]) -> dict[tuple[int, int], Said]:
    """Of each member and response the latest complete marking. Two statements."""
    complete = Marking.objects.filter(rater__in=members, response__in=responses, is_complete=True)
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for pk, response, rater, round in complete.order_by("round").values_list("pk", "response_id", "rater_id", "round"):
        found[response, rater] = (round, pk)
    spans: dict[int, list[Marked]] = defaultdict(list)
    rows = Span.objects.filter(rater__in=members, response__in=responses).order_by("pk")
    for row in rows.values_list(*SPAN_COLUMNS):
        spans[row[0]].append(Marked._make(row))
    return {place: Said(round, spans[pk]) for place, (round, pk) in found.items()}


def content(span: SpanData) -> tuple:
    """What `SpanPanels.standing` reads of a stored span, in its order."""
    category = span.category.pk if span.category else None
    return (
        str(span.anchor),
        span.start,
        span.end,
        span.quote,
        span.paragraph,
        span.error_type,
        category,
        span.criticality,
        span.explanation,
        span.correction,
        span.key,
        span.metadata,
    )


class Found:
    """The errors of one response that most of the voting members mark, and how many exactly half mark."""

    def __init__(
        self,
        text: Text,
        voting: Sequence[tuple[Member, Said]],
        categories: Mapping[int, ErrorCategory],
        threshold: float,
    ) -> None:
        self.text, self.categories, self.threshold = text, categories, threshold
        self.members = [member for member, _said in voting]
        self.weights = [member.weight for member in self.members]
        self.marks = [span for _member, said in voting for span in said.spans]
        self.owner = [at for at, (_member, said) in enumerate(voting) for _span in said.spans]
        self.pieces = text.words if self.marks else None
        places = [[(str(mark.anchor), mark.start, mark.end) for mark in self.marks]]
        self.places = placed([self.pieces], places) if self.pieces is not None else None
        agreed = issues(self.closeness(), self.owner, self.weights, threshold) if self.marks else []
        self.issues = [issue for issue in agreed if issue.is_of_most]
        self.half = len(agreed) - len(self.issues)

    @property
    def is_tie(self) -> bool:
        return self.half > 0 and not self.issues

    def closeness(self) -> np.ndarray:
        """IoU of every two spans; of what is missing from one place 1 where the type is the same, else a half."""
        assert self.places is not None
        iou = overlaps(self.places)
        missing = np.flatnonzero(~self.places.anchored).tolist()
        iou[missing, :] = 0
        iou[:, missing] = 0
        for one in missing:
            for other in missing:
                if self.marks[one].place == self.marks[other].place:
                    iou[one, other] = 1.0 if self.marks[one].error_type == self.marks[other].error_type else 0.5
        return iou

    def spans(self, pseudonym: str) -> list[SpanData]:
        """In reading order, each with a key of its own."""
        made = [self.span(issue) for issue in self.issues]
        made.sort(key=lambda span: (span.start is not None, span.paragraph or 0, span.start or 0, span.end or 0))
        for number, span in enumerate(made, start=1):
            span.key = f"{pseudonym}-1-{number}"
        return made

    def span(self, issue: Issue) -> SpanData:
        votes = [self.weights[self.owner[at]] for at in issue.spans]
        marks = [self.marks[at] for at in issue.spans]
        start, end, quote = self.boundaries(issue, marks, votes)
        criticality = most_serious([mark.criticality for mark in marks], votes, CRITICALITIES.index)
        error_type = most_serious([mark.error_type for mark in marks], votes, self.by_criticality(marks))
        nearest = self.nearest(issue, marks, (start, end), error_type)
        backers = [self.members[self.owner[at]].pseudonym for at in issue.spans]
        return SpanData(
            key="",
            anchor=marks[0].anchor,
            start=start,
            end=end,
            quote=quote,
            paragraph=marks[0].paragraph,
            error_type=error_type,
            category=self.category(marks, votes, error_type),
            criticality=criticality,
            explanation=nearest.explanation,
            correction=nearest.correction,
            metadata={"panel": {"marked_by": backers, "share": round(issue.share, 6)}},
        )

    def boundaries(
        self, issue: Issue, marks: Sequence[Marked], votes: Sequence[float]
    ) -> tuple[int | None, int | None, str]:
        """Half-open code points with their quote; none where something is missing."""
        centre = self.marks[issue.centre]
        if centre.start is None or centre.end is None:
            return None, None, ""
        exact: dict[tuple[int, int], float] = defaultdict(float)
        for mark, vote in zip(marks, votes, strict=True):
            exact[mark.start or 0, mark.end or 0] += vote
        (start, end), weight = max(exact.items(), key=lambda place: place[1])
        if not is_more_than_half(weight / sum(votes)):
            start, end = self.words_of_most(issue, votes)
        try:
            return start, end, check_anchor(self.text.text, start, end, None)
        except Invalid:  # a word that begins within a grapheme: the centre's own boundaries were checked
            return centre.start, centre.end, centre.quote

    def words_of_most(self, issue: Issue, votes: Sequence[float]) -> tuple[int, int]:
        assert self.places is not None
        assert self.pieces is not None
        chosen = self.places.taken(list(issue.spans))
        at = issue.spans.index(issue.centre)
        middle = (int(chosen.first[at]), int(chosen.last[at]))
        first, last = words_of_most(chosen.first.tolist(), chosen.last.tolist(), votes, middle)
        if (first, last) == middle or first == last:
            return int(chosen.start[at]), int(chosen.end[at])
        return int(self.pieces.starts[first]), int(self.pieces.ends[last - 1])

    def by_criticality(self, marks: Sequence[Marked]) -> Callable[[str], tuple[int, int]]:
        """A type's seriousness: the most serious criticality it was marked with, then the order of TYPES."""

        def seriousness(error_type: str) -> tuple[int, int]:
            levels = [CRITICALITIES.index(mark.criticality) for mark in marks if mark.error_type == error_type]
            return min(levels), TYPES.index(error_type)

        return seriousness

    def category(self, marks: Sequence[Marked], votes: Sequence[float], error_type: str) -> ErrorCategory | None:
        behind: dict[int, float] = defaultdict(float)
        for mark, vote in zip(marks, votes, strict=True):
            if mark.category and mark.category in self.categories:
                behind[mark.category] += vote
        if not behind:
            return None
        most = max(behind.values())
        first = [self.categories[pk] for pk, vote in behind.items() if vote >= most - EXACT]
        return first[0] if len(first) == 1 and first[0].fits(error_type) else None

    def nearest(
        self, issue: Issue, marks: Sequence[Marked], place: tuple[int | None, int | None], error_type: str
    ) -> Marked:
        """Of the members who give it this type, the one whose boundaries differ least; of equals the heaviest."""

        def distance(at: int) -> tuple:
            mark = marks[at]
            beside = abs((mark.start or 0) - (place[0] or 0)) + abs((mark.end or 0) - (place[1] or 0))
            weight = self.weights[self.owner[issue.spans[at]]]
            return (mark.error_type != error_type, not mark.explanation.strip(), beside, -weight, at)

        return marks[min(range(len(marks)), key=distance)]


def most_serious(values: Sequence[str], votes: Sequence[float], seriousness: Callable[[str], Any]) -> str:
    """The value with the most weight behind it, an empty one counting only where nobody said more; of equals the
    more serious (a smaller `seriousness`)."""
    behind: dict[str, float] = defaultdict(float)
    for value, vote in zip(values, votes, strict=True):
        if value:
            behind[value] += vote
    if not behind:
        return ""
    most = max(behind.values())
    return min((value for value, vote in behind.items() if vote >= most - EXACT), key=seriousness)
