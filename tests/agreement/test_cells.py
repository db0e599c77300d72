"""No cell of fewer than five people is shown, and none can be worked out from what is shown."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

import pytest

from agreement.cells import LEAST, shown_counts


def tables(cells: int, people: int) -> Iterator[tuple[int, ...]]:
    for counts in product(range(people + 1), repeat=cells - 1):
        if sum(counts) <= people:
            yield *counts, people - sum(counts)


def test_cells_of_five_and_more_stand_as_they_are():
    assert shown_counts([5, 12, 7]) == [5, 12, 7]


def test_a_small_cell_takes_the_smallest_large_one_along():
    # 30 people, of whom 20 and 7 shown would say that three are left.
    assert shown_counts([20, 3, 7]) == [20, None, None]


def test_two_small_cells_that_hold_fewer_than_five_people_take_another_along():
    assert shown_counts([20, 1, 2, 9]) == [20, None, None, None]


def test_two_cells_of_four_would_be_known_by_their_sum():
    # Eight people in two cells of at most four each are four and four.
    assert shown_counts([20, 4, 4, 9]) == [20, None, None, None]


def test_equal_cells_go_together():
    assert shown_counts([5, 5, 4, 30]) == [None, None, None, 30]


def test_a_cell_of_nobody_is_kept_back_too():
    assert shown_counts([0, 8, 12]) == [None, None, 12]


def test_a_count_below_zero_is_a_mistake():
    with pytest.raises(ValueError, match="negative"):
        shown_counts([-1, 5])


@pytest.mark.parametrize(("cells", "most"), [(2, 40), (3, 26), (4, 18)])
def test_whoever_knows_the_rules_and_the_sum_cannot_tell_any_cell_that_is_kept_back(cells, most):
    """All tables of so many cells: those that look alike differ in every cell that is kept back."""
    for people in range(1, most + 1):
        alike = defaultdict(list)
        for counts in tables(cells, people):
            shown = tuple(shown_counts(counts))
            assert all(count is None or count >= LEAST for count in shown)
            alike[shown].append(counts)
        for shown, possible in alike.items():
            for place, count in enumerate(shown):
                if count is None:
                    assert len({counts[place] for counts in possible}) > 1, (people, shown, place)
