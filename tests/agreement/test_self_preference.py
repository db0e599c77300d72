"""A judge graded its own laboratory's responses and others': how much further up does it put its own?"""

import numpy as np
import pytest
import scipy

from agreement.self_preference import own_less_others


def test_means_are_subtracted_and_the_interval_leaves_out_one_prompt_at_a_time():
    """Ten prompts with an own and another response each: 4, 5, 4, 5, ... against 3, 3, 3, ...: 4.5 less 3."""
    values = np.ravel([(4 + number % 2, 3) for number in range(10)]).astype(float)
    prompt = np.repeat(np.arange(10), 2)
    is_own = np.tile([True, False], 10)
    found = own_less_others(values, is_own, prompt)
    assert (found.value, found.n) == (pytest.approx(1.5), 20)
    assert (found.detail["own"], found.detail["others"], found.detail["units"]) == (10, 10, 10)
    differences = values[::2] - values[1::2]
    without = (differences.sum() - differences) / 9
    error = np.sqrt(9 / 10 * ((without - 1.5) ** 2).sum())
    half = scipy.stats.t.ppf(0.975, 9) * error
    assert found.bounds == pytest.approx((1.5 - half, 1.5 + half))


def test_values_that_are_missing_are_left_out():
    found = own_less_others([5, np.nan, 3, 1], [True, True, False, False], [1, 2, 3, 4])
    assert (found.value, found.n, found.detail["own"], found.detail["others"]) == (3.0, 3, 1, 2)
    assert found.low is None


@pytest.mark.parametrize(
    ("values", "own", "reason"),
    [
        ([], [], "no items"),
        ([np.nan, np.nan], [True, False], "no items"),
        ([3.0, 4.0], [True, True], "undefined on one side"),
        ([3.0, np.nan], [True, False], "undefined on one side"),
    ],
)
def test_without_both_kinds_there_is_no_difference(values, own, reason):
    assert own_less_others(values, own, np.arange(len(values))).undefined == reason
