"""Five numbers by a named rule."""

import numpy as np
import pytest

from agreement.quartiles import box


def test_quartiles_whiskers_and_what_lies_beyond():
    found = box([1, 2, 3, 4, 5, 6, 7, 8, 9, 40])  # quartiles 3.25 and 7.75, reach 6.75: up to 14.5
    assert [found.lower_quartile.value, found.median.value, found.upper_quartile.value] == [3.25, 5.5, 7.75]
    assert (found.low.value, found.high.value, found.outliers) == (1, 9, (40.0,))
    assert (found.mean.value, found.mean.n) == (8.5, 10)


def test_a_whisker_never_ends_inside_the_box():
    found = box([0, 100, 100, 100])  # lower quartile 75 by interpolation, nothing between 37.5 and it
    assert (found.low.value, found.lower_quartile.value, found.outliers) == (75, 75, (0.0,))


def test_no_values_and_no_numbers():
    assert box([]).median.undefined == "no items"
    with pytest.raises(ValueError, match="finite"):
        box([np.nan])
