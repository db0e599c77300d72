"""Rank correlation and the states in which there is none."""

import numpy as np
import pytest
from scipy import stats

from agreement.correlation import spearman, spearman_of_tables
from agreement.kappa import confusion


def test_ranks_by_hand():
    # d = 0, 1, -1, 0 of n = 4 without ties: 1 - 6 * 2 / (4 * 15)
    assert spearman([1, 2, 3, 4], [10, 30, 20, 40]).value == pytest.approx(0.8)


def test_a_table_gives_what_its_items_give():
    generator = np.random.default_rng(1)
    one = generator.integers(0, 4, 200)
    other = np.clip(one + generator.integers(-2, 2, 200), 0, 3)
    table = confusion(one, other, 4)
    expected = stats.spearmanr(one, other).statistic
    assert spearman_of_tables(np.stack([table, 2 * table])) == pytest.approx([expected, expected])


def test_the_interval_covers_the_truth_nineteen_times_in_twenty():
    generator = np.random.default_rng(6)
    rho = 0.6
    truth = 6 / np.pi * np.arcsin(rho / 2)  # of a bivariate normal
    covered = 0
    for _ in range(400):
        one = generator.normal(size=80)
        other = rho * one + np.sqrt(1 - rho**2) * generator.normal(size=80)
        found = spearman(one, other)
        covered += found.low <= truth <= found.high
    assert covered / 400 == pytest.approx(0.95, abs=0.03)


def test_what_cannot_be_said_has_its_reason():
    assert spearman([1], [1]).undefined == "n < 2"
    assert spearman([3, 3, 3], [1, 2, 3]).undefined == "no variation"
    assert spearman([1, 2, 3], [1, 2, 3]).low is None
    assert np.isnan(spearman_of_tables(np.array([[3, 1], [0, 0]])))
    with pytest.raises(ValueError, match="finite"):
        spearman([1, np.nan], [1, 2])
    with pytest.raises(ValueError, match="same items"):
        spearman([1, 2], [1])
