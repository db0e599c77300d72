"""The task type "spans": marking the errors of a response, or saying that there are none; and, where the stage asks for
them, a score of the whole and answers to parts in the same answer."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import (
    Adjudication,
    CheckMarking,
    Classification,
    ErrorCategory,
    Marking,
    QuestionnaireAnswer,
    Rating,
    Review,
    Span,
)
from annotation.questionnaires.rules import holding, words_of
from annotation.questionnaires.storing import has_come_in, store_answers, stored_answers, take_answers_back
from annotation.rules_of_categories import following
from annotation.spans.checking import MARKED_FIELDS, as_raw, check_complete, check_spans
from annotation.spans.parts_beside import FIELD as ANSWERS
from annotation.spans.parts_beside import kept_rules, missing_answers, read_answers, warned_of
from annotation.spans.rules import DEFAULT, RULE_WORDS, broken
from annotation.spans.scoring import (
    FIELD,
    missing_score,
    read_score,
    score_question,
    store_score,
    stored_score,
    take_score_back,
)
from annotation.spans.screen import offered_categories, screen
from annotation.spans.storing import MarkingData, SpanData, span_data, store_markings
from projects.derived import taken
from projects.models import Project, QuestionType, Rater, Response
from projects.prepared import Given
from projects.problems import Invalid, Problem
from projects.vocabularies import Vocabularies, vocabularies
from workflow.answer_rules import rules_of
from workflow.layouts import parts_of
from workflow.models import Assignment, Stage, WorkItem
from workflow.task_types import ScreenActs, TaskType


@dataclass(frozen=True, slots=True)
class Marked:
    """What a draft says. `question` is what the response is scored on, None where no score is asked for; `answers` hold
    a value by the key of each part, None where the stage asks for marks alone."""

    no_errors: bool
    spans: list[SpanData]
    question: QuestionType | None
    score: int | None
    answers: dict[str, Any] | None

    @property
    def body(self) -> dict:
        marks: dict[str, Any] = {"no_errors": self.no_errors, "spans": [as_raw(span) for span in self.spans]}
        if self.question is not None:
            marks[FIELD] = self.score
        return marks if self.answers is None else {**marks, ANSWERS: self.answers}


class SpansTaskType(TaskType):
    kind = "spans"
    name = gettext_lazy("Marking errors")
    template = "annotation/spans/mark.html"
    acts = ScreenActs.of(
        "spans",
        missing=("M", "Something is missing"),
        letters=("L", "Mark letters instead of whole words"),
        grow_end=("E", "Grow the error at its end"),
        shrink_end=("Shift+E", "Shrink it at its end"),
        grow_beginning=("B", "Grow the error at its beginning"),
        shrink_beginning=("Shift+B", "Shrink it at its beginning"),
        add=("A", "Add words elsewhere"),
        again=("R", "The same words again"),
        not_here=("N", "Not here"),
        grade=("G", "Grade"),
    )
    acts = (
        acts.needing("123456789", "Choose the type and how critical it is")
        .needing("0", "There are no errors")
        .needing("0123456789", "In an answer: choose what stands beside the digit")
    )
    shows_text = True
    takes_score = True
    takes_layout = True
    has_marks = True
    has_layout = True
    default_rules = DEFAULT
    rule_words = RULE_WORDS

    def responses(self, stage: Stage) -> QuerySet[Response]:
        return taken(Response.objects.filter(project=stage.project_id))

    def is_answered(self, stage: Stage) -> bool:
        return super().is_answered(stage) or has_come_in(stage)

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """Nobody is given a response they have marked before, though it was elsewhere and came by import, nor one
        that was a check of theirs."""
        checked = Assignment.objects.filter(
            item__stage=OuterRef("stage"), item__response=OuterRef("response"), item__is_check=True, rater=rater
        )
        marked = Marking.objects.filter(rater=rater, response=OuterRef("response"))
        # What the stage has them scored on, they have not rated elsewhere either.
        scored = Rating.objects.filter(
            rater=rater, response=OuterRef("response"), question__scored_stages=OuterRef("stage")
        )
        answered = QuestionnaireAnswer.objects.filter(
            rater=rater, response=OuterRef("response"), stage=OuterRef("stage")
        )
        return items.filter(~Exists(marked), ~Exists(checked), ~Exists(scored), ~Exists(answered))

    def empty_draft(self, assignment: Assignment) -> dict:
        stage = assignment.stage
        return Marked(False, [], score_question(stage), None, {} if parts_of(stage) else None).body

    def screen(self, assignment: Assignment, body: dict) -> dict:
        return screen(assignment, body)

    def check_draft(self, assignment: Assignment, body: object) -> dict:
        draft = self._read(assignment, body)
        if draft.no_errors and draft.spans:
            message = _("There are marks, so the answer cannot also be that there are no errors.")
            raise Invalid(Problem("contradiction", message, "no_errors"))
        return draft.body

    def check_answer(self, assignment: Assignment, body: object) -> dict:
        draft = self._read(assignment, body)
        project, rules = assignment.stage.project, rules_of(assignment.stage)
        problems = missing_score(draft.question, draft.score)
        problems += missing_answers(parts_of(assignment.stage), draft.answers or {}, rules)
        try:
            words = vocabularies(project)
            of_marks = holding(rules, draft.answers or {})
            check_complete(draft.spans, draft.no_errors, words, offered_categories(project), of_marks)
        except Invalid as refused:
            problems = [*refused.problems, *problems]
        if problems:
            raise Invalid(problems)
        return draft.body

    def words_of_rules(self, project: Project) -> Mapping[str, Collection[str]]:
        known = vocabularies(project)
        categories = project.error_categories.offered().values_list("slug", flat=True)
        return {"criticality": known.criticality.slugs, "type": known.error_types.slugs, "category": list(categories)}

    def words_in_stage(self, project: Project, stage: str) -> Mapping[str, Collection[str]]:
        """Those of marks, and the parts that it asks beside them."""
        asked = [part for one in project.stages.filter(name=stage) for part in parts_of(one)]
        return {**self.words_of_rules(project), **(words_of(asked) if asked else {})}

    def rules_now(self, stage: Stage, rules: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return kept_rules(following(stage.project, rules), parts_of(stage))

    def warnings(self, assignment: Assignment, answer: dict) -> list[Problem]:
        rules = rules_of(assignment.stage)
        answers = answer.get(ANSWERS) or {}
        warned = [each.problem for each in broken(holding(rules, answers), answer["spans"]) if each.warns]
        return warned + warned_of(answers, rules)

    def store(self, assignment: Assignment, answer: dict) -> None:
        if assignment.item.is_check:
            CheckMarking.objects.create(assignment=assignment, body=answer)
            return
        draft = self._read(assignment, answer)
        _make_keys_free(assignment.response, draft.spans)
        data = MarkingData(
            response=assignment.response,
            rater=assignment.rater,
            round=assignment.round,
            no_errors=draft.no_errors,
            is_complete=True,
            spans=draft.spans,
            assignment=assignment,
        )
        store_markings([data])
        if draft.question is not None and draft.score is not None:
            store_score(assignment, draft.question, draft.score)
        if draft.answers is not None:
            store_answers(assignment, draft.answers)

    def stored(self, assignment: Assignment) -> dict:
        if assignment.item.is_check:
            return self._stored_check(assignment)
        marking = Marking.objects.filter(assignment=assignment).first()
        if marking is None:
            return self.empty_draft(assignment)
        spans = marking.spans.select_related("category").prefetch_related("more").order_by("start", "end", "id")
        question = score_question(assignment.stage)
        score = stored_score(assignment, question) if question else None
        answers = (stored_answers(assignment) or {}) if parts_of(assignment.stage) else None
        return Marked(marking.no_errors, [span_data(span) for span in spans], question, score, answers).body

    def _stored_check(self, assignment: Assignment) -> dict:
        """In the very form of a marking that is read again: PostgreSQL puts the keys of JSON in an order of its own."""
        check = CheckMarking.objects.filter(assignment=assignment).first()
        if check is None:
            return self.empty_draft(assignment)
        draft = self._read(assignment, check.body)
        in_order = sorted(draft.spans, key=lambda span: (span.start is None, span.start or 0, span.end or 0))
        return replace(draft, spans=in_order).body

    def reopen(self, assignment: Assignment) -> dict:
        body = self.stored(assignment)
        CheckMarking.objects.filter(assignment=assignment).delete()
        Marking.objects.filter(assignment=assignment).delete()
        take_score_back(assignment)
        take_answers_back(assignment)
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

    def _read(self, assignment: Assignment, body: object) -> Marked:
        if not isinstance(body, Mapping):
            raise Invalid(Problem("not_an_object", _("A draft must be an object."), "body"))
        problems = [
            Problem("unknown_field", _("There is no such field."), str(field)[:40])
            for field in body
            if field not in ("no_errors", "spans", FIELD, ANSWERS)
        ]
        no_errors = body.get("no_errors", False)
        if type(no_errors) is not bool:
            problems.append(Problem("not_true_or_false", _("This must be true or false."), "no_errors"))
        question, parts = score_question(assignment.stage), parts_of(assignment.stage)
        score, answers = None, {}
        try:
            score = read_score(question, body)
        except Invalid as refused:
            problems += refused.problems
        try:
            answers = read_answers(parts, body)
        except Invalid as refused:
            problems += refused.problems
        if problems:
            raise Invalid(problems)
        raws = body.get("spans", [])
        categories = _categories(assignment) if _any(raws, "category") else {}
        words = vocabularies(assignment.stage.project_id) if _any(raws, "type", "criticality") else Vocabularies()
        spans = check_spans(assignment.response.text, raws, categories, words, MARKED_FIELDS)
        return Marked(bool(no_errors), spans, question, score, answers if parts else None)


def _any(raws: object, *fields: str) -> bool:
    return isinstance(raws, list) and any(
        isinstance(raw, Mapping) and any(raw.get(field) for field in fields) for raw in raws
    )


def _categories(assignment: Assignment) -> dict[str, ErrorCategory]:
    rows = ErrorCategory.objects.filter(project=assignment.stage.project_id)
    return {category.slug: category for category in rows}


def _make_keys_free(response: Response, spans: list[SpanData]) -> None:
    """A span's key is unique in its response; where someone else's browser chose the same, ours gets a new one."""
    taken = Span.objects.filter(response=response, key__in=[span.key for span in spans])
    clashes = set(taken.values_list("key", flat=True)) if spans else set()
    renamed = {key: str(uuid.uuid4()) for key in clashes}
    for span in spans:
        span.key = renamed.get(span.key, span.key)
        span.origin = renamed.get(span.origin, span.origin)
