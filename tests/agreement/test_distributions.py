"""Six of ten people said 4, four said 2: how near does a judge come to that?"""

from itertools import combinations

import numpy as np
import pytest
import scipy

from agreement import distributions
from agreement.distributions import as_probabilities, brier, cross_entropy, jensen_shannon, shares

GENERATOR = np.random.default_rng(1)
PEOPLE, JUDGE = GENERATOR.dirichlet(np.ones(5), 30), GENERATOR.dirichlet(np.ones(5), 30)
QUICK: dict = {}


def test_jensen_shannon_is_scipy_s_distance_squared():
    expected = [scipy.spatial.distance.jensenshannon(p, q, base=2) ** 2 for p, q in zip(PEOPLE, JUDGE, strict=True)]
    np.testing.assert_allclose(jensen_shannon(PEOPLE, JUDGE), expected)
    assert jensen_shannon([[1.0, 0]], [[0, 1.0]])[0] == pytest.approx(1)  # nothing in common: one bit


def test_cross_entropy_is_entropy_and_divergence():
    expected = [scipy.stats.entropy(p) + scipy.stats.entropy(p, q) for p, q in zip(PEOPLE, JUDGE, strict=True)]
    np.testing.assert_allclose(cross_entropy(PEOPLE, JUDGE), expected)


def test_brier_by_hand():
    # (0.6 - 1)^2 + (0.4 - 0)^2 = 0.32, and against everybody's shares themselves 0.
    assert brier([[0.4, 0.6]], [[0, 1.0]])[0] == pytest.approx(0.32)
    assert brier([[0.4, 0.6]], [[0.4, 0.6]])[0] == 0


def test_brier_of_few_raters_estimates_that_of_all():
    """Three raters drawn from shares the judge knows exactly: the plain distance is their chance, the other 0."""
    truth = np.tile([0.5, 0.3, 0.2], (20_000, 1))
    people = shares(np.random.default_rng(2).multinomial(3, truth[0], len(truth)))
    assert brier(people, truth).mean() == pytest.approx((1 - 0.25 - 0.09 - 0.04) / 3, rel=0.02)
    assert brier(people, truth, np.full(len(truth), 3)).mean() == pytest.approx(0, abs=0.005)
    assert np.isnan(brier([[1.0, 0]], [[1.0, 0]], [1]))[0]


def test_the_judge_that_knows_the_shares_beats_the_one_that_knows_the_majority():
    people = shares([[0, 4, 0, 6], [10, 0, 0, 0], [0, 5, 3, 2]])
    sharp = as_probabilities([4, 1, 2], [1, 2, 3, 4], distributions.LEFT_FOR_OTHERS)
    soft, hard = distributions.distances(people, people, **QUICK), distributions.distances(people, sharp, **QUICK)
    assert (soft.jensen_shannon.value, soft.brier.value) == (pytest.approx(0), 0)
    for name in ("jensen_shannon", "cross_entropy", "brier"):
        assert getattr(hard, name).value > getattr(soft, name).value
    assert hard.brier.n == 3


def test_a_judge_that_leaves_no_chance_has_no_cross_entropy():
    found = distributions.distances([[0.5, 0.5]], as_probabilities([1], [0, 1]))
    assert found.cross_entropy.undefined == "the judge gave no chance to a grade that was given"
    assert found.brier.value == 0.5


def test_items_without_a_grade_or_a_rater_are_left_out():
    people = shares([[1, 1], [0, 0], [2, 0]])
    judge = as_probabilities([0, 1, np.nan], [0, 1], 0.1)
    found = distributions.distances(people, judge, **QUICK)
    assert (found.brier.n, found.brier.value) == (1, pytest.approx(0.4**2 * 2))


def test_everyone_is_measured_against_the_others():
    items, codes, rest = distributions.of_the_others([7, 7, 7, 8, 9, 9], [1, 2, 3, 1, 2, 3], [0, 1, 1, 0, 1, 0], 2)
    assert (items.tolist(), codes.tolist()) == ([7, 7, 7, 9, 9], [0, 1, 1, 1, 0])
    assert rest.tolist() == [[0, 1], [0.5, 0.5], [0.5, 0.5], [1, 0], [0, 1]]
    with pytest.raises(ValueError, match="rates an item once"):
        distributions.of_the_others([7, 7], [1, 1], [0, 1], 2)


