"""One grade from several: experts first, then the rule, and every way a tie can go."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.consensus import DECIDED_BY, gold, nearest_grade, value_counts


def of(*grades, rule="majority", experts=None, scale=(1, 5)):
    found = gold([7] * len(grades), grades, experts, rule, scale)
    return float(found.values[0]), DECIDED_BY[found.decided_by[0]]


def test_the_grade_given_most_often_wins():
    assert of(4, 4, 1) == (4, "mode")
    assert of(3) == (3, "mode")


def test_a_tie_goes_to_the_grade_nearest_the_mean():
    # modes 1 and 4; mean (1 + 1 + 4 + 4 + 5) / 5 = 3, one away from 4 and two from 1
    assert of(1, 1, 4, 4, 5) == (4, "mean")
    # three raters, three grades: mean 10/3, the nearest of 2, 3, 5 is 3
    assert of(2, 3, 5) == (3, "mean")


def test_where_the_mean_lies_halfway_the_median_decides():
    # modes 2 and 6; sum 28 of seven grades, mean 4, two away from both; median 3, nearer to 2
    assert of(1, 2, 2, 3, 6, 6, 8, scale=(1, 9)) == (2, "median")
    # modes 2 and 4; mean 18 / 6 = 3 and median 3 part them neither
    assert of(1, 2, 2, 4, 4, 5) == (3, "middle")


def test_a_median_may_lie_between_two_grades():
    assert of(1, 1, 5, rule="median") == (1, "median")
    assert of(1, 2, 4, 5, rule="median") == (3, "median")
    assert of(0.5, 2, 100, rule="median", scale=None) == (2, "median")
    assert of(1, 5, 5, rule="median", experts=[True, False, False]) == (1, "median")
    found = gold([3, 1, 3, 1, 3], [5, 2, 1, 3, 4], None, "median")
    assert (found.items.tolist(), found.values.tolist(), found.n.tolist()) == ([1, 3], [2.5, 4], [2, 3])


def test_a_tie_that_nothing_parts_favours_neither_side():
    assert of(1, 1, 5, 5) == (3, "middle")
    assert of(1, 5) == (3, "middle")
    assert of(-1, 1, scale=(-1, 1)) == (0, "middle")  # a win against a loss is a tie
    assert of(2, 4) == (3, "middle")


def test_between_two_grades_doubt_leads_to_neither_end():
    assert of(1, 2) == (2, "middle")
    assert of(4, 5) == (4, "middle")
    assert of(2, 3) == (3, "middle")
    assert of(3, 4) == (3, "middle")
    assert of(2, 3, scale=(1, 4)) == (2, "middle"), "the very middle of an even scale: the lower"


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12))
def test_turning_the_scale_round_turns_the_gold_round(grades):
    value, step = of(*grades)
    turned, same_step = of(*(6 - grade for grade in grades))
    assert (turned, same_step) == (6 - value, step)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12))
def test_it_is_the_rule_spelt_out_for_one_item(grades):
    most = max(grades.count(grade) for grade in grades)
    modes = [grade for grade in set(grades) if grades.count(grade) == most]
    for middle in (np.mean(grades), np.median(grades)):
        nearest = min(abs(grade - middle) for grade in modes)
        modes = [grade for grade in modes if abs(grade - middle) < nearest + 1e-9]
    value, _step = of(*grades)
    assert value == modes[0] if len(modes) == 1 else abs(value - np.mean(modes)) <= 0.5


def test_where_an_expert_has_graded_the_others_do_not_count():
    found = gold([1, 1, 1, 2, 2], [5, 5, 2, 4, 4], [False, False, True, False, False])
    assert found.items.tolist() == [1, 2]
    assert found.values.tolist() == [2, 4]
    assert found.by_experts.tolist() == [True, False]
    assert found.n.tolist() == [1, 2]


def test_the_mean_of_experts_is_theirs_alone():
    found = gold([1, 1, 1], [5, 2, 3], [False, True, True], rule="mean")
    assert found.values.tolist() == [2.5]


def test_items_come_in_any_order_and_gold_is_looked_up_by_item():
    found = gold([9, 4, 9, 4, 9], [1, 5, 2, 5, 2])
    assert found.of([4, 9, 5]).tolist() == pytest.approx([5, 2, np.nan], nan_ok=True)
    nothing = gold([], [])
    assert len(nothing.items) == 0
    assert np.isnan(nothing.of([1])).all()


def test_a_mean_becomes_the_nearest_class_without_leaning_to_an_end():
    assert nearest_grade([1.5, 2.5, 3.5, 4.5, 2.4, 9], 1, 5).tolist() == [2, 3, 3, 4, 2, 5]
    assert nearest_grade([1.5, 2.5, 3.5], 1, 4).tolist() == [2, 2, 3]


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="rule must be one of"):
        gold([1], [1], rule="mode")
    with pytest.raises(ValueError, match="whole grades"):
        gold([1, 1], [1.5, 2])
    with pytest.raises(ValueError, match="off the scale"):
        gold([1], [6], scale=(1, 5))
    with pytest.raises(ValueError, match="has its item"):
        gold([1, 2], [1])
    with pytest.raises(ValueError, match="finite"):
        gold([1], [np.nan], rule="mean")
    with pytest.raises(ValueError, match="out of range"):
        value_counts([0], [5], 1, 5)
    with pytest.raises(ValueError, match="leave out"):
        nearest_grade([np.nan], 1, 5)
