"""The task types of cross-validation: reviews by the annotators of a response, and by validators."""

from collections.abc import Mapping

from django.db.models import QuerySet, TextChoices, prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from annotation.models import Adjudication, ErrorCategory, Marking, Review, ReviewVerdict, Span
from annotation.outcomes import BY_ANNOTATORS, BY_VALIDATORS
from annotation.reviews import planning
from annotation.reviews.blinding import blinded, by_blind_key, shown_optional_fields
from annotation.reviews.checking import ReviewData, blank, check_complete, check_reviews
from annotation.spans.screen import offered, retired
from projects.anchors import paragraphs
from projects.models import LanguageVariety, Project, Rater, Response
from projects.prepared import Given
from projects.vocabularies import vocabularies
from workflow import drafts
from workflow.models import Assignment, Stage, WorkItem
from workflow.task_types import ScreenActs, TaskType

# Among the answers to give, "Correct" could be read as "it is correct".
ASKED = {ReviewVerdict.CORRECT: _("Keep with changes")}


class AnnotatorReviews(TaskType):
    """A person's span goes to the other annotators of the response, a judge's to all of them."""

    kind = BY_ANNOTATORS
    name = _("Reviews by annotators")
    template = "annotation/reviews/review.html"
    acts = ScreenActs.of(
        "reviews", next=("N", "Next undecided"), comment=("C", "Comment on the current error")
    ).needing("1234", "Decide about the current error and go on to the next")
    shows_text = True
    has_policy = True

    def responses(self, stage: Stage) -> QuerySet[Response]:
        return planning.ready_responses(stage)

    def plan(self, stage: Stage) -> int:
        """Items and reserved turns for every response that is ready; return how many turns are new."""
        return planning.reserve_for_annotators(stage)

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """A slot that was given back stays among those who marked the response."""
        return items.filter(response__in=Marking.objects.filter(rater=rater).values("response"))

    def empty_draft(self, assignment: Assignment) -> dict:
        return {"reviews": [blank(key) for key in by_blind_key(assignment)]}

    def screen(self, assignment: Assignment, body: dict) -> dict:
        response = assignment.response
        spans = by_blind_key(assignment)
        prefetch_related_objects(list(spans.values()), "more")
        optional = shown_optional_fields(response.project)
        words = vocabularies(response.project)
        task = {
            **text_of(response),
            "spans": [blinded(key, span, optional) for key, span in spans.items()],
            "draft": with_all_spans(body, spans),
            "verdicts": [
                {**choice, "label": str(ASKED.get(choice["value"], choice["label"]))}
                for choice in choices(ReviewVerdict)
            ],
            "types": offered(words.error_types),
            "criticalities": offered(words.criticality),
            "verdict_first": assignment.stage.verdict_first,
            "retired": retired(words.error_types, words.criticality),
            "categories": category_choices(response.project),
        }
        target_model = response.target_model.name if response.project.show_target_model else ""
        return {"task": task, "prompt": response.prompt, "target_model": target_model}

    def check_draft(self, assignment: Assignment, body: object) -> dict:
        spans = by_blind_key(assignment)
        checked(assignment, body, spans)
        assert isinstance(body, dict)
        return with_first_verdicts(assignment, body)

    def check_answer(self, assignment: Assignment, body: object) -> dict:
        spans = by_blind_key(assignment)
        reviews = checked(assignment, body, spans)
        check_complete(reviews, spans, verdict_first=assignment.stage.verdict_first)
        assert isinstance(body, dict)
        return with_first_verdicts(assignment, body)

    def store(self, assignment: Assignment, answer: dict) -> None:
        """An amended answer takes the place of the one this turn gave before."""
        spans = by_blind_key(assignment)
        reviews = checked(assignment, answer, spans)
        Review.objects.filter(assignment=assignment).delete()
        Review.objects.bulk_create(
            Review(
                span=review.span,
                rater_id=assignment.rater_id,
                round=assignment.round,
                assignment=assignment,
                verdict=review.verdict,
                first_verdict=review.first_verdict if assignment.stage.verdict_first else "",
                comment=review.comment,
                **review.corrected,
            )
            for review in reviews.values()
        )

    def may_amend(self, assignment: Assignment) -> bool:
        """Until an expert has decided about one of the spans with these verdicts in view."""
        return not Adjudication.objects.filter(span__reviews__assignment=assignment).exists()

    def reopen(self, assignment: Assignment) -> dict:
        body = self.stored(assignment)
        assignment.reviews.all().delete()
        return body

    def outlasting(self, assignment: Assignment, body: dict) -> dict:
        """Spans by their own keys: names of one turn are made of what another installation may number anew."""
        spans = by_blind_key(assignment)
        told = [review for review in body["reviews"] if review["span"] in spans]
        return {"reviews": [{**review, "span": spans[review["span"]].key} for review in told]}

    def stored(self, assignment: Assignment) -> dict:
        given = {review.span_id: review for review in assignment.reviews.select_related("category")}
        return {
            "reviews": [
                as_raw(key, given[span.pk]) if span.pk in given else blank(key)
                for key, span in by_blind_key(assignment).items()
            ]
        }


