"""Intervals and p-values, by leaving out prompts and raters."""

import numpy as np
import pytest
import scipy

from agreement import inference, spans
from agreement.classes import STATISTICS
from agreement.correlation import correlation_columns, correlation_of_sums, spearman_of_tables
from agreement.figures import Figure
from agreement.kappa import kappa_of_flat_tables
from agreement.statistics import (
    Scale,
    mean_columns,
    of_columns,
    on_scale,
    rate_of_sums,
    ratio_of_sums,
    scale_of,
    share_of_sums,
)
from agreement.systems import tau_b

#: Of the figures of a judge's classes those that go from -1 to 1.
OF_TWO = ("alpha", "quadratic_kappa", "unweighted_kappa", "spearman")
GENERATOR = np.random.default_rng(20)
SCORES = GENERATOR.normal(loc=3, size=200)


def test_the_interval_of_a_mean_is_students():
    figure = inference.mean(SCORES)
    textbook = scipy.stats.t.interval(0.95, 199, SCORES.mean(), SCORES.std(ddof=1) / np.sqrt(200))
    assert figure.value == pytest.approx(SCORES.mean())
    assert figure.bounds == pytest.approx(textbook)
    assert figure == inference.mean(SCORES), "nothing is random"


def test_items_without_a_value_are_counted_beside():
    figure = inference.mean([1.0, np.nan, 3.0])
    assert (figure.value, figure.n, figure.detail["without_value"]) == (2.0, 2, 1)
    assert inference.mean([np.nan]).undefined == "no items"


def test_whole_prompts_are_left_out():
    """Ten responses to each of twenty prompts, all alike: twenty observations, and not two hundred."""
    prompts = np.repeat(np.arange(20), 10)
    of_prompt = GENERATOR.normal(size=20)
    clustered = inference.mean(of_prompt[prompts], cluster=prompts)
    assert clustered.bounds == pytest.approx(inference.mean(of_prompt).bounds)
    assert (clustered.n, clustered.detail["units"]) == (200, 20)


def test_prompts_of_unequal_size_by_hand():
    # 6 prompts with sums 4 2 9 5 1 3 of 2 1 3 2 1 3 values: mean 24 / 12 = 2; without each 20/10 22/11 15/9 19/10 23/11
    # 21/9. Squares of what each changes: 0 0 1/9 1/100 1/121 1/9.
    sums, sizes = [4, 2, 9, 5, 1, 3], [2, 1, 3, 2, 1, 3]
    columns = np.column_stack((sums, sizes)).astype(float)
    error = np.sqrt(5 / 6 * (1 / 9 + 1 / 100 + 1 / 121 + 1 / 9))
    figure = inference.with_interval(Figure(2.0, 12), columns, ratio_of_sums)
    assert figure.bounds == pytest.approx((2 - 2.570582 * error, 2 + 2.570582 * error), abs=1e-6)


def test_a_share_stays_between_0_and_1():
    """Wilson's interval for as many trials as the spread between prompts makes of them."""
    hits = np.array([1.0] * 17 + [0.0] * 3)
    figure = inference.mean(hits, statistic=share_of_sums)
    t, p = 2.093024, 0.85
    trials = 19  # p (1 - p) / e^2, e^2 = p (1 - p) / 19
    part = t**2 / trials
    half = np.sqrt(part * p * (1 - p) + part**2 / 4) / (1 + part)
    assert figure.bounds == pytest.approx(
        ((p + part / 2) / (1 + part) - half, (p + part / 2) / (1 + part) + half), abs=1e-6
    )
    assert figure.high < 1 < inference.mean(hits).high, "a plain interval leaves the range"


def test_a_share_without_an_exception_is_as_certain_as_its_prompts_are_many():
    """Of forty spans of ten prompts all were matched: ten trials, not forty."""
    prompts = np.repeat(np.arange(10), 4)
    figure = inference.mean(np.ones(40), statistic=share_of_sums, cluster=prompts)
    t = 2.262157
    assert figure.bounds == pytest.approx((10 / (10 + t**2), 1), abs=1e-6)


def test_only_prompts_that_have_such_a_thing_are_counted():
    """A hundred prompts, of which twelve have a predicted span: precision rests on twelve."""
    counts = np.zeros((100, 4))
    counts[:, 3] = 1  # an error of the gold in each
    counts[:12, :3] = 1
    precision, recall = inference.with_intervals(
        [spans.figure(counts, one) for one in (spans.precision, spans.recall)], counts, [spans.precision, spans.recall]
    )
    assert (precision.value, precision.detail["units"]) == (1.0, 12)
    assert precision.low == pytest.approx(12 / (12 + 2.200985**2), abs=1e-6)
    assert recall.detail["units"] == 100


