"""Votes of a panel, with what they come to worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.figures import Figure
from agreement.panels import mean_on_scale, most_said, pooled, weight_of, yes_or_no

EQUAL = (1.0, 1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("votes", "weights", "verdict"),
    [
        ([True, True, False], EQUAL[:3], True),
        ([True, False, False], EQUAL[:3], False),
        ([True, False], EQUAL[:2], None),
        ([True, True, False, False], EQUAL[:4], None),
        # 0.2 + 0.3 of 1.0 is half, though not to the last bit of binary fractions (0.1 + 0.2 against 0.3).
        ([True, True, False], (0.1, 0.2, 0.3), None),
        # One whose vote weighs 0.7 outvotes two of 0.3.
        ([True, False, False], (0.7, 0.3, 0.3), True),
        ([True], EQUAL[:1], True),
    ],
)
def test_yes_needs_more_than_half_of_the_weight_and_half_is_a_tie(votes, weights, verdict):
    assert yes_or_no(votes, weights) is verdict


def test_votes_that_weigh_nothing_decide_nothing():
    with pytest.raises(ValueError, match="nobody"):
        yes_or_no([True, False], [0.0, 0.0])
    with pytest.raises(ValueError, match="zip"):
        yes_or_no([True, False], [1.0])


@pytest.mark.parametrize(
    ("grades", "grade"),
    [
        ([4, 4, 2], 4),
        ([2, 3, 4], 3),  # each said once: the median is one of them
        ([1, 1, 3, 3, 5], 3),  # 1 and 3 said twice; 3 is the median
        ([3, 4], None),
        ([1, 1, 5, 5], None),
        ([2, 2, 3, 4, 4], None),  # the median, 3, is not among those said most
        ([-1, 0, 1], 0),  # a win, a tie and a loss
        ([-1, 1], None),
    ],
)
def test_the_grade_said_most_counts_and_of_several_the_median(grades, grade):
    assert most_said(grades, EQUAL[: len(grades)]) == grade


def test_weights_decide_which_grade_is_said_most():
    # 5 has 0.5 of 1.1 behind it, 2 has 0.6.
    assert most_said([5, 2, 2], [0.5, 0.3, 0.3]) == 2
    assert most_said([5, 2, 2], [0.7, 0.3, 0.3]) == 5


@pytest.mark.parametrize(
    ("grades", "weights", "grade", "mean"),
    [
        ([5, 4, 4], EQUAL[:3], 4, 4.333333333),
        ([1, 2], EQUAL[:2], 2, 1.5),  # halfway: nearer the middle of 1 to 5
        ([4, 5], EQUAL[:2], 4, 4.5),
        ([3, 4], EQUAL[:2], 3, 3.5),
        # (0.8 * 5 + 0.2 * 2) / 1.0 = 4.4
        ([5, 2], (0.8, 0.2), 4, 4.4),
        # Thirds of 0.1: 0.1 * (1 + 2) / 0.2 = 1.5 exactly, whatever the last bits say.
        ([1, 2], (0.1, 0.1), 2, 1.5),
    ],
)
def test_a_mean_becomes_the_nearest_grade_and_halves_go_to_the_middle(grades, weights, grade, mean):
    assert mean_on_scale(grades, weights, 1, 5) == (grade, mean)


def test_agreement_below_chance_weighs_nothing_and_none_at_all_is_no_weight():
    assert weight_of(Figure(0.61234567, 40)) == 0.612346
    assert weight_of(Figure(-0.2, 40)) == 0.0
    assert weight_of(Figure.without_value("no items")) is None


def test_agreements_on_several_scales_count_by_their_items():
    # (0.5 * 30 + 0.9 * 10) / 40 = 0.6
    parts = [Figure(0.5, 30), Figure(0.9, 10), Figure.without_value("no variation", 5)]
    found = pooled(parts, "no items")
    assert (found.value, found.n) == (pytest.approx(0.6), 40)
    assert pooled(parts[2:], "no variation").undefined == "no variation"


@given(st.lists(st.integers(1, 5), min_size=1, max_size=7), st.floats(0.01, 100))
def test_equal_votes_decide_alike_whatever_they_all_weigh(grades, weight):
    equal = [weight] * len(grades)
    assert most_said(grades, equal) == most_said(grades, [1.0] * len(grades))
    assert mean_on_scale(grades, equal, 1, 5) == mean_on_scale(grades, [1.0] * len(grades), 1, 5)
    assert yes_or_no([grade > 3 for grade in grades], equal) == yes_or_no(
        [grade > 3 for grade in grades], [1.0] * len(grades)
    )


@given(st.lists(st.integers(1, 5), min_size=1, max_size=7), st.randoms())
def test_the_order_of_the_members_decides_nothing(grades, chance):
    shuffled = list(grades)
    chance.shuffle(shuffled)
    ones = [1.0] * len(grades)
    assert most_said(grades, ones) == most_said(shuffled, ones)
    assert mean_on_scale(grades, ones, 1, 5)[0] == mean_on_scale(shuffled, ones, 1, 5)[0]
