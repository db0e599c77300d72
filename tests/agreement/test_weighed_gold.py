"""Gold by a model of raters: careful raters outweigh careless ones, and nothing hangs on the order of anything."""

import numpy as np
import pytest

from agreement.consensus import DECIDED_BY, Nominal, gold
from agreement.weighed_gold import MODELS, RaterWeights, fitted, unfit, weighed_gold, weights_of

SCALE = (1, 4)


def crowd(n=120, seed=2):
    """Two careful raters, who know nine items of ten and guess the tenth, and three who know a tenth; four grades."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(1, 5, n)
    items, raters, grades = [], [], []
    for rater, right in ((10, 0.9), (11, 0.9), (12, 0.1), (13, 0.1), (14, 0.1)):
        looked = generator.random(n) < right
        said = np.where(looked, truth, generator.integers(1, 5, n))
        items.append(np.arange(n))
        raters.append(np.full(n, rater))
        grades.append(said)
    return truth, *(np.concatenate(columns) for columns in (items, raters, grades))


def nobody(items):
    return np.zeros(len(items), dtype=bool)


@pytest.mark.parametrize("rule", MODELS)
def test_careful_raters_outweigh_careless_ones(rule):
    truth, items, raters, grades = crowd()
    weights = weights_of(rule, items, raters, grades, SCALE)
    made = weighed_gold(items, raters, grades, nobody(items), weights, SCALE)
    by_most = gold(items, grades, scale=SCALE)
    right, of_most = (made.values == truth).mean(), (by_most.values == truth).mean()
    assert right > of_most + 0.1, (right, of_most)
    assert right > 0.8
    assert set(made.decided_by.tolist()) == {DECIDED_BY.index("model")}
    assert (made.n == 5).all()


@pytest.mark.parametrize("rule", MODELS)
def test_weights_applied_to_all_ratings_are_the_fit_itself(rule):
    _truth, items, raters, grades = crowd(40)
    model = fitted(rule, items, raters, grades, SCALE)
    made = weighed_gold(items, raters, grades, nobody(items), weights_of(rule, items, raters, grades, SCALE), SCALE)
    sure = np.sort(model.posterior, axis=1)[:, -1] - np.sort(model.posterior, axis=1)[:, -2] > 1e-5
    assert sure.sum() > 30
    assert (made.values[sure] == model.codes[sure] + 1).all()


def test_by_hand_from_confusions():
    """Prior 1/2 each. Rater 1 says 2 in 0.9 of the cases where 2 is true and 0.2 where 1 is; rater 2 says 1 in 0.6 and
    0.4. So for "2" and "1": 1 has 0.2 x 0.6 = 0.12, 2 has 0.9 x 0.4 = 0.36."""
    confusion = np.array([[[0.8, 0.2], [0.1, 0.9]], [[0.6, 0.4], [0.4, 0.6]]])
    weights = RaterWeights(np.array([1, 2]), np.log([0.5, 0.5]), np.log(confusion), 1)
    made = weighed_gold([7, 7], [1, 2], [2, 1], [False, False], weights, (1, 2))
    assert (made.items.tolist(), made.values.tolist(), made.n.tolist()) == ([7], [2.0], [2])
    # Without rater 1, what rater 2 said decides; one who was not there at the fit says nothing.
    assert weighed_gold([7], [2], [1], [False], weights, (1, 2)).values.tolist() == [1.0]
    assert weighed_gold([7, 7], [2, 99], [1, 2], [False, False], weights, (1, 2)).values.tolist() == [1.0]


def test_doubt_takes_no_side_and_names_without_order_have_no_gold_then():
    even = np.log(np.array([[[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]]] * 2))
    weights = RaterWeights(np.array([1, 2]), np.log([1 / 3] * 3), even, 1)
    # "1" and "3": 0.7 x 0.1 at either end, 0.2 x 0.2 in the middle, so the ends are as likely as each other.
    ratings = ([5, 5], [1, 2], [1, 3], [False, False])
    assert weighed_gold(*ratings, weights, (1, 3)).values.tolist() == [2.0]
    assert weighed_gold(*ratings, weights, Nominal(1, 3)).items.tolist() == []


def test_experts_come_first():
    _truth, items, raters, grades = crowd(40)
    weights = weights_of("dawid-skene", items, raters, grades, SCALE)
    is_expert = (raters == 14) & (items < 3)
    made = weighed_gold(items, raters, grades, is_expert, weights, SCALE)
    assert made.items.tolist() == list(range(40))
    assert made.values[:3].tolist() == grades[(raters == 14) & (items < 3)].tolist()
    assert (made.by_experts.tolist()[:4], made.n[:4].tolist()) == ([True, True, True, False], [1, 1, 1, 5])


@pytest.mark.parametrize("rule", MODELS)
def test_nothing_hangs_on_the_order_of_items_or_raters(rule):
    _truth, items, raters, grades = crowd(60)
    weights = weights_of(rule, items, raters, grades, SCALE)
    made = weighed_gold(items, raters, grades, nobody(items), weights, SCALE)
    order = np.random.default_rng(0).permutation(len(items))
    turned = (1000 - items[order], 50 - raters[order], grades[order])
    other = weighed_gold(*turned, nobody(items), weights_of(rule, *turned, SCALE), SCALE)
    assert other.values[::-1].tolist() == made.values.tolist()


def test_why_there_is_no_fit():
    assert unfit([], [], []) == "no items"
    assert unfit([1, 2], [7, 7], [1, 2]) == "one rater"
    assert unfit([1, 2], [7, 8], [1, 2]) == "too few shared items"
    assert unfit([1, 1], [7, 8], [1, 2.5]) == "grades are no whole numbers"
    assert unfit([1, 1], [7, 8], [1, 2]) == ""
    assert weights_of("mace", [1, 2], [7, 8], [1, 2], SCALE) is None
