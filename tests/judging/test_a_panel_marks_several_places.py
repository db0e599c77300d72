"""A panel's error lies in several places where most of those who mark it say so."""

import pytest

from agreement.span_panels import runs_of_most
from annotation.gold import derive
from annotation.models import Marking, SpanPart
from judging.ensembles.assembling import assemble
from judging.ensembles.spans import SpanPanels
from tests.annotation.marked import mark, review
from tests.annotation.test_parts_on_the_way_to_gold import divide
from tests.judging.panelling import judges, panel_of

pytestmark = pytest.mark.django_db

# The first paragraph of the response, in words: الكشري أكلة مصرية شعبية بتتعمل من الرز والعدس والمكرونة.
DISH, OF_EGYPT, POPULAR, MADE, RICE = "أكلة", "مصرية", "شعبية", "بتتعمل", "الرز"


def places(panel) -> list[list[str]]:
    spans = Marking.objects.get(rater=panel.rater).spans.prefetch_related("more")
    return [[span.quote, *(part.quote for part in span.more.all())] for span in spans]


def marked_at(koshari, *places_of_judges):
    """Each judge's one error, by its places."""
    raters = judges(koshari.project, len(places_of_judges))
    for rater, (head, *more) in zip(raters, places_of_judges, strict=True):
        [span] = mark(koshari, rater, head, explanation=f"{rater.name} says so")
        divide(span, *more)
    panel = panel_of(raters, "spans")
    assemble(panel)
    return panel


def test_runs_of_words_that_most_cover():
    # Of three: 1 and 5 by two of them, 3 by one, 7 by one.
    assert runs_of_most([{1, 5}, {1, 3, 5}, {7}], [1, 1, 1]) == [(1, 2), (5, 6)]
    # The first weighs more than the others together.
    assert runs_of_most([{1, 2, 5}, {2, 3}, {3}], [3, 1, 1]) == [(1, 3), (5, 6)]
    assert runs_of_most([{1}, {2}], [1, 1]) == []


def test_places_on_which_most_agree_to_the_character_stay_as_they_are(koshari):
    panel = marked_at(koshari, [DISH, POPULAR], [DISH, POPULAR], [DISH, POPULAR, RICE])
    assert places(panel) == [[DISH, POPULAR]]
    assert Marking.objects.get(rater=panel.rater).spans.get().explanation == "Amber says so"


def test_each_run_of_words_that_most_cover_is_a_place(koshari):
    """Word by word: dish 3 of 3, of Egypt 1, popular 2, made 2, rice 1. Each two share 2 of at most 4 words."""
    panel = marked_at(koshari, [DISH, f"{POPULAR} {MADE}"], [DISH, MADE], [f"{DISH} {OF_EGYPT} {POPULAR}"])
    assert places(panel) == [[DISH, f"{POPULAR} {MADE}"]]


def test_an_error_in_one_place_for_most_is_in_one_place(koshari):
    whole = f"{DISH} {OF_EGYPT} {POPULAR}"
    assert places(marked_at(koshari, [whole], [whole], [DISH, POPULAR])) == [[whole]]


def test_two_that_share_one_of_two_places_have_that_one(koshari):
    """Amber: dish and popular; Birch: dish and made. IoU is 1 of 3 words; only the dish is more than half's."""
    panel = marked_at(koshari, [DISH, POPULAR], [DISH, MADE])
    assert places(panel) == [[DISH]]
    assert not SpanPart.objects.filter(span__rater=panel.rater).exists()


def test_errors_between_the_places_of_another_are_others(koshari):
    amber, birch, cedar = judges(koshari.project)
    for rater in (amber, birch):
        [torn, _between] = mark(koshari, rater, DISH, OF_EGYPT)
        divide(torn, POPULAR)
    mark(koshari, cedar)
    panel = panel_of([amber, birch, cedar], "spans")
    assemble(panel)
    assert places(panel) == [[DISH, POPULAR], [OF_EGYPT]]


def test_assembling_again_writes_only_where_a_place_changed(koshari):
    panel = marked_at(koshari, [DISH, POPULAR], [DISH, POPULAR])
    assert assemble(panel).counts.get("written", 0) == 0
    SpanPart.objects.exclude(span__rater=panel.rater).delete()
    assert assemble(panel).counts["written"] == 1
    assert places(panel) == [[DISH]]


def test_members_are_weighed_by_all_places_of_the_settled_errors(koshari, mona, karim):
    """Settled is one error on dish and rice. Amber marks the rice alone: one match, F1 1 at any threshold under a half.
    Without its second place the error would be the dish, and nothing would match."""
    [span] = mark(koshari, mona, DISH)
    divide(span, RICE)
    mark(koshari, karim)
    review(span, karim, "keep")
    derive([koshari.pk])
    [amber] = judges(koshari.project, 1)
    mark(koshari, amber, RICE)
    found = SpanPanels().agreement(koshari.project, [amber.pk], [koshari.prompt_id])
    assert found[amber.pk].value == 1.0
