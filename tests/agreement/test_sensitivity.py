"""What an order hangs on: weights, and single questions."""

from itertools import combinations

import numpy as np
import pytest

from agreement.ranks import mean_score, rank_sets
from agreement.sensitivity import fewest_removals, places, skill_mean, skill_weights

NOTHING = np.nan


def test_skills_count_alike():
    weights = skill_weights(["a", "a", "a", "b"])
    assert weights.tolist() == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2])
    scores = np.array([3.0, 6, 9, 2])
    assert np.average(scores, weights=weights) == skill_mean(scores, list("aaab")).value == 4


def test_an_order_by_question_and_by_skill():
    generator = np.random.default_rng(1)
    skill = ["MMLU"] * 200 + ["Coding"] * 50
    scores = generator.normal(5, 1, (250, 2))
    scores[:200, 0] += 1
    scores[200:, 1] += 2
    assert rank_sets(scores).sets == [(1, 1), (2, 2)]
    assert rank_sets(scores, weights=skill_weights(skill)).sets == [(2, 2), (1, 1)]
    assert places(scores.mean(axis=0)) == [1, 2]
    assert places([skill_mean(column, skill).value for column in scores.T]) == [2, 1]
    assert places([3, 5, NOTHING, 5]) == [3, 1, None, 1]


@pytest.mark.parametrize("per_cluster", [1, 5])
def test_the_interval_of_a_skill_mean_covers_the_truth_as_often_as_it_says(per_cluster):
    generator = np.random.default_rng(2)
    skill = ["a"] * 150 + ["b"] * 50 + ["c"] * 30
    level = np.repeat([6.0, 4, 2], [150, 50, 30])
    cluster = np.arange(230) // per_cluster
    covered = 0
    for _ in range(500):
        shared = generator.normal(0, 1, 230).repeat(per_cluster)[:230]
        figure = skill_mean(level + shared + generator.normal(0, 1, 230), skill, cluster)
        covered += figure.low <= 4 <= figure.high
    assert covered / 500 == pytest.approx(0.95, abs=0.025)


def test_one_skill_is_the_question_mean():
    scores = np.random.default_rng(3).normal(5, 1, 40)
    scores[3] = NOTHING
    assert skill_mean(scores, ["a"] * 40).bounds == pytest.approx(mean_score(scores).bounds)


def test_a_skill_mean_without_an_interval_says_why():
    assert skill_mean([NOTHING], ["a"]).undefined == "no items"
    assert skill_mean([1.0, 2, 3], list("aab")).detail["interval"] == "a skill with one question"
    assert skill_mean([1.0, 2, 3, 4], list("aabb")).detail["interval"] == "too few units"
    assert skill_mean([1.0] * 12, list("aab") * 4).detail["interval"] == "no variation"
    with pytest.raises(ValueError, match="skill"):
        skill_mean([1.0], [])


def by_trying_all(scores):
    """The fewest removals by trying every set of questions."""
    n_questions, n = scores.shape

    def leaders(rows):
        differences = scores[rows][:, :, None] - scores[rows][:, None, :]
        ahead = np.nansum(differences, axis=0) > 1e-9
        return [column for column in range(n) if ahead[column].sum() == n - 1], ahead

    first, _ = leaders(list(range(n_questions)))
    if not first:
        return None
    for size in range(1, n_questions):
        for gone in combinations(range(n_questions), size):
            _, ahead = leaders([row for row in range(n_questions) if row not in gone])
            if ahead[:, first[0]].any():
                return size
    return None


def test_greedy_is_as_good_as_trying_all():
    generator = np.random.default_rng(4)
    tried = 0
    for _ in range(60):
        scores = generator.integers(0, 11, (8, 3)).astype(float)
        scores[generator.random(scores.shape) < 0.1] = NOTHING
        expected, change = by_trying_all(scores), fewest_removals(scores)
        assert change.figure.value == expected, scores
        if expected is not None:
            tried += 1
            rest = np.delete(scores, change.questions, axis=0)
            ahead = rest[:, change.figure.detail["challenger"]] - rest[:, change.figure.detail["leader"]]
            assert np.nansum(ahead) > 0
            assert len(change.questions) == expected
    assert tried > 20


def test_a_leader_by_one_question():
    change = fewest_removals([[10, 0], [5, 6], [5, 6.0]])
    assert (change.figure.value, change.figure.n, change.questions) == (1, 3, (0,))
    assert change.figure.detail == {"leader": 0, "challenger": 1, "share": pytest.approx(1 / 3)}


def test_no_leader_to_change():
    assert fewest_removals([[NOTHING, NOTHING]]).figure.undefined == "no items"
    assert fewest_removals([[1.0], [2.0]]).figure.undefined == "one configuration"
    assert fewest_removals([[1.0, 1.0]]).figure.undefined == "no single leader"
    assert fewest_removals([[2.0, 1.0], [1.0, 1.0]]).figure.undefined == "no removal changes the leader"
    with pytest.raises(ValueError, match="finite"):
        fewest_removals([[np.inf, 1]])
