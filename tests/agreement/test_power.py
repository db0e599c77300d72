"""What a skill can show: the stated difference is found as often as stated."""

import numpy as np
import pytest

from agreement.power import detectable_difference, paired_spreads, smallest_difference
from agreement.ranks import rank_sets


def boards(generator, n_boards, n_questions, n, lead, per_cluster=1):
    """Boards of n configurations, of which the first leads by `lead`; questions of a cluster share part of it all."""
    for _ in range(n_boards):
        alone = generator.normal(0, 2, (n_questions, n))
        shared = generator.normal(0, 2, (n_questions // per_cluster, n)).repeat(per_cluster, axis=0)
        scores = alone + shared
        scores[:, 0] += lead
        yield scores


@pytest.mark.parametrize("per_cluster", [1, 5])
def test_the_stated_difference_is_found_in_eight_of_ten_boards(per_cluster):
    generator = np.random.default_rng(5)
    cluster = np.arange(200) // per_cluster
    stated = [
        detectable_difference(board, rank_sets(board, cluster, flips=500), cluster)
        for board in boards(generator, 40, 200, 4, 0, per_cluster)
    ]
    lead = np.mean([figure.value for figure in stated])
    told_apart = [
        rank_sets(board, cluster, flips=500).better[0, 1] for board in boards(generator, 400, 200, 4, lead, per_cluster)
    ]
    assert np.mean(told_apart) == pytest.approx(0.8, abs=0.06)
    assert (stated[0].n, stated[0].detail["unit"]) == ((200, "question") if per_cluster == 1 else (40, "cluster"))


def test_the_normal_approximation_is_near_for_many_units():
    from scipy.special import ndtri

    assert smallest_difference(100_000, 4, 3) == pytest.approx(4 / np.sqrt(1e5) * (3 + ndtri(0.8)), rel=1e-3)


def test_a_spread_per_question_is_that_of_the_differences_where_nothing_is_shared():
    generator = np.random.default_rng(2)
    scores = generator.normal(5, 2, (50, 3))
    scores[3, 1] = np.nan
    shared = np.arange(50) != 3
    spreads = paired_spreads(scores)
    assert spreads[0, 2] == spreads[2, 0] == pytest.approx((scores[:, 0] - scores[:, 2]).std(ddof=1))
    assert spreads[0, 1] == pytest.approx((scores[shared, 0] - scores[shared, 1]).std(ddof=1))
    assert np.isnan(spreads.diagonal()).all()


def test_more_questions_show_less_and_more_power_needs_more():
    shown = [smallest_difference(units, 4, 3) for units in (20, 100, 470)]
    assert shown == sorted(shown, reverse=True)
    assert smallest_difference(100, 4, 3, power=0.95) > smallest_difference(100, 4, 3)
    assert smallest_difference(9, 4, 3) is None, "|T| of nine units is 3 at most"


def test_a_skill_that_can_show_nothing_says_why():
    generator = np.random.default_rng(3)

    def reason(scores, cluster=None, **options):
        return detectable_difference(scores, rank_sets(scores, cluster, flips=200), cluster, **options).undefined

    assert reason(np.zeros((0, 2))) == "no items"
    assert reason(generator.normal(size=(3, 8))) == "too few units"
    assert reason(generator.normal(size=(60, 8)), np.arange(60) % 4) == "too few units"
    assert reason(generator.normal(0, 4, (7, 30))) == "no difference within the scale could be shown"
    assert reason(generator.normal(size=(60, 1))) == "no two configurations to compare"
    assert reason(np.ones((60, 2))) == "no two configurations to compare"
    assert reason(np.ones((60, 2)) * [1, 2]) == "no variation"
    with pytest.raises(ValueError, match="power"):
        smallest_difference(10, 1, 2, power=1)
