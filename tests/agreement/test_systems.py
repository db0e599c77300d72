"""Six models, graded by people and by a judge: is it the same ranking?"""

from itertools import combinations

import numpy as np
import pytest
import scipy

from agreement import systems, ties
from agreement.ranks import rank_sets
from agreement.system_clusters import clusters

#: Without intervals: what is looked at is the value.
QUICK: dict = {}


def study(seed, n_questions=40, n=6, noise=1.0):
    """Grades 1 to 5 by people and finer ones by a judge that sees the same quality with noise of its own."""
    generator = np.random.default_rng(seed)
    quality = np.linspace(-0.6, 0.6, n) + generator.normal(0, 1, (n_questions, 1))
    people = np.clip(np.round(3 + quality + generator.normal(0, 0.7, quality.shape)), 1, 5)
    return people, 3 + quality + generator.normal(0, noise, quality.shape)


def test_tau_b_and_accuracy_of_means_are_scipy_s_and_a_slow_count():
    people, judge = study(1)
    found = systems.system_agreement(people, judge, **QUICK)
    one, other = people.mean(axis=0), judge.mean(axis=0)
    assert found.tau_b.value == pytest.approx(scipy.stats.kendalltau(one, other).statistic)
    right = [np.sign(one[i] - one[j]) == np.sign(other[i] - other[j]) for i, j in combinations(range(6), 2)]
    assert found.accuracy.value == pytest.approx(np.mean(right))
    assert found.tau_b.detail["pairs"] == 15


def test_tied_means_are_ties_of_tau_b_as_scipy_has_them():
    people = np.array([[1.0, 2, 2, 3], [2, 1, 1, 4], [3, 3, 3, 5]])
    judge = np.array([[1.0, 1, 2, 5], [1, 1, 3, 5], [1, 1, 4, 2]])
    found = systems.system_agreement(people, judge, **QUICK)
    assert found.tau_b.value == pytest.approx(scipy.stats.kendalltau(people.mean(0), judge.mean(0)).statistic)


def test_soft_pairwise_accuracy_is_that_of_random_paired_permutations():
    """The paper draws permutations; the closed form must give what many of them give."""
    people, judge = study(2, n_questions=60)
    generator = np.random.default_rng(0)
    signs = generator.choice((-1.0, 1.0), (20_000, len(people)))

    def p(scores, i, j):
        difference = scores[:, i] - scores[:, j]
        drawn, seen = signs @ difference, difference.sum()
        # Half of the permutations that give just what was seen, so that p of i over j and of j over i add up to 1.
        return (drawn > seen + 1e-9).mean() + (np.abs(drawn - seen) <= 1e-9).mean() / 2

    gaps = [abs(p(people, i, j) - p(judge, i, j)) for i, j in combinations(range(6), 2)]
    assert systems.system_agreement(people, judge, **QUICK).soft.value == pytest.approx(1 - np.mean(gaps), abs=0.004)


def test_a_judge_that_says_what_people_say_agrees_entirely_and_the_reverse_not_at_all():
    people, _ = study(3, n_questions=300)
    same = systems.system_agreement(people, people, **QUICK)
    assert [figure.value for figure in (same.tau_b, same.accuracy, same.soft)] == [1.0, 1.0, 1.0]
    turned = systems.system_agreement(people, 6 - people, **QUICK)
    assert (turned.tau_b.value, turned.accuracy.value) == (-1.0, 0.0)
    assert turned.soft.value < 0.1


def test_soft_accuracy_forgives_an_order_that_chance_made():
    """Two models alike, turned round by the judge: pairwise accuracy loses half, the soft one hardly anything."""
    generator = np.random.default_rng(4)
    base = generator.normal(0, 1, (200, 1))
    people = base + generator.normal(0, 1, (200, 2))
    people -= people.mean(axis=0) - [0.001, 0]
    found = systems.system_agreement(people, -people, **QUICK)
    assert found.accuracy.value == 0.0
    assert found.soft.value > 0.95


def test_only_cells_that_both_scored_are_in_the_means():
    people, judge = study(5)
    holes = np.random.default_rng(0).random(people.shape)
    people, judge = np.where(holes < 0.2, np.nan, people), np.where(holes > 0.8, np.nan, judge)
    both = ~np.isnan(people) & ~np.isnan(judge)
    means = [np.where(both, side, 0).sum(0) / both.sum(0) for side in (people, judge)]
    found = systems.system_agreement(people, judge, **QUICK)
    assert found.tau_b.value == pytest.approx(scipy.stats.kendalltau(*means).statistic)
    assert found.tau_b.detail["items"] == both.sum()


