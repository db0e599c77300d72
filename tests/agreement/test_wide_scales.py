"""Alpha of numbers of which there are many: the same interval as from coincidences, and of any number of items."""

import numpy as np
import pytest

from agreement.alpha import alpha_of_coincidences, alpha_with_interval, coincidence_columns
from agreement.wide_scales import Moments, alpha_of_moments


def rated(items: int, raters: int = 5, seed: int = 3):
    """Decimals of three raters to each item, of five, some of them near the truth."""
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(items), 3)
    rater = (item + np.tile(np.arange(3), items)) % raters
    values = np.round(rng.normal(item % 7, 0.4 + rater), 2)
    return item, values, rater


def test_the_interval_is_that_of_the_coincidences(monkeypatch):
    item, values, rater = rated(40)
    assert len(np.unique(values)) > 60
    wide = alpha_with_interval(item, values, rater, item, "interval")
    monkeypatch.setattr("agreement.alpha.MANY_VALUES", 10_000)
    narrow = alpha_with_interval(item, values, rater, item, "interval")
    assert wide.value == narrow.value
    assert wide.low is not None
    assert (wide.low, wide.high) == pytest.approx((narrow.low, narrow.high))


def test_sums_of_items_rated_once_count_nothing_and_large_numbers_lose_no_digits():
    item, values, _rater = rated(40)
    once = np.append(item, 40), np.append(values, 900.0)
    table = np.zeros((41, len(domain := np.unique(once[1]))), dtype=int)
    np.add.at(table, (once[0], np.searchsorted(domain, once[1])), 1)
    expected = alpha_of_coincidences(domain, "interval")(coincidence_columns(table).toarray().sum(axis=0))
    for shift in (0, 1e9):
        sums = Moments(once[0], once[1] + shift).columns.sum(axis=0)
        assert alpha_of_moments(sums) == pytest.approx(expected, abs=1e-6)
    assert np.isnan(alpha_of_moments(Moments([0, 0, 1, 1], [2.5] * 4).columns.sum(axis=0)))


def test_many_thousand_decimals_are_no_matrix():
    """A matrix of their coincidences would have hundreds of millions of cells."""
    item, values, rater = rated(20_000)
    values = values + np.arange(len(values)) / 1e6
    figure = alpha_with_interval(item, values, rater, item, "interval")
    assert figure.low is not None
    assert len(np.unique(values)) > 20_000
