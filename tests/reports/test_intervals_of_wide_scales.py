"""Agreement on a scale of many grades: the figures are those of the plain way, in a part of the memory."""

import tracemalloc

import numpy as np
import pytest

from agreement import units
from agreement.alpha import alpha_from_counts, alpha_of_coincidences, coincidence_columns
from reports.dashboard.intervals import Block, with_intervals
from reports.ratings.context import DIMENSION
from reports.ratings.measures import people as measures
from reports.ratings.measures.people import GradesOfPeople, figures


def plain_columns(counts: np.ndarray) -> np.ndarray:
    """o_uck = (n_uc n_uk - [c = k] n_uc) / (m_u - 1), pair by pair."""
    columns = np.zeros((len(counts), counts.shape[1] ** 2))
    for row, of_item in enumerate(counts):
        if of_item.sum() >= 2:
            coincidences = (np.outer(of_item, of_item) - np.diag(of_item)) / (of_item.sum() - 1)
            columns[row] = coincidences.ravel()
    return columns


def graded(items: int, raters: int, values: int, seed: int = 5) -> np.ndarray:
    """Grades near each item's quality, shape (items, raters)."""
    generator = np.random.default_rng(seed)
    quality = generator.integers(0, values, items)[:, None]
    return np.clip(quality + generator.integers(-9, 10, (items, raters)), 0, values - 1)


def test_coincidences_are_those_of_the_definition():
    counts = np.stack([np.bincount(row, minlength=60) for row in graded(200, 4, 60)])
    counts[::7] //= 2  # some items with one rating, some with none
    assert coincidence_columns(counts).toarray() == pytest.approx(plain_columns(counts), abs=1e-12)
    assert coincidence_columns(np.zeros((0, 5))).shape == (0, 25)


@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_empty_pairs_of_grades_change_nothing(monkeypatch, level):
    grades = np.random.default_rng(5).integers(0, 100, (30, 3)) // 7 * 7
    counts = np.stack([np.bincount(row, minlength=100) for row in grades])
    figure = alpha_from_counts(counts, np.arange(100), level)
    columns = coincidence_columns(counts)
    few = np.random.default_rng(6).random((30, 2))

    def drawn() -> list[list]:
        alpha = Block([figure], columns, [alpha_of_coincidences(np.arange(100), level)], np.arange(30) // 2)
        beside = Block([figure], few, [lambda sums: sums[..., 0]], np.arange(30) // 3 + 5)
        return with_intervals([alpha, beside])

    [[sparse], [beside]] = drawn()
    monkeypatch.setattr(units, "WIDE", columns.shape[1])
    [[plain], [beside_plain]] = drawn()
    assert (sparse.low, sparse.high) == (pytest.approx(plain.low, abs=1e-12), pytest.approx(plain.high, abs=1e-12))
    assert sparse.low < sparse.value < sparse.high
    assert (beside.low, beside.high) == (pytest.approx(beside_plain.low), pytest.approx(beside_plain.high))


def test_five_thousand_items_on_a_scale_from_0_to_100_need_little_memory():
    """Dense, the coincidences alone are 5,000 x 101 x 101 x 8 bytes: 408 MB, several times over."""
    grades = graded(5_000, 3, 101)
    one = np.ones(5_000, dtype=np.int64)
    item, rater = np.repeat(np.arange(5_000), 3), np.tile(np.arange(3), 5_000)
    scale = (one, one, 0 * one, 100 * one, one > 1)
    people = GradesOfPeople(*scale, np.arange(5_000), item, rater, grades.ravel().astype(float))
    few = GradesOfPeople(*(column[:9] for column in scale), np.arange(9), item[:27], rater[:27], people.grade[:27])
    figures([few], is_total=False)  # loads what it needs
    tracemalloc.start()
    try:
        alpha = figures([people], is_total=False)[DIMENSION, 1][0]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 120_000_000
    counts = np.stack([np.bincount(row, minlength=101) for row in grades])
    sums = np.asarray(coincidence_columns(counts).sum(axis=0))
    assert alpha_of_coincidences(np.arange(101))(sums) == pytest.approx(alpha.value, abs=1e-12)
    assert alpha.low < alpha.value < alpha.high


def test_cells_that_share_their_columns_have_the_figures_of_each_by_itself(monkeypatch):
    """Two dimensions, three questions; items with one grade, prompts of two items, a rater of a single item."""
    grades = graded(300, 4, 5)
    asked, item, rater = np.arange(300) % 3, np.repeat(np.arange(300), 4), np.tile(np.arange(4), 300)
    kept = (item % 7 > 0) | (rater == 0)
    rater = np.where(item == 8, 9, rater)[kept & ((item != 8) | (rater == 1))]
    kept &= (item != 8) | (np.tile(np.arange(4), 300) == 1)
    one = np.ones(300, dtype=np.int64)
    scale = (1 + asked // 2, asked, 0 * one, 5 * one, one > 1)
    people = GradesOfPeople(*scale, np.arange(300) // 2, item[kept], rater, grades.ravel()[kept].astype(float))
    shared = figures([people], is_total=True)
    assert measures._one_scale(people) is not None
    monkeypatch.setattr(measures, "_one_scale", lambda pool: None)
    alone = figures([people], is_total=True)
    assert list(shared) == list(alone)
    assert len(shared) == 6
    for cell, of_cell in shared.items():
        for figure, other in zip(of_cell, alone[cell], strict=True):
            assert (figure.n, figure.detail) == (other.n, pytest.approx(other.detail)), cell
            for name in ("value", "low", "high"):
                assert getattr(figure, name) == pytest.approx(getattr(other, name), abs=1e-12), cell
