"""Markings are stored in bulk, in order, all or none; the database refuses what is not in the text."""

import pytest
from django.db import DatabaseError, transaction

from annotation.models import Marking, Span
from annotation.spans.checking import check_span
from annotation.spans.storing import MarkingData, store_markings
from projects.vocabularies import Vocabularies

pytestmark = pytest.mark.django_db


def marking(response, rater, *quotes, **changes):
    spans = [
        check_span(response.text, {"id": f"{rater.name}-{number}", "quote": quote}, {}, Vocabularies())
        for number, quote in enumerate(quotes)
    ]
    fields = {"round": 1, "no_errors": not spans, "is_complete": True, "spans": spans, **changes}
    return MarkingData(response=response, rater=rater, **fields)


def test_many_markings_take_three_statements(koshari, boishakh, mona, simba, django_assert_num_queries):
    rater = mona.raters.get()
    batch = [marking(koshari, rater, "الرز", "رمضان"), marking(koshari, simba, "السحور"), marking(boishakh, simba)]
    with django_assert_num_queries(5):  # markings, their ids, spans; a savepoint around them
        rows = store_markings(batch)
    assert [row.response for row in rows] == [koshari, koshari, boishakh]
    assert list(rows[0].spans.order_by("start").values_list("quote", flat=True)) == ["الرز", "رمضان"]
    assert rows[2].no_errors


def test_a_quote_that_is_elsewhere_is_refused_by_the_database_and_nothing_is_stored(koshari, simba):
    bad = marking(koshari, simba, "رمضان")
    bad.spans[0].start += 1
    bad.spans[0].end += 1
    with pytest.raises(DatabaseError), transaction.atomic():
        store_markings([bad])
    assert not Marking.objects.exists()
    assert not Span.objects.exists()


def test_a_rater_answers_a_response_once_a_round(koshari, simba):
    store_markings([marking(koshari, simba)])
    with pytest.raises(DatabaseError), transaction.atomic():
        store_markings([marking(koshari, simba)])
    store_markings([marking(koshari, simba, round=2)])
