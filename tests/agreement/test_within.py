"""How often two raters differ by at most one grade."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.consensus import value_counts
from agreement.within import agreement_within


def counted(*items):
    rows = [(number, grade - 1) for number, grades in enumerate(items) for grade in grades]
    return value_counts(*np.array(rows).T, len(items), 5)


def test_pairs_of_an_item_by_hand():
    # 1-2, 1-4, 2-4: one pair of three within 1; then 5-5: one of one
    figure = agreement_within(counted([1, 2, 4], [5, 5]))
    assert (figure.value, figure.n, figure.detail["items"]) == (2 / 4, 4, 2)
    assert agreement_within(counted([1, 2, 4], [5, 5]), distance=0).value == 1 / 4
    assert agreement_within(counted([1, 2, 4], [5, 5]), distance=2).value == 3 / 4


@given(st.lists(st.lists(st.integers(1, 5), max_size=6), min_size=1, max_size=6), st.integers(0, 4))
def test_counting_pairs_one_by_one_gives_the_same(items, distance):
    pairs = [pair for grades in items for pair in combinations(grades, 2)]
    if not pairs:
        return
    near = sum(abs(one - other) <= distance for one, other in pairs)
    assert agreement_within(counted(*items), distance=distance, interval=False).value == pytest.approx(
        near / len(pairs)
    )


def test_values_need_not_be_one_apart():
    figure = agreement_within([[1, 1, 0], [0, 1, 1]], domain=[0, 10, 15], distance=5, interval=False)
    assert figure.value == 0.5


def test_its_interval_is_of_items_or_of_whole_prompts():
    items = [[3, 3, 4], [1, 5, 3], [2, 2, 3], [5, 1, 1]] * 10
    alone = agreement_within(counted(*items))
    assert alone.low < alone.value < alone.high
    whole = agreement_within(counted(*items), cluster=np.arange(40) % 20)
    assert whole.detail["units"] == 20


def test_without_two_ratings_of_anything_there_is_nothing_to_say():
    assert agreement_within(counted([1], [2])).undefined == "no pairable values"
    with pytest.raises(ValueError, match="negative"):
        agreement_within(counted([1, 2]), distance=-1)
    with pytest.raises(ValueError, match="one row per item"):
        agreement_within([1, 2])
