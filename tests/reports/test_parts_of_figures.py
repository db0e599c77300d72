"""Parts of figures are cut by variety and put together again without a row lost, whichever varieties are asked for."""

from dataclasses import dataclass

import numpy as np

from reports.dashboard.columns import Integers, Rows, means_at
from reports.dashboard.parts import pooled, split


@dataclass(frozen=True, eq=False)
class Answers(Rows):
    response: Integers
    grade: Integers
    people: frozenset[int]
    is_weighted: bool
    planned: int


VARIETY = np.array([7, 9, 7, 8, 9])


def cut(*varieties: int) -> dict[int, Answers]:
    columns = {"response": np.arange(5), "grade": np.array([1, 2, 3, 4, 5])}
    return split(Answers, varieties, VARIETY, **columns, people=frozenset({1}), is_weighted=False, planned=2)


def test_each_variety_asked_for_gets_its_rows_and_no_other():
    parts = cut(7, 9, 6)
    assert [parts[one].grade.tolist() for one in (7, 9, 6)] == [[1, 3], [2, 5], []]
    assert [len(part) for part in parts.values()] == [2, 2, 0]


def test_parts_put_together_hold_every_row_and_add_up_what_counts_whole_settings():
    parts = list(cut(7, 9).values())
    whole = pooled(parts)
    assert whole.response.tolist() == [0, 2, 1, 4]
    assert (whole.people, whole.is_weighted, whole.planned) == ({1}, False, 4)
    assert pooled(parts, summed=("grade",)).grade.tolist() == [3, 8]


def test_chosen_rows_keep_their_columns_together():
    some = cut(7)[7].taken(np.array([1]), people=frozenset(), is_weighted=True, planned=0)
    assert (some.response.tolist(), some.grade.tolist(), some.is_weighted) == ([2], [3], True)


def test_a_place_without_a_value_has_no_mean():
    means = means_at(np.array([0, 0, 2, 2]), np.array([1.0, 2.0, np.nan, 5.0]), 3)
    assert np.array_equal(means, [1.5, np.nan, 5.0], equal_nan=True)
