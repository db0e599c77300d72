"""The mean over raters of a figure of each: what it is without a prompt or a rater, and where nothing can be said."""

import numpy as np
import pytest
import scipy

from agreement import classes, scales, spans
from agreement.rater_means import rater_means
from agreement.statistics import mean_columns, ratio_of_sums


def drawn(seed: int = 5, n: int = 60):
    """Match counts of two sides, raters, prompts and weights; the last rater answered one prompt alone."""
    generator = np.random.default_rng(seed)
    sides = []
    for _side in range(2):
        predicted, gold = generator.poisson(2, n), generator.poisson(2, n)
        sides.append(
            np.column_stack((generator.binomial(predicted, 0.6), predicted, generator.binomial(gold, 0.5), gold))
        )
    rater, prompt = np.arange(n) % 5, np.arange(n) // 6
    rater[:2] = 7
    return *sides, rater, prompt, generator.choice([0.5, 1.0], n)


def spelt_out(first, second, statistic, rater, weight, chosen):
    """Of each rater both figures, those with both weighed by their rows."""
    values, weights = [], []
    for one in np.unique(rater[chosen]):
        rows = chosen & (rater == one)
        both = [float(statistic(side[rows].sum(axis=0))) for side in (first, second)]
        if not np.isnan(both).any():
            values.append(both)
            weights.append(weight[rows].sum())
    return np.average(values, axis=0, weights=weights)


@pytest.mark.parametrize("statistic", [spans.precision, spans.f1], ids=["precision", "F1"])
def test_it_is_the_mean_of_each_raters_figure_also_without_a_prompt_or_a_rater(statistic):
    first, second, rater, prompt, weight = drawn()
    everything = np.ones(len(rater), dtype=bool)
    says_something = (first != 0).any(axis=1) | (second != 0).any(axis=1)
    assert says_something.all()
    [means] = rater_means(first, second, [statistic], rater=rater, prompt=prompt, weight=weight)
    assert means.value == pytest.approx(spelt_out(first, second, statistic, rater, weight, everything))
    for at, one in enumerate(np.unique(prompt)):
        expected = spelt_out(first, second, statistic, rater, weight, prompt != one)
        assert means.without_prompt[:, at] == pytest.approx(expected)
    for at, one in enumerate(np.unique(rater)):
        expected = spelt_out(first, second, statistic, rater, weight, rater != one)
        assert means.without_rater[:, at] == pytest.approx(expected)
    assert means.telling.tolist() == [10, 10]


def test_what_does_not_bend_is_as_of_all_answers_together():
    generator = np.random.default_rng(2)
    values, rater, prompt = generator.normal(size=(2, 40)), np.arange(40) % 7, np.arange(40) // 4
    first, second = (mean_columns(side) for side in values)
    [means] = rater_means(first, second, [ratio_of_sums], rater=rater, prompt=prompt, weight=np.ones(40))
    assert means.value == pytest.approx(values.mean(axis=1))
    assert means.without_prompt[:, 3] == pytest.approx(values[:, prompt != 3].mean(axis=1))


def test_sparse_tables_of_classes_are_as_dense_ones():
    generator = np.random.default_rng(3)
    truth, one, other = generator.integers(0, 5, (3, 80))
    rater, prompt, weight = np.arange(80) % 6, np.arange(80) // 8, np.full(80, 1 / 3)
    tables = scales.tables_of(np.ones(80), np.ones(80), np.full(80, 5), np.zeros(80, dtype=bool))
    sparse = [scales.confusion_columns(truth, said, tables) for said in (one, other)]
    weighed = [scipy.sparse.csr_array(scipy.sparse.diags_array(weight) @ columns) for columns in sparse]
    dense = [columns.toarray() for columns in weighed]
    for statistic in (classes.quadratic_kappa, classes.macro_f1):
        [a], [b] = (
            rater_means(*sides, [statistic], rater=rater, prompt=prompt, weight=weight) for sides in (weighed, dense)
        )
        for name in ("value", "without_prompt", "without_rater", "telling"):
            assert getattr(a, name) == pytest.approx(getattr(b, name)), name


def test_who_has_no_value_on_either_side_is_part_of_neither():
    """The second person marked nothing and has no precision: the judge's on that response counts in nothing."""
    judge = np.array([[1, 2, 1, 1], [0, 2, 0, 1]])
    people = np.array([[2, 2, 1, 1], [0, 0, 0, 1]])
    [means] = rater_means(judge, people, [spans.precision], rater=[1, 2], prompt=[1, 2], weight=[1.0, 1.0])
    assert means.value.tolist() == [0.5, 1.0]
    assert means.without_rater.shape == (2, 1)
    [nothing] = rater_means(judge[1:], people[1:], [spans.precision], rater=[2], prompt=[2], weight=[1.0])
    assert np.isnan(nothing.value).all()


def test_sides_that_are_not_of_the_same_rows():
    with pytest.raises(ValueError, match="same rows"):
        rater_means(np.ones((2, 2)), np.ones((3, 2)), [ratio_of_sums], rater=[1, 2], prompt=[1, 2], weight=[1, 1])
    with pytest.raises(ValueError, match="its rater"):
        rater_means(np.ones((2, 2)), np.ones((2, 2)), [ratio_of_sums], rater=[1], prompt=[1, 2], weight=[1, 1])
