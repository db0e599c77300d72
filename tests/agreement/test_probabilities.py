"""A judge says how sure it is: does it mean it, and should it keep silent when unsure?"""

import numpy as np
import pytest
import scipy

from agreement import probabilities


def said(seed, n=2000, tempered=1.0):
    """Answers that are right as often as the judge is sure, or with `tempered` above 1, less sure than it claims."""
    generator = np.random.default_rng(seed)
    true = generator.uniform(0.05, 0.95, n)
    right = (generator.random(n) < true).astype(float)
    logit = np.log(true / (1 - true)) * tempered
    return 1 / (1 + np.exp(-logit)), right


def test_the_calibration_error_is_that_of_ten_sorted_slices():
    confidence, right = said(1, n=1000, tempered=2)
    slices = np.array_split(np.argsort(confidence), 10)
    expected = sum(len(one) / 1000 * abs(confidence[one].mean() - right[one].mean()) for one in slices)
    figure = probabilities.calibration_error(confidence, right)
    assert (figure.value, figure.detail["bins"]) == (pytest.approx(expected), 10)
    assert figure.low < figure.value < figure.high


def test_a_calibrated_judge_errs_by_chance_alone_and_a_boastful_one_by_more():
    figures = [probabilities.calibration_error(*said(seed, n=500)) for seed in range(40)]
    chance = np.mean([figure.detail["by_chance"] for figure in figures])
    assert np.mean([figure.value for figure in figures]) == pytest.approx(chance, rel=0.1)
    assert probabilities.calibration_error(*said(1, tempered=3)).value > 3 * chance


def test_items_of_the_same_confidence_stay_in_one_bin():
    confidence = np.repeat([0.2, 0.5, 0.9], (60, 20, 20))
    bins = probabilities.equal_bins(confidence)
    assert [set(bins[confidence == one]) for one in (0.2, 0.5, 0.9)] == [{0}, {1}, {2}]
    # 60 items sure by 0.2 of which half are right, the others as they say: 0.6 x 0.3.
    right = np.concatenate((np.tile([0, 1], 30), np.tile([0, 1], 10), [1] * 18, [0] * 2))
    found = probabilities.reliability(confidence, right)
    assert [(one.n, one.right) for one in found] == [(60, 0.5), (20, 0.5), (20, 0.9)]
    assert probabilities.calibration_error(confidence, right).value == pytest.approx(0.18)


def test_few_items_have_few_bins():
    figure = probabilities.calibration_error(np.linspace(0, 1, 12), np.ones(12))
    assert figure.detail["bins"] == 2


def test_a_judge_that_is_sure_and_wrong_has_no_score_above_1():
    """Ten answers to five prompts, sure and wrong on all but one prompt: mean 0.8, and
    a bound of 1.4 on the scale of what is never below 0."""
    prompts, right = np.repeat(np.arange(5), 2), np.repeat([1, 0, 0, 0, 0], 2)
    for score in (probabilities.brier_score, probabilities.calibration_error):
        figure = score(np.ones(10), right, cluster=prompts)
        assert figure.value == pytest.approx(0.8)
        assert figure.high == 1.0


def test_brier_by_hand():
    figure = probabilities.brier_score([0.9, 0.6, np.nan], [1, 0, 1])
    assert (figure.value, figure.n) == (pytest.approx((0.01 + 0.36) / 2), 2)


def slow_area(confidence, right, draws=4000):
    """Ties broken at random, the share wrong of the first one, two, three and so on averaged."""
    generator, total = np.random.default_rng(0), 0.0
    for _ in range(draws):
        order = np.lexsort((generator.random(len(right)), -np.asarray(confidence)))
        wrong = 1 - np.asarray(right, dtype=float)[order]
        total += (np.cumsum(wrong) / np.arange(1, len(wrong) + 1)).mean()
    return total / draws


def test_the_area_is_the_mean_risk_over_all_coverages():
    confidence, right = [0.9, 0.9, 0.7, 0.7, 0.7, 0.2], [1, 0, 1, 1, 0, 0]
    found = probabilities.abstention(confidence, right)
    assert found.area.value == pytest.approx(slow_area(confidence, right), abs=0.005)
    assert found.coverage.tolist() == pytest.approx([2 / 6, 5 / 6, 1])
    assert found.right.tolist() == pytest.approx([1 / 2, 3 / 5, 3 / 6])
    assert found.threshold.tolist() == [0.9, 0.7, 0.2]
    assert found.at(0.5) == (pytest.approx(3 / 5), 0.7)
    assert found.coverage_for(0.55).value == pytest.approx(5 / 6)
    assert found.coverage_for(0.95).undefined == "never so often right"


def test_silence_helps_a_judge_that_knows_when_it_is_wrong():
    confidence, right = said(2)
    surer = np.maximum(confidence, 1 - confidence)
    knows = probabilities.abstention(surer, np.where(confidence > 0.5, right, 1 - right))
    detail = knows.area.detail
    assert detail["best"] < knows.area.value < detail["overall"] - 0.05
    blind = probabilities.abstention(np.random.default_rng(0).random(2000), right)
    assert blind.area.value == pytest.approx(blind.area.detail["overall"], abs=0.03)
    constant = probabilities.abstention(np.full(2000, 0.5), right)
    assert constant.area.value == pytest.approx(constant.area.detail["overall"])


def test_at_a_fixed_threshold_both_shares_have_intervals():
    confidence, right = said(3)
    hit, answered = probabilities.selective(confidence, right, 0.8)
    chosen = confidence >= 0.8
    assert hit.value == pytest.approx(right[chosen].mean())
    assert answered.value == pytest.approx(chosen.mean())
    assert (hit.n, answered.n) == (chosen.sum(), 2000)
    assert hit.low < hit.value < hit.high
    assert probabilities.selective([0.1], [1], 0.8)[0].undefined == "no items"


def test_discrimination_is_scipy_s_rank_statistic():
    confidence, right = said(4, n=300)
    confidence = np.round(confidence, 1)
    statistic = scipy.stats.mannwhitneyu(confidence[right == 1], confidence[right == 0]).statistic
    expected = statistic / (right.sum() * (1 - right).sum())
    assert probabilities.discrimination(confidence, right).value == pytest.approx(expected)
    assert probabilities.discrimination([0.5, 0.6], [1, 1]).undefined == "no variation"


def test_what_cannot_be_said_of_probabilities_has_its_reason():
    assert probabilities.calibration_error([], []).undefined == "no items"
    assert probabilities.abstention([np.nan], [1]).area.undefined == "no items"
    assert probabilities.discrimination([], []).undefined == "no items"
    with pytest.raises(ValueError, match="between 0 and 1"):
        probabilities.brier_score([1.2], [1])
    with pytest.raises(ValueError, match="its outcome"):
        probabilities.calibration_error([0.5], [1, 0])
    with pytest.raises(ValueError, match="0 or 1"):
        probabilities.discrimination([0.5], [0.5])
    with pytest.raises(ValueError, match="coverage lies"):
        probabilities.abstention([0.5], [1]).at(0)
