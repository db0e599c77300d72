"""A judge that favours its own laboratory, whose models write long: is it drawn by length?"""

import numpy as np
import pytest
import scipy

from agreement.joint_biases import controlled_win_rate, indicators, joint_effects

NAMES = ("length", "own laboratory", "first")


def judged(seed, n_prompts=60, each=4, effects=(0.0, 0.5, 0.2), spread=0.4):
    """Errors of a judge on `each` responses to a prompt; own models write two doublings more."""
    generator = np.random.default_rng(seed)
    prompt = np.repeat(np.arange(n_prompts), each)
    own = (generator.random(len(prompt)) < 0.4).astype(float)
    length = generator.normal(8, 1, n_prompts)[prompt] + 2 * own + generator.normal(0, 0.7, len(prompt))
    features = np.column_stack((length, own, generator.integers(0, 2, len(prompt))))
    noise = generator.normal(0, spread, n_prompts)[prompt] + generator.normal(0, 0.5, len(prompt))
    return features @ effects + noise - 0.3, features, prompt


def test_effects_are_those_of_least_squares_and_intervals_those_of_whole_refits():
    errors, features, prompt = judged(1)
    found = joint_effects(errors, features, NAMES, prompt)
    design = np.column_stack((np.ones(len(errors)), features))

    def fit(kept):
        return np.linalg.lstsq(design[kept], errors[kept], rcond=None)[0]

    whole = fit(np.ones(len(errors), dtype=bool))
    without = np.array([fit(prompt != one) for one in range(60)])
    error = np.sqrt(59 / 60 * ((without - whole) ** 2).sum(axis=0))
    half = scipy.stats.t.ppf(0.975, 59) * error
    for place, name in enumerate(NAMES, 1):
        figure = found.effects[name]
        assert figure.value == pytest.approx(whole[place])
        assert figure.bounds == pytest.approx((whole[place] - half[place], whole[place] + half[place]))
        assert figure.detail["per_spread"] == pytest.approx(whole[place] * features[:, place - 1].std())
    assert found.mean.value == pytest.approx(errors.mean())
    assert (found.n, found.left_out, found.dropped) == (240, 0, {})


def test_what_looks_like_length_is_the_own_laboratory():
    errors, features, prompt = judged(2, n_prompts=200)
    alone = joint_effects(errors, features[:, :1], NAMES[:1], prompt).effects["length"]
    assert alone.low > 0
    together = joint_effects(errors, features, NAMES, prompt).effects
    assert together["length"].low < 0 < together["length"].high
    assert together["own laboratory"].low > 0.2
    assert together["first"].value == pytest.approx(0.2, abs=0.15)


@pytest.mark.parametrize(("n_prompts", "each"), [(12, 4), (30, 6)])
def test_intervals_cover_also_a_feature_of_the_whole_prompt(n_prompts, each):
    """600 studies; the feature is the prompt's own (its language, say), errors share a part by prompt: nominal 95 %,
    and the jackknife is on the cautious side with few prompts."""
    generator, covered = np.random.default_rng(3), 0
    for _ in range(600):
        prompt = np.repeat(np.arange(n_prompts), each)
        dialect = (np.arange(n_prompts) % 3 == 0).astype(float)[prompt]
        length = generator.normal(size=len(prompt))
        errors = 0.5 * dialect + generator.normal(0, 1, n_prompts)[prompt] + generator.normal(size=len(prompt))
        low, high = joint_effects(errors, np.column_stack((dialect, length)), ["d", "l"], prompt).effects["d"].bounds
        covered += low <= 0.5 <= high
    assert 0.93 <= covered / 600 <= 0.985


def test_columns_that_say_nothing_of_their_own_are_left_out_and_named():
    errors, features, prompt = judged(4)
    length, own, first = features.T
    given = np.column_stack((np.ones_like(length), length, own, 3 * length - own + 7, first))
    found = joint_effects(errors, given, ["markup", "length", "own", "doubled", "first"], prompt)
    assert found.dropped == {"markup": "does not vary", "doubled": "follows from length, own"}
    assert set(found.effects) == {"length", "own", "first"}
    plain = joint_effects(errors, features, NAMES, prompt).effects["length"]
    assert found.effects["length"].value == pytest.approx(plain.value)
    assert found.effects["length"].bounds == pytest.approx(plain.bounds)


def test_controls_are_held_fixed_and_not_reported():
    errors, features, prompt = judged(5)
    found = joint_effects(errors, features[:, :1], ["length"], prompt, controls=features[:, 1:])
    assert set(found.effects) == {"length"}
    whole = joint_effects(errors, features, NAMES, prompt).effects["length"]
    assert found.effects["length"].value == pytest.approx(whole.value)
    same = joint_effects(errors, features[:, :1], ["length"], prompt, controls=features[:, :1])
    assert same.dropped == {"length": "follows from controls"}


