"""Failure types: counts, rates per 100 pairs and shares, as Perle published them."""

import numpy as np
import pytest

from agreement.failures import error_rate, failures, rate, rate_ratio, rate_ratio_figure

# Of the 99 pairs of prompt and target model in Iraqi Arabic (arXiv 2607.00139, section 5).
IRAQI_PAIRS = 99
IRAQI_ERRORS = {
    "Cultural Misattribution": 172,
    "Ambiguous Framing": 172,
    "Omission": 145,
    "Hallucination": 140,
    "Irrelevant Addition": 38,
    "Rendering Failure": 0,
}
PUBLISHED_RATES = {
    "Cultural Misattribution": 173.7,
    "Ambiguous Framing": 173.7,
    "Omission": 146.5,
    "Hallucination": 141.4,
}


def test_the_published_counts_and_pairs_give_the_published_rates():
    found = failures(list(IRAQI_ERRORS.values()), IRAQI_PAIRS)
    rates = {name: round(failure.rate.number, 1) for name, failure in zip(IRAQI_ERRORS, found, strict=True)}
    assert {name: rates[name] for name in PUBLISHED_RATES} == PUBLISHED_RATES
    assert rates["Rendering Failure"] == 0.0
    assert [failure.count.value for failure in found] == list(IRAQI_ERRORS.values())
    assert sum(failure.share.number for failure in found) == pytest.approx(1)


def test_a_target_of_its_own_has_its_own_pairs():
    assert error_rate(74, 33).value == pytest.approx(224.2, abs=0.05)


def test_nothing_graded_and_nothing_wrong_are_two_reasons():
    [nothing] = failures([0], 0)
    assert (nothing.rate.undefined, nothing.count.undefined) == ("no items", "no items")
    [clean] = failures([0], 12)
    assert (clean.rate.value, clean.share.undefined) == (0.0, "no errors recorded")


def test_the_ratio_of_two_communities():
    # 140 in 99 pairs against 169 in 203: about 1.7 times as many
    assert rate_ratio_figure((140, 99), (169, 203)).value == pytest.approx((140 / 99) / (169 / 203))
    assert rate_ratio_figure((0, 99), (169, 203)).value == 0
    assert rate_ratio_figure((140, 99), (0, 203)).undefined == "no such errors on one side"
    assert np.isnan(rate_ratio(np.array([1.0, 9.0, 0.0, 9.0])))
    assert rate(np.array([3.0, 2.0])) == pytest.approx(150)


def test_a_count_below_nothing_is_refused():
    with pytest.raises(ValueError, match="negative"):
        failures([-1], 3)
