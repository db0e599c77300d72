"""Figures that are statistics of sums of the same columns, and their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement import inference, judges
from agreement.deviation import deviation
from agreement.figures import NO_ITEMS, Figure
from agreement.intersection import Answers
from agreement.numbering import Clusters
from agreement.statistics import Statistic, mean_columns, ratio_of_sums
from reports.dashboard.columns import Flags, Floats, Integers

#: As a recipe names it.
INTERVAL = "leaving out one prompt at a time (jackknife), Student's t, 95 %"


@dataclass(frozen=True, eq=False)
class Block:
    """Figures that are statistics of sums of the same columns.

    columns        shape (N, k), an array or sparse (scipy.sparse.csr_array).
    prompt         which prompt each row is of, shape (N,); None where whoever asks for the intervals says it.
    without_rater  sums of the columns without each rater, shape (R, k), where the figures speak of raters in general.
    answers        what these sums lose without single answers.
    """

    figures: Sequence[Figure]
    columns: Any
    statistics: Sequence[Statistic]
    prompt: Integers | None = None
    without_rater: Any = None
    answers: Answers | None = None


def with_intervals(blocks: Sequence[Block], prompt: Integers | None = None) -> list[list[Figure]]:
    """The figures of each block with their intervals. `prompt` is of the rows of the blocks that do not say it."""
    clusters = None if prompt is None else Clusters.of(prompt)
    return [
        inference.with_intervals(
            block.figures,
            block.columns,
            block.statistics,
            cluster=clusters if block.prompt is None else block.prompt,
            without_rater=block.without_rater,
            answers=block.answers,
        )
        for block in blocks
    ]


def mean_block(values: Floats, chosen: Flags, statistic: Statistic = ratio_of_sums) -> Block:
    """The mean of the chosen values that are there, as a block of all rows. Undefined: "no items"."""
    columns = mean_columns(np.where(chosen, values, np.nan))
    total, n = columns.sum(axis=0)
    figure = Figure(float(total / n), int(n)) if n else Figure.without_value(NO_ITEMS)
    return Block([figure], columns, [statistic])


def error_block(errors: Floats, columns: Any = None) -> Block:
    """MAD and signed error of the errors that are there; `columns` where they are not a row for each error."""
    known = errors[~np.isnan(errors)]
    deviations = deviation(known, np.zeros(len(known)))
    columns = judges.error_columns(errors) if columns is None else columns
    return Block([deviations.mad, deviations.signed_error], columns, [judges.mad, judges.signed_error])
