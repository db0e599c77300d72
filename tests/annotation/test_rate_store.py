"""Ratings of people, judges and files are stored by one hand: in bulk, all or none."""

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Rating
from annotation.pairs.storing import RatingData, store_ratings
from projects.problems import Invalid
from tests.annotation.rated import pair_of, question_type
from tests.people import add_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(project):
    return question_type(project)


@pytest.fixture
def greeting(project, question):
    return pair_of(project, "greeting", question=question)


def test_many_ratings_take_one_statement(project, mona, simba, question, greeting, django_assert_num_queries):
    rater = mona.raters.get()
    alone = add_response(project, "alone", "صباح الخير", "ar-EG")
    batch = [
        RatingData(question, greeting, rater, 4, 2, "first", "Warmer.", is_swapped=True, is_check=True),
        RatingData(question, greeting, simba, 3.5, 3.25, is_of_both_orders=True, metadata={"call": "c1"}),
        RatingData(question, greeting, simba, preference="tie", is_of_both_orders=True, is_swapped=True),
        RatingData(question, alone, rater, 5),
        RatingData(question, alone, simba, is_unparseable=True, comment="I would rather not say."),
    ]
    with django_assert_num_queries(3):  # the rows; a savepoint around them
        store_ratings(batch)
    hers, graded, preferred, single, unread = Rating.objects.order_by("pk")
    assert (hers.pair, hers.first_grade, hers.second_grade, hers.preference) == (greeting, 4, 2, "first")
    assert (hers.is_swapped, hers.is_check, hers.comment, hers.metadata) == (True, True, "Warmer.", {})
    assert (graded.first_grade, graded.second_grade, graded.metadata) == (3.5, 3.25, {"call": "c1"})
    assert (preferred.first_grade, preferred.preference, preferred.is_swapped) == (None, "tie", True)
    assert (single.response, single.pair, single.first_grade, single.second_grade) == (alone, None, 5, None)
    assert (unread.is_unparseable, unread.first_grade, unread.comment) == (True, None, "I would rather not say.")


def test_more_than_a_few_go_in_at_once(project, question, greeting, simba):
    store_ratings([RatingData(question, greeting, simba, 1 + n % 5, 3, round=1 + n) for n in range(50)])
    assert sorted(Rating.objects.values_list("round", "first_grade"))[:6] == [
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 4),
        (5, 5),
        (6, 1),
    ]


@pytest.mark.parametrize(
    ("fields", "code", "place"),
    [
        ({"first": 6, "second": 2}, "off_scale", "ratings[1].first"),
        ({"first": 4, "second": float("nan")}, "off_scale", "ratings[1].second"),
        ({"first": True, "second": 2}, "off_scale", "ratings[1].first"),
        ({"first": 4}, "required", "ratings[1].second"),
        ({"first": 4, "preference": "first"}, "required", "ratings[1].second"),
        ({}, "required", "ratings[1].first"),
        ({"first": 4, "second": 2, "preference": "A"}, "unknown", "ratings[1].preference"),
        ({"first": 4, "second": 2, "is_unparseable": True}, "contradiction", "ratings[1].first"),
    ],
)
def test_one_bad_rating_keeps_all_of_them_out(question, greeting, mona, simba, fields, code, place):
    good = RatingData(question, greeting, mona.raters.get(), 4, 2)
    with pytest.raises(Invalid) as refused:
        store_ratings([good, RatingData(question, greeting, simba, **fields)])
    first = refused.value.problems[0]
    assert (first.code, first.field, first.span) == (code, place, "formality")
    assert not Rating.objects.exists()


def test_a_question_without_a_scale_takes_a_preference_alone(project, greeting, simba):
    better = question_type(project, "better", lowest=None, highest=None)
    for fields in ({"first": 4, "second": 2, "preference": "first"}, {}):
        with pytest.raises(Invalid):
            store_ratings([RatingData(better, greeting, simba, **fields)])
    store_ratings([RatingData(better, greeting, simba, preference="second")])
    with pytest.raises(Invalid):
        store_ratings([RatingData(better, greeting.first, simba)])


def test_a_single_response_has_one_grade_and_nothing_to_prefer(question, greeting, simba):
    for fields in ({"second": 3}, {"preference": "first"}):
        with pytest.raises(Invalid):
            store_ratings([RatingData(question, greeting.first, simba, 3, **fields)])


def test_a_rater_rates_a_pair_once_a_round(question, greeting, simba):
    store_ratings([RatingData(question, greeting, simba, 4, 2)])
    with pytest.raises(IntegrityError), transaction.atomic():
        store_ratings([RatingData(question, greeting, simba, 3, 3)])
    store_ratings([RatingData(question, greeting, simba, 3, 3, round=2)])
