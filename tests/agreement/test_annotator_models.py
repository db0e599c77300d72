"""Some raters look, some guess, one always says "good": what is true?"""

import numpy as np
import pytest

from agreement.annotator_models import dawid_skene, mace, mean_certainty

#: Chance of being right of nine raters: three good ones among six who hardly look.
SKILLS = (0.95, 0.9, 0.9, 0.4, 0.4, 0.4, 0.35, 0.35, 0.35)


def rated(seed, n_items=250, skills=SKILLS, v=3, each=7, spammer=None, prior=(0.5, 0.3, 0.2)):
    """Ratings of `each` raters per item; who errs says any other value; the spammer always says 0."""
    generator = np.random.default_rng(seed)
    truth = generator.choice(v, n_items, p=prior)
    items, raters, codes = [], [], []
    for item in range(n_items):
        for rater in generator.choice(len(skills), each, replace=False):
            wrong = (truth[item] + generator.integers(1, v)) % v
            code = truth[item] if generator.random() < skills[rater] else wrong
            items.append(item)
            raters.append(rater)
            codes.append(0 if rater == spammer else code)
    return truth, np.array(items), np.array(raters), np.array(codes)


def majority(items, codes, v):
    counts = np.zeros((items.max() + 1, v))
    np.add.at(counts, (items, codes), 1)
    return counts.argmax(axis=1)


def slow_em(items, raters, codes, v, rounds, smoothing=0.0, diagonal=0.0):
    """Dawid and Skene's equations 2.3 to 2.5, one rating after the other."""
    n_items, n_raters = max(items) + 1, max(raters) + 1
    t = [[0.0] * v for _ in range(n_items)]
    for i, c in zip(items, codes, strict=True):
        t[i][c] += 1
    t = [[x / sum(row) for x in row] for row in t]
    for _ in range(rounds):
        prior = [sum(row[k] for row in t) + smoothing for k in range(v)]
        prior = [p / sum(prior) for p in prior]
        pi = np.full((n_raters, v, v), smoothing) + diagonal * np.eye(v)
        for i, j, c in zip(items, raters, codes, strict=True):
            for k in range(v):
                pi[j, k, c] += t[i][k]
        pi /= pi.sum(axis=2, keepdims=True)
        fresh = [list(prior) for _ in range(n_items)]
        for i, j, c in zip(items, raters, codes, strict=True):
            for k in range(v):
                fresh[i][k] *= pi[j, k, c]
        t = [[x / sum(row) for x in row] for row in fresh]
    return np.array(t), np.array(prior), pi


@pytest.mark.parametrize(("smoothing", "diagonal"), [(0.0, 0.0), (0.1, 0.4)])
def test_dawid_skene_is_the_paper_s_equations_one_rating_after_the_other(smoothing, diagonal):
    _, items, raters, codes = rated(1, n_items=40)
    slow, prior, confusion = slow_em(items, raters, codes, 3, 12, smoothing, diagonal)
    found = dawid_skene(items, raters, codes, 3, smoothing=smoothing, diagonal=diagonal, rounds=12)
    np.testing.assert_allclose(found.posterior, slow, atol=1e-9)
    np.testing.assert_allclose(found.prior, prior, atol=1e-9)
    np.testing.assert_allclose(found.confusion, confusion, atol=1e-9)


@pytest.mark.parametrize("model", [dawid_skene, mace])
@pytest.mark.parametrize("seed", [2, 3])
def test_truth_is_found_oftener_than_by_majority_where_raters_differ(model, seed):
    truth, items, raters, codes = rated(seed)
    found = model(items, raters, codes, 3)
    by_majority = (majority(items, codes, 3) == truth).mean()
    assert (found.codes == truth).mean() > by_majority + 0.05
    assert (found.codes == truth).mean() > 0.93
    assert found.converged


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_what_is_maximised_never_falls(model):
    for seed in range(5):
        _, items, raters, codes = rated(seed, n_items=30, each=3)
        steps = np.diff(model(items, raters, codes, 3).objective)
        assert (steps > -1e-7).all()


