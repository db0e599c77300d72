"""Several comparisons in one table."""

import pytest

from agreement.figures import Figure
from agreement.multiplicity import benjamini_yekutieli, corrected


def compared(p: float) -> Figure:
    return Figure(0.1, 40, 0.0, 0.2, detail={"p": p})


def test_p_values_of_a_table_are_corrected_together():
    """Holm: 0.01 x 3, 0.02 x 2, 0.04 x 1, none below the one before; what has no p-value takes no part."""
    few = Figure(0.3, 4, detail={"interval": "too few prompts"})
    found = corrected([compared(0.04), few, compared(0.01), compared(0.02), Figure.without_value("no items")])
    values = [figure.value for figure in found]
    assert values == [pytest.approx(0.04), None, pytest.approx(0.03), pytest.approx(0.04), None]
    assert (found[1].undefined, found[4].undefined) == ("too few prompts", "no items")
    assert (found[0].detail["uncorrected"], found[0].n) == (0.04, 40)


def test_another_correction_may_be_asked_for():
    found = corrected([compared(0.02), compared(0.02)], benjamini_yekutieli)
    assert [figure.value for figure in found] == pytest.approx([0.03, 0.03])


def test_nothing_to_correct():
    assert corrected([]) == []
