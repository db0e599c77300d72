"""A judge's scores mapped onto people's: fits by hand and from the literature, and no score by a map that saw it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.calibration import (
    ISOTONIC,
    LINEAR,
    TOO_FEW_PROMPTS,
    cross_fitted,
    folds_of,
    isotonic,
    linear,
)

numbers = st.integers(-50, 50).map(float)
pairs = st.lists(st.tuples(numbers, numbers, st.integers(1, 5).map(float)), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("given_values", "fitted"),
    [
        # The example of R's stats::isoreg: (1 + 0) / 2, then (4 + 3 + 3 + 5 + 4 + 2 + 0) / 7.
        ([1, 0, 4, 3, 3, 5, 4, 2, 0], [0.5, 0.5, 3, 3, 3, 3, 3, 3, 3]),
        # scikit-learn, sklearn/tests/test_isotonic.py: (7 + 5) / 2, then (9 + 8 + 7) / 3.
        ([3, 7, 5, 9, 8, 7, 10], [3, 6, 6, 8, 8, 8, 10]),
        ([1, 2, 3], [1, 2, 3]),
        ([3, 2, 1], [2, 2, 2]),
    ],
)
def test_pooling_adjacent_violators_as_published(given_values, fitted):
    scores = np.arange(len(given_values))
    assert isotonic(scores, given_values)(scores).tolist() == pytest.approx(fitted)


def test_weights_and_ties_by_hand():
    """At score 1 the values 4 (weight 1) and 1 (weight 2) are one of (4 + 2) / 3 = 2 with weight 3; at score 2 there
    is 1 with weight 1, less than 2: pooled to (3 * 2 + 1 * 1) / 4 = 1.75. At 3 there is 5."""
    mapped = isotonic([1, 1, 2, 3], [4, 1, 1, 5], [1, 2, 1, 1])
    assert mapped([1, 2, 3]).tolist() == pytest.approx([1.75, 1.75, 5])
    # Halfway between 2 and 3 lies halfway between 1.75 and 5; beyond the ends the ends hold.
    assert mapped([0, 2.5, 9]).tolist() == pytest.approx([1.75, 3.375, 5])
    assert mapped.as_json() == {"steps": [[1.0, 2.0, 1.75], [3.0, 3.0, 5.0]]}


def test_least_squares_by_hand():
    """x 0, 1, 2 and y 1, 2, 6: means 1 and 3, cov (2 + 0 + 3) = 5, var 2: slope 2.5, intercept 0.5."""
    mapped = linear([0, 1, 2], [1, 2, 6])
    assert (mapped.slope, mapped.intercept) == pytest.approx((2.5, 0.5))
    # The first counted three times is the same as three of it.
    weighed, repeated = linear([0, 1, 2], [1, 2, 6], [3, 1, 1]), linear([0, 0, 0, 1, 2], [1, 1, 1, 2, 6])
    assert (weighed.slope, weighed.intercept) == pytest.approx((repeated.slope, repeated.intercept))


@given(pairs)
def test_it_never_falls_keeps_the_mean_and_is_at_rest(rows):
    x, y, w = (np.array(column) for column in zip(*rows, strict=True))
    mapped = isotonic(x, y, w)
    assert (np.diff(mapped.values) >= -1e-9).all()
    assert np.average(mapped(x), weights=w) == pytest.approx(np.average(y, weights=w), abs=1e-9)
    again = isotonic(x, mapped(x), w)
    assert again.values == pytest.approx(mapped.values, abs=1e-9)


@given(pairs)
def test_no_map_that_never_falls_is_nearer(rows):
    """Pooling beats the constant, and least squares where its line rises."""
    x, y, w = (np.array(column) for column in zip(*rows, strict=True))

    def cost(values):
        return (w * (y - values) ** 2).sum()

    best = cost(isotonic(x, y, w)(x))
    assert best <= cost(np.average(y, weights=w)) + 1e-6
    if np.ptp(x) and linear(x, y, w).slope >= 0:
        assert best <= cost(linear(x, y, w)(x)) + 1e-6


@given(st.lists(st.integers(0, 30), min_size=1, max_size=80), st.integers(2, 6), st.integers(0, 9))
def test_folds_hold_whole_prompts_and_are_even(prompts, folds, seed):
    found = folds_of(prompts, folds, seed)
    by_prompt = {prompt: set(found[np.array(prompts) == prompt].tolist()) for prompt in prompts}
    assert all(len(of) == 1 for of in by_prompt.values())
    sizes = np.bincount([of.pop() for of in by_prompt.values()], minlength=folds)
    assert sizes.max() - sizes.min() <= 1
    order = np.random.default_rng(0).permutation(len(prompts))
    assert (folds_of(np.array(prompts)[order], folds, seed) == found[order]).all()


def drawn(seed: int = 1, prompts: int = 40, each: int = 3) -> tuple:
    generator = np.random.default_rng(seed)
    people = generator.uniform(20, 90, prompts * each)
    judge = 30 + people / 2 + generator.normal(0, 2, len(people))
    return judge, people, np.repeat(np.arange(prompts), each)


@pytest.mark.parametrize("method", [LINEAR, ISOTONIC])
def test_no_score_is_calibrated_by_a_map_that_saw_its_prompt(method):
    """What people say of one prompt may be anything: its own calibrated scores stay, others' move."""
    judge, people, prompt = drawn()
    before = cross_fitted(judge, people, prompt, method)
    changed = np.where(prompt == 7, people + 1000, people)
    after = cross_fitted(judge, changed, prompt, method)
    own_fold = before.fold == before.fold[prompt == 7][0]
    assert after.values[own_fold] == pytest.approx(before.values[own_fold])
    assert not np.allclose(after.values[~own_fold], before.values[~own_fold])


