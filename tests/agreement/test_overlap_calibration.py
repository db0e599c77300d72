"""Which overlap is the same issue: counts, figures and the threshold that fits best, worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.overlap_calibration import best_place, figures_at, pair_counts, statistics_at

THRESHOLDS = (0.0, 0.15, 0.5, 1.0)
# Four pairs: two are one issue, and the one of least overlap that is none lies below them.
IOU, SAME = [0.1, 0.2, 0.8, 1.0], [False, True, False, True]


def values(place: int) -> list[float | None]:
    return [figure.value for figure in figures_at(pair_counts(IOU, SAME, THRESHOLDS), place)]


def test_each_threshold_is_a_classification_of_the_pairs():
    assert values(0) == [0.5, 1.0, pytest.approx(2 / 3)]  # all four match, two are one issue
    assert values(1) == [pytest.approx(2 / 3), 1.0, pytest.approx(0.8)]  # three match
    assert values(2) == [0.5, 0.5, 0.5]  # 0.8 and 1.0 match
    assert values(3) == [1.0, 0.5, pytest.approx(2 / 3)]  # at 1 the very same words
    detail = figures_at(pair_counts(IOU, SAME, THRESHOLDS), 1)[0].detail
    assert detail == {"matched_same": 2, "matched": 3, "same": 2}


def test_the_best_threshold_has_the_highest_f1_and_is_the_lowest_of_several():
    assert best_place(pair_counts(IOU, SAME, THRESHOLDS)) == 1
    assert best_place(pair_counts([1.0, 1.0], [True, True], THRESHOLDS)) == 0
    assert best_place(pair_counts([0.4], [False], THRESHOLDS)) is None
    assert best_place(pair_counts([], [], THRESHOLDS)) is None


def test_what_has_no_value_says_why():
    none = pair_counts([], [], THRESHOLDS)
    assert [figure.undefined for figure in figures_at(none, 0)] == ["no items"] * 3
    different = pair_counts([0.4], [False], THRESHOLDS)
    reasons = [figure.undefined for figure in figures_at(different, 0)]
    assert reasons == [None, "no pair is one issue", "no pair is one issue"]
    assert figures_at(different, 0)[0].value == 0.0
    apart = pair_counts([0.4], [True], THRESHOLDS)
    assert [figure.undefined for figure in figures_at(apart, 2)] == [
        "no pair overlaps so much",
        None,
        "no pair overlaps so much",
    ]


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_the_columns_of_a_threshold_are_those_its_statistics_read(pairs):
    counts = pair_counts([iou for iou, _same in pairs], [same for _iou, same in pairs], THRESHOLDS)
    assert counts.reshape(len(pairs), len(THRESHOLDS), 4).sum(axis=2).min() == 1
    total = counts.sum(axis=0)
    for place in range(len(THRESHOLDS)):
        for figure, statistic in zip(figures_at(counts, place), statistics_at(place), strict=True):
            value = float(statistic(total))
            assert figure.value == pytest.approx(value) if not np.isnan(value) else figure.value is None