def test_the_confusion_of_each_rater_is_recovered():
    """One rater calls half of what is 2 a 1: the majority cannot say whose habit that is, the model can."""
    truth, items, raters, codes = rated(4, n_items=800, skills=(0.9,) * 6, each=4)
    lenient = (raters == 5) & (truth[items] == 2)
    codes[lenient] = np.where(np.random.default_rng(0).random(lenient.sum()) < 0.5, 1, 2)
    found = dawid_skene(items, raters, codes, 3)
    assert found.confusion[5, 2].tolist() == pytest.approx([0, 0.5, 0.5], abs=0.08)
    assert found.confusion[0, 2, 2] == pytest.approx(0.9, abs=0.06)
    assert found.prior.tolist() == pytest.approx([0.5, 0.3, 0.2], abs=0.05)


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_competence_orders_raters_by_skill(model):
    _, items, raters, codes = rated(5, n_items=400)
    values = [figure.number for figure in model(items, raters, codes, 3).competence]
    assert min(values[:3]) > 0.75
    assert max(values[3:]) < 0.6
    assert model(items, raters, codes, 3).competence[0].n == (raters == 0).sum()


def test_mace_sees_through_one_who_always_says_the_commonest():
    """Half of what that rater says is right, and it says nothing of the items: its competence is near 0."""
    _, items, raters, codes = rated(6, skills=(0.9, 0.9, 0.85, 0.8, 0.5), each=4, spammer=4)
    found = mace(items, raters, codes, 3)
    assert found.competence[4].number < 0.15
    assert min(figure.number for figure in found.competence[:4]) > 0.6
    assert found.confusion[4, :, 0].min() > 0.8


def test_mace_s_competence_is_the_chance_of_looking():
    """Who is right 0.8 of the time on three values, and errs evenly, looks in (0.8 - 1/3) / (2/3) of the cases."""
    _, items, raters, codes = rated(7, n_items=2000, skills=(0.8,) * 5, each=5, prior=(1 / 3,) * 3)
    for figure in mace(items, raters, codes, 3).competence:
        assert figure.number == pytest.approx(0.7, abs=0.05)


def test_where_all_raters_are_alike_it_is_the_majority():
    truth, items, raters, codes = rated(8, skills=(0.8,) * 5, each=5)
    votes = np.zeros((len(truth), 3))
    np.add.at(votes, (items, codes), 1)
    clear = np.sort(votes, axis=1)[:, -1] >= 4
    for model in (dawid_skene, mace):
        assert (model(items, raters, codes, 3).codes == votes.argmax(axis=1))[clear].all()


def test_of_who_shares_no_item_nothing_is_learned():
    found = dawid_skene([1, 1, 2], [7, 8, 9], [0, 0, 1], 2)
    assert [figure.undefined for figure in found.competence] == [None, None, "too few shared items"]
    assert (found.items.tolist(), found.raters.tolist(), found.codes[0]) == ([1, 2], [7, 8, 9], 0)
    assert 0.5 < mean_certainty(found).value < 1


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_nothing_rated_is_nothing_said(model):
    found = model([], [], [], 3)
    assert (len(found.codes), found.competence, found.objective) == (0, (), ())
    assert mean_certainty(found).undefined == "no items"
    with pytest.raises(ValueError, match="place in the scale"):
        model([1], [1], [3], 3)
    with pytest.raises(ValueError, match="its item"):
        model([1, 2], [1], [0], 3)


def test_the_same_seed_gives_the_same_gold():
    _, items, raters, codes = rated(9, n_items=60)
    one, again = mace(items, raters, codes, 3, seed=4), mace(items, raters, codes, 3, seed=4)
    np.testing.assert_array_equal(one.posterior, again.posterior)


def test_ids_are_any_and_in_any_order():
    _, items, raters, codes = rated(10, n_items=60)
    order = np.random.default_rng(1).permutation(len(items))
    plain = dawid_skene(items, raters, codes, 3)
    mixed = dawid_skene(items[order] * 10 + 5, raters[order] + 100, codes[order], 3)
    np.testing.assert_allclose(mixed.posterior, plain.posterior, atol=1e-9)
