"""Size classes, at their very borders."""

import pytest

from agreement.sizes import SIZE_CLASSES, size_class


@pytest.mark.parametrize(
    ("billions", "expected"),
    [(0.5, "nano"), (3.49, "nano"), (3.5, "small"), (9.99, "small"), (10, "medium"), (35, "medium"), (35.01, "large")],
)
def test_borders(billions, expected):
    assert size_class(billions) == expected


def test_an_undisclosed_size_is_a_class_of_its_own_and_never_0():
    assert size_class(None) == "undisclosed" == SIZE_CLASSES[-1]
    for impossible in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="positive"):
            size_class(impossible)
