"""The task type "spans": marking the errors of a response, or saying that there are none."""

import uuid
from collections.abc import Mapping

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Adjudication, CheckMarking, Classification, ErrorCategory, Marking, Review, Span
from annotation.spans.checking import MARKED_FIELDS, as_raw, check_complete, check_spans
from annotation.spans.screen import offered_categories, screen
from annotation.spans.storing import MarkingData, SpanData, span_data, store_markings
from projects.models import Rater, Response
from projects.prepared import Given
from projects.problems import Invalid, Problem
from projects.vocabularies import Vocabularies, vocabularies
from workflow.models import Assignment, Stage, WorkItem
from workflow.task_types import TaskType


class SpansTaskType(TaskType):
    kind = "spans"
    name = gettext_lazy("Marking errors")
    template = "annotation/spans/mark.html"
    shows_text = True

    def responses(self, stage: Stage) -> QuerySet[Response]:
        return Response.objects.filter(project=stage.project_id)

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """Nobody is given a response they have marked before, though it was elsewhere and came by import, nor one
        that was a check of theirs."""
        checked = Assignment.objects.filter(
            item__stage=OuterRef("stage"), item__response=OuterRef("response"), item__is_check=True, rater=rater
        )
        marked = Marking.objects.filter(rater=rater, response=OuterRef("response"))
        return items.filter(~Exists(marked), ~Exists(checked))

    def empty_draft(self, assignment: Assignment) -> dict:
        return {"no_errors": False, "spans": []}

    def screen(self, assignment: Assignment, body: dict) -> dict:
        return screen(assignment, body)

    def check_draft(self, assignment: Assignment, body: object) -> dict:
        no_errors, spans = self._read(assignment, body)
        if no_errors and spans:
            message = _("There are marks, so the answer cannot also be that there are no errors.")
            raise Invalid(Problem("contradiction", message, "no_errors"))
        return _body(no_errors, spans)

    def check_answer(self, assignment: Assignment, body: object) -> dict:
        no_errors, spans = self._read(assignment, body)
        project = assignment.stage.project
        check_complete(spans, no_errors, vocabularies(project), offered_categories(project))
        return _body(no_errors, spans)

    def store(self, assignment: Assignment, answer: dict) -> None:
        if assignment.item.is_check:
            CheckMarking.objects.create(assignment=assignment, body=answer)
            return
        _no_errors, spans = self._read(assignment, answer)
        _make_keys_free(assignment.response, spans)
        data = MarkingData(
            response=assignment.response,
            rater=assignment.rater,
            round=assignment.round,
            no_errors=answer["no_errors"],
            is_complete=True,
            spans=spans,
            assignment=assignment,
        )
        store_markings([data])

    def stored(self, assignment: Assignment) -> dict:
        if assignment.item.is_check:
            return self._stored_check(assignment)
        marking = Marking.objects.filter(assignment=assignment).first()
        if marking is None:
            return self.empty_draft(assignment)
        spans = marking.spans.select_related("category").order_by("start", "end", "id")
        return _body(marking.no_errors, [span_data(span) for span in spans])

    def _stored_check(self, assignment: Assignment) -> dict:
        """In the very form of a marking that is read again: PostgreSQL puts the keys of JSON in an order of its own."""
        check = CheckMarking.objects.filter(assignment=assignment).first()
        if check is None:
            return self.empty_draft(assignment)
        no_errors, spans = self._read(assignment, check.body)
        return _body(no_errors, sorted(spans, key=lambda span: (span.start is None, span.start or 0, span.end or 0)))

    def reopen(self, assignment: Assignment) -> dict:
        body = self.stored(assignment)
        CheckMarking.objects.filter(assignment=assignment).delete()
        Marking.objects.filter(assignment=assignment).delete()
        return body

    def may_amend(self, assignment: Assignment) -> bool:
        """Until another person has reviewed, classified, grouped or settled one of its spans."""
        built_on = [
            Exists(Review.objects.filter(span=OuterRef("pk"))),
            Exists(Classification.objects.filter(span=OuterRef("pk"))),
            Exists(Adjudication.objects.filter(span=OuterRef("pk"))),
        ]
        spans = Span.objects.filter(marking__assignment=assignment)
        return not spans.filter(built_on[0] | built_on[1] | built_on[2]).exists()

    def _read(self, assignment: Assignment, body: object) -> tuple[bool, list[SpanData]]:
        if not isinstance(body, Mapping):
            raise Invalid(Problem("not_an_object", _("A draft must be an object."), "body"))
        problems = [
            Problem("unknown_field", _("There is no such field."), str(field)[:40])
            for field in body
            if field not in ("no_errors", "spans")
        ]
        no_errors = body.get("no_errors", False)
        if type(no_errors) is not bool:
            problems.append(Problem("not_true_or_false", _("This must be true or false."), "no_errors"))
        if problems:
            raise Invalid(problems)
        raws = body.get("spans", [])
        categories = _categories(assignment) if _any(raws, "category") else {}
        words = vocabularies(assignment.stage.project_id) if _any(raws, "type", "criticality") else Vocabularies()
        return bool(no_errors), check_spans(assignment.response.text, raws, categories, words, MARKED_FIELDS)


def _any(raws: object, *fields: str) -> bool:
    return isinstance(raws, list) and any(
        isinstance(raw, Mapping) and any(raw.get(field) for field in fields) for raw in raws
    )


def _categories(assignment: Assignment) -> dict[str, ErrorCategory]:
    rows = ErrorCategory.objects.filter(project=assignment.stage.project_id)
    return {category.slug: category for category in rows}


def _body(no_errors: bool, spans: list[SpanData]) -> dict:
    return {"no_errors": no_errors, "spans": [as_raw(span) for span in spans]}


def _make_keys_free(response: Response, spans: list[SpanData]) -> None:
    """A span's key is unique in its response; where someone else's browser chose the same, ours gets a new one."""
    taken = Span.objects.filter(response=response, key__in=[span.key for span in spans])
    clashes = set(taken.values_list("key", flat=True)) if spans else set()
    for span in spans:
        if span.key in clashes:
            span.key = str(uuid.uuid4())
