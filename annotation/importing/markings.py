"""Lines of spans: one rater's answer on one response, its spans or that there are none."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.importing.parts import Batch, Line, ResponsePart
from annotation.models import Marking, Span
from annotation.spans.checking import as_raw, check_span
from annotation.spans.rules import broken
from annotation.spans.storing import MarkingData, SpanData, store_markings
from formats.problems import ProblemLog
from projects.anchors import from_utf16
from projects.models import RaterKind
from projects.problems import Invalid, Problem
from workflow.answer_rules import rules_of_imports


class SpanLines(ResponsePart):
    kind = "spans"

    def store(self, lines: Sequence[Line], batch: Batch) -> None:
        responses = {line.response.pk for line in lines}
        markings = Marking.objects.filter(response_id__in=responses)
        answered = dict.fromkeys(markings.values_list("response_id", "rater_id", "round"), 0)
        taken = dict.fromkeys(Span.objects.filter(response_id__in=responses).values_list("response_id", "key"), 0)
        rules = rules_of_imports(batch.project, self.kind)
        data = []
        for line in lines:
            rater = batch.rater(line)
            if rater is None:
                continue
            round_number = line.fields.get("round") or 1
            if not self._first_answer(line, (line.response.pk, rater.pk, round_number), answered, batch.problems):
                continue
            spans = checked_spans(line, batch, taken)
            if spans is not None and rater.kind == RaterKind.HUMAN and not keeps_rules(line, spans, rules, batch):
                continue
            if spans is not None:
                no_errors = bool(line.fields.get("no_errors"))
                metadata = line.fields.get("metadata") or {}
                data.append(MarkingData(line.response, rater, round_number, no_errors, True, spans, metadata=metadata))
        batch.span_lines = taken
        store_markings(data)
        batch.counts["answers"] += len(data)
        batch.counts["spans"] += sum(len(marking.spans) for marking in data)

    def _first_answer(
        self, line: Line, answer: tuple[int, int, int], answered: dict[tuple, int], problems: ProblemLog
    ) -> bool:
        before = answered.get(answer)
        if before is None:
            answered[answer] = line.number
            return True
        if before:
            message = _("The rater's answer on this item in this round stands on line %(line)d already.")
            message %= {"line": before}
        else:
            message = _("The rater's answer on this item in this round is already in the project.")
        problems.say(line.number, "already_there", message, "item")
        return False


def checked_spans(line: Line, batch: Batch, taken: dict[tuple[int, str], int]) -> list[SpanData] | None:
    """The line's spans; None, with all problems said, where one of them is not good.

    `taken` holds the span keys of each response with the line they came on, 0 for those stored before.
    """
    before = batch.problems.total
    marks: set[tuple] = set()
    spans = []
    for index, raw in enumerate(line.fields["spans"]):
        place = f"spans[{index}]"
        try:
            if line.fields.get("offset_unit") == "utf16":
                raw = in_code_points(line.response.text, raw, place)
            span = check_span(line.response.text, raw, batch.categories, batch.words, place)
        except Invalid as refused:
            say_all(refused, line.number, batch.problems)
            continue
        key = (line.response.pk, span.key)
        if key in taken:
            message = _("The response has a span with this id already.")
            batch.problems.say(line.number, "duplicate_id", message, f"{place}.id")
        taken.setdefault(key, line.number)
        mark = identity(span)
        if mark in marks:
            message = _("This span is the same as an earlier one of this answer.")
            batch.problems.say(line.number, "repeated", message, place)
        marks.add(mark)
        spans.append(span)
    return spans if batch.problems.total == before else None


def keeps_rules(line: Line, spans: list[SpanData], rules: Sequence[Mapping[str, Any]], batch: Batch) -> bool:
    """Whether the answer may stand; what only warns is counted."""
    places = {span.key: f"spans[{index}]" for index, span in enumerate(spans)}
    blocking = 0
    for each in broken(rules, [as_raw(span) for span in spans]) if rules else ():
        if each.warns:
            batch.counts["warnings"] += 1
            continue
        blocking += 1
        field = each.field if each.span is None else f"{places[each.span]}.{each.field}"
        batch.problems.say(line.number, each.problem.code, each.problem.message, field)
    return not blocking


def identity(span: SpanData) -> tuple:
    """Two spans of one answer with the same of these say the same thing twice."""
    category = span.category.slug if span.category else ""
    place = (span.anchor, span.start, span.end, span.paragraph)
    return (*place, span.error_type, category, span.explanation, span.correction, str(span.metadata))


def in_code_points(text: str, raw: dict, place: str) -> dict:
    """The raw entry with its UTF-16 offsets turned into code points. Raises Invalid naming the field."""
    converted = dict(raw)
    for field in ("start", "end"):
        offset = raw.get(field)
        if type(offset) is int:
            try:
                converted[field] = from_utf16(text, offset)
            except Invalid as refused:
                problem = refused.problems[0]
                raise Invalid(Problem(problem.code, problem.message, f"{place}.{field}")) from None
    return converted


def say_all(refused: Invalid, line: int, problems: ProblemLog) -> None:
    for problem in refused.problems:
        problems.add(Problem(problem.code, problem.message, problem.field, line, problem.span))
