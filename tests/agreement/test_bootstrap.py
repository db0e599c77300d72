"""Intervals and paired differences by resampling items."""

import numpy as np
import pytest
from scipy.special import ndtr

from agreement import bootstrap, spans
from agreement.figures import Figure

GENERATOR = np.random.default_rng(20)
SCORES = GENERATOR.normal(loc=3, size=200)


def test_every_resample_draws_exactly_as_many_items_as_there_are():
    marks = np.arange(37) % 2
    sums = bootstrap.resampled_sums(np.column_stack((marks, 1 - marks, np.ones(37))), resamples=300, seed=5)
    assert (sums[:, 0] + sums[:, 1] == 37).all()
    assert (sums[:, 2] == 37).all()
    assert len(set(sums[:, 0])) > 5


def test_it_is_the_plain_bootstrap_of_the_same_draws():
    drawn = np.random.default_rng(9).integers(0, 200, (400, 200))
    sums = bootstrap.resampled_sums(SCORES[:, None], resamples=400, seed=9)
    assert sums[:, 0] == pytest.approx(SCORES[drawn].sum(axis=1))


def test_many_columns_are_weighted_to_the_same_sums_as_few(monkeypatch):
    columns = GENERATOR.normal(size=(200, 3))
    looked_up = bootstrap.resampled_sums(columns, resamples=300, seed=2)
    monkeypatch.setattr(bootstrap, "_LOOKED_UP_AT_MOST", 0)
    assert bootstrap.resampled_sums(columns, resamples=300, seed=2) == pytest.approx(looked_up)


def test_pieces_do_not_change_the_draws(monkeypatch):
    whole = bootstrap.resampled_sums(SCORES[:, None], resamples=50, seed=2)
    monkeypatch.setattr(bootstrap, "_DRAWS_AT_ONCE", 1)
    assert bootstrap.resampled_sums(SCORES[:, None], resamples=50, seed=2) == pytest.approx(whole)


def test_the_interval_of_a_mean_is_near_that_of_theory():
    figure = bootstrap.mean(SCORES, seed=4)
    half = 1.96 * SCORES.std() / np.sqrt(200)
    assert figure.value == pytest.approx(SCORES.mean())
    assert (figure.low, figure.high) == (
        pytest.approx(SCORES.mean() - half, abs=0.02),
        pytest.approx(SCORES.mean() + half, abs=0.02),
    )
    assert figure == bootstrap.mean(SCORES, seed=4)
    assert figure.low != bootstrap.mean(SCORES, seed=5).low


def test_items_without_a_value_are_counted_beside():
    figure = bootstrap.mean([1.0, np.nan, 3.0])
    assert (figure.value, figure.n, figure.detail["without_value"]) == (2.0, 2, 1)
    assert bootstrap.mean([np.nan]).undefined == "no items"


def test_whole_clusters_are_drawn():
    """Ten responses to each of twenty prompts, all alike: ten times fewer independent observations."""
    prompts = np.repeat(np.arange(20), 10)
    values = GENERATOR.normal(size=20)[prompts]
    alone, clustered = bootstrap.mean(values), bootstrap.mean(values, cluster=prompts)
    ratio = np.ptp(clustered.bounds) / np.ptp(alone.bounds)
    assert ratio == pytest.approx(np.sqrt(10), rel=0.15)
    assert (clustered.value, clustered.detail["units"]) == (pytest.approx(alone.value), 20)


def test_a_ratio_of_sums_such_as_f1():
    counts = np.array([[1, 2, 1, 1], [0, 1, 0, 2], [3, 3, 2, 2], [0, 0, 0, 1]] * 20)
    figure = bootstrap.with_interval(spans.figure(counts, spans.f1), counts, spans.f1, resamples=500)
    precision, recall = 4 / 6, 3 / 6
    assert figure.value == pytest.approx(2 * precision * recall / (precision + recall))
    assert figure.bounds[0] < figure.number < figure.bounds[1]
    assert figure.detail["predicted"] == 120


def test_resamples_without_a_value_are_left_out_and_counted():
    counts = np.array([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1]])  # (2/4)^4 hold no predicted span
    figure = bootstrap.with_interval(spans.figure(counts, spans.precision), counts, spans.precision, resamples=4000)
    assert figure.detail["undefined_resamples"] == pytest.approx(4000 / 16, abs=50)
    assert (figure.low, figure.high) == (0.0, 1.0)


def test_a_value_that_rests_on_one_item_has_no_interval():
    """One response in two has predicted spans: every resample that has it gives 1.00, which is no certainty."""
    counts = np.array([[1, 1, 1, 1], [0, 0, 0, 1]])
    figure = bootstrap.with_interval(spans.figure(counts, spans.precision), counts, spans.precision)
    assert (figure.value, figure.low, figure.high, figure.detail["interval"]) == (1.0, None, None, "n < 2")


def test_items_that_are_all_alike_keep_their_narrow_interval():
    counts = np.array([[1, 1, 1, 1], [2, 2, 2, 2], [0, 0, 0, 1]])
    figure = bootstrap.with_interval(spans.figure(counts, spans.precision), counts, spans.precision)
    assert (figure.low, figure.high) == (1.0, 1.0)


def test_a_single_item_has_a_value_but_no_interval():
    figure = bootstrap.mean([2.0])
    assert (figure.value, figure.low, figure.detail["interval"]) == (2.0, None, "n < 2")


def test_an_undefined_figure_stays_as_it_is():
    figure = Figure.without_value("no spans")
    assert bootstrap.with_interval(figure, np.zeros((3, 4)), spans.f1) is figure


def paired(first, second, **options):
    columns = bootstrap.mean_columns(first), bootstrap.mean_columns(second)
    return bootstrap.paired_difference(*columns, bootstrap.ratio_of_sums, **options)


def test_a_constant_difference_is_certain_though_scores_vary():
    figure = paired(SCORES + 0.5, SCORES)
    assert (figure.value, figure.low, figure.high) == pytest.approx((0.5, 0.5, 0.5))
    assert figure.detail["p"] == pytest.approx(2 / 5001)


def test_no_difference_has_p_1():
    assert paired(SCORES, SCORES).detail["p"] == 1.0


def test_p_is_near_that_of_the_paired_t_test():
    noise = GENERATOR.normal(size=200)
    noise += 0.12 - noise.mean()
    z = 0.12 / (noise.std() / np.sqrt(200))
    two_sided = 2 * (1 - ndtr(z))
    assert paired(SCORES + noise, SCORES, resamples=20_000).detail["p"] == pytest.approx(two_sided, abs=0.015)


def test_what_cannot_be_compared_has_its_reason():
    assert paired([], []).undefined == "no items"
    assert paired([1.0], [2.0]).undefined == "n < 2"
    assert paired([1.0, 2.0], [np.nan, np.nan]).undefined == "undefined on one side"
    assert paired([1.0, 2.0], [3.0, 4.0], cluster=[7, 7]).undefined == "n < 2"
    with pytest.raises(ValueError, match="same items"):
        paired([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="cluster"):
        bootstrap.mean([1.0, 2.0], cluster=[1])
    with pytest.raises(ValueError, match="nothing to draw"):
        bootstrap.resampled_sums(np.zeros((0, 1)))
