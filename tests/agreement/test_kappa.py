"""Cohen's kappa of two raters."""

import numpy as np
import pytest

from agreement.kappa import cohen_kappa, confusion

# 50 cases: both yes 20, first yes second no 5, first no second yes 10, both no 15.
GRANTS = [[20, 5], [10, 15]]


def test_unweighted_by_hand():
    # p_o = 35/50 = 0.7; p_e = (25/50)(30/50) + (25/50)(20/50) = 0.5; kappa = 0.2/0.5
    figure = cohen_kappa(GRANTS)
    assert figure.value == pytest.approx(0.4)
    assert (figure.n, figure.detail["observed_agreement"]) == (50, pytest.approx(0.7))


@pytest.mark.parametrize(
    ("weights", "expected"),
    # rows sum to 2, 1, 1 and columns to 1, 2, 1 of n = 4; o costs: one cell (0, 1).
    # e = outer / 4 = [[.5, 1, .5], [.25, .5, .25], [.25, .5, .25]]
    # costs of e: linear 1 + 2*.5 + .25 + .25 + 2*.25 + .5 = 3.5
    # and quadratic 1 + 4*.5 + .25 + .25 + 4*.25 + .5 = 5
    [("unweighted", 1 - 1 / 2.75), ("linear", 1 - 1 / 3.5), ("quadratic", 1 - 1 / 5)],
)
def test_weighted_by_hand(weights, expected):
    assert cohen_kappa([[1, 1, 0], [0, 1, 0], [0, 0, 1]], weights).value == pytest.approx(expected)


def test_classes_of_matched_spans_become_a_table():
    assert confusion([0, 0, 1, 2], [0, 1, 1, 2], 3).tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert confusion([], [], 2).tolist() == [[0, 0], [0, 0]]


def test_what_cannot_be_said_has_its_reason():
    assert cohen_kappa(np.zeros((3, 3))).undefined == "no items"
    assert cohen_kappa([[9, 0], [0, 0]]).undefined == "no variation"


def test_one_constant_rater_is_zero_not_undefined():
    assert cohen_kappa([[3, 2], [0, 0]]).value == pytest.approx(0)


def test_wrong_tables_are_refused():
    with pytest.raises(ValueError, match="square"):
        cohen_kappa([[1, 2]])
    with pytest.raises(ValueError, match="weights must be one of"):
        cohen_kappa(GRANTS, "cubic")
    with pytest.raises(ValueError, match="index below"):
        confusion([0, 3], [0, 1], 3)
    with pytest.raises(ValueError, match="same items"):
        confusion([0], [0, 1], 3)
