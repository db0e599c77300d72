"""The errors of one response that most of a panel's voting members mark. Pure: no database.

Spans match where the IoU of their words is above a threshold; something missing matches something missing from the
same place. Where an error lies, and what its type, criticality, category and explanation are, `spans` of this folder
says.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from agreement.panels import EXACT, is_more_than_half
from agreement.parts import Units
from agreement.span_panels import Issue, issues, overlaps, runs_of_most, words_of_most
from agreement.spans import Spans, marked
from agreement.words import Intervals, owned_in, words
from annotation.models import AnchorKind, ErrorCategory
from annotation.spans.parts import Part
from annotation.spans.storing import SpanData
from annotation.taxonomy import Replaced, read_as
from judging.ensembles import Author, Member
from projects.anchors import check_anchor
from projects.models import Segmentation
from projects.problems import Invalid
from projects.vocabularies import Vocabularies


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
    more: tuple[Part, ...] = ()

    @property
    def place(self) -> tuple:
        return (self.anchor, self.start, self.end, self.paragraph)

    @property
    def parts(self) -> tuple[Part, ...]:
        """All of them; none where something is missing."""
        if self.start is None or self.end is None:
            return ()
        return (Part(self.start, self.end, self.quote), *self.more)


class MemberMarking(NamedTuple):
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


class CommonErrors:
    """The errors of one response that most of the voting members mark, and how many exactly half mark."""

    def __init__(
        self,
        text: Text,
        voting: Sequence[tuple[Member, MemberMarking]],
        categories: Mapping[int, ErrorCategory],
        threshold: float,
        vocabularies: Vocabularies,
        replaced: Replaced,
    ) -> None:
        self.replaced = replaced
        self.types = vocabularies.error_types
        # The more serious first: what a tie is decided by. A type that covers others stands before them.
        self.levels = {slug: at for at, slug in enumerate((*vocabularies.criticality.slugs, ""))}
        ordered = sorted(self.types.labels, key=lambda label: not label.covers)
        self.order_of_types = {slug: at for at, slug in enumerate((*(label.slug for label in ordered), ""))}
        self.text, self.categories, self.threshold = text, categories, threshold
        self.members = [member for member, _marking in voting]
        self.weights = [member.weight for member in self.members]
        self.marks = [span for _member, marking in voting for span in marking.spans]
        self.owner = [at for at, (_member, marking) in enumerate(voting) for _span in marking.spans]
        self.pieces = text.words if self.marks else None
        places = [[(str(mark.anchor), mark.start, mark.end, mark.more) for mark in self.marks]]
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
        for first in missing:
            for second in missing:
                if self.marks[first].place == self.marks[second].place:
                    iou[first, second] = 1.0 if self.marks[first].error_type == self.marks[second].error_type else 0.5
        return iou

    def spans(self, pseudonym: str) -> list[SpanData]:
        """In reading order, each with a key of its own."""
        spans = [self.span(issue) for issue in self.issues]
        spans.sort(key=lambda span: (span.start is not None, span.paragraph or 0, span.start or 0, span.end or 0))
        for number, span in enumerate(spans, start=1):
            span.key = f"{pseudonym}-1-{number}"
        return spans

    def span(self, issue: Issue) -> SpanData:
        votes = [self.weights[self.owner[at]] for at in issue.spans]
        marks = [self.marks[at] for at in issue.spans]
        parts = self.boundaries(issue, marks, votes)
        start, end, quote = parts[0] if parts else (None, None, "")
        criticality = most_serious([mark.criticality for mark in marks], votes, self.levels.__getitem__)
        error_type = most_serious([mark.error_type for mark in marks], votes, self.by_criticality(marks))
        nearest = self.nearest(issue, marks, parts, error_type)
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
            more=parts[1:],
        )

    def boundaries(self, issue: Issue, marks: Sequence[Marked], votes: Sequence[float]) -> tuple[Part, ...]:
        """The parts of the error, in reading order; none where something is missing."""
        centre = self.marks[issue.centre]
        exact: dict[tuple[Part, ...], float] = defaultdict(float)
        for mark, vote in zip(marks, votes, strict=True):
            exact[mark.parts] += vote
        parts, weight = max(exact.items(), key=lambda place: place[1])
        if not centre.parts or is_more_than_half(weight / sum(votes)):
            return parts
        several = any(mark.more for mark in marks)
        places = self.runs_of_most(issue, votes) if several else [self.words_of_most(issue, votes)]
        try:
            return tuple(Part(*place, check_anchor(self.text.text, *place, None)) for place in places)
        except Invalid:  # a word that begins within a grapheme: the centre's own boundaries were checked
            return centre.parts

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

    def runs_of_most(self, issue: Issue, votes: Sequence[float]) -> list[tuple[int, int]]:
        """Where some of the marks have several parts: each run of words that most cover, a part of the centre as it is;
        the centre's parts where there is none, or a mark owns no word."""
        assert self.places is not None
        assert self.pieces is not None
        chosen = self.places.taken(list(issue.spans))
        units = Units(chosen)
        covered = [units.of(at) for at in range(len(chosen))]
        of_centre = [(part.start, part.end) for part in self.marks[issue.centre].parts]
        runs = [] if any(wordless for _words, wordless in covered) else runs_of_most([one for one, _ in covered], votes)
        owned = zip(*owned_in([self.pieces], [0] * len(of_centre), *zip(*of_centre, strict=True)), strict=True)
        as_marked = {(int(first), int(last)): place for (first, last), place in zip(owned, of_centre, strict=True)}
        by_words = [(int(self.pieces.starts[first]), int(self.pieces.ends[last - 1])) for first, last in runs]
        return [as_marked.get(run, place) for run, place in zip(runs, by_words, strict=True)] or of_centre

    def by_criticality(self, marks: Sequence[Marked]) -> Callable[[str], tuple[int, int]]:
        """A type's seriousness: the most serious criticality it was marked with, then the project's order."""

        def seriousness(error_type: str) -> tuple[int, int]:
            levels = [self.levels[mark.criticality] for mark in marks if mark.error_type == error_type]
            return min(levels), self.order_of_types[error_type]

        return seriousness

    def category(self, marks: Sequence[Marked], votes: Sequence[float], error_type: str) -> ErrorCategory | None:
        behind: dict[int, float] = defaultdict(float)
        for mark, vote in zip(marks, votes, strict=True):
            category = read_as(mark.category, self.replaced)
            if category and category in self.categories:
                behind[category] += vote
        if not behind:
            return None
        most = max(behind.values())
        first = [self.categories[pk] for pk, vote in behind.items() if vote >= most - EXACT]
        return first[0] if len(first) == 1 and first[0].fits(error_type, self.types) else None

    def nearest(self, issue: Issue, marks: Sequence[Marked], parts: Sequence[Part], error_type: str) -> Marked:
        """Of the members who give it this type, the one whose boundaries differ least; of equals the heaviest."""
        several = len(parts) > 1 or any(mark.more for mark in marks)
        start, end = parts[0][:2] if parts else (0, 0)

        def distance(at: int) -> tuple:
            mark = marks[at]
            if several:
                beside = len(characters_of(mark.parts) ^ characters_of(parts))
            else:
                beside = abs((mark.start or 0) - start) + abs((mark.end or 0) - end)
            weight = self.weights[self.owner[issue.spans[at]]]
            return (mark.error_type != error_type, not mark.explanation.strip(), beside, -weight, at)

        return marks[min(range(len(marks)), key=distance)]


