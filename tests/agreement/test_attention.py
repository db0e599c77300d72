"""Faster than reading, and one grade over and over: numbers beside what is expected."""

import numpy as np
import pytest

from agreement import attention

HODA, SALMA = 3, 5


def test_reading_takes_time_by_the_script():
    english = " ".join(["word"] * 238)
    assert attention.reading_seconds(english) == pytest.approx(60)
    arabic = " ".join(["كلمة"] * 238)
    assert attention.reading_seconds(arabic, "Arab") == pytest.approx(60 * 183 / 138), "fewer, longer words a minute"
    assert attention.reading_seconds("書" * 255 + "。" * 9, "Hant") == pytest.approx(60 * 183 / 238)
    assert attention.reading_rate("Thai")[0] == "characters"
    assert attention.reading_rate("Beng") == attention.reading_rate("Deva")
    assert attention.reading_seconds("") == 0


def test_the_share_of_answers_faster_than_reading():
    found = attention.rushing([HODA] * 4 + [SALMA] * 2, [10, 20, 70, 40, np.nan, 61], [60, 60, 60, 80, 60, 60])
    # paces 1/6, 1/3, 7/6, 1/2: half the time is not less than half
    assert (found[HODA].value, found[HODA].n, found[HODA].detail["threshold"]) == (0.5, 4, 0.5)
    assert found[HODA].detail["median_pace"] == pytest.approx((1 / 3 + 1 / 2) / 2)
    assert found[HODA].low < 0.5 < found[HODA].high
    assert (found[SALMA].value, found[SALMA].n) == (0, 1)
    assert attention.rushing([HODA], [np.nan], [60])[HODA].undefined == "no items"
    assert attention.rushing([HODA], [10], [60], threshold=0.1)[HODA].value == 0


def test_the_longest_run_and_the_commonest_grade():
    items = [1, 2, 3, 4, 1, 2, 3, 4]
    found = attention.straight_lining(items, [HODA] * 4 + [SALMA] * 4, [3, 3, 3, 5, 1, 2, 3, 2])
    hoda, salma = found.longest_run
    assert (hoda.value, hoda.n, salma.value) == (3, 4, 1)
    hoda, salma = found.modal_share
    assert (hoda.value, hoda.detail["grade"]) == (3 / 4, 3)
    assert hoda.detail["expected"] == pytest.approx(1 / 4), "on these very items Salma gave a 3 once in four"
    assert (salma.value, salma.detail["grade"], salma.detail["expected"]) == (2 / 4, 2, 0)


def test_runs_do_not_reach_across_raters():
    found = attention.straight_lining([1, 2, 1, 2], [HODA, SALMA, HODA, SALMA], [3, 3, 3, 3])
    assert [figure.value for figure in found.longest_run] == [2, 2]


def test_expected_runs_are_those_of_drawing_grades():
    generator = np.random.default_rng(5)
    shares = np.array([0.05, 0.1, 0.25, 0.4, 0.2])
    drawn = generator.choice(5, (4_000, 60), p=shares)
    at = np.repeat(np.arange(4_000), 60)
    longest = attention._runs(at, drawn.ravel(), np.full(4_000, 60))
    expected = attention._run(5, 60, shares)
    assert expected.detail["expected"] == pytest.approx(longest.mean(), rel=0.05)
    for length in (5, 7, 9):
        simulated = (longest >= length).mean()
        assert attention._run(length, 60, shares).detail["p"] == pytest.approx(simulated, abs=0.02)


def test_one_who_gives_threes_throughout_stands_out_among_forty():
    generator = np.random.default_rng(8)
    quality = generator.integers(1, 6, 300)
    items = np.concatenate([generator.choice(300, 50, replace=False) for _ in range(40)])
    raters = np.repeat(np.arange(40), 50)
    grades = np.clip(quality[items] + generator.integers(-1, 2, 2_000), 1, 5)
    grades[raters == 7] = 3
    found = attention.straight_lining(items, raters, grades)
    assert found.modal_share[7].detail["p"] < 1e-6
    assert found.longest_run[7].detail["p"] < 1e-6
    others = [figure.detail["p"] for rater, figure in enumerate(found.modal_share) if rater != 7]
    assert np.mean(np.array(others) < 0.05) < 0.15


def test_where_everything_deserves_a_five_fives_are_no_signal():
    items, raters = np.tile(np.arange(40), 3), np.repeat([1, 2, 3], 40)
    found = attention.straight_lining(items, raters, np.full(120, 5))
    assert all(figure.detail["p"] == 1 for figure in (*found.modal_share, *found.longest_run))
    assert found.longest_run[0].detail["expected"] == pytest.approx(40)


def test_a_grade_that_nobody_else_gave_anywhere():
    found = attention.straight_lining([1, 1, 1], [1, 2, 3], [5, 2, 2]).modal_share[0]
    assert (found.value, found.detail["expected"], found.detail["p"]) == (1, 0, 0)


def test_nothing_given_and_what_cannot_be():
    assert attention.straight_lining([], [], []).modal_share == ()
    assert attention.rushing([], [], []) == {}
    with pytest.raises(ValueError, match="its rater"):
        attention.straight_lining([1], [1, 2], [1])
    with pytest.raises(ValueError, match="some time"):
        attention.rushing([1], [1], [0])
    with pytest.raises(ValueError, match="its time"):
        attention.rushing([1], [1, 2], [1])
