"""Judges against people: by hand, and as a bootstrap adds it up."""

import numpy as np
import pytest

from agreement import judges

GONE = np.nan
# Four responses of two targets, graded by a person and by two judges; the second never sees its own laboratory's.
HUMAN = [50.0, -20.0, 10.0, GONE]
SCORES = [[60.0, GONE], [-20.0, 10.0], [0.0, 20.0], [5.0, 5.0]]
TARGET = [0, 1, 1, 0]


def test_mad_and_signed_error_of_each_judge():
    first, second = judges.judge_axis(SCORES, HUMAN)  # errors 10, 0, -10 and 30, 10
    assert (first.n, first.mad.value, first.signed_error.value) == (3, pytest.approx(20 / 3), pytest.approx(0))
    assert (second.n, second.mad.value, second.signed_error.value) == (2, 20.0, 20.0)


def test_what_nobody_graded_counts_for_no_judge():
    [only] = judges.judge_axis([[5.0]], [GONE])
    assert only.mad.undefined == "no items"


def test_the_target_axis_takes_every_pair_of_response_and_judge():
    one, other = judges.target_axis(SCORES, HUMAN, TARGET, 2)
    assert (one.n, one.mad.value) == (1, 10.0)
    assert (other.n, other.mad.value) == (4, pytest.approx((0 + 30 + 10 + 10) / 4))
    assert other.signed_error.value == pytest.approx((0 + 30 - 10 + 10) / 4)


def test_sums_of_columns_are_the_same_figures():
    columns = judges.error_columns(judges.errors_of(SCORES, HUMAN))
    by_judge = columns.sum(axis=0)
    assert judges.mad(by_judge) == pytest.approx([20 / 3, 20])
    assert judges.signed_error(by_judge) == pytest.approx([0, 20])
    assert np.isnan(judges.mad(np.zeros(3)))


def test_the_domain_gap_is_below_zero_where_culture_is_harder():
    errors = [10.0, -4.0, 6.0, GONE]
    columns = judges.domain_columns(errors, [False, True, True, True], [True, False, False, False])
    figure = judges.domain_gap_figure(columns)
    assert (figure.value, figure.n) == (pytest.approx(5 - 10), 3)


def test_there_is_no_gap_where_one_domain_was_not_graded():
    figure = judges.domain_gap_figure(judges.domain_columns([10.0], [False], [True]))
    assert figure.undefined == "no items"


def test_the_gaps_that_perle_published_are_of_the_published_deviations():
    for cultural, linguistics, gap in ((12.20, 8.20, -4.00), (13.33, 11.50, -1.83), (15.37, 10.59, -4.78)):
        sums = np.array([linguistics * 50, 50, cultural * 50, 50])
        assert judges.domain_gap(sums) == pytest.approx(gap)


def test_criteria_contribute_to_the_error_of_their_response_and_make_it_up():
    # S_max 20. The judge passes what the person failed (8), and misses an error the person saw (-5).
    parts = judges.contributions([12, 8, -5], [True, True, False], [True, False, True], [20, 20, 20])
    assert parts.tolist() == [0, 40, 25]
    assert parts.sum() == pytest.approx(100 * (20 - 0) / 20 - 100 * (12 - 5) / 20)


def test_a_table_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="row per response"):
        judges.errors_of([[1.0]], [1.0, 2.0])
