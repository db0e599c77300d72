"""A quantile lies where the definition says, and its interval covers the truth as often as it promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.quantiles import quantile

numbers = st.lists(st.floats(0, 1e6), min_size=1, max_size=60)


def test_worked_by_hand():
    # Five values; type 7 puts the 0.95 quantile at rank 1 + 4 * 0.95 = 4.8: 40 + 0.8 * (100 - 40) = 88.
    found = quantile([10, 100, 20, 30, 40], 0.95)
    assert found.value == pytest.approx(88)
    assert found.n == 5
    assert found.low is None, "five values cannot say how far the 95th percentile may lie"


def test_interval_of_the_median_of_ten():
    # Binomial(10, 1/2): P(X <= 1) = 11/1024 = 0.0107 < 0.025 <= P(X <= 2) = 56/1024, so ranks 2 and 9.
    found = quantile(list(range(1, 11)), 0.5)
    assert (found.value, found.low, found.high) == (5.5, 2, 9)


def test_covers_the_truth():
    generator = np.random.default_rng(20)
    for share, truth in ((0.5, 0.6931), (0.95, 2.9957)):  # of the exponential distribution
        found = [quantile(generator.exponential(size=200), share).bounds for _draw in range(400)]
        covered = np.mean([low <= truth <= high for low, high in found])
        assert 0.93 <= covered <= 0.99


@given(numbers)
def test_lies_within_the_sample_and_its_interval(values):
    found = quantile(values, 0.5)
    assert min(values) <= found.number <= max(values)
    if found.low is not None:
        assert found.low <= found.number <= found.high


def test_nothing_has_no_quantile():
    assert quantile([], 0.5).undefined == "no items"
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile([1.0], 1.0)
