"""The mean of paired differences with the interval of sign flips."""

import numpy as np
import pytest

from agreement.paired import paired_shift


def test_by_hand_of_six_equal_signs():
    """Differences 1 to 6: of 64 sign patterns only two (all +, all -) are as far as the sum: p is about 2 / 64."""
    found = paired_shift([0.0] * 6, [1.0, 2, 3, 4, 5, 6], flips=20_000)
    assert found.value == 3.5
    assert found.detail["p"] == pytest.approx(2 / 64, abs=0.005)
    assert 0 < found.low < 1.5, "no shift is refused at 5 %"
    assert 5.5 < found.high < 7


def test_it_holds_the_truth_in_95_of_100_cases_whatever_the_spread():
    draw = np.random.default_rng(3)
    held = 0
    for trial in range(400):
        differences = 0.5 + draw.laplace(0, draw.choice([1, 4], 60), 60)
        found = paired_shift(np.zeros(60), differences, flips=400, seed=trial)
        held += found.low <= 0.5 <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_questions_of_one_passage_are_one_unit():
    values = np.repeat([1.0, -2, 3, -1, 2, 0, 1, 4], 5)
    alone = paired_shift(np.zeros(40), values)
    together = paired_shift(np.zeros(40), values, np.repeat(np.arange(8), 5))
    assert together.detail["units"] == 8
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


def test_what_is_undefined_says_why():
    assert paired_shift([np.nan], [1.0]).undefined == "no items"
    assert paired_shift([1.0] * 5, [2.0, 3, 4, 5, 6]).detail["interval"] == "too few units"
    assert paired_shift([1.0] * 9, [2.0] * 9).detail["interval"] == "no variation"
    with pytest.raises(ValueError, match="both"):
        paired_shift([1.0], [1.0, 2.0])
