"""Criterion by criterion: four cells per class, and what they add up to."""

import numpy as np
import pytest

from agreement import criteria

HALLUCINATION, OMISSION = 0, 1


def test_cells_by_response_and_class():
    counts = criteria.confusion_counts(
        response=[0, 0, 1, 1, 1],
        criterion_class=[0, 1, 1, 1, -1],
        human=[True, True, False, False, True],
        judge=[True, False, True, False, True],
        shape=(2, 2),
    )
    assert counts[0].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]
    assert counts[1].tolist() == [[0, 0, 0, 0], [0, 0, 1, 1]]


def test_agreement_recall_and_kappa_of_a_class():
    cells = np.array([20, 5, 10, 15])  # Cohen's own example: observed 0.7, expected 0.5
    assert criteria.same_figure(cells).value == pytest.approx(0.7)
    assert criteria.recall_figure(cells).value == pytest.approx(0.8)
    assert criteria.kappa_figure(cells).value == pytest.approx(0.4)
    assert criteria.same(cells) == pytest.approx(0.7)
    assert criteria.recall(cells) == pytest.approx(0.8)


def test_penalties_are_all_present_for_their_author_so_recall_alone_is_defined():
    cells = np.array([3, 1, 0, 0])
    assert criteria.recall_figure(cells).value == pytest.approx(0.75)
    assert criteria.kappa_figure(cells).undefined == "no variation"
    assert criteria.kappa_figure([4, 0, 0, 0]).undefined == "no variation"
    assert criteria.kappa_figure([0, 0, 0, 0]).undefined == "no items"


def test_undefined_is_a_state_with_its_reason():
    assert criteria.same_figure([0, 0, 0, 0]).undefined == "no items"
    assert criteria.recall_figure([0, 0, 2, 1]).undefined == "no criterion counts for the person"
    assert np.isnan(criteria.recall(np.zeros(4)))


def test_verdicts_without_a_place_are_refused():
    with pytest.raises(ValueError, match="out of range"):
        criteria.confusion_counts([2], [0], [True], [True], (2, 1))
    with pytest.raises(ValueError, match="both sides"):
        criteria.confusion_counts([0], [0], [True], [True, False], (1, 1))