def test_what_is_never_negative_has_no_negative_bound():
    deviations = np.array([0.1, 0.0, 0.0, 4.0, 0.2, 0.0, 0.3])
    figure = inference.mean(deviations, statistic=rate_of_sums)
    error, mean = deviations.std(ddof=1) / np.sqrt(7), deviations.mean()
    factor = np.exp(2.446912 * error / mean)
    assert figure.bounds == pytest.approx((mean / factor, mean * factor), abs=1e-5)
    assert inference.mean(deviations).low < 0 < figure.low


@pytest.mark.parametrize(
    ("prompts", "reason"), [(1, "n < 2"), (2, "too few prompts"), (4, "too few prompts"), (5, None)]
)
def test_a_handful_of_prompts_has_no_interval(prompts, reason):
    figure = inference.mean(SCORES[: 3 * prompts], cluster=np.repeat(np.arange(prompts), 3))
    assert figure.value is not None
    assert (figure.low is None) == bool(reason)
    if reason:
        assert figure.detail["interval"] == reason


def test_shares_ask_for_ten_prompts():
    hits = np.array([1.0, 0, 1, 1, 0, 1, 1, 0, 1])
    assert inference.mean(hits, statistic=share_of_sums).detail["interval"] == "too few prompts"
    assert inference.mean([*hits, 1.0], statistic=share_of_sums).low is not None


def test_nine_prompts_are_not_tested_and_ten_are():
    """Ten that all say 1 are as certain as ten flipped signs: p = 2^-9."""
    nine, ten = (inference.estimate(mean_columns(np.ones(n)), ratio_of_sums) for n in (9, 10))
    assert (nine.undefined, nine.n, nine.detail["prompts"]) == ("too few prompts", 9, 9)
    assert (ten.value, ten.detail["p"]) == (1.0, 1 / 512)


def test_a_value_that_rests_on_one_prompt_has_no_interval():
    columns = np.zeros((20, 2))
    columns[0] = 1
    figure = inference.with_interval(Figure(1.0, 1), columns, share_of_sums)
    assert (figure.low, figure.detail["interval"]) == (None, "n < 2")


def test_no_correlation_has_a_bound_below_minus_1():
    """Twelve points that go against each other but for two: the logarithm of 1 less the value would reach below -1."""
    x = np.arange(12.0)
    y = -x + np.where(x == 5, 9, 0) - np.where(x == 10, 8, 0)
    columns = correlation_columns(x, y)
    value = float(correlation_of_sums(columns.sum(axis=0)))
    uncut = on_scale(Scale.COEFFICIENT)(lambda sums: correlation_of_sums(sums))
    beyond = inference.with_interval(Figure(value, 12), columns, uncut)
    assert beyond.bounds[0] < -1
    assert inference.with_interval(Figure(value, 12), columns, correlation_of_sums).bounds == (-1.0, beyond.high)
    for statistic in (spearman_of_tables, kappa_of_flat_tables(3), tau_b, *map(STATISTICS.get, OF_TWO)):
        assert scale_of(statistic) is Scale.CORRELATION


def test_an_error_that_is_the_same_everywhere_has_no_interval_without_width():
    """Twelve prompts, one point too many on each: surely above 0, and nothing says how much more elsewhere."""
    figure = inference.estimate(mean_columns(np.ones(12)), ratio_of_sums)
    assert (figure.value, figure.low, figure.detail["interval"]) == (1.0, None, "no variation")
    assert figure.detail["p"] == 2.0**-11


def test_values_that_are_all_alike_say_nothing_about_others():
    figure = inference.mean(np.full(30, 3.5))
    assert (figure.value, figure.low, figure.detail["interval"]) == (3.5, None, "no variation")


def test_an_undefined_figure_stays_as_it_is():
    figure = Figure.without_value("no spans")
    assert inference.with_interval(figure, np.zeros((3, 4)), spans.f1) is figure


