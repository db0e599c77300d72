"""Simulated raters with known error rates: how soon and how often rolling accuracy pauses them.

The rule is the preset: below 70 % of the latest 20 checks, from 8 on. After n checks of a rater who is right with
probability p, the chance of being below the mark is a binomial tail, worked out here; the share of simulated raters
that are paused must lie within five standard errors of it.
"""

import math
import random
from itertools import pairwise

import pytest

from agreement.validation import wilson_interval
from screening.checks.accuracy import Rule, rolling_accuracy
from screening.checks.drawing import chosen, is_due

RULE = Rule(window=20, least=8, mark=70)
RATERS = 2000


def answers(rater: int, p: float, count: int) -> list[bool]:
    draws = random.Random(f"rater {rater} of {p}")
    return [draws.random() < p for _check in range(count)]


def below(p: float, n: int) -> float:
    """P(fewer than 70 % of n are right), each right with probability p."""
    return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if 100 * k < 70 * n)


def close(share: float, expected: float) -> bool:
    return abs(share - expected) < 5 * math.sqrt(expected * (1 - expected) / RATERS) + 1e-9


@pytest.mark.parametrize("p", [0.25, 0.5, 0.7, 0.9, 0.95])
@pytest.mark.parametrize("n", [8, 20])
def test_as_many_are_below_the_mark_as_the_binomial_says(p, n):
    found = sum(RULE.pauses(answers(rater, p, n)) for rater in range(RATERS)) / RATERS
    assert close(found, below(p, n)), (found, below(p, n))


def test_what_the_documentation_states():
    """docs/screening.md: at 8 checks 86 % of who answers at random between right and wrong, 4 % of who is right nine
    times in ten; at 20 checks 94 % and 0.2 %."""
    assert [round(below(p, 8), 2) for p in (0.5, 0.9)] == [0.86, 0.04]
    assert [round(below(p, 20), 3) for p in (0.5, 0.9)] == [0.942, 0.002]


def first_pause(rater: int, p: float, checks: int) -> int | None:
    """After how many checks a rater is paused, looked at after each as the product does."""
    given = answers(rater, p, checks)
    return next((n for n in range(1, checks + 1) if RULE.pauses(given[:n])), None)


def test_the_careless_are_found_within_forty_checks_and_the_careful_mostly_left_alone():
    """Looking after every check finds more than looking once: among 2,000 each, at least 99 % of who is right half of
    the time, and at most 12 % of who is right nine times in ten."""
    careless = [first_pause(rater, 0.5, 40) for rater in range(RATERS)]
    careful = [first_pause(rater, 0.9, 40) for rater in range(RATERS)]
    assert sum(found is not None for found in careless) / RATERS >= 0.99
    assert sum(found is not None for found in careful) / RATERS <= 0.12
    assert all(found is None or found >= 8 for found in careless)


def test_the_rate_of_checks_is_the_one_set():
    """Of 20,000 turns 10 % are checks: 5 standard errors are 5 * sqrt(0.09 / 20000) = 0.0106."""
    due = sum(is_due(7, 3, rater, turn, 0.10) for rater in range(100) for turn in range(200)) / 20_000
    assert abs(due - 0.10) < 0.0106


def test_when_checks_come_cannot_be_counted_out():
    """The distances between checks vary, and differ from one rater to the next."""
    turns = [[turn for turn in range(400) if is_due(7, 3, rater, turn, 0.10)] for rater in range(20)]
    gaps = {later - earlier for mine in turns for earlier, later in pairwise(mine)}
    assert len(gaps) > 20
    assert len({tuple(mine) for mine in turns}) == 20


def test_every_check_comes_first_to_some():
    first = {chosen(7, 3, rater, 0, range(1, 11)) for rater in range(400)}
    assert first == set(range(1, 11))
    assert chosen(7, 3, 1, 0, []) is None


def test_rolling_accuracy_carries_its_interval():
    figure = rolling_accuracy([False] * 5 + [True] * 15 + [False] * 5, 20)
    assert (figure.value, figure.n) == (0.75, 20)
    assert figure.bounds == wilson_interval(15, 20)
    assert rolling_accuracy([], 20).undefined == "no items"
    with pytest.raises(ValueError, match="at least one"):
        rolling_accuracy([True], 0)


def test_seventy_percent_is_not_below_seventy_percent():
    assert not RULE.pauses([True] * 7 + [False] * 3)
    assert RULE.pauses([True] * 6 + [False] * 4)
    assert not RULE.pauses([False] * 7)
