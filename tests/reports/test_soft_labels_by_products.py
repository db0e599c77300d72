"""The sums over characters come from products of whole rows, and are those of each pair of soft labels."""

import numpy as np
import pytest

from agreement.distributions import soft_label_columns
from reports.spans.measures.soft_labels import _products


@pytest.mark.parametrize("seed", range(5))
def test_sums_from_products_are_those_of_each_text(seed):
    generator = np.random.default_rng(seed)
    n, length = int(generator.integers(2, 6)), int(generator.integers(1, 200))
    people = (generator.random((n, length)) < 0.3).astype(float)
    judges = np.vstack((generator.random((2, length)) < 0.4, generator.random((1, length))))
    of_all, of_each, of_person = _products((people, judges))
    others = [(people.sum(axis=0) - own) / (n - 1) for own in people]
    assert of_person == pytest.approx(soft_label_columns(others, list(people)))
    for at, judge in enumerate(judges):
        assert of_all[at] == pytest.approx(soft_label_columns([people.mean(axis=0)], [judge])[0])
        assert of_each[at] == pytest.approx(soft_label_columns(others, [judge] * n))