def test_whole_prompts_are_the_units():
    people, judge = study(6)
    doubled = [np.repeat(side, 2, axis=0) for side in (people, judge)]
    prompt = np.repeat(np.arange(len(people)), 2)
    once = systems.system_agreement(people, judge, **QUICK)
    twice = systems.system_agreement(*doubled, cluster=prompt, **QUICK)
    for name in ("tau_b", "accuracy", "soft"):
        assert getattr(twice, name).value == pytest.approx(getattr(once, name).value)
    assert twice.soft.bounds == pytest.approx(once.soft.bounds)
    assert (once.tau_b.low, once.tau_b.detail["interval"]) == (None, "an order of means")


def test_judges_that_scored_other_systems_are_told_together_as_each_by_itself():
    people, judge = study(7)
    other, part = study(8)[1], study(9)[1]
    part[:, 2] = np.nan  # it never scored the third system
    part[:4] = np.nan
    prompt = np.repeat(np.arange(len(people) // 2), 2)
    together = systems.system_agreements(people, [judge, part, other], prompt)
    assert together == [systems.system_agreement(people, one, prompt) for one in (judge, part, other)]
    assert [one.soft.detail["units"] for one in together] == [20, 18, 20]
    assert [one.tau_b.detail["pairs"] for one in together] == [15, 10, 15]


def test_what_cannot_be_said_of_systems_has_its_reason():
    one = systems.system_agreement([[3.0], [4.0]], [[2.0], [2.0]])
    assert one.tau_b.undefined == "fewer than two systems"
    nothing = systems.system_agreement([[np.nan, np.nan]], [[1.0, 2.0]])
    assert nothing.soft.undefined == "no items"
    alike = systems.system_agreement([[3.0, 3.0], [4.0, 4.0]], [[2.0, 3.0], [1.0, 3.0]], **QUICK)
    assert alike.tau_b.undefined == "no variation"
    assert alike.accuracy.value == 0.0
    with pytest.raises(ValueError, match="same questions"):
        systems.system_agreement([[1.0, 2.0]], [[1.0, 2.0, 3.0]])


def slow_counts(people, judge, tie):
    counts = dict.fromkeys(("same", "opposite", "tied_by_people", "tied_by_judge", "tied_by_both"), 0)
    for one, other in zip(people, judge, strict=True):
        for i, j in combinations(range(len(one)), 2):
            h, m = one[i] - one[j], other[i] - other[j]
            m = 0 if abs(m) <= tie else m
            if h == 0 or m == 0:
                key = "tied_by_both" if h == m == 0 else "tied_by_people" if h == 0 else "tied_by_judge"
            else:
                key = "same" if h * m > 0 else "opposite"
            counts[key] += 1
    return counts


@pytest.mark.parametrize("tie", [0.0, 0.3, 5.0])
def test_pairs_on_each_question_are_a_slow_count_of_them(tie):
    people, judge = study(7)
    figure = systems.pair_figure(systems.pair_counts(people, judge, tie), systems.accuracy_with_ties, **QUICK)
    expected = slow_counts(people, judge, tie)
    assert {name: figure.detail[name] for name in expected} == expected
    right = expected["same"] + expected["tied_by_both"]
    assert figure.value == pytest.approx(right / sum(expected.values()))
    wrong = sum(expected.values()) - right
    tau = systems.tau_with_ties(systems.pair_counts(people, judge, tie).sum(axis=0))
    assert tau == pytest.approx((right - wrong) / sum(expected.values()))


def test_tau_b_on_one_question_is_scipy_s():
    people, judge = study(8, n_questions=1, n=12)
    judge = np.round(judge)
    found = systems.tau_b(systems.pair_counts(people, judge)[0])
    assert found == pytest.approx(scipy.stats.kendalltau(people[0], judge[0]).statistic)


def test_the_tie_threshold_is_the_best_of_all_tried():
    people, judge = study(9, n_questions=15)
    tie = ties.tie_threshold(people, judge)
    tried = {0.0} | {abs(row[i] - row[j]) for row in judge for i, j in combinations(range(6), 2)}

    def accuracy(at):
        counts = slow_counts(people, judge, at + 1e-9)
        return (counts["same"] + counts["tied_by_both"]) / sum(counts.values())

    assert tie > 0
    assert accuracy(tie) == max(map(accuracy, tried))


def test_a_judge_that_ties_exactly_as_people_do_needs_no_threshold():
    people, _ = study(10)
    assert ties.tie_threshold(people, people) == 0.0
    assert ties.tie_threshold([[1.0]], [[1.0]]) == 0.0


def test_a_threshold_chosen_elsewhere_does_not_flatter():
    """Scores without any relation: chosen on the same pairs the threshold gains, chosen on others it does not."""
    own, others = [], []
    for seed in range(60):
        generator = np.random.default_rng(seed)
        people, judge = generator.integers(1, 4, (20, 2)).astype(float), generator.normal(size=(20, 2))
        tie = ties.tie_threshold(people, judge)
        own.append(systems.accuracy_with_ties(systems.pair_counts(people, judge, tie).sum(0)))
        crossed = ties.calibrated_accuracy(people, judge, np.arange(20))
        assert len(crossed.detail["ties"]) == 5
        others.append(crossed.value)
    # Between ordering by a coin (2/3 x 1/2) and tying all (1/3) nothing is to be gained: a third is right.
    assert np.mean(others) == pytest.approx(1 / 3, abs=0.05)
    assert np.mean(own) > np.mean(others) + 0.05
    assert ties.calibrated_accuracy(people[:9], judge[:9], np.arange(9)).undefined == "too few prompts"


def test_win_rates_by_hand():
    table = [[3.0, 2, 2], [1, np.nan, 5]]
    # First: beats two of two, then loses one of one: 2/3. Second: 0 and a tie, alone on the second: 0.5/2.
    # Third: loss and tie, then a win: 1.5/3.
    assert [figure.value for figure in systems.win_rates(table, **QUICK)] == pytest.approx([2 / 3, 0.25, 0.5])
    assert [figure.n for figure in systems.win_rates(table, **QUICK)] == [3, 2, 3]
    assert systems.win_rates([[3.0], [2.0]])[0].undefined == "no items"


def test_improvement_in_per_cent_by_hand():
    table = [[2.0, 3.0], [2.0, 4.0], [np.nan, 5.0]]
    of = systems.improvements(table, baseline=0, **QUICK)
    assert [figure.value for figure in of] == pytest.approx([0.0, 75.0])
    assert of[1].n == 2
    # Above the least grade of 1 the baseline has 1 on average, the other 2.5.
    assert systems.improvements(table, 0, lowest=1.0, **QUICK)[1].value == pytest.approx(150.0)
    assert systems.improvements(table, 0, lowest=2.0, **QUICK)[1].undefined == "the baseline's mean is 0"
    assert systems.improvements(table[2:], 0, **QUICK)[1].undefined == "no items"


def test_parallel_arrays_become_a_table():
    rows, columns, table = systems.score_table([7, 7, 9, 7], [4, 2, 2, 4], [1.0, 5.0, np.nan, 3.0])
    assert (rows.tolist(), columns.tolist()) == ([7, 9], [2, 4])
    np.testing.assert_array_equal(table, [[5.0, 2.0], [np.nan, np.nan]])
    with pytest.raises(ValueError, match="its row"):
        systems.score_table([1], [1, 2], [3.0])


def test_clusters_are_groups_that_surely_beat_what_is_below():
    generator = np.random.default_rng(12)
    quality = np.array([2.0, 0.0, 0.0, 2.0])
    scores = quality + generator.normal(0, 0.5, (60, 4))
    found = clusters(rank_sets(scores), scores.mean(axis=0))
    assert [set(group) for group in found.groups] == [{0, 3}, {1, 2}]
    assert found.transitive
    assert (found.place(3), found.place(1)) == (1, 2)


def test_a_chain_of_ties_is_one_group_and_says_that_it_is_none_of_equals():
    """Each is hardly better than the next, but the first is surely better than the last."""
    generator = np.random.default_rng(13)
    scores = np.array([0.6, 0.3, 0.0]) + generator.normal(0, 1, (60, 3))
    scores += np.array([0.6, 0.3, 0.0]) - scores.mean(axis=0)
    ranks = rank_sets(scores)
    found = clusters(ranks, scores.mean(axis=0))
    assert found.groups == ((0, 1, 2),)
    assert (found.transitive, found.beaten_within) == (False, ((0, 2),))


def test_who_has_no_rank_is_in_no_cluster():
    scores = np.random.default_rng(14).normal(size=(20, 3))
    ranks = rank_sets(scores, eligible=[True, False, True])
    found = clusters(ranks, [0.0, np.nan, 1.0])
    assert found.place(1) is None
    assert sorted(one for group in found.groups for one in group) == [0, 2]
    with pytest.raises(ValueError, match="its mean"):
        clusters(ranks, [np.nan, 0.0, 1.0])
