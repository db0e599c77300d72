"""Agreement beyond chance where nearly everybody says the same."""

from itertools import permutations

import numpy as np
import pytest

from agreement.alpha import alpha_from_counts
from agreement.chance import ac_columns, ac_statistic, gwet_ac, weights_of

#: Four raters on twelve subjects, five categories, some ratings missing: the example of Gwet's Handbook (and of
#: his package irrCAC, "cac.raw4raters"); 0 is missing.
FOUR_RATERS = [
    [1, 1, 0, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [0, 5, 5, 5],
    [0, 0, 1, 1],
    [0, 0, 3, 0],
]
#: Two abstractors on a hundred pregnancies ("cont3x3abstractors"), rows the first.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]


def counts(rows, n_values):
    return [[row.count(value) for value in range(1, n_values + 1)] for row in rows]


def two_raters(table):
    rows = [[i + 1, j + 1] for i, line in enumerate(table) for j, times in enumerate(line) for _ in range(times)]
    return rows, counts(rows, len(table))


def slow_ac(rows, weights):
    """The definition, rating by rating."""
    v, agreements, shares, rated = len(weights), [], np.zeros(len(weights)), 0
    for row in rows:
        given = [value - 1 for value in row if value]
        if len(given) >= 2:
            agreements.append(np.mean([weights[a][b] for a, b in permutations(given, 2)]))
        if given:
            rated += 1
            for value in given:
                shares[value] += 1 / len(given)
    shares /= rated
    expected = sum(map(sum, weights)) / (v * (v - 1)) * sum(p * (1 - p) for p in shares)
    return (np.mean(agreements) - expected) / (1 - expected)


def test_ac1_of_gwet_s_four_raters():
    figure = gwet_ac(counts(FOUR_RATERS, 5), interval=False)
    assert figure.value == pytest.approx(0.77544, abs=5e-6)
    assert figure.detail["observed_agreement"] == pytest.approx(0.8181818, abs=5e-8)
    assert figure.detail["expected_agreement"] == pytest.approx(0.1903212, abs=5e-8)
    assert (figure.n, figure.detail["rated"]) == (11, 12)


def test_ac1_of_gwet_s_two_abstractors():
    rows, table = two_raters(ABSTRACTORS)
    assert gwet_ac(table, interval=False).value == pytest.approx(0.8493305, abs=5e-8)
    # The same example's alpha is published beside it.
    assert alpha_from_counts(table, level="nominal").value == pytest.approx(0.7972585, abs=5e-8)
    assert slow_ac(rows, np.eye(3)) == pytest.approx(0.8493305, abs=5e-8)


def test_ac2_of_gwet_s_two_abstractors_with_quadratic_weights():
    # As his package's vignette on weights prints it.
    assert gwet_ac(two_raters(ABSTRACTORS)[1], weights="quadratic", interval=False).value == pytest.approx(
        0.9402369, abs=5e-8
    )


@pytest.mark.parametrize(
    ("weights", "first_row"),
    # As Gwet's package prints them for three categories.
    [("unweighted", [1, 0, 0]), ("linear", [1, 0.5, 0]), ("ordinal", [1, 2 / 3, 0]), ("quadratic", [1, 0.75, 0])],
)
def test_weights_are_gwet_s(weights, first_row):
    assert weights_of([1, 2, 3], weights)[0].tolist() == pytest.approx(first_row)


@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic", "ordinal"])
def test_ac2_is_the_definition_rating_by_rating(weights):
    domain = [1, 2, 3, 4, 5]
    found = gwet_ac(counts(FOUR_RATERS, 5), domain, weights, interval=False)
    assert found.value == pytest.approx(slow_ac(FOUR_RATERS, weights_of(domain, weights)))


def test_where_one_value_prevails_alpha_falls_and_ac_does_not():
    """118 of 125 pairs agree on the one value, the others differ: the paradox that AC was made for."""
    _, table = two_raters([[118, 5], [2, 0]])
    assert alpha_from_counts(table, level="nominal").value < 0
    assert gwet_ac(table, interval=False).value > 0.93


def test_all_alike_is_full_agreement_and_a_value_nobody_gave_counts():
    assert gwet_ac([[2, 0], [2, 0]], interval=False).value == 1.0
    two, three = gwet_ac([[2, 0], [1, 1]], interval=False), gwet_ac([[2, 0, 0], [1, 1, 0]], interval=False)
    assert two.value < three.value


def test_random_ratings_agree_by_chance_alone():
    table = np.random.default_rng(1).multinomial(3, [0.25] * 4, 4000)
    for weights in ("unweighted", "linear", "quadratic", "ordinal"):
        assert gwet_ac(table, weights=weights, interval=False).value == pytest.approx(0, abs=0.03)


def test_the_interval_is_about_the_one_gwet_published():
    # Standard error 0.04321747 (no clusters), so about 0.171 wide; ours reaches further down than up.
    _, table = two_raters(ABSTRACTORS)
    low, high = gwet_ac(table).bounds
    assert high - low == pytest.approx(2 * 1.98 * 0.04321747, rel=0.08)
    assert high < 0.935 < 1


def test_what_cannot_be_said_of_chance_has_its_reason():
    assert gwet_ac([[1, 0], [0, 1]]).undefined == "no pairable values"
    assert gwet_ac([[3], [2]]).undefined == "a scale of one value"
    with pytest.raises(ValueError, match="weights must be one of"):
        gwet_ac([[1, 1]], weights="cubic")
    with pytest.raises(ValueError, match="values rise"):
        gwet_ac([[1, 1]], [2, 1])
    with pytest.raises(ValueError, match="one row per item"):
        gwet_ac([[1, 1]], [1, 2, 3])


@pytest.mark.parametrize("weights", ["unweighted", "quadratic"])
def test_of_a_wide_scale_its_ends_and_what_was_given_are_enough(weights):
    table = np.zeros((4, 101))
    for item, grades in enumerate(((70, 70, 75), (20, 25, 20), (70, 20, 25), (75, 75, 75))):
        np.add.at(table[item], list(grades), 1)
    few = np.array([0, 20, 25, 70, 75, 100])
    sums = ac_columns(table[:, few], few, weights).sum(axis=0)
    found = ac_statistic(few, weights, 101)(sums)
    assert found == pytest.approx(gwet_ac(table, weights=weights, interval=False).number, abs=1e-12)
