"""Strengths of models from preferences between two of them at a time."""

import numpy as np
import pytest
import scipy

from agreement.bradley_terry import strengths

TRUE = np.array([0.8, 0.3, -0.2, -0.9])


def compared(generator, n_prompts, each, ties=0.7, spread=0.0, true=TRUE):
    """Preferences on prompts, of which each shifts every model's strength by its own amount."""
    n = len(true)
    prompt = np.repeat(np.arange(n_prompts), each)
    first = generator.integers(0, n, len(prompt))
    second = (first + generator.integers(1, n, len(prompt))) % n
    shifted = true + generator.normal(0, spread, (n_prompts, n))
    half = (shifted[prompt, first] - shifted[prompt, second]) / 2
    parts = np.stack([np.exp(half), np.full(len(half), ties), np.exp(-half)])
    drawn = generator.random(len(half)) * parts.sum(axis=0)
    said = np.select([drawn < parts[0], drawn < parts[0] + parts[1]], [1.0, 0.0], -1.0)
    return first, second, said, prompt


def slow_fit(first, second, said, n):
    """The same likelihood written out comparison by comparison and maximised by a general routine."""

    def loss(at):
        strength, v = np.exp(at[:-1] - at[:-1].mean()), np.exp(at[-1])
        total = 0.0
        for i, j, one in zip(first, second, said, strict=True):
            middle = v * np.sqrt(strength[i] * strength[j])
            part = {1: strength[i], 0: middle, -1: strength[j]}[int(one)]
            total -= np.log(part / (strength[i] + strength[j] + middle))
        return total

    found = scipy.optimize.minimize(loss, np.zeros(n + 1), method="BFGS", options={"gtol": 1e-7}).x
    return found[:-1] - found[:-1].mean(), np.exp(found[-1])


def test_davidson_s_likelihood_is_maximised():
    first, second, said, _ = compared(np.random.default_rng(1), 150, 1)
    found = strengths(first, second, said, 4)
    values, v = slow_fit(first, second, said, 4)
    np.testing.assert_allclose([figure.value for figure in found.figures], values, atol=1e-5)
    assert found.ties == pytest.approx(v, rel=1e-5)
    assert sum(found.chances(0, 3)) == pytest.approx(1)


def test_two_systems_without_ties_have_the_odds_of_their_wins():
    found = strengths([0] * 12, [1] * 12, [1] * 8 + [-1] * 4, 2)
    difference = found.difference(0, 1)
    assert difference.value == pytest.approx(np.log(2))
    assert (found.ties, found.chances(0, 1)[0]) == (0.0, pytest.approx(2 / 3))


def test_two_systems_with_ties_have_the_shares_of_what_was_said():
    found = strengths([0] * 10, [1] * 10, [1] * 5 + [0] * 3 + [-1] * 2, 2)
    assert found.chances(0, 1) == pytest.approx((0.5, 0.3, 0.2))


def test_the_standard_error_of_independent_comparisons_is_about_the_textbook_s():
    """Of two systems with w wins of n the log odds have variance 1/w + 1/(n - w)."""
    found = strengths([0] * 400, [1] * 400, [1] * 300 + [-1] * 100, 2)
    assert found.difference(0, 1).detail["se"] == pytest.approx(np.sqrt(1 / 300 + 1 / 100), rel=0.01)


def test_the_jackknife_s_newton_steps_are_near_whole_refits():
    first, second, said, prompt = compared(np.random.default_rng(2), 30, 8, spread=0.5)
    found = strengths(first, second, said, 4, prompt)
    refits = []
    for left_out in range(30):
        kept = prompt != left_out
        refitted = strengths(first[kept], second[kept], said[kept], 4)
        refits.append([figure.value for figure in refitted.figures])
    away = np.array(refits) - [figure.value for figure in found.figures]
    np.testing.assert_allclose(found.covariance, 29 / 30 * away.T @ away, rtol=0.1, atol=1e-4)


def test_turning_the_pairs_round_or_naming_systems_otherwise_changes_nothing():
    first, second, said, prompt = compared(np.random.default_rng(3), 30, 6)
    found, turned = strengths(first, second, said, 4, prompt), strengths(second, first, -said, 4, prompt)
    order = np.array([2, 0, 3, 1])
    renamed = strengths(order[first], order[second], said, 4, prompt)
    for system in range(4):
        for again in (turned.figures[system], renamed.figures[order[system]]):
            assert again.value == pytest.approx(found.figures[system].value)
            assert again.bounds == pytest.approx(found.figures[system].bounds)


