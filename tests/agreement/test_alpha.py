"""Krippendorff's alpha: the published example, the reference library, and what has no value."""

import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agreement.alpha import (
    LEVELS,
    alpha,
    alpha_from_counts,
    alpha_of_coincidences,
    coincidence_columns,
    dense_coincidences,
)
from agreement.inference import with_interval

# Krippendorff (2011), section E: four observers, twelve units, missing values.
_: int | None = None
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
ITEMS, VALUES = zip(
    *((unit, value) for row in OBSERVERS for unit, value in enumerate(row) if value is not None), strict=True
)

RATINGS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=2, max_size=40)


def counted(ratings, n_values=5):
    table = np.zeros((6, n_values), dtype=int)
    for item, value in ratings:
        table[item, value] += 1
    return table


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_the_published_example(level, published):
    figure = alpha(ITEMS, VALUES, level)
    assert round(figure.number, 3) == published
    assert figure.n == 40  # 41 ratings, one of them alone on its unit
    assert figure.detail["items"] == 11


def test_two_raters_by_hand():
    # Items 0: a a, 1: a b, 2: b b. Coincidences aa 2, ab 1, ba 1, bb 2; n = 6, n_a = n_b = 3.
    # D_o = 2/6; D_e = (3*3 + 3*3) / (6*5) = 18/30; alpha = 1 - (1/3) / (3/5) = 4/9.
    figure = alpha([0, 0, 1, 1, 2, 2], ["a", "a", "a", "b", "b", "b"], "nominal")
    assert figure.value == pytest.approx(4 / 9)
    assert figure.detail["observed_disagreement"] == pytest.approx(1 / 3)
    assert figure.detail["expected_disagreement"] == pytest.approx(3 / 5)


@pytest.mark.parametrize("level", LEVELS)
@given(ratings=RATINGS)
def test_it_equals_the_reference_library(level, ratings):
    table = counted(ratings)
    pairable = table[table.sum(axis=1) >= 2]
    assume(np.count_nonzero(pairable.sum(axis=0)) >= 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = krippendorff.alpha(value_counts=table, value_domain=np.arange(5), level_of_measurement=level)
    items, values = zip(*ratings, strict=True)
    sums = coincidence_columns(table).sum(axis=0)
    assert alpha(items, values, level).value == pytest.approx(expected, abs=1e-9)
    assert alpha_from_counts(table, np.arange(5), level).value == pytest.approx(expected, abs=1e-9)
    assert alpha_of_coincidences(np.arange(5), level)(sums) == pytest.approx(expected, abs=1e-9)


@given(RATINGS, st.randoms(use_true_random=False))
def test_neither_order_nor_numbering_of_items_matters(ratings, random):
    items, values = zip(*ratings, strict=True)
    before = alpha(items, values)
    random.shuffle(ratings)
    items, values = zip(*ratings, strict=True)
    after = alpha([item * 10**9 - 7 for item in items], values)
    assert before.undefined == after.undefined
    assert before.value == (None if after.value is None else pytest.approx(after.value))


def test_items_rated_once_change_nothing():
    assert alpha([*ITEMS, 77, 78], [*VALUES, 1, 5]).value == pytest.approx(alpha(ITEMS, VALUES).value)


@pytest.mark.parametrize(
    ("items", "values", "reason"),
    [
        ([], [], "no pairable values"),
        ([0, 1, 2], [1, 2, 3], "no pairable values"),
        ([0, 0, 1, 1, 2], [3, 3, 3, 3, 1], "no variation"),
    ],
)
@pytest.mark.parametrize("level", LEVELS)
def test_what_cannot_be_said_has_its_reason(items, values, level, reason):
    assert alpha(items, values, level).undefined == reason


def test_sums_that_differ_in_the_last_bit_are_two_values_unless_rounded():
    items, values = [0, 0, 1, 1], [0.1 + 0.1 + 0.1, 0.3, 5.0, 5.0]
    assert alpha(items, values, "nominal").number < 1
    assert alpha(items, values, "nominal", decimals=6).value == 1.0


def test_many_distinct_values_need_no_table(monkeypatch):
    generator = np.random.default_rng(3)
    items, values = generator.integers(0, 50, 200), generator.normal(size=200).round(1)
    small = alpha(items, values, "nominal").value
    monkeypatch.setattr("agreement.alpha._CELLS_AT_MOST", 0)
    assert alpha(items, values, "nominal").value == pytest.approx(small)


def test_missing_numbers_and_unknown_levels_are_refused():
    with pytest.raises(ValueError, match="finite"):
        alpha([0, 0], [1.0, float("nan")])
    with pytest.raises(ValueError, match="level must be one of"):
        alpha([0, 0], [1, 2], "polar")
    with pytest.raises(ValueError, match="same length"):
        alpha([0, 0], [1])


def test_an_interval_over_items():
    table = counted(list(zip([0, 0, 1, 1, 2, 2, 3, 3, 4, 4], [0, 0, 1, 1, 2, 3, 4, 4, 0, 1], strict=True))).repeat(3, 0)
    figure = with_interval(
        alpha_from_counts(table), coincidence_columns(table).toarray(), alpha_of_coincidences(np.arange(5))
    )
    assert figure.bounds[0] < figure.number < figure.bounds[1] <= 1


def test_dense_coincidences_are_the_sparse_ones():
    counts = np.random.default_rng(5).integers(0, 3, (40, 5))
    counts[:3] = [[0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [4, 0, 0, 0, 0]]  # of nobody, of one rater, all alike
    np.testing.assert_array_equal(dense_coincidences(counts), coincidence_columns(counts).toarray())
