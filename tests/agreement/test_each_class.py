"""Differences of several classes, worked out at once, are those of each class alone."""

import numpy as np
import pytest

from agreement import inference
from agreement.each_class import estimates_of_each, paired_differences_of_each
from agreement.statistics import of_columns, share_of_sums
from agreement.units import values_at


def counted(generator, n, classes):
    """Found and all of each class; the last class is nowhere, the one before on two items."""
    every = generator.poisson(0.8, (n, classes))
    every[:, -1] = 0
    every[2:, -2] = 0
    return np.stack((generator.binomial(every, 0.6), every), axis=2).astype(float)


def plain(figure):
    """What compares with a tolerance, and what is the same or not."""
    return {name: value for name, value in figure.as_json().items() if name != "detail"}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("per_prompt", [1, 3])
def test_two_sides_on_each_class(seed, per_prompt):
    generator = np.random.default_rng(seed)
    first, second = (counted(generator, 60, 5) for _side in range(2))
    second[..., 1] = np.maximum(first[..., 1], second[..., 0])
    cluster = np.arange(60) // per_prompt
    made = paired_differences_of_each(first, second, share_of_sums, cluster=cluster)
    for number, figure in enumerate(made):
        alone = inference.paired_difference(first[:, number], second[:, number], share_of_sums, cluster=cluster)
        assert plain(figure) == pytest.approx(plain(alone), rel=1e-12, abs=1e-12)
        assert figure.detail == pytest.approx(alone.detail, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_an_estimate_of_each_class(seed):
    generator = np.random.default_rng(seed)
    columns = np.concatenate((counted(generator, 60, 5), counted(generator, 60, 5)), axis=2)
    cluster = np.arange(60) // 2

    def apart(sums):
        return share_of_sums(sums[..., :2]) - share_of_sums(sums[..., 2:])

    for number, figure in enumerate(estimates_of_each(columns, apart, cluster)):
        alone = inference.estimate(columns[:, number], apart, cluster)
        assert plain(figure) == pytest.approx(plain(alone), rel=1e-12, abs=1e-12)
        assert figure.detail == pytest.approx(alone.detail, rel=1e-12, abs=1e-12)


def test_nothing_to_compare():
    nothing = np.zeros((0, 3, 2))
    made = paired_differences_of_each(nothing, nothing, share_of_sums)
    assert [figure.undefined for figure in made] == ["no items"] * 3


def test_one_statistic_of_many_columns_is_asked_at_once():
    """The values without each prompt are the same whether the statistics can be asked together or not."""
    columns = counted(np.random.default_rng(5), 40, 4).reshape(40, 8)
    together = [of_columns(share_of_sums, [2 * at, 2 * at + 1]) for at in range(4)]
    apart = [of_columns(share_of_sums, slice(2 * at, 2 * at + 2)) for at in range(4)]
    total = columns.sum(axis=0)
    values = [values_at(columns, statistics, total) for statistics in (together, apart)]
    assert np.array_equal(*values, equal_nan=True)
