"""What the kinds of answer lines share: the fields of every line, and the rows that a batch of lines refers to."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import ErrorCategory, Span
from formats.importing.origins import Origin
from formats.importing.raters import RaterBook
from formats.problems import ProblemLog
from formats.reading import Record
from projects.models import Project, QuestionType, Rater, Response
from projects.vocabularies import Vocabularies


@dataclass(slots=True)
class SpanFacts:
    """What lines about a span need to know of it."""

    id: int
    rater_id: int
    anchor: str
    group_id: int | None


@dataclass(slots=True)
class Line:
    """A checked record together with the response it is about."""

    number: int
    fields: dict
    response: Response


@dataclass(slots=True)
class Touched:
    """What the lines so far were about, by id: what follows from them is done when all are in."""

    # Their spans, reviews, groups or classifications changed.
    responses: set[int] = field(default_factory=set)
    # Rated by people with an account.
    rated_responses: set[int] = field(default_factory=set)
    rated_pairs: set[int] = field(default_factory=set)
    # Whole answers of people to rating questions, by pair, response, rater and round: the first line of each.
    rated: dict[tuple[int | None, int | None, int, int], int] = field(default_factory=dict)


@dataclass(slots=True)
class Batch:
    """Lines of one batch by kind, and the rows of the project they refer to."""

    project: Project
    problems: ProblemLog
    counts: Counter
    raters: RaterBook
    categories: dict[str, ErrorCategory]
    words: Vocabularies
    questions: dict[str, QuestionType]
    touched: Touched
    origin: Origin | None = None
    # Where a span key came with this batch: its line, so that nothing refers to a later line.
    span_lines: dict[tuple[int, str], int] = field(default_factory=dict)
    now: datetime = field(default_factory=timezone.now)

    def came_with(self) -> int | None:
        """The entry of the file, for rows that are about to be stored."""
        return self.origin.pk if self.origin else None

    def came_just_now(self, came_with: int | None) -> bool:
        """Whether a row of the project came with an earlier line of this very file."""
        made = self.origin.made if self.origin else None
        return made is not None and made.pk == came_with

    def may_renew(self, came_with: int | None, line: int, place: str) -> bool:
        """Whether another answer than the project has may take its place; False with the problem said."""
        if self.came_just_now(came_with):
            message = _("This answer stands on an earlier line already.")
        elif came_with is None:
            message = _("The rater's answer on this item in this round is already in the project.")
        else:
            return True
        self.problems.say(line, "already_there", message, place)
        return False

    def is_built_on(self, line: int, place: str) -> None:
        """Say that an answer is not renewed."""
        message = _("Others have reviewed or settled this answer since it came in. It is not renewed.")
        self.problems.say(line, "built_on", message, place)

    def with_responses(self, records: Sequence[Record]) -> list[Line]:
        """The records whose response is in the project; of the others it is said that it is not."""
        keys = {record.fields["item"] for record in records}
        rows = Response.objects.filter(project=self.project, key__in=keys).select_related("target_model")
        responses = {response.key: response for response in rows}
        lines = []
        for record in records:
            response = responses.get(record.fields["item"])
            if response is None:
                message = _("The project has no response with this id.")
                self.problems.say(record.line, "unknown_item", message, "item")
            else:
                lines.append(Line(record.line, record.fields, response))
        return lines

    def rater(self, line: Line) -> Rater | None:
        """The line's rater, created where new; None, with the problem said, where it cannot be."""
        return self.raters.rater_of(line.number, line.fields, line.response)

    def spans_of(self, lines: Iterable[Line]) -> dict[tuple[int, str], SpanFacts]:
        """All spans of the lines' responses by (response id, span key)."""
        responses = {line.response.pk for line in lines}
        rows = Span.objects.filter(response_id__in=responses)
        columns = rows.values_list("response_id", "key", "id", "rater_id", "anchor", "group_id")
        return {(row[0], row[1]): SpanFacts(*row[2:]) for row in columns}

    def span(self, spans: dict[tuple[int, str], SpanFacts], line: Line, key: str, place: str) -> SpanFacts | None:
        """The span that a line names, or None with the problem said."""
        facts = spans.get((line.response.pk, key))
        if facts is None or self.span_lines.get((line.response.pk, key), 0) > line.number:
            message = _("The response has no span “%(id)s” on an earlier line or in the project.")
            self.problems.say(line.number, "unknown_span", message % {"id": key[:80]}, place)
            return None
        return facts


class Part(ABC):
    """One kind of answer line."""

    kind: str

    @abstractmethod
    def take(self, records: Sequence[Record], batch: Batch) -> None:
        """Find what the records are about, and store them."""


class ResponsePart(Part):
    """One kind of answer line about a response."""

    def take(self, records: Sequence[Record], batch: Batch) -> None:
        lines = batch.with_responses(records)
        self.store(lines, batch)
        batch.touched.responses.update(line.response.pk for line in lines)

    @abstractmethod
    def store(self, lines: Sequence[Line], batch: Batch) -> None:
        """Write the lines' rows; say problems by line. Queries do not grow with the number of lines."""