class ValidatorReviews(AnnotatorReviews):
    """Every span goes to validators, as many as the stage has raters per item."""

    kind = BY_VALIDATORS
    name = _("Reviews by validators")

    def plan(self, stage: Stage) -> int:
        return planning.open_for_validators(stage)

    def eligible(self, items: QuerySet[WorkItem], rater: Rater | Given) -> QuerySet[WorkItem]:
        """Validators who marked a response themselves leave it to others."""
        return items.exclude(response__in=Marking.objects.filter(rater=rater).values("response"))


def checked(assignment: Assignment, body: object, spans: Mapping[str, Span]) -> dict[str, ReviewData]:
    """The reviews by the span's key. Raises Invalid with every problem."""
    words = vocabularies(assignment.stage.project_id)
    return check_reviews(body, assignment.response.text, spans, categories_of(assignment), words)


def with_first_verdicts(assignment: Assignment, body: dict) -> dict:
    """The body with the first verdicts that were saved already, which nobody takes back."""
    if not assignment.stage.verdict_first:
        return body
    _version, saved = drafts.current(assignment)
    given = {review["span"]: review.get("first_verdict") for review in saved.get("reviews", [])}
    return {
        "reviews": [
            {**review, "first_verdict": given.get(review["span"]) or review.get("first_verdict") or ""}
            for review in body["reviews"]
        ]
    }


def as_raw(key: str, review: Review) -> dict:
    return {
        "span": key,
        "verdict": review.verdict,
        "first_verdict": review.first_verdict,
        "comment": review.comment,
        "start": review.start,
        "end": review.end,
        "quote": review.quote,
        "type": review.error_type,
        "category": review.category.slug if review.category else "",
        "criticality": review.criticality,
        "explanation": review.explanation,
        "correction": review.correction,
    }


def with_all_spans(body: dict, spans: Mapping[str, Span]) -> dict:
    """The draft with a blank review for every span that came since it was saved, in the order of this turn."""
    known = {review["span"]: review for review in body.get("reviews", [])}
    return {"reviews": [{**blank(key), **known.get(key, {})} for key in spans]}


def text_of(response: Response) -> dict:
    variety: LanguageVariety = response.variety
    return {
        "text": response.text,
        "lang": variety.tag,
        "dir": variety.direction,
        "paragraphs": paragraphs(response.text),
    }


def choices(kind: type[TextChoices]) -> list[dict]:
    return [{"value": value, "label": str(label)} for value, label in kind.choices]


def category_choices(project: Project) -> list[dict]:
    return [
        {"value": category.slug, "label": category.label, "definition": category.explained, "type": category.error_type}
        for category in project.error_categories.offered()
    ]


def categories_of(assignment: Assignment) -> dict[str, ErrorCategory]:
    return {category.slug: category for category in ErrorCategory.objects.filter(project=assignment.stage.project_id)}
