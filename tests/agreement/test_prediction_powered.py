"""Many judge scores corrected by few labels: unbiased whatever the judge, and narrower where the judge is good."""

import numpy as np
import pytest

from agreement.prediction_powered import prediction_powered_mean

NOTHING = np.nan


def study(generator, bias=0.5, noise=0.5, n_items=600, n_labels=100):
    """A judge with a bias and noise of its own; people labelled a random part."""
    quality = generator.normal(3, 1, n_items)
    human = np.full(n_items, NOTHING)
    labelled = generator.choice(n_items, n_labels, replace=False)
    human[labelled] = quality[labelled]
    return quality + bias + generator.normal(0, noise, n_items), human


def test_the_formula_by_hand():
    judge = np.array([4, 5, 3, 2, 5, 5.0])
    human = np.array([3, 5, 2, NOTHING, NOTHING, NOTHING])
    found = prediction_powered_mean(judge, human)
    # mean of all six judge scores 4; corrections -1, 0, -1
    assert found.mean.value == pytest.approx(4 - 2 / 3)
    assert (found.mean.n, found.mean.detail["labelled"], found.mean.detail["lambda"]) == (6, 3, 1)
    assert found.classical.value == pytest.approx(10 / 3)
    assert (found.mean.low, found.mean.detail["interval"]) == (None, "too few prompts")
    # Without each: 4 less 1 / 2, over five 4, 3.8, 4.2, 4.4, 3.8, 3.8; corrections of the two that are left -1/2, -1,
    # -1/2 where a label is gone, else -2/3.
    without = np.array([4 - 1 / 2, 3.8 - 1, 4.2 - 1 / 2, 4.4 - 2 / 3, 3.8 - 2 / 3, 3.8 - 2 / 3])
    variance = 5 / 6 * ((without - 10 / 3) ** 2).sum()
    # labels vary by 7/3, over three
    assert found.saved.value == pytest.approx(3 * (7 / 3 / 3) / variance - 3)


def test_items_of_one_prompt_are_no_more_certain_than_the_prompt():
    generator = np.random.default_rng(11)
    judge, human = study(generator)
    once = prediction_powered_mean(judge, human, power_tuned=True)
    prompt = np.repeat(np.arange(600), 4)
    four = prediction_powered_mean(judge.repeat(4), human.repeat(4), cluster=prompt, power_tuned=True)
    assert four.mean.value == pytest.approx(once.mean.value, abs=0.01)
    assert np.ptp(four.mean.bounds) == pytest.approx(np.ptp(once.mean.bounds), rel=0.01)


@pytest.mark.parametrize(("prompts", "items"), [(12, 4), (40, 6)])
def test_it_covers_with_several_items_a_prompt(prompts, items):
    """A third of the prompts was labelled; items of one prompt are alike (ICC 0.3)."""
    generator, covered = np.random.default_rng(5), 0
    for _study in range(800):
        prompt = np.repeat(np.arange(prompts), items)
        quality = np.sqrt(0.3) * generator.normal(size=prompts)[prompt] + np.sqrt(0.7) * generator.normal(
            size=len(prompt)
        )
        judge = quality + 0.4 + generator.normal(0, 0.5, len(prompt))
        human = np.where(prompt < max(5, prompts // 3), quality, NOTHING)
        found = prediction_powered_mean(judge, human, cluster=prompt).mean
        covered += found.low <= 0 <= found.high
    assert 0.93 <= covered / 800 <= 0.98


def test_a_good_but_biased_judge_saves_labels_and_its_bias_is_taken_out():
    found = prediction_powered_mean(*study(np.random.default_rng(1), bias=2))
    assert found.mean.low < 3 < found.mean.high
    assert np.ptp(found.mean.bounds) < 0.75 * np.ptp(found.classical.bounds)
    assert found.saved.value > 80
    ratio = np.ptp(found.classical.bounds) / np.ptp(found.mean.bounds)
    assert found.saved.detail["effective"] == pytest.approx(100 * ratio**2, rel=0.01)


@pytest.mark.parametrize("power_tuned", [False, True])
def test_its_interval_covers_the_truth_as_often_as_it_says(power_tuned):
    generator = np.random.default_rng(7)
    covered = 0
    for _ in range(600):
        found = prediction_powered_mean(*study(generator), power_tuned=power_tuned).mean
        covered += found.low <= 3 <= found.high
    assert covered / 600 == pytest.approx(0.95, abs=3 * np.sqrt(0.95 * 0.05 / 600))


def test_a_judge_that_knows_nothing_costs_labels_unless_power_is_tuned():
    generator = np.random.default_rng(3)
    _, human = study(generator)
    judge = generator.normal(0, 2, len(human))
    plain = prediction_powered_mean(judge, human)
    tuned = prediction_powered_mean(judge, human, power_tuned=True)
    assert plain.saved.value < -30
    assert tuned.saved.value > -5
    assert (tuned.mean.detail["power_tuned"], plain.mean.detail["power_tuned"]) == (True, False)
    assert 0 <= tuned.mean.detail["lambda"] < 0.1


def test_items_without_a_judges_score():
    judge, human = [1, 2, 3, NOTHING, NOTHING], [1, 2, NOTHING, 4, NOTHING]
    found = prediction_powered_mean(judge, human)
    assert (found.mean.n, found.mean.detail["labelled"], found.mean.detail["without_judge"]) == (3, 2, 1)
    assert found.classical.n == 3


def test_what_cannot_be_said_has_its_reason():
    none = prediction_powered_mean([1, 2], [NOTHING, NOTHING])
    assert (none.mean.undefined, none.classical.undefined, none.saved.undefined) == ("no items",) * 3
    one = prediction_powered_mean([1, 2], [1, NOTHING])
    assert (one.mean.undefined, one.classical.value, one.classical.low) == ("n < 2", 1, None)
    every = prediction_powered_mean([1, 2], [1, 3])
    assert (every.mean.undefined, every.classical.value) == ("no item without a human label", 2)
    alike = prediction_powered_mean([2, 2, 2, 2], [3, 3, NOTHING, NOTHING], power_tuned=True)
    assert (alike.mean.value, alike.saved.undefined) == (3, "no variation")
    with pytest.raises(ValueError, match="same items"):
        prediction_powered_mean([1], [1, 2])
    with pytest.raises(ValueError, match="finite"):
        prediction_powered_mean([np.inf], [1])


def test_a_mean_lies_on_the_scale_and_so_does_its_interval():
    """People's labels at the top of a scale, a judge that is stricter where they labelled: 5 + (5 - 3) is cut to 5."""
    generator = np.random.default_rng(3)
    human = np.where(np.arange(200) < 40, 5.0, np.nan)
    judge = np.where(np.arange(200) < 40, 3.0, 5.0) + generator.choice([-0.5, 0, 0.5], 200)
    plain = prediction_powered_mean(judge, human).mean
    assert plain.number > 5
    assert plain.high > 5
    cut = prediction_powered_mean(judge, human, ends=(1, 5)).mean
    assert cut.number == 5
    assert cut.bounds == (pytest.approx(min(plain.low, 5)), 5)
    assert cut.detail["cut_to"] == [1, 5]
    inside = prediction_powered_mean(judge, human, ends=(-100, 100)).mean
    assert (inside.value, inside.low, inside.high) == (plain.value, plain.low, plain.high)
