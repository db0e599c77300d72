"""What a rank is worth, on boards that are drawn by chance and ranked as the board ranks: equals are told apart on one
board of twenty, and a model that is better is found.

`make bench ARGS=ranks` draws 1,000 of each kind of boards, and prints 3 to 7 % as what is promised; here are a tenth.
"""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from tests.leaderboard.simulated import IN_CLUSTER, ranked, ranks_of_the_better, scores_of_equals, told_apart

BOARDS = 100
KINDS = [(8, 1), (8, IN_CLUSTER), (30, 1), (30, IN_CLUSTER)]
LEAST, MOST = 0.03, 0.07
#: A procedure that errs as rarely, or as often, as it may leaves these bounds once in 10,000 studies.
CHANCE = 1e-4


@cache
def false_boards(n: int, per_cluster: int) -> int:
    return told_apart(17, BOARDS, n, per_cluster)


@pytest.mark.parametrize(("n", "per_cluster"), KINDS)
def test_equals_are_told_apart_on_a_board_of_twenty(n, per_cluster):
    least, most = binom.ppf(CHANCE, BOARDS, LEAST), binom.isf(CHANCE, BOARDS, MOST)
    assert least <= false_boards(n, per_cluster) <= most


def test_of_all_boards_of_equals_about_one_in_twenty_tells_somebody_apart():
    drawn = BOARDS * len(KINDS)
    found = sum(false_boards(*kind) for kind in KINDS)
    assert binom.ppf(CHANCE, drawn, LEAST) <= found <= binom.isf(CHANCE, drawn, MOST)


def test_clusters_that_the_board_did_not_heed_would_tell_equals_apart():
    chance = np.random.default_rng(18)
    boards = [scores_of_equals(chance, 8, IN_CLUSTER) for _board in range(30)]
    assert sum(set(ranked(scores).sets) != {(1, 8)} for scores in boards) > 0.3 * len(boards)


@pytest.mark.parametrize(("n", "common"), [(8, 0.0), (30, 0.3)])
def test_a_better_model_is_first_alone(n, common):
    """1.5 points of 10 better than every other; hard questions are hard for everybody among the thirty."""
    found = Counter(ranks for ranks, _is_better in ranks_of_the_better(19, 100, n, common))
    assert found[1, 1] >= 95


def test_among_thirty_drawn_apart_it_is_found_against_any_one():
    """First alone it is on three boards of four, for that is 29 statements at once (docs/leaderboard.md)."""
    found = list(ranks_of_the_better(20, 100, 30))
    assert sum(is_better for _ranks, is_better in found) >= 95
    assert all(best == 1 for (best, _worst), _is_better in found)
