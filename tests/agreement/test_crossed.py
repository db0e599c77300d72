"""What is left of a figure without each rater is what one gets by leaving the rater's answers out of the data."""

import numpy as np
import pytest

from agreement import crossed, kappa, rater_pairs, spans, unitizing
from agreement.alpha import alpha, alpha_of_coincidences, alpha_with_interval, coincidence_columns
from agreement.consensus import value_counts
from agreement.within import agreement_within, pair_columns

GENERATOR = np.random.default_rng(6)
ITEM, RATER = (column.ravel() for column in np.divmod(np.flatnonzero(GENERATOR.random(240) < 0.6), 6))
GRADE = np.clip(GENERATOR.integers(0, 5, 40)[ITEM] + GENERATOR.integers(-1, 2, len(ITEM)), 0, 4)


def test_alpha_without_each_rater():
    table = value_counts(ITEM, GRADE, 40, 5)
    lost = crossed.lost_with_each_rater(coincidence_columns, table, ITEM, GRADE, RATER, 6)
    rest = crossed.what_is_left(coincidence_columns(table), lost).toarray()
    found = alpha_of_coincidences(np.arange(5))(rest)
    plain = [alpha(ITEM[one != RATER], GRADE[one != RATER]).number for one in range(6)]
    assert found == pytest.approx(plain)


def test_agreement_within_a_grade_without_each_rater():
    table = value_counts(ITEM, GRADE, 40, 5)
    rest = crossed.what_is_left(
        pair_columns(table), crossed.lost_with_each_rater(pair_columns, table, ITEM, GRADE, RATER, 6)
    )
    for one, sums in enumerate(rest):
        kept = one != RATER
        plain = agreement_within(value_counts(ITEM[kept], GRADE[kept], 40, 5), interval=False)
        assert sums[0] / sums[1] == pytest.approx(plain.number)


def test_a_rater_who_shares_nothing_says_nothing():
    table = np.array([[2, 0], [0, 1]])
    lost = crossed.lost_with_each_rater(coincidence_columns, table, [0, 0, 1], [0, 0, 1], [0, 1, 2], 3)
    assert crossed.what_is_left(coincidence_columns(table), lost).shape[0] == 2


def test_pairs_without_each_rater():
    """Raters 7 and 8, 7 and 9, 8 and 9: without 7 the third pair is left, without 8 the second, without 9 the first."""
    columns = np.array([[1.0, 2], [3, 4], [5, 6]])
    rest = crossed.without_each_of_pairs(columns, [7, 7, 8], [8, 9, 9])
    assert rest.tolist() == [[5, 6], [3, 4], [1, 2]]


def test_means_of_items_without_each_rater():
    pairs = rater_pairs.rater_pairs(ITEM)
    value = GENERATOR.random(len(pairs))
    value[::9] = np.nan
    first, second = RATER[pairs.first], RATER[pairs.second]
    rest = crossed.PairMeans(value, pairs.item, first, second).without_each()
    for one, (total, n) in enumerate(rest):
        kept = (first != one) & (second != one)
        plain = rater_pairs.mean_over_items(value[kept], pairs.item[kept])
        assert (total / n, round(n)) == (pytest.approx(plain.number), plain.n)


def test_unitizings_without_each_rater():
    lengths = GENERATOR.integers(40, 90, 15)
    text, rater = (column.ravel() for column in np.divmod(np.arange(60), 4))
    answer = GENERATOR.integers(0, 60, 90)
    start = GENERATOR.integers(0, 30, 90)
    end = start + GENERATOR.integers(1, 9, 90)
    rest = unitizing.unitizings_without_each_rater(lengths, text, rater, answer, start, end)
    for one, sums in enumerate(rest):
        kept = np.flatnonzero(rater != one)
        of_kept = np.isin(answer, kept)
        plain = unitizing.unitizing_alpha(
            lengths, text[kept], np.searchsorted(kept, answer[of_kept]), start[of_kept], end[of_kept]
        )
        assert unitizing.alpha_of_unitizings(sums) == pytest.approx(plain.number)


def test_kappa_of_flat_tables():
    tables = GENERATOR.integers(0, 9, (4, 3, 3)).astype(float)
    assert kappa.kappa_of_flat_tables(3)(tables.reshape(4, 9)) == pytest.approx(kappa.kappa_of_tables(tables))


def test_the_interval_counts_prompts_and_raters():
    figure = alpha_with_interval(ITEM, GRADE, RATER, ITEM // 2)
    assert figure.value == alpha(ITEM, GRADE).value
    assert (figure.detail["units"], figure.detail["raters"]) == (20, 6)
    two = RATER < 2
    alone = alpha_with_interval(ITEM[two], GRADE[two], RATER[two], ITEM[two])
    assert (alone.low, alone.detail["interval"]) == (None, "too few raters")
    low, high = alone.detail["of_these_raters"]
    assert low < alone.number < high


def test_counts_of_spans_are_columns_of_pairs():
    counts = GENERATOR.integers(0, 3, (3, 4)).astype(float)
    counts[:, [1, 3]] = 3
    rest = crossed.without_each_of_pairs(counts, [1, 1, 2], [2, 3, 3])
    assert spans.symmetric_f1(rest) == pytest.approx(spans.symmetric_f1(counts[::-1]))
