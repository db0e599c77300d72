"""Lines of spans: one rater's answer on one response, its spans or that there are none."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _

from annotation.importing.parts import Batch, Line, ResponsePart
from annotation.importing.taking_back import built_on
from annotation.models import Marking, QuestionnaireAnswer, Span
from annotation.questionnaires.rules import holding
from annotation.spans.checking import as_raw, check_span
from annotation.spans.rules import broken
from annotation.spans.storing import MarkingData, SpanData, span_data, store_markings, store_spans
from formats.problems import ProblemLog
from projects.anchors import from_utf16
from projects.chunks import in_chunks
from projects.insertion import as_json
from projects.models import Project, Rater, RaterKind
from projects.own_laboratories import is_own
from projects.problems import Invalid, Problem
from workflow.answer_rules import rules_of_imports

# What is one answer: the response's id, the rater's, and the round.
Place = tuple[int, int, int]


@dataclass(slots=True)
class Renewed:
    """An answer of the project, and what a newer file says in its place."""

    line: Line
    marking: Marking
    data: MarkingData
    # Spans of the project that are no longer there, or others; those that come.
    going: list[Span]
    coming: list[SpanData]


class SpanLines(ResponsePart):
    kind = "spans"

    def store(self, lines: Sequence[Line], batch: Batch) -> None:
        raters = [(line, batch.rater(line)) for line in lines]
        known = [(line, rater, place_of(line, rater)) for line, rater in raters if rater is not None]
        stored = answers_of([place for _line, _rater, place in known])
        responses = {line.response.pk for line in lines}
        spans = Span.objects.filter(response_id__in=responses)
        taken = dict.fromkeys(spans.values_list("response_id", "key"), 0)
        rules = rules_of_imports(batch.project, self.kind)
        beside = answers_beside(batch.project, self.kind, responses) if any(map(_waits, rules)) else {}
        before: dict[Place, int] = {}
        data, renewed = [], []
        for line, rater, place in known:
            if not self._is_first(line, place, before, batch):
                continue
            marking = stored.get(place)
            own = {(marking.response_id, span.key) for span in marking.spans.all()} if marking else set()
            for key in own:
                del taken[key]
            said = self._checked(line, rater, holding(rules, beside.get(place, {})), taken, batch)
            taken.update(dict.fromkeys(own, 0))
            if said is not None and marking is not None:
                renewed += self._settled(line, marking, said, batch)
            elif said is not None:
                data.append(said)
        batch.span_lines = taken
        if data:
            came_with = batch.came_with()
            for each in data:
                each.came_with = came_with
        store_markings(data)
        renewed = self._not_built_on(renewed, batch)
        renew(renewed, batch)
        batch.counts["answers"] += len(data)
        batch.counts["updated answers"] += len(renewed)
        batch.counts["spans"] += sum(len(marking.spans) for marking in data) + sum(len(each.coming) for each in renewed)

    def _is_first(self, line: Line, place: Place, before: dict[Place, int], batch: Batch) -> bool:
        if place not in before:
            before[place] = line.number
            return True
        message = _("The rater's answer on this item in this round stands on line %(line)d already.")
        batch.problems.say(line.number, "already_there", message % {"line": before[place]}, "item")
        return False

    def _checked(
        self,
        line: Line,
        rater: Rater,
        rules: Sequence[Mapping[str, Any]],
        taken: dict[tuple[int, str], int],
        batch: Batch,
    ) -> MarkingData | None:
        """What the line says; None, with all problems said, where that is no good answer."""
        spans = checked_spans(line, batch, taken)
        if spans is None or (rater.kind == RaterKind.HUMAN and not keeps_rules(line, spans, rules, batch)):
            return None
        no_errors, metadata = bool(line.fields.get("no_errors")), line.fields.get("metadata") or {}
        data = MarkingData(line.response, rater, line.fields.get("round") or 1, no_errors, True, spans, None, metadata)
        # What a judge says of its own laboratory's text is measured; people are not given it, nor does it make gold.
        data.is_evaluation = is_own(rater, line.response.target_model, batch.raters.own)
        return data

    def _settled(self, line: Line, marking: Marking, said: MarkingData, batch: Batch) -> list[Renewed]:
        """What of an answer that the project has is to be renewed: nothing where it is the same."""
        there = {span.key: span for span in marking.spans.all()}
        coming = {span.key: span for span in said.spans}
        same = {key for key, span in there.items() if key in coming and span_data(span) == coming[key]}
        change = Renewed(
            line,
            marking,
            said,
            [span for key, span in there.items() if key not in same],
            [span for key, span in coming.items() if key not in same],
        )
        is_same = (said.no_errors, said.metadata) == (marking.no_errors, marking.metadata)
        if is_same and not change.going and not change.coming and not batch.came_just_now(marking.came_with_id):
            batch.counts["unchanged answers"] += 1
            return []
        return [change] if batch.may_renew(marking.came_with_id, line.number, "item") else []

    def _not_built_on(self, renewed: Sequence[Renewed], batch: Batch) -> list[Renewed]:
        held = built_on(span.pk for each in renewed for span in each.going)
        free = []
        for each in renewed:
            if any(span.pk in held for span in each.going):
                batch.is_built_on(each.line.number, "item")
            else:
                free.append(each)
        return free


def place_of(line: Line, rater: Rater) -> Place:
    return line.response.pk, rater.pk, line.fields.get("round") or 1


def answers_of(places: Sequence[Place]) -> dict[Place, Marking]:
    """The answers that the project has in these places, with their spans."""
    responses, raters = {place[0] for place in places}, {place[1] for place in places}
    markings = Marking.objects.filter(response_id__in=responses, rater_id__in=raters)
    wanted = set(places)
    found = {(each.response_id, each.rater_id, each.round): each for each in markings}
    found = {place: each for place, each in found.items() if place in wanted}
    prefetch_related_objects(list(found.values()), "spans__category", "spans__more")
    return found


def renew(renewed: Sequence[Renewed], batch: Batch) -> None:
    """Answers stay the rows they are, and so do their spans that are the same; the others go and come."""
    if not renewed:
        return
    came_with = batch.came_with()
    for chunk in in_chunks(span.pk for each in renewed for span in each.going):
        Span.objects.filter(pk__in=chunk).delete()
    rows = [(each.data.no_errors, as_json(each.data.metadata), came_with, each.marking.pk) for each in renewed]
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE annotation_marking SET no_errors = %s, metadata = %s, came_with_id = %s WHERE id = %s", rows
        )
    store_spans([(each.marking.pk, each.data, each.coming) for each in renewed])


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


def _waits(rule: Mapping[str, Any]) -> bool:
    return bool(rule.get("unless"))


def answers_beside(project: Project, kind: str, responses: Collection[int]) -> dict[Place, Mapping[str, Any]]:
    """What was answered beside marks of these responses in the project's first stage of the kind, whose rules hold. One
    statement. In a file answers come before the marks whose rules ask for them."""
    first = project.stages.filter(kind=kind).order_by("position", "pk").values("pk")[:1]
    rows = QuestionnaireAnswer.objects.filter(stage__in=first, response__in=responses, is_check=False)
    return {
        (response, rater, number): answers
        for response, rater, number, answers in rows.values_list("response_id", "rater_id", "round", "answers")
    }


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
    place = (span.anchor, span.start, span.end, span.more, span.paragraph)
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
    further = raw.get("more")
    if isinstance(further, list):
        converted["more"] = [
            in_code_points(text, part, f"{place}.more[{index}]") if isinstance(part, dict) else part
            for index, part in enumerate(further)
        ]
    return converted


def say_all(refused: Invalid, line: int, problems: ProblemLog) -> None:
    for problem in refused.problems:
        problems.add(Problem(problem.code, problem.message, problem.field, line, problem.span))
