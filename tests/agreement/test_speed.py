"""Speed is total over total."""

import numpy as np
import pytest

from agreement.speed import rate, speed


def test_words_over_seconds_are_total_over_total():
    figure = rate([10, 20, 70], [1, 1, 8])
    assert (figure.value, figure.n, figure.detail["amount"], figure.detail["seconds"]) == (10.0, 3, 100, 10)
    assert (figure.low, figure.detail["interval"]) == (None, "too few units")


def test_the_interval_covers_the_truth_as_often_as_it_says():
    generator = np.random.default_rng(4)
    covered, boards = 0, 800
    for _ in range(boards):
        seconds = generator.uniform(0.5, 4, 60)
        figure = rate(20 * seconds + generator.normal(0, 6, 60).clip(-9), seconds)
        covered += figure.low <= 20 <= figure.high
    assert covered / boards == pytest.approx(0.95, abs=0.023)


def test_an_empty_answer_takes_time_and_one_without_a_clock_is_left_out():
    figure = rate([10, 0, 50], [1, 1, np.nan])
    assert (figure.value, figure.n, figure.detail["unmeasured"]) == (5.0, 2, 1)


def test_all_figures_of_a_configuration():
    waits = np.arange(1, 201) / 100
    measured = speed([10] * 200, [55] * 200, [2.0] * 200, waits)
    assert measured.words_per_second.value == 5
    assert (measured.characters_per_second.value, measured.characters_per_second.low) == (27.5, 27.5)
    assert measured.first_token_p50.value == pytest.approx(1.005)
    assert measured.first_token_p95.value == pytest.approx(1.9005)
    assert measured.first_token_p95.low < 1.9 < measured.first_token_p95.high


def test_an_endpoint_that_does_not_stream_has_no_first_token():
    measured = speed([10], [55], [2], [np.nan])
    assert measured.first_token_p50.undefined == measured.first_token_p95.undefined == "no items"
    assert measured.words_per_second.value == 5


def test_what_cannot_be_said_has_its_reason():
    assert rate([], []).undefined == "no items"
    assert rate([3], [0]).undefined == "no time passed"
    assert rate([3], [1]).detail["interval"] == "n < 2"
    with pytest.raises(ValueError, match="amount"):
        rate([1], [1, 2])
    with pytest.raises(ValueError, match="negative"):
        rate([-1], [1])
    with pytest.raises(ValueError, match="negative"):
        speed([1], [1], [1], [-1])
    with pytest.raises(ValueError, match="first token"):
        speed([1], [1], [1], [])
