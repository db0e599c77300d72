"""Answers that came with a file, taken back as a whole: those that others reviewed, grouped or settled keep it."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.importing.imported_answers import assign_imported_markings, assign_imported_ratings
from annotation.models import (
    Adjudication,
    Classification,
    ErrorGroup,
    Marking,
    QuestionnaireAnswer,
    Rating,
    Review,
    Span,
    SpanPart,
)
from annotation.outcomes import BY_ANNOTATORS, BY_VALIDATORS
from annotation.receivers import answers_changed
from annotation.reviews.planning import MARKING_KIND, unplan
from formats.importing.rows_of_imports import (
    Afterwards,
    CameWith,
    RowsOf,
    relations_of,
    remove_strangers,
    rested_on,
    resting,
)
from projects.chunks import in_chunks
from projects.models import Import
from projects.problems import Problem
from workflow.imported_answers import take_turns_back
from workflow.models import Assignment, Stage, Status

REVIEWING = (BY_ANNOTATORS, BY_VALIDATORS)
# What is a span's own goes with it and keeps it nowhere.
PART_OF = SpanPart._meta.get_field("span")
#: Answers by one rater, with the way from each to the response.
BY_RATERS = {Marking: "response", Review: "span__response", Classification: "span__response", Rating: "response"}


def built_on(spans: Iterable[int]) -> set[int]:
    """Those of the spans that others reviewed, classified, grouped or settled, were given to or have before them."""
    ids = set(spans)
    found = rested_on(Span, ids, but=[PART_OF])
    for chunk in in_chunks(ids - found):
        begun = being_reviewed(Span.objects.filter(pk__in=chunk))
        grouped = Span.objects.filter(pk__in=chunk).exclude(group=None)
        found |= set(grouped.values_list("pk", flat=True)) | set(begun.values_list("pk", flat=True))
    return found


def being_reviewed(spans: QuerySet[Span]) -> QuerySet[Span]:
    """Those whose response somebody has before them at this moment, to review it."""
    turns = Assignment.objects.filter(
        status=Status.CLAIMED, stage__kind__in=REVIEWING, item__response=OuterRef("response"), item__is_check=False
    )
    return spans.filter(Exists(turns.exclude(rater=OuterRef("rater"))))


class RowsOfAnswers(RowsOf):
    """Marks with their spans, reviews, groups, classifications and ratings."""

    def __init__(self) -> None:
        super().__init__(
            CameWith(Review),
            CameWith(Classification),
            CameWith(Rating),
            CameWith(Span, "marking__came_with"),
            CameWith(ErrorGroup),
            CameWith(Marking),
        )

    def kept_by(self, model: type) -> list[Any]:
        """A group goes from the spans that are in it; those of other files stay."""
        return [] if model is ErrorGroup else [each for each in relations_of(model) if each != PART_OF]

    def what_rests_on(self, brought: Import) -> list[Problem]:
        spans = Span.objects.filter(marking__came_with=brought)
        others = ErrorGroup.objects.exclude(came_with=brought).filter(spans__marking__came_with=brought).distinct()
        decided = Q(confirmed_by__isnull=False) | Q(refused_by__isnull=False)
        keeping = [
            (Span, ErrorGroup, others.count()),
            (Span, Assignment, being_reviewed(spans).count()),
            (Review, Adjudication, Adjudication.objects.filter(span__reviews__came_with=brought).distinct().count()),
            (Classification, Classification, Classification.objects.filter(decided, came_with=brought).count()),
            (ErrorGroup, ErrorGroup, ErrorGroup.objects.filter(came_with=brought, confirmed_by__isnull=False).count()),
        ]
        turns = turns_of(brought)
        for field in relations_of(Assignment):
            if field.model not in (*BY_RATERS, Assignment):
                rows = field.model._default_manager.filter(**{f"{field.name}__in": turns.values("pk")})
                keeping.append((Marking, field.model, rows.count()))
        return [*self.resting_by_keys(brought), *(resting(one, count, what) for one, what, count in keeping if count)]

    def before(self, brought: Import) -> Afterwards:
        responses, pairs, raters = set[int](), set[int](), set[int]()
        for model, path in BY_RATERS.items():
            rows = model._default_manager.filter(came_with=brought)
            raters |= set(rows.order_by().values_list("rater", flat=True).distinct())
            responses |= set(rows.order_by().values_list(path, flat=True).distinct())
        pairs |= set(Rating.objects.filter(came_with=brought).values_list("pair", flat=True).distinct())
        responses |= set(ErrorGroup.objects.filter(came_with=brought).values_list("response", flat=True))
        responses.discard(None)
        pairs.discard(None)
        Span.objects.filter(group__came_with=brought).update(group=None)
        SpanPart.objects.filter(span__marking__came_with=brought).delete()
        turns = set(turns_of(brought).values_list("pk", flat=True))
        for model in (Marking, Rating):
            for chunk in in_chunks(turns):
                model._default_manager.filter(assignment__in=chunk).update(assignment=None)
        take_turns_back(turns)

        def afterwards() -> dict[str, int]:
            unplan(responses)
            # What is left of a turn may be a whole answer still: a second score, the same mark of another file.
            for stage in Stage.objects.filter(project=brought.project, kind=MARKING_KIND):
                assign_imported_markings(stage, responses)
            assign_imported_ratings(brought.project, responses, pairs)
            answers_changed(responses)
            return remove_strangers(raters)

        return afterwards


class RowsOfQuestionnaires(RowsOf):
    """Answers to questionnaires, which nothing rests on: gold and figures are made of those that stand."""

    def __init__(self) -> None:
        super().__init__(CameWith(QuestionnaireAnswer))

    def before(self, brought: Import) -> Afterwards:
        raters = set(
            QuestionnaireAnswer.objects.filter(came_with=brought).order_by().values_list("rater", flat=True).distinct()
        )
        return lambda: remove_strangers(raters)


def turns_of(brought: Import) -> QuerySet[Assignment]:
    """The done turns of members that these answers are."""
    markings, ratings = (model._default_manager.filter(came_with=brought) for model in (Marking, Rating))
    return Assignment.objects.filter(
        Q(pk__in=markings.values("assignment")) | Q(pk__in=ratings.values("assignment")), submission=None
    )