@pytest.mark.parametrize(
    ("distance", "cost"),
    [("differ", lambda x, y: x != y), ("absolute", lambda x, y: abs(x - y)), ("squared", lambda x, y: (x - y) ** 2)],
)
def test_disagreement_by_group_is_a_slow_count_of_pairs(distance, cost):
    generator = np.random.default_rng(3)
    items, groups, values = (generator.integers(0, top, 120) for top in (20, 3, 5))
    groups -= generator.random(120) < 0.1
    found = distributions.disagreement_by_group(items, groups, values, 3, distance, **QUICK)
    pairs = {}
    for i, j in combinations(range(120), 2):
        if items[i] == items[j] and min(groups[i], groups[j]) >= 0:
            key = tuple(sorted((int(groups[i]), int(groups[j]))))
            pairs.setdefault(key, []).append(float(cost(values[i], values[j])))
    for key, expected in pairs.items():
        figure = found.within[key[0]] if key[0] == key[1] else found.between[key]
        assert (figure.value, figure.n) == (pytest.approx(np.mean(expected)), len(expected))
    assert found.excess[0, 2].value == pytest.approx(
        np.mean(pairs[0, 2]) - (np.mean(pairs[0, 0]) + np.mean(pairs[2, 2])) / 2
    )


def test_groups_that_see_it_otherwise_differ_more_from_each_other():
    """Two communities, one a grade stricter: within them raters differ by noise, across by that and the grade."""
    generator = np.random.default_rng(4)
    items, groups = np.repeat(np.arange(200), 6), np.tile([0, 0, 0, 1, 1, 1], 200)
    values = generator.normal(0, 1, 200)[items] + groups + generator.normal(0, 1, 1200)
    found = distributions.disagreement_by_group(items, groups, values, 2, "squared")
    assert found.excess[0, 1].value == pytest.approx(1, abs=0.3)  # the squared difference of the two means
    assert found.excess[0, 1].low > 0
    same = distributions.disagreement_by_group(items, groups, values - groups, 2, "squared").excess[0, 1]
    assert same.low < 0 < same.high


def test_a_group_of_one_has_nothing_within():
    found = distributions.disagreement_by_group([1, 1], [0, 1], [3, 4], 2)
    assert [figure.undefined for figure in found.within] == ["no pairable values"] * 2
    assert (found.between[0, 1].value, found.excess[0, 1].undefined) == (1.0, "no pairable values")


def test_soft_labels_are_the_share_that_marked_each_character():
    marks = distributions.soft_labels([4, 3, 2], [0, 0, 1], [0, 0, 1], [0, 1, 1], [2, 3, 4])
    # Answer 0 marked 0-3 (twice at 1), answer 1 marked 1-4; text 1 was read by one who found nothing, text 2 by none.
    assert marks[0].tolist() == [0.5, 1, 1, 0.5]
    assert marks[1].tolist() == [0, 0, 0]
    assert np.isnan(marks[2]).all()
    with pytest.raises(ValueError, match="leaves its text"):
        distributions.soft_labels([4], [0], [0], [0], [5])


def test_correlation_of_soft_labels_is_numpy_s():
    generator = np.random.default_rng(5)
    people = [generator.integers(0, 4, size) / 3 for size in (30, 50, 20)]
    judge = [(side > 0.5).astype(float) for side in people]
    judge[2] = 1 - judge[2]
    found = distributions.soft_label_correlation(people, judge, **QUICK)
    assert found.value == pytest.approx(np.corrcoef(np.concatenate(people), np.concatenate(judge))[0, 1])
    assert (found.n, found.detail["positions"]) == (3, 100)
    nothing = [np.zeros(5)]
    assert distributions.soft_label_correlation([np.ones(5) / 2], nothing).undefined == "no variation"
    assert distributions.soft_label_correlation([np.full(5, np.nan)], nothing).undefined == "no items"


def test_what_are_no_probabilities_is_refused():
    with pytest.raises(ValueError, match="add up to 1"):
        brier([[0.5, 0.6]], [[0.5, 0.5]])
    with pytest.raises(ValueError, match="same values"):
        brier([[1.0]], [[0.5, 0.5]])
    with pytest.raises(ValueError, match="one of the scale"):
        as_probabilities([7], [0, 1])
    with pytest.raises(ValueError, match="one row per item"):
        shares([1, 2])
    with pytest.raises(ValueError, match="distance must be"):
        distributions.group_columns([1], [0], [1], 1, "far")
