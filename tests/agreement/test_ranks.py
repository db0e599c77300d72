"""Scores with intervals, and rank sets that hold for all configurations at once."""

import gzip
import json
import resource
import time
from itertools import combinations, product

import numpy as np
import pytest

from agreement.ranks import mean_score, mean_scores, mean_scores_by, rank_sets, units_of
from tests.real_data import published

NOTHING = np.nan


def exactly(number):
    return pytest.approx(number, abs=1e-9, rel=0)


# --- scores ------------------------------------------------------------------------------------------------


def test_a_mean_with_the_interval_of_students_t():
    figure = mean_score([1, 2, 3, 4, 5, 6, 7, NOTHING])
    assert (figure.value, figure.n) == (4, 7)
    error = np.std([1, 2, 3, 4, 5, 6, 7], ddof=1) / np.sqrt(7)
    assert figure.detail["standard_error"] == pytest.approx(error)
    assert figure.bounds == pytest.approx((4 - 2.446912 * error, 4 + 2.446912 * error))
    assert (figure.detail["unit"], figure.detail["units"], figure.detail["unscored"]) == ("question", 7, 1)
    assert figure.detail["effective"] == pytest.approx(7)


def test_questions_of_one_passage_count_for_less():
    passages = np.repeat(np.arange(30), 5)
    scores = np.random.default_rng(1).normal(5, 2, 30)[passages]
    figure = mean_score(scores, passages)
    assert (figure.n, figure.detail["units"], figure.detail["unit"]) == (150, 30, "cluster")
    assert figure.detail["effective"] == pytest.approx(30, rel=0.05)
    assert figure.detail["standard_error"] == pytest.approx(scores[::5].std(ddof=1) / np.sqrt(30))


