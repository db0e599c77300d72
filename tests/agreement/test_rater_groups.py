"""Do two groups of raters see it differently, or do people simply differ?"""

import numpy as np
import pytest
import scipy

from agreement.rater_groups import pairs_of_groups


def test_by_hand():
    """Item 1: group 0 says 1 and 2, group 1 says 4 and 4. Item 2: group 0 says 3, group 1 says 3."""
    found = pairs_of_groups([1, 1, 1, 1, 2, 2], [0, 0, 1, 1, 0, 1], [1, 2, 4, 4, 3, 3], [1, 1, 1, 1, 2, 2])
    [pair] = found.values()
    assert (pair.first.value, pair.first.n) == (1.0, 1)
    assert (pair.second.value, pair.second.n) == (0.0, 1)
    # 3, 3, 2, 2 on the first item and 0 on the second.
    assert (pair.between.value, pair.between.n) == (2.0, 5)
    assert pair.excess.undefined == "too few prompts"


def test_groups_that_never_meet_and_raters_of_none_are_no_pair():
    assert pairs_of_groups([1, 1, 2, 2], [0, 0, 1, 1], [1, 2, 3, 4], [1, 1, 2, 2]) == {}
    assert pairs_of_groups([1, 1], [0, -1], [1, 2], [1, 1]) == {}
    assert pairs_of_groups([], [], [], []) == {}
    [pair] = pairs_of_groups([1, 1], [4, 9], [1, 2], [1, 1]).values()
    assert pair.first.undefined == "no pairable values"
    assert pair.excess.undefined == "no pairable values"


def test_excess_is_tested_over_prompts():
    """Two of each group on every item, an item a prompt: the excess is a mean over items, so p is that of t."""
    generator = np.random.default_rng(5)
    n = 30
    grades = generator.integers(1, 6, (n, 4)).astype(float)
    grades[:, 2:] += 1.5
    items = np.repeat(np.arange(n), 4)
    [pair] = pairs_of_groups(items, np.tile([3, 3, 8, 8], n), grades.ravel(), items).values()
    within = (np.abs(grades[:, 0] - grades[:, 1]) + np.abs(grades[:, 2] - grades[:, 3])) / 2
    between = np.abs(grades[:, :2, None] - grades[:, None, 2:]).mean(axis=(1, 2))
    assert pair.excess.value == pytest.approx((between - within).mean())
    assert pair.excess.detail["p"] == pytest.approx(scipy.stats.ttest_1samp(between - within, 0).pvalue, rel=1e-9)
    assert pair.between.low < pair.between.value < pair.between.high


def test_one_crowd_parted_by_chance_has_no_excess():
    """Four hundred studies of one crowd dealt into two groups: hardly more than one in twenty names a difference."""
    generator = np.random.default_rng(1)
    n, named = 20, 0
    items = np.repeat(np.arange(n), 6)
    for _study in range(400):
        grades = np.clip(np.round(generator.normal(3, 1, n)[:, None] + generator.normal(0, 1, (n, 6))), 1, 5)
        [pair] = pairs_of_groups(items, np.tile([0, 0, 0, 1, 1, 1], n), grades.ravel(), items).values()
        named += pair.excess.detail["p"] <= 0.05
    assert named / 400 <= 0.08
