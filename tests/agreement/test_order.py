"""Judges asked in both orders: do they stand by their verdict, and do they lean to what comes first?"""

import numpy as np
import pytest

from agreement import order

NOTHING = np.nan
AS_STORED = [1, 1, 0, -1, NOTHING]
SWAPPED = [1, -1, 0, -1, 1]


@pytest.mark.parametrize(
    ("unparseable", "expected", "n"), [("excluded", 3 / 4, 4), ("wrong", 3 / 5, 5), ("tie", 3 / 5, 5)]
)
def test_the_same_verdict_after_swapping_back(unparseable, expected, n):
    found = order.positional_agreement(AS_STORED, SWAPPED, unparseable=unparseable)
    assert (found.value, found.n) == (pytest.approx(expected), n)
    assert (found.detail["policy"], found.detail["unparseable"]) == (unparseable, 1)
    assert found.detail["interval"] == "too few prompts"


def test_two_unread_verdicts_agree_only_as_ties():
    assert order.positional_agreement([NOTHING], [NOTHING], unparseable="wrong").value == 0
    assert order.positional_agreement([NOTHING], [NOTHING], unparseable="tie").value == 1
    assert order.positional_agreement([NOTHING], [NOTHING]).undefined == "no items"


def test_right_in_both_orders():
    found = order.right_in_both([1, 1, 0, 1, 1], AS_STORED, SWAPPED)
    assert (found.value, found.n) == (2 / 4, 4)
    assert order.right_in_both([1, 1, 0, 1, 1], AS_STORED, SWAPPED, unparseable="wrong").value == 2 / 5
    assert order.right_in_both([NOTHING] * 5, AS_STORED, SWAPPED).undefined == "no items"


def test_a_judge_that_always_takes_what_comes_first():
    # Asked in both orders, such a judge says the pair's first, then, swapped, the pair's second.
    verdicts, swapped, pairs = [1, -1] * 20, [False, True] * 20, np.arange(40) // 2
    found = order.first_position_rate(verdicts, swapped, pairs)
    # As certain as twenty pairs that say the same make it: 20 / (20 + t^2), t of 19 degrees of freedom.
    assert (found.value, found.n, found.low, found.high) == (1, 40, pytest.approx(20 / (20 + 2.0930**2), abs=1e-4), 1)
    assert order.first_position_rate([-1, 1] * 20, swapped, pairs).value == 0


def test_a_judge_that_stands_by_its_verdicts_has_no_lean():
    found = order.first_position_rate([1, 1, -1, -1, 0, NOTHING], [False, True] * 3, [1, 1, 2, 2, 3, 3])
    assert (found.value, found.n) == (0.5, 4)
    assert (found.low, found.detail["interval"]) == (None, "too few prompts"), "whole pairs, and there are three"
    assert (found.detail["ties"], found.detail["unparseable"]) == (1, 1)


def test_without_a_decision_there_is_no_lean():
    assert order.first_position_rate([0, 0], [False, True], [1, 1]).undefined == "every verdict is a tie"
    assert order.first_position_rate([NOTHING], [False], [1]).undefined == "no items"
    assert order.first_position_rate([1], [False], [1], interval=False).value == 1


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="both orders"):
        order.positional_agreement([1], [1, 0])
    with pytest.raises(ValueError, match="unparseable must be"):
        order.positional_agreement([1], [1], unparseable="half")
    with pytest.raises(ValueError, match="its truth"):
        order.right_in_both([1, 1], [1], [1])
    with pytest.raises(ValueError, match="its order"):
        order.first_position_rate([1], [False, True], [1])