def test_statistics_of_some_columns_keep_their_scale():
    columns = np.column_stack((np.arange(20) % 3 == 0, np.ones(20), SCORES[:20])).astype(float)
    narrow = of_columns(share_of_sums, [0, 1])
    alone = inference.with_interval(Figure(0.35, 20), columns[:, :2], share_of_sums)
    assert inference.with_interval(Figure(0.35, 20), columns, narrow) == alone
    assert on_scale(Scale.COEFFICIENT)(lambda sums: sums).scale is Scale.COEFFICIENT


def test_wide_columns_may_be_sparse():
    columns = scipy.sparse.random_array((60, 900), density=0.05, rng=np.random.default_rng(3), format="csr")
    prompts = np.arange(60) // 3

    def largest_part(sums):
        return sums.max(axis=-1) / sums.sum(axis=-1)

    value = float(largest_part(columns.sum(axis=0)))
    sparse = inference.with_interval(Figure(value, 60), columns, largest_part, cluster=prompts)
    dense = inference.with_interval(Figure(value, 60), columns.toarray(), largest_part, cluster=prompts)
    assert sparse.bounds == pytest.approx(dense.bounds)


# --- Differences --------------------------------------------------------------------------------------


def paired(first, second, **options):
    columns = mean_columns(first), mean_columns(second)
    return inference.paired_difference(*columns, ratio_of_sums, **options)


def test_a_paired_difference_is_the_paired_t_test():
    noise = SCORES + GENERATOR.normal(0.12, 1, size=200)
    figure, textbook = paired(noise, SCORES), scipy.stats.ttest_rel(noise, SCORES)
    assert figure.value == pytest.approx((noise - SCORES).mean())
    assert figure.detail["p"] == pytest.approx(textbook.pvalue)
    assert figure.bounds == pytest.approx(tuple(textbook.confidence_interval()))


def test_no_difference_has_p_1():
    assert paired(SCORES, SCORES).detail["p"] == 1.0


def test_a_constant_difference_is_as_certain_as_its_prompts_are_many():
    figure = paired(SCORES[:12] + 0.5, SCORES[:12])
    assert (figure.value, figure.low) == (pytest.approx(0.5), None)
    assert figure.detail["interval"] == "no variation"
    assert figure.detail["p"] == 2.0**-11, "as unlikely as twelve coins that fall alike"


def test_what_cannot_be_compared_has_its_reason():
    assert paired([], []).undefined == "no items"
    assert paired([1.0], [2.0]).undefined == "n < 2"
    assert paired([1.0, 2.0], [np.nan, np.nan]).undefined == "undefined on one side"
    assert paired([1.0, 2.0], [3.0, 4.0], cluster=[7, 7]).undefined == "n < 2"
    few = paired([1.0, 2.0], [3.0, 5.0])
    assert (few.value, few.low, few.detail["interval"]) == (-2.5, None, "too few prompts")
    assert "p" not in few.detail
    with pytest.raises(ValueError, match="same items"):
        paired([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="cluster"):
        inference.mean([1.0, 2.0], cluster=[1])


# --- Raters as a second factor ------------------------------------------------------------------------


def test_raters_add_their_own_variance():
    """Values without each of four raters 0.5 0.7 0.6 0.6 around 0.6, of twenty prompts 0.6 -+ 0.01."""
    without, of_raters = 0.6 + 0.01 * np.tile([1, -1], 10), np.array([0.5, 0.7, 0.6, 0.6])
    figure = inference.with_bounds(Figure(0.6, 80), without, Scale.PLAIN, without_rater=of_raters)
    prompts, raters = 19 / 20 * 20 * 0.01**2, 3 / 4 * (0.1**2 + 0.1**2)
    freedom = (prompts + raters) ** 2 / (prompts**2 / 19 + raters**2 / 3)
    half = scipy.stats.t.ppf(0.975, freedom) * np.sqrt(prompts + raters)
    assert figure.bounds == pytest.approx((0.6 - half, 0.6 + half))
    assert (figure.detail["units"], figure.detail["raters"]) == (20, 4)


def test_two_raters_say_nothing_about_others():
    without = 0.6 + 0.01 * np.tile([1, -1], 10)
    figure = inference.with_bounds(Figure(0.6, 80), without, Scale.PLAIN, without_rater=np.array([np.nan, np.nan]))
    assert (figure.low, figure.detail["interval"]) == (None, "too few raters")
    alone = inference.with_bounds(Figure(0.6, 80), without, Scale.PLAIN)
    assert figure.detail["of_these_raters"] == pytest.approx(list(alone.bounds))
