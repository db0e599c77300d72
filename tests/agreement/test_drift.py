"""A judge that has moved is noticed, one that repeats itself is left alone."""

import numpy as np
import pytest

from agreement.drift import drift

NOTHING = np.nan


def test_a_judge_that_repeats_itself_within_one_percent_is_steady():
    generator = np.random.default_rng(1)
    first = generator.uniform(0, 10, 200)
    judged = drift(first, first + generator.normal(0, 0.3, 200))
    assert judged.state == "steady"
    assert judged.shift.low > -0.1
    assert judged.moved.value == pytest.approx(0.3 * np.sqrt(2 / np.pi), rel=0.2)


def test_a_judge_that_has_become_lenient_has_drifted():
    generator = np.random.default_rng(2)
    first = generator.uniform(0, 10, 100)
    judged = drift(first, first + generator.normal(0.5, 0.5, 100))
    assert judged.state == "drifted"
    assert judged.shift.low < 0.5 < judged.shift.high
    assert drift(first, first - 0.4 + generator.normal(0, 0.5, 100)).state == "drifted"
    assert drift(first, first + generator.normal(0.5, 0.5, 100), limit=1).state == "steady"


def test_few_anchors_do_not_tell():
    generator = np.random.default_rng(3)
    first = generator.uniform(0, 10, 12)
    assert drift(first, first + generator.normal(0.1, 1, 12)).state == "uncertain"
    assert drift(first[:5], first[:5] + 3).state == "unknown"
    assert drift([], []).state == "unknown"


def test_the_very_same_scores_and_the_very_same_difference():
    assert drift(range(10), range(10)).state == "steady"
    assert drift(range(10), range(1, 11)).state == "drifted"
    assert drift(range(3), range(3)).state == "unknown"


def test_steady_judges_are_seldom_said_to_have_drifted():
    """Judges at the very limit: one side of a 95 % interval is wrong in one of forty."""
    generator = np.random.default_rng(4)
    states = [drift(np.zeros(60), generator.normal(0.1, 0.5, 60)).state for _ in range(800)]
    assert states.count("drifted") / 800 == pytest.approx(0.025, abs=0.015)


def test_repeats_are_averaged_and_failures_left_out():
    judged = drift([[4, 6], [5, NOTHING], [NOTHING, NOTHING]], [[6], [5], [5]])
    assert (judged.shift.value, judged.shift.n, judged.shift.detail["unscored"]) == (0.5, 2, 1)
    clustered = drift(np.zeros(40), np.arange(40) % 2, np.arange(40) // 4)
    assert (clustered.shift.detail["unit"], clustered.shift.detail["units"]) == ("cluster", 10)
    with pytest.raises(ValueError, match="anchors"):
        drift([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="limit"):
        drift([1.0], [1.0], limit=0)
    with pytest.raises(ValueError, match="finite"):
        drift([np.inf], [1.0])
