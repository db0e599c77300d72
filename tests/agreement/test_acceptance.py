"""A sample drawn by lot, and how many wrong ones it leaves among those that nobody looked at."""

from math import comb

import pytest

from agreement.acceptance import error_rate, sample_size, wrong_unseen


def chance(k: int, lot: int, wrong: int, n: int) -> float:
    """Of drawing k of the `wrong` ones of a lot in a sample of n, without putting back."""
    return comb(wrong, k) * comb(lot - wrong, n - k) / comb(lot, n) if k <= wrong and n - k <= lot - wrong else 0.0


def possible(found: int, lot: int, n: int) -> list[int]:
    """Numbers of wrong ones in the lot under which neither so few nor so many are found with a chance of 2.5 %."""
    return [
        wrong
        for wrong in range(lot + 1)
        if sum(chance(k, lot, wrong, n) for k in range(found + 1)) > 0.025
        and sum(chance(k, lot, wrong, n) for k in range(found, n + 1)) > 0.025
    ]


@pytest.mark.parametrize(("bound", "n"), [(0.02, 183), (0.05, 72), (0.01, 368), (0.5, 6)])
def test_a_sample_is_as_large_as_the_bound_takes(bound, n):
    """ln 0.025 = -3.68888: by ln 0.98 = -0.0202027 it is 182.6, by ln 0.95 = -0.0512933 it is 71.9."""
    assert sample_size(bound) == n
    assert error_rate(0, n).high <= bound < error_rate(0, n - 1).high


@pytest.mark.parametrize("bound", [0, 1, -0.1, 2])
def test_a_bound_that_is_no_share_is_refused(bound):
    with pytest.raises(ValueError, match="share"):
        sample_size(bound)


def test_the_rate_has_the_interval_of_clopper_and_pearson():
    """1 of 20 and 0 of 20 in closed form: 1 - 0.025 ** (1 / 20), and the roots of the binomial tails."""
    rate = error_rate(1, 20)
    assert rate.value == 0.05
    assert rate.bounds == pytest.approx((0.001265, 0.248733), abs=1e-6)
    assert 1 - (1 - rate.low) ** 20 == pytest.approx(0.025)
    assert (1 - rate.high) ** 20 + 20 * rate.high * (1 - rate.high) ** 19 == pytest.approx(0.025)
    assert error_rate(0, 20).bounds == pytest.approx((0, 1 - 0.025 ** (1 / 20)))
    assert error_rate(20, 20).bounds == pytest.approx((0.025 ** (1 / 20), 1))
    assert error_rate(0, 0).undefined == "no items"


@pytest.mark.parametrize(("found", "n", "rest"), [(0, 20, 40), (1, 20, 40), (7, 20, 40), (20, 20, 40), (3, 9, 1)])
def test_the_number_among_the_unseen_is_that_of_the_hypergeometric_distribution(found, n, rest):
    among = possible(found, n + rest, n)
    among = [wrong for wrong in among if found <= wrong <= found + rest]
    implied = wrong_unseen(found, n, rest)
    assert implied.bounds == (among[0] - found, among[-1] - found)
    assert implied.low <= implied.number <= implied.high


@pytest.mark.parametrize("wrong", range(0, 31))
def test_the_interval_holds_the_truth_in_at_least_95_of_a_hundred_samples(wrong):
    n, lot = 10, 30
    held = 0.0
    for k in range(min(n, wrong) + 1):
        low, high = wrong_unseen(k, n, lot - n).bounds if chance(k, lot, wrong, n) else (1, 0)
        held += chance(k, lot, wrong, n) * (low <= wrong - k <= high)
    assert held >= 0.95


def test_nothing_is_supposed_of_what_was_decided_one_by_one_since():
    whole, left = wrong_unseen(3, 100, 900), wrong_unseen(3, 100, 900, left=890)
    assert whole.number == 27
    assert left.low == max(0, whole.low - 10)
    assert left.high == whole.high, "all ten may have been right"
    assert wrong_unseen(3, 100, 900, left=20).bounds == (0, 20)
    assert wrong_unseen(3, 100, 900, left=0).bounds == (0, 0)
    assert wrong_unseen(0, 0, 900).undefined == "no items"
