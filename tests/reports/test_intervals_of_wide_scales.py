"""Agreement on a scale of many grades: the intervals are those of the plain way, in a part of the memory."""

import numpy as np
import pytest

from agreement.alpha import alpha_from_counts, alpha_of_coincidences, coincidence_columns
from reports.ratings import draws
from reports.ratings.draws import Block, with_intervals


@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_empty_pairs_of_grades_change_nothing(monkeypatch, level):
    grades = np.random.default_rng(5).integers(0, 100, (30, 3)) // 7 * 7
    counts = np.stack([np.bincount(row, minlength=100) for row in grades])
    figure = alpha_from_counts(counts, np.arange(100), level)
    columns = coincidence_columns(counts)
    block = Block([figure], columns, [alpha_of_coincidences(np.arange(100), level)], np.arange(30) // 2)
    assert len(draws._counted(columns)) < 400
    [[narrow]] = with_intervals([block], resamples=70)
    monkeypatch.setattr(draws, "_WIDE", columns.shape[1])
    [[plain]] = with_intervals([block], resamples=70)
    assert (narrow.low, narrow.high) == (pytest.approx(plain.low, abs=1e-12), pytest.approx(plain.high, abs=1e-12))
    assert narrow.low < narrow.value < narrow.high
