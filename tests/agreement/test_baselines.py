"""Answers that know nothing, and the chance level of each skill."""

import numpy as np
import pytest

from agreement.baselines import BASELINES, baseline_answer, chance_levels, overall_chance


def test_what_baselines_answer():
    options = ["نعم", "ربما، إن شاء الله", "لا"]
    answers = {kind: baseline_answer(kind, "هل؟", options, constant="أ") for kind in BASELINES}
    assert answers == {
        "empty": "",
        "constant": "أ",
        "first option": "نعم",
        "longest option": "ربما، إن شاء الله",
        "echo": "هل؟",
    }
    assert baseline_answer("longest option", "?", ["ab", "cd"]) == "ab"
    assert baseline_answer("first option", "?") is None
    with pytest.raises(ValueError, match="kind"):
        baseline_answer("other", "?")


def test_chance_by_skill():
    levels = chance_levels(["a", "b", "a", "a", "c"], [4, None, 2, None, 5])
    assert list(levels) == ["a", "b", "c"]
    assert (levels["a"].value, levels["a"].n, levels["a"].detail["share"]) == (3.75, 2, pytest.approx(2 / 3))
    assert levels["b"].undefined == "no question with choices"
    overall = overall_chance(levels)
    assert (overall.value, overall.n) == (pytest.approx((2.5 + 5 + 2) / 3), 3)
    assert overall.detail["share"] == 3 / 5


def test_its_standard_deviation_is_that_of_blind_passes():
    generator = np.random.default_rng(1)
    counts = generator.integers(2, 6, 40)
    level = chance_levels(["a"] * 40, counts.tolist())["a"]
    passes = 10 * (generator.random((4000, 40)) < 1 / counts).mean(axis=1)
    assert passes.mean() == pytest.approx(level.value, abs=0.05)
    assert passes.std() == pytest.approx(level.detail["standard_deviation"], rel=0.05)
    halves = chance_levels(["a"] * 20 + ["b"] * 20, counts.tolist())
    assert overall_chance(halves).detail["standard_deviation"] == pytest.approx(level.detail["standard_deviation"])


def test_what_has_no_chance_level():
    assert overall_chance({}).undefined == "no items"
    assert overall_chance(chance_levels(["a"], [None])).undefined == "no question with choices"
    with pytest.raises(ValueError, match="two options"):
        chance_levels(["a"], [1])
    with pytest.raises(ValueError, match="skill"):
        chance_levels(["a"], [])
