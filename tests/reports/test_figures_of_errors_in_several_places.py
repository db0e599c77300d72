"""A mark of several parts is found, and finds, by all of its words: in figures, gold and lists."""

import pytest

from agreement.spans import overlap, word_iou
from annotation.gold import derive
from annotation.models import GoldError, Marking, SpanPart
from reports.dashboard.freshness.revisions import revisions
from reports.spans.listing import agreement, spans_of
from reports.spans.reader import Loaded, load
from reports.spans.scope import SpanScope
from tests.annotation.marked import mark, review
from tests.annotation.test_parts_on_the_way_to_gold import divide

pytestmark = pytest.mark.django_db
RICE, LENTILS, PASTA = "من الرز", "والعدس", "والمكرونة"


def loaded(response) -> Loaded:
    return load(response.project, [response.variety_id], SpanScope())


def test_a_judges_mark_is_held_against_all_parts_of_the_error_of_the_gold(koshari, mona, karim, simba):
    """The error is two words and one apart from them, the judge marks one of the two and the one apart: 2 of 3."""
    [span] = mark(koshari, mona, RICE)
    divide(span, PASTA)
    mark(koshari, karim)
    review(span, karim, "keep")
    [found] = mark(koshari, simba, "الرز")
    divide(found, PASTA)
    derive([koshari.pk])
    read = loaded(koshari)
    judged = read.marks.places.taken(read.marks.id == found.pk)
    assert overlap(judged, read.gold.places).best_predicted == pytest.approx([2 / 3])
    SpanPart.objects.filter(span=found).delete()
    read = loaded(koshari)
    judged = read.marks.places.taken(read.marks.id == found.pk)
    assert word_iou(judged, read.gold.places) == pytest.approx([1 / 3])


def test_an_error_that_lies_elsewhere_now_is_found_there_alone(koshari, mona, karim):
    [span] = mark(koshari, mona, RICE)
    divide(span, PASTA)
    mark(koshari, karim)
    start = koshari.text.index(LENTILS)
    review(span, karim, "correct", start=start, end=start + len(LENTILS), quote=LENTILS)
    derive([koshari.pk])
    assert GoldError.objects.get().quote == LENTILS
    places = loaded(koshari).gold.places
    assert (places.start.tolist(), len(places.more)) == ([start], 0)


def test_the_list_of_responses_compares_all_parts(koshari, mona, karim):
    [one] = mark(koshari, mona, RICE)
    divide(one, PASTA)
    mark(koshari, karim, PASTA)
    marked_by = spans_of(list(Marking.objects.order_by("pk").values_list("pk", flat=True)))
    assert [len(span) for spans in marked_by.values() for span in spans] == [2, 1]
    # Both marks share one of three words: more than 0.15, so both are matched.
    assert agreement(koshari, list(marked_by.values())).value == pytest.approx(1.0)


def test_a_part_that_comes_or_goes_makes_the_figures_new(koshari, mona):
    [span] = mark(koshari, mona, RICE)
    before = revisions(koshari.project).places
    divide(span, PASTA)
    with_part = revisions(koshari.project).places
    assert {part for (_variety, part), revision in with_part.items() if before.get((_variety, part)) != revision} == {
        "spans"
    }
    SpanPart.objects.all().delete()
    assert revisions(koshari.project).places != with_part
