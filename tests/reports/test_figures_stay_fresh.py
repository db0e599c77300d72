"""A new answer makes exactly the figures stale that it changes; all others are kept."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Adjudication, Classification, ErrorGroup, Marking, Review, Span
from annotation.outcomes import outcomes
from annotation.receivers import answers_changed
from projects.models import LanguageVariety, Rater, Response
from reports.dashboard.names import TOTAL
from reports.spans.dashboard import SPANS
from reports.spans.outcomes import OUTCOMES
from reports.spans.reader import load
from reports.spans.scope import SpanScope
from tests.reports.juice import juice
from workflow.models import Stage

pytestmark = pytest.mark.django_db

ON_GOLD = {"judging", "rounds", "error categories", "sentence verdicts", "same issues"}
ON_VERDICTS = ON_GOLD | {"validation"}
#: These are of all varieties together alone.
TOGETHER = {"footing", "rounds", "blindness", "same issues", "own_laboratory"}
ON_ANSWERS = ON_VERDICTS | {"marking", "kinds", "soft-labels", "footing", "penalties", "blindness", "own_laboratory"}


@pytest.fixture
def project(db):
    return juice()


@pytest.fixture
def korean(project):
    return LanguageVariety.objects.get(tag="ko-KR")


def computed(project, **filters) -> set[tuple[str, int]]:
    """What a reading of the dashboard had to compute: (group, variety or TOTAL)."""
    dashboard = SPANS.figures(project, filters)
    dashboard.tables()
    return set(dashboard.computed)


def in_korean(project) -> Response:
    return project.responses.filter(variety__tag="ko-KR").first()


def mark_by_a_third(project, response) -> None:
    rater = Rater.objects.create(project=project, kind="human", name="A third annotator")
    marking = Marking.objects.create(response=response, rater=rater)
    quote = response.text.split()[0]
    Span.objects.create(
        marking=marking,
        response=response,
        rater=rater,
        key="third",
        start=0,
        end=len(quote),
        quote=quote,
        error_type="cultural",
        criticality="high",
        explanation="odd",
    )
    answers_changed([response.pk])


def rows_of(project, label: str) -> dict:
    return {
        (table.id, row.labels): row.figures
        for table in SPANS.tables(project)
        for row in table.rows
        if label in row.labels
    }


def test_reading_again_computes_nothing(project):
    assert computed(project)
    assert computed(project) == set()


def test_a_marking_in_one_setting_leaves_the_other_settings_figures_as_they_were(project, korean):
    computed(project)
    american, before = rows_of(project, "US-en"), rows_of(project, "KR-ko")
    mark_by_a_third(project, in_korean(project))
    assert computed(project) == {(group, TOTAL) for group in ON_ANSWERS} | {
        (group, korean.pk) for group in ON_ANSWERS - TOGETHER
    }
    assert rows_of(project, "US-en") == american
    assert rows_of(project, "KR-ko") != before


def test_a_verdict_changes_what_rests_on_verdicts_alone(project, korean):
    computed(project)
    review = Review.objects.filter(span__response__variety=korean, verdict="keep").first()
    Review.objects.filter(pk=review.pk).update(verdict="reject")
    answers_changed([review.span.response_id])
    assert computed(project) == {(group, TOTAL) for group in ON_VERDICTS | {"footing"}} | {
        (group, korean.pk) for group in ON_VERDICTS - TOGETHER
    }


def test_two_verdicts_that_change_places_are_seen(project, korean):
    keep, reject = (
        Review.objects.filter(span__response__variety=korean, verdict=one).first() for one in ("keep", "reject")
    )
    computed(project)
    Review.objects.filter(pk=keep.pk).update(verdict="reject")
    Review.objects.filter(pk=reject.pk).update(verdict="keep")
    assert ("validation", korean.pk) in computed(project)


def test_grouping_and_classifying_are_seen(project, korean):
    computed(project)
    response = in_korean(project)
    first, second = response.spans.filter(group=None).order_by("id")[:2]
    ErrorGroup.objects.create(response=response, key="new").spans.set([first, second])
    assert ("validation", korean.pk) in computed(project)
    category = project.error_categories.last()
    Classification.objects.create(span=first, rater=project.raters.filter(kind="human").first(), category=category)
    assert ("coding", korean.pk) in computed(project)


def test_a_category_that_becomes_thick_is_seen(project):
    computed(project)
    project.error_categories.filter(depth="thin").update(depth="thick")
    assert {group for group, _pool in computed(project)} == ON_GOLD | {"footing"}


def test_another_policy_is_seen(project):
    computed(project)
    Stage.objects.filter(project=project, kind="reviews").update(policy="any")
    assert "validation" in {group for group, _pool in computed(project)}


def test_what_was_kept_equals_what_is_computed_afresh(project):
    SPANS.tables(project)
    mark_by_a_third(project, in_korean(project))
    kept = SPANS.tables(project)
    cache.clear()
    assert [table.as_json() for table in SPANS.tables(project)] == [table.as_json() for table in kept]


def test_filters_have_figures_of_their_own(project, korean):
    computed(project)
    assert computed(project, criticality="high")
    # A variety's figures are the same whether others stand beside it; only its total is another.
    assert {pool for _group, pool in computed(project, variety="ko-KR")} == {TOTAL}


def test_tables_of_another_language_compute_nothing_anew(project):
    from django.utils import translation

    computed(project)
    with translation.override("ar"):
        assert computed(project) == set()


@pytest.mark.parametrize("policy", ["unanimous", "majority", "any"])
def test_outcomes_are_those_of_the_settlement(project, policy):
    Stage.objects.filter(project=project, kind="reviews").update(policy=policy)
    response = in_korean(project)
    mark_by_a_third(project, response)  # its spans and everybody's now wait for one more verdict
    rater = project.raters.filter(kind="human").first()
    for number, span in enumerate(Span.objects.filter(response__variety__tag="en-US").order_by("id")[:6]):
        Adjudication.objects.create(span=span, rater=rater, is_kept=number % 2 == 0)
    Review.objects.filter(pk__in=Review.objects.order_by("id").values("pk")[:40]).update(verdict="differs")
    loaded = load(project, list(project.responses.values_list("variety", flat=True).distinct()), SpanScope())
    said = {
        pk: OUTCOMES[code] for pk, code in zip(loaded.marks.id.tolist(), loaded.marks.outcome.tolist(), strict=True)
    }
    assert said == outcomes(project.responses.values_list("pk", flat=True))
    assert set(said.values()) > {"kept", "pending"}


def test_the_number_of_queries_does_not_grow_with_the_answers(db):
    def queries(per_setting: int, slug: str) -> int:
        project = juice(per_setting=per_setting)
        cache.clear()
        with CaptureQueriesContext(
            connection,
        ) as captured:
            SPANS.tables(project)
        project.slug = slug
        project.save()
        return len(captured)

    assert queries(3, "few") == queries(9, "more")