def test_intervals_over_prompts_cover_where_prompts_have_tastes_of_their_own():
    """True strengths are those of the population of prompts, from one large draw: the spread of prompts' tastes
    shrinks them. 600 studies of 25 prompts with 12 comparisons each, nominal 95 %; of 1,500 studies 95.4 % were
    counted."""
    generator = np.random.default_rng(44)
    first, second, said, prompt = compared(generator, 120_000, 1, spread=1.0)
    truth = strengths(first, second, said, 4, prompt % 20).difference(0, 2).number
    covered, widths, naive = 0, [], []
    for study in range(600):
        first, second, said, prompt = compared(generator, 25, 12, spread=1.0)
        low, high = strengths(first, second, said, 4, prompt).difference(0, 2).bounds
        covered += low <= truth <= high
        if study % 30 == 0:
            widths.append(high - low)
            naive.append(np.diff(strengths(first, second, said, 4).difference(0, 2).bounds))
    assert 0.93 <= covered / 600 <= 0.98
    assert np.mean(naive) < 0.9 * np.mean(widths)  # who takes comparisons for independent is too sure


@pytest.mark.parametrize(
    ("games", "reason"),
    [
        ([], "no items"),
        ([(0, 1, 1), (0, 1, -1)], "not connected"),  # the third was in no comparison
        ([(0, 1, 1), (1, 2, 1), (0, 2, 1)], "some never lost to others"),
        ([(0, 1, 1), (1, 0, 1), (0, 2, 1), (1, 2, 1)], "some never lost to others"),  # nobody lost to the third
        ([(0, 1, 0), (1, 2, 0)], "no variation"),
        ([(0, 1, np.nan)], "no items"),
    ],
)
def test_there_is_no_strength_without_a_chain_of_wins_both_ways(games, reason):
    first, second, said = np.array(games, dtype=float).reshape(-1, 3).T
    found = strengths(first.astype(int), second.astype(int), said, 3)
    assert [figure.undefined for figure in found.figures] == [reason] * 3
    assert found.ties is None
    with pytest.raises(ValueError, match=reason):
        found.chances(0, 1)


def test_a_circle_of_wins_is_enough():
    found = strengths([0, 1, 2], [1, 2, 0], [1, 1, 1], 3)
    assert [figure.value for figure in found.figures] == pytest.approx([0, 0, 0], abs=1e-9)
    assert found.figures[0].detail["interval"] == "too few prompts"


def test_ties_may_hold_together_what_wins_do_not():
    """The third only tied; but that the others never tie among each other bounds its strength."""
    games = [(0, 1, 1), (1, 0, 1), (0, 1, 1), (1, 0, 1), (0, 2, 0), (1, 2, 0)]
    first, second, said = np.array(games).T
    found = strengths(first, second, said, 3)
    values, v = slow_fit(first, second, said, 3)
    np.testing.assert_allclose([figure.value for figure in found.figures], values, atol=1e-4)
    assert found.ties == pytest.approx(v, rel=1e-4)


def test_one_who_only_won_and_tied_against_another_has_no_bound():
    assert strengths([0] * 8, [1] * 8, [1] * 5 + [0] * 3, 2).figures[0].undefined == "some never lost to others"


def test_a_model_known_from_one_prompt_alone_has_no_interval():
    first, second, said, prompt = compared(np.random.default_rng(5), 20, 10)
    first, second = np.concatenate((first, [4, 4])), np.concatenate((second, [0, 0]))
    said, prompt = np.concatenate((said, [1, -1])), np.concatenate((prompt, [0, 0]))
    found = strengths(first, second, said, 5, prompt)
    assert found.figures[4].value is not None
    assert (found.figures[4].low, found.figures[4].detail["interval"]) == (None, "too few prompts")


def test_wrong_comparisons_are_refused():
    with pytest.raises(ValueError, match="two different systems"):
        strengths([0], [0], [1], 2)
    with pytest.raises(ValueError, match="two different systems"):
        strengths([0], [1], [2], 2)
    with pytest.raises(ValueError, match="index below"):
        strengths([0], [2], [1], 2)
    with pytest.raises(ValueError, match="every comparison"):
        strengths([0], [1, 1], [1], 2)


def test_prompts_that_all_say_the_same_have_no_interval():
    """Each prompt has two wins of the first and one of the second: leaving one out moves nothing."""
    prompts = np.repeat(np.arange(12), 3)
    said = np.tile([1, 1, -1], 12)
    fit = strengths(np.zeros(36, dtype=int), np.ones(36, dtype=int), said, 2, prompts)
    assert fit.figures[0].value == pytest.approx(np.log(2) / 2)
    assert fit.figures[0].low is None
    assert fit.figures[0].detail["interval"] == "no variation"
    assert fit.difference(0, 1).low is None
    # One prompt that says otherwise moves it.
    said[:3] = [1, -1, -1]
    moved = strengths(np.zeros(36, dtype=int), np.ones(36, dtype=int), said, 2, prompts)
    assert moved.figures[0].low < moved.figures[0].number < moved.figures[0].high
