"""Each rater against the rest and against experts; and forty simulated raters, some of them careless."""

import numpy as np
import pytest

from agreement import facets
from agreement.deviation import leave_one_out
from agreement.raters import against_others, against_some, careless_shares
from tests.agreement.test_facets import graded

HODA, SALMA, NOOR = 3, 5, 9


def test_by_hand():
    # item 1: Hoda 5, Salma 3, Noor 4; item 2: Hoda 1, Salma 5; item 3: Noor alone
    found = against_others([1, 1, 1, 2, 2, 3], [HODA, SALMA, NOOR, HODA, SALMA, NOOR], [5, 3, 4, 1, 5, 2])
    assert found.raters.tolist() == [HODA, SALMA, NOOR]
    assert found.n.tolist() == [2, 2, 2]
    hoda, salma, noor = found.mad
    assert (hoda.value, hoda.n) == (pytest.approx((1.5 + 4) / 2), 2)
    assert salma.value == pytest.approx((1.5 + 4) / 2)
    assert (noor.value, noor.n, noor.low) == (0, 1, None), "on item 3 there is nobody to hold Noor against"
    assert found.signed_error[0].value == pytest.approx((1.5 - 4) / 2)
    assert [figure.value for figure in found.within] == [(1 / 2 + 0) / 2, (1 / 2 + 0) / 2, 1]


def test_it_agrees_with_taking_raters_one_by_one():
    generator = np.random.default_rng(1)
    items, raters = np.divmod(generator.choice(600, 200, replace=False), 12)
    grades = generator.integers(1, 6, 200)
    found = against_others(items, raters, grades)
    single = leave_one_out(items, raters, grades)
    assert [figure.value for figure in found.mad] == pytest.approx([single[rater].mad.value for rater in single])
    for figure in found.mad:
        assert figure.low <= figure.value <= figure.high


def test_against_experts_alone_and_never_against_oneself():
    items, raters = [1, 1, 1, 2, 2], [HODA, SALMA, NOOR, HODA, SALMA]
    found = against_some(items, raters, [5, 3, 4, 1, 5], np.array([HODA, 0, 0, HODA, 0]) == HODA)
    hoda, salma, noor = found.mad
    assert hoda.undefined == "no items", "there is no other expert"
    assert (salma.value, noor.value) == (3, 1)
    assert [figure.value for figure in found.within[1:]] == [0, 1]


def test_nobody_shares_anything():
    found = against_others([1, 2], [HODA, SALMA], [3, 4])
    assert [figure.undefined for figure in found.mad] == ["no items", "no items"]
    assert against_others([], [], []).mad == ()


CARELESS = {3: 0.3, 11: 0.5, 17: 0.7, 25: 1.0, 33: 0.4, 38: 0.6}


@pytest.fixture(scope="module")
def simulated():
    """40 raters x 300 items, 20 raters an item; some of them answer at random in a known share of cases."""
    generator = np.random.default_rng(2026)
    severity = generator.normal(0, 0.8, 40)
    design = [(item, int(rater)) for item in range(300) for rater in generator.choice(40, 20, replace=False)]
    items, raters, grades = graded(generator, generator.normal(0, 2, 300), severity, design)
    rate = np.array([CARELESS.get(rater, 0.0) for rater in range(40)])
    at_random = generator.random(len(grades)) < rate[raters]
    return items, raters, np.where(at_random, generator.integers(0, 5, len(grades)), grades), rate, severity


def test_careless_raters_are_found_with_the_rates_stated(simulated):
    items, raters, grades, rate, _severity = simulated
    ids, found = careless_shares(items, raters, grades)
    assert ids.tolist() == list(range(40))
    values = np.array([figure.number for figure in found])
    # Standard errors are half an interval by 1.96; estimates stray from the rates stated as those errors say.
    errors = np.array([np.ptp(figure.bounds) for figure in found]) / (2 * 1.96)
    assert 0.7 < ((values - rate) / errors).std() < 1.5
    assert np.abs(values - rate)[rate > 0] == pytest.approx(0, abs=0.3)
    assert np.corrcoef(values, rate)[0, 1] > 0.9
    # Whoever is surely above one answer in ten: all six are (power near 1 at these rates), and of the other 34 few:
    # 2.5 % of them each would be beyond the bound by chance, P(more than 3 of 34) < 0.01.
    signalled = {int(rater) for rater, figure in zip(ids, found, strict=True) if figure.bounds[0] > 0.1}
    recall = len(signalled & set(CARELESS)) / len(CARELESS)
    assert recall == 1
    assert len(signalled - set(CARELESS)) <= 3


def test_severity_is_no_carelessness(simulated):
    items, raters, grades, rate, severity = simulated
    _ids, found = careless_shares(items, raters, grades)
    careful = rate == 0
    values = np.array([figure.number for figure in found])
    assert abs(np.corrcoef(values[careful], severity[careful])[0, 1]) < 0.4


def test_severities_are_recovered_among_careless_raters(simulated):
    items, raters, grades, rate, severity = simulated
    found = facets.severities(items, raters, grades)
    values = np.array([figure.number for figure in found.figures])
    careful = rate == 0
    assert np.corrcoef(values[careful], severity[careful])[0, 1] > 0.95


def test_where_carelessness_cannot_be_told():
    items, raters = np.repeat(np.arange(30), 2), np.tile([HODA, SALMA], 30)
    alike = careless_shares(items, raters, np.full(60, 4))[1]
    assert [figure.undefined for figure in alike] == ["no variation", "no variation"]
    few = careless_shares(items[:10], raters[:10], np.arange(10))[1]
    assert (few[0].undefined, few[0].n) == ("too few shared items", 5)
    against = np.tile([0, 0, 5, 5], 15)
    against[1::2] = 5 - against[1::2]
    opposed = careless_shares(items, raters, against)[1]
    assert opposed[0].undefined == "raters do not agree with each other"


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="its item"):
        against_others([1], [1, 2], [1])
    with pytest.raises(ValueError, match="finite"):
        against_others([1], [1], [np.nan])
    with pytest.raises(ValueError, match="reference or not"):
        against_some([1], [1], [1], [True, False])
    with pytest.raises(ValueError, match="three items"):
        careless_shares([1], [1], [1], min_items=2)