def test_units_of_a_feature_change_its_effect_and_nothing_else():
    errors, features, prompt = judged(6)
    plain, scaled = (joint_effects(errors, features * by, NAMES, prompt) for by in (1.0, 1e6))
    for name in NAMES:
        assert scaled.effects[name].value == pytest.approx(plain.effects[name].value / 1e6)
        assert scaled.effects[name].detail["p"] == pytest.approx(plain.effects[name].detail["p"])


def test_items_with_something_missing_are_left_out_and_counted():
    errors, features, prompt = judged(7)
    features[0, 0], errors[1] = np.nan, np.nan
    found = joint_effects(errors, features, NAMES, prompt)
    again = joint_effects(errors[2:], features[2:], NAMES, prompt[2:])
    assert (found.n, found.left_out) == (238, 2)
    assert found.effects["length"].value == pytest.approx(again.effects["length"].value)


def test_what_cannot_be_said_of_effects_has_its_reason():
    errors, features, prompt = judged(8, n_prompts=9)
    assert joint_effects(errors, features, NAMES, prompt).effects["length"].undefined == "too few prompts"
    assert joint_effects([np.nan], [[1.0]], ["length"], [1]).effects["length"].undefined == "no items"
    errors, features, prompt = judged(9, n_prompts=20)
    once = (prompt == 3).astype(float)  # a language that a single prompt has
    found = joint_effects(errors, np.column_stack((features, once)), (*NAMES, "Amharic"), prompt)
    assert found.effects["Amharic"].undefined == "too few prompts"
    with pytest.raises(ValueError, match="named once"):
        joint_effects([1.0], [[1.0, 2.0]], ["a", "a"], [1])
    with pytest.raises(ValueError, match="every item"):
        joint_effects([1.0], [[1.0, 2.0]], ["a"], [1])


def test_labels_become_columns_beside_the_commonest():
    columns, names = indicators(["ar", "fa", "ar", "sw"])
    assert (names, columns.tolist()) == (["fa", "sw"], [[0, 0], [1, 0], [0, 0], [0, 1]])


def pairs(seed, n_prompts=120, drawn_by=1.2, better=0.0):
    """A system that writes longer, before a judge that is drawn by length and not by anything else."""
    generator = np.random.default_rng(seed)
    prompt = np.repeat(np.arange(n_prompts), 3)
    doublings = generator.normal(0.7, 1, len(prompt))
    leaning = better + drawn_by * np.tanh(doublings / np.sqrt(1.49)) + generator.logistic(size=len(prompt))
    return np.select([leaning > 0.3, leaning < -0.3], [1.0, 0.0], 0.5), doublings, prompt


def test_a_win_rate_made_by_length_alone_is_a_half_at_equal_length():
    credit, doublings, prompt = pairs(10)
    controlled, effects = controlled_win_rate(credit, doublings[:, None], ["length"], prompt)
    assert controlled.detail["raw"] > 0.58
    assert controlled.low < 0.5 < controlled.high
    assert effects.effects["length"].low > 0.1


def test_a_better_system_stays_better_at_equal_length_and_the_interval_covers():
    """The straight line is not the judge's curve: what a very large study gives is near the true win rate at equal
    length, and that is what intervals cover."""
    credit, doublings, prompt = pairs(1000, n_prompts=100_000, better=0.5)
    large = controlled_win_rate(credit, doublings[:, None], ["length"], prompt % 50)[0].number
    # A win and half of the ties: logistic noise beyond 0.3, and between -0.3 and 0.3.
    assert large == pytest.approx(1 / (1 + np.exp(-0.2)) / 2 + 1 / (1 + np.exp(-0.8)) / 2, abs=0.02)
    covered = 0
    for seed in range(400):
        credit, doublings, prompt = pairs(seed, n_prompts=40, better=0.5)
        low, high = controlled_win_rate(credit, doublings[:, None], ["length"], prompt)[0].bounds
        covered += low <= large <= high
    assert 0.925 <= covered / 400 <= 0.98


def test_without_differences_the_win_rate_is_as_it_is_and_never_beyond_all():
    credit, _, prompt = pairs(11)
    same, effects = controlled_win_rate(credit, np.zeros((len(credit), 1)), ["length"], prompt)
    assert same.value == pytest.approx(credit.mean())
    assert effects.dropped == {"length": "does not vary"}
    always = controlled_win_rate(np.ones(60), np.ones((60, 1)), ["length"], np.arange(60))[0]
    assert always.value == 1.0
    assert controlled_win_rate([np.nan], [[0.0]], ["length"], [1])[0].undefined == "no items"
    with pytest.raises(ValueError, match="credit is"):
        controlled_win_rate([0.3], [[0.0]], ["length"], [1])