def most_serious(values: Sequence[str], votes: Sequence[float], seriousness: Callable[[str], Any]) -> str:
    """The value with the most weight behind it, an empty one counting only where all are empty; of equals the
    more serious (a smaller `seriousness`)."""
    behind: dict[str, float] = defaultdict(float)
    for value, vote in zip(values, votes, strict=True):
        if value:
            behind[value] += vote
    if not behind:
        return ""
    most = max(behind.values())
    return min((value for value, vote in behind.items() if vote >= most - EXACT), key=seriousness)


def characters_of(parts: Sequence[Part]) -> frozenset[int]:
    return frozenset(at for part in parts for at in range(part.start, part.end))


def placed(texts: Sequence[Intervals], places: Sequence[Sequence[tuple]]) -> Spans:
    """Spans of many responses from their anchor, start, end and further parts."""
    rows = [(at, *place) for at, of_one in enumerate(places) for place in of_one]
    response = [row[0] for row in rows]
    start, end = [row[2] or 0 for row in rows], [row[3] or 0 for row in rows]
    more = [(number, part.start, part.end) for number, row in enumerate(rows) for part in row[4]]
    owner, starts, ends = (np.array([part[at] for part in more], dtype=np.int64) for at in range(3))
    omission = [row[1] != AnchorKind.WORDS for row in rows]
    return marked(texts, response, start, end, omission, more=(owner, starts, ends))