@pytest.mark.parametrize("method", [LINEAR, ISOTONIC])
def test_a_shrunken_and_lenient_judge_is_set_right(method):
    judge, people, prompt = drawn()
    found = cross_fitted(judge, people, prompt, method)
    assert len(found.maps) == 5
    assert abs((found.values - people).mean()) < 1
    assert np.abs(found.values - people).mean() < np.abs(judge - people).mean() / 2


def test_a_judge_that_says_nothing_of_people_gets_no_better_than_their_mean():
    """Fitted and looked at on the same items, chance would pass for knowledge; cross-fitted it cannot."""
    generator = np.random.default_rng(3)
    judge, people = generator.normal(0, 1, 60), generator.normal(0, 1, 60)
    own = isotonic(judge, people)(judge)
    held_out = cross_fitted(judge, people, np.arange(60)).values
    assert ((own - people) ** 2).mean() < people.var()
    assert ((held_out - people) ** 2).mean() > people.var()


def test_what_cannot_be_calibrated_says_why():
    judge, people, prompt = drawn(prompts=9)
    few = cross_fitted(judge, people, prompt)
    assert few.undefined == TOO_FEW_PROMPTS
    assert np.isnan(few.values).all()
    judge, people, prompt = drawn()
    assert cross_fitted(np.full(len(people), 80.0), people, prompt).undefined == "no variation"
    # It says something else on one prompt alone: without that prompt's fold there is nothing to fit.
    once = np.where(prompt == 3, 60.0, 80.0)
    assert cross_fitted(once, people, prompt).undefined == "no variation"
    assert cross_fitted([], [], []).undefined == "no items"


@pytest.mark.parametrize(
    "call",
    [
        lambda: linear([1, 1], [2, 3]),
        lambda: linear([], []),
        lambda: isotonic([1, 2], [1]),
        lambda: isotonic([1, 2], [1, np.nan]),
        lambda: isotonic([1, 2], [1, 2], [1, 0]),
        lambda: cross_fitted([1], [1], [1], "cubic"),
        lambda: cross_fitted([1], [1], [1], folds=1),
        lambda: cross_fitted([1, np.nan], [1, 2], [1, 2]),
        lambda: cross_fitted([1], [1, 2], [1]),
    ],
)
def test_what_makes_no_sense_is_refused(call):
    with pytest.raises(ValueError):
        call()
