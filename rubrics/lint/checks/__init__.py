"""The registry of checks: one small file each. Adding one means copying a neighbour and naming it here.

A check is a pure function over a rubric that has been read; it yields findings and raises nothing.
"""

from rubrics.lint.checks import (
    band_weight,
    coverage,
    fact_not_given,
    one_of_without_list,
    overlap,
    stacked,
    unverifiable,
)
from rubrics.lint.reading import Check

# In the order in which the findings of one criterion are shown.
CHECKS: tuple[Check, ...] = (
    stacked.CHECK,
    fact_not_given.CHECK,
    one_of_without_list.CHECK,
    unverifiable.CHECK,
    overlap.CHECK,
    band_weight.CHECK,
    coverage.CHECK,
)