@pytest.mark.parametrize("per_cluster", [1, 8])
def test_intervals_cover_the_truth_as_often_as_they_say(per_cluster):
    generator = np.random.default_rng(11)
    cluster = np.arange(120) // per_cluster
    shared = generator.normal(0, 2, (1000, 120 // per_cluster)).repeat(per_cluster, axis=1)
    boards = 5 + shared + generator.normal(0, 3, (1000, 120))
    figures = mean_scores(boards.T, cluster)
    covered = np.mean([figure.low <= 5 <= figure.high for figure in figures])
    assert covered == pytest.approx(0.95, abs=0.02)


def test_a_score_without_an_interval_says_why():
    assert mean_score([NOTHING]).undefined == "no items"
    assert mean_score([3]).detail["interval"] == "n < 2"
    assert mean_score([3, 4, 5]).detail["interval"] == "too few units"
    assert mean_score([10] * 40).detail["interval"] == "no variation"
    assert mean_score([3, 4] * 30, [0, 1] * 30).detail["interval"] == "too few units"
    with pytest.raises(ValueError, match="finite"):
        mean_score([np.inf])
    with pytest.raises(ValueError, match="cluster"):
        mean_score([1, 2], [1])


def test_a_cluster_of_one_question_each_is_no_cluster():
    assert units_of(3, ["a", "b", "c"]).name == "question"
    assert (units_of(3, ["a", "b", "a"]).name, units_of(3, ["a", "b", "a"]).count) == ("cluster", 2)


def test_scores_by_skill():
    figures = mean_scores_by([[1, 2], [3, 4], [5, NOTHING]], ["x", "y", "x"], [0, 0, 1])
    assert list(figures) == ["x", "y"]
    assert [figure.value for figure in figures["x"]] == [3, 2]
    assert [figure.n for figure in figures["x"]] == [2, 1]
    with pytest.raises(ValueError, match="group"):
        mean_scores_by([[1.0]], [])


# --- rank sets ---------------------------------------------------------------------------------------------


def plainly(scores, cluster, weights, signs):
    """Observed statistics and the largest of each flip, pair by pair; signs of shape (flips, units)."""
    n = scores.shape[1]
    observed, largest = np.full((n, n), np.nan), np.zeros(len(signs))
    for first, second in combinations(range(n), 2):
        differences = np.nan_to_num((scores[:, first] - scores[:, second]) * weights)
        sums = np.bincount(cluster, differences, minlength=signs.shape[1])
        scale = np.sqrt((sums**2).sum())
        observed[first, second], observed[second, first] = sums.sum() / scale, -sums.sum() / scale
        largest = np.maximum(largest, np.abs(signs @ sums) / scale)
    return observed, np.sort(largest)


@pytest.mark.parametrize("missing", [0, 0.02, 0.4])
@pytest.mark.parametrize("per_cluster", [1, 3])
def test_it_is_the_plain_computation_of_the_same_flips(missing, per_cluster, monkeypatch):
    monkeypatch.setattr("agreement.ranks._VALUES_AT_ONCE", 700)
    generator = np.random.default_rng(8)
    scores = generator.normal(5, 4, (60, 5)) + np.linspace(0, 5, 5)
    scores[generator.random(scores.shape) < missing] = NOTHING
    cluster = generator.permutation(60) // per_cluster
    weights = generator.uniform(0.5, 2, 60)
    ranks = rank_sets(scores, cluster, weights=weights, flips=199, seed=3)
    drawn = np.random.default_rng(3)
    count = 60 // per_cluster
    width = 700 // (25 if missing else count)
    pieces = [drawn.integers(0, 2, (min(width, 199 - at), count), dtype=np.int8) for at in range(0, 199, width)]
    observed, largest = plainly(scores, cluster, weights, np.concatenate(pieces) * 2.0 - 1)
    assert np.nan_to_num(ranks.statistic, nan=7) == pytest.approx(np.nan_to_num(observed, nan=7))
    assert ranks.critical == pytest.approx(largest[189])
    assert (ranks.better == (np.nan_to_num(observed) > largest[189])).all()
    first, second = 0, 4
    assert ranks.p[first, second] == (1 + (largest >= abs(observed[first, second])).sum()) / 200
    assert ((ranks.p <= 0.05) == (ranks.better | ranks.better.T)).all()


def test_all_flips_of_few_units_by_hand():
    """Two configurations, four questions: a difference of one sign has p = 2 / 16 whatever its size."""
    signs = np.array(list(product((-1, 1), repeat=4)))
    differences = np.array([3.0, 1, 2, 5])
    share = (np.abs(signs @ differences) >= differences.sum()).mean()
    ranks = rank_sets(np.column_stack((differences, np.zeros(4))), flips=20_000)
    assert ranks.p[0, 1] == pytest.approx(share, abs=0.01) == pytest.approx(2 / 16, abs=0.01)
    assert not ranks.better.any()
    assert ranks.sets == [(1, 2), (1, 2)]


def test_sharing_a_rank_is_not_transitive():
    generator = np.random.default_rng(0)
    noise = generator.normal(0, 2, (300, 3))
    ranks = rank_sets(noise - noise.mean(axis=0) + [5.0, 4.7, 4.4])
    assert ranks.sets == [(1, 2), (1, 3), (2, 3)]
    assert ranks.shares.tolist() == [[True, True, False], [True, True, True], [False, True, True]]


def test_two_alike_throughout_are_never_told_apart_and_disturb_nobody():
    scores = np.random.default_rng(2).normal(5, 2, (100, 3)) + np.array([0, 0, 4])
    twice = np.column_stack((scores, scores[:, 2] * (1 + 1e-15)))
    ranks = rank_sets(twice)
    assert np.isnan(ranks.statistic[2, 3])
    assert ranks.p[2, 3] == 1
    assert ranks.sets[2] == ranks.sets[3] == (1, 2)
    assert ranks.critical == pytest.approx(rank_sets(scores).critical)


def test_who_is_not_eligible_is_in_nobodys_rank():
    scores = np.random.default_rng(2).normal(5, 1, (100, 4)) + np.array([0, 3, 6, 9])
    scores[:, 0] = NOTHING
    ranks = rank_sets(scores, eligible=[True, True, True, False])
    assert ranks.sets == [None, (2, 2), (1, 1), None]
    assert not ranks.shares[0].any()
    assert ranks.critical == rank_sets(scores[:, [1, 2]]).critical


def test_without_a_common_judge_there_is_no_rank_between_them():
    scores = np.random.default_rng(2).normal(5, 1, (100, 3)) + np.array([0, 3, 6])
    comparable = np.array([[True, True, False], [True, True, True], [False, True, True]])
    ranks = rank_sets(scores, comparable=comparable)
    assert np.isnan(ranks.statistic[0, 2])
    assert ranks.sets == [(2, 3), (2, 2), (1, 2)]


def test_nothing_to_compare():
    assert rank_sets(np.zeros((0, 2))).sets == [None, None]
    assert rank_sets(np.zeros((5, 0))).sets == []
    assert rank_sets([[1.0], [2.0]]).sets == [(1, 1)]
    apart = rank_sets([[1.0, NOTHING], [NOTHING, 2.0]])
    assert (apart.sets, apart.critical) == ([(1, 2), (1, 2)], None)
    for options, words in (
        ({"weights": [0, 1]}, "weight"),
        ({"eligible": [True]}, "eligible"),
        ({"comparable": [[True, False], [True, True]]}, "comparable"),
        ({"flips": 0}, "flip"),
    ):
        with pytest.raises(ValueError, match=words):
            rank_sets([[1.0, 2.0], [3.0, 4.0]], **options)
    with pytest.raises(ValueError, match="row per question"):
        rank_sets([1.0])


def test_the_same_seed_gives_the_same_ranks():
    scores = np.random.default_rng(2).normal(5, 2, (100, 5))
    assert rank_sets(scores, seed=4).critical == rank_sets(scores, seed=4).critical
    assert rank_sets(scores, seed=4).critical != rank_sets(scores, seed=5).critical


# --- simulation --------------------------------------------------------------------------------------------


def equal_board(generator, n_questions, n, per_cluster):
    """Scores of sd 4 of n equal configurations; half of the variance is common to the questions of a cluster."""
    if per_cluster == 1:
        return generator.normal(5, 4, (n_questions, n))
    shared = generator.normal(0, np.sqrt(8), (n_questions // per_cluster, n)).repeat(per_cluster, axis=0)
    return 5 + shared + generator.normal(0, np.sqrt(8), (n_questions, n))


@pytest.mark.parametrize("per_cluster", [1, 5])
def test_equal_configurations_are_told_apart_in_one_board_of_twenty(per_cluster):
    """The bounds are 3 to 7 %, and what 400 boards vary by."""
    generator = np.random.default_rng(17)
    cluster = None if per_cluster == 1 else np.arange(200) // per_cluster
    boards = (equal_board(generator, 200, 8, per_cluster) for _ in range(400))
    false = np.mean([rank_sets(board, cluster, flips=400, seed=seed).better.any() for seed, board in enumerate(boards)])
    assert 0.02 <= false <= 0.08


def test_clusters_that_are_not_heeded_would_tell_equals_apart():
    generator = np.random.default_rng(18)
    boards = [equal_board(generator, 200, 8, 5) for _ in range(60)]
    assert np.mean([rank_sets(board, flips=400).better.any() for board in boards]) > 0.3


def test_a_better_one_is_found():
    """1.5 points of 10 better than seven others, 470 questions, sd 4."""
    generator = np.random.default_rng(19)
    found = []
    for seed in range(60):
        scores = equal_board(generator, 470, 8, 1)
        scores[:, 0] += 1.5
        found.append(rank_sets(scores, flips=400, seed=seed).sets[0] == (1, 1))
    assert np.mean(found) >= 0.95


def test_a_large_board_takes_about_a_second_and_little_memory():
    generator = np.random.default_rng(20)
    scores = generator.normal(5, 4, (470, 200))
    scores[generator.random(scores.shape) < 0.005] = NOTHING
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    rank_sets(scores)
    assert time.process_time() - began < 6, "1 s on an idle core"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000, "kilobytes"


# --- a published board -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def alpaca():
    """Scores (10 x preference) of shape (Q, n), the names of the columns and the sources of the rows, and what an
    independent script computed of them."""
    with open(published("alpaca_eval/questions.jsonl"), encoding="utf-8") as lines:
        questions = [json.loads(line) for line in lines]
    expected = json.loads(published("reference/alpaca_eval.json").read_text(encoding="utf-8"))
    rows = {question["id"]: row for row, question in enumerate(questions)}
    columns = {name: column for column, name in enumerate(expected)}
    scores = np.full((len(rows), len(columns)), NOTHING)
    with gzip.open(published("alpaca_eval/outputs.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for output in map(json.loads, lines):
            scores[rows[output["question"]], columns[output["model"]]] = 10 * output["preference"]
    return scores, [question["source"] for question in questions], expected


@pytest.mark.real_data
def test_win_rates_standard_errors_and_rates_by_source(alpaca):
    scores, sources, expected = alpaca
    by_source = mean_scores_by(scores, sources)
    for column, (figure, numbers) in enumerate(zip(mean_scores(scores), expected.values(), strict=True)):
        assert figure.n == numbers["n"]
        assert 10 * figure.value == exactly(numbers["win_rate"])
        assert 10 * figure.detail["standard_error"] == exactly(numbers["standard_error"])
        assert set(by_source) == set(numbers["by_source"])
        for source, figures in by_source.items():
            assert figures[column].n == numbers["by_source"][source]["n"]
            assert 10 * figures[column].value == exactly(numbers["by_source"][source]["win_rate"])


@pytest.mark.real_data
@pytest.mark.parametrize("seed", range(3))
def test_rank_sets_of_the_published_board(alpaca, seed):
    scores, _, expected = alpaca
    ranks = rank_sets(scores, seed=seed)
    assert [list(bounds) for bounds in ranks.sets] == [numbers["rank_set_by_question"] for numbers in expected.values()]
    assert (ranks.unit, ranks.units) == ("question", 805)
