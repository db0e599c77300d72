"""Intervals of figures that stand beside each other, from one set of draws of whole prompts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement import bootstrap, judges
from agreement.deviation import deviation
from agreement.figures import NO_ITEMS, Figure
from reports.dashboard.columns import Flags, Floats

#: Of every bootstrap, so that the same answers give the same intervals.
SEED = 2026
#: As a recipe names it.
INTERVAL = "percentile bootstrap, 5000 resamples of prompts, 95 %"


def with_detail(figure: Figure, **detail: Any) -> Figure:
    """The figure with further numbers that belong to it."""
    return Figure(figure.value, figure.n, figure.low, figure.high, figure.undefined, {**figure.detail, **detail})


@dataclass(frozen=True, eq=False)
class Block:
    """Figures that are statistics of sums of the same columns, shape (N, k)."""

    figures: Sequence[Figure]
    columns: NDArray[Any]
    statistics: Sequence[bootstrap.Statistic]


def with_intervals(blocks: Sequence[Block], cluster: NDArray[np.int64]) -> list[list[Figure]]:
    """The figures of each block with their intervals, all from one set of draws of the same N rows."""
    figures = [figure for block in blocks for figure in block.figures]
    ends = np.cumsum([block.columns.shape[1] for block in blocks])
    statistics = [
        lambda sums, of=statistic, begin=end - block.columns.shape[1], end=end: of(sums[..., begin:end])
        for block, end in zip(blocks, ends.tolist(), strict=True)
        for statistic in block.statistics
    ]
    columns = np.hstack([block.columns for block in blocks])
    drawn = iter(bootstrap.with_intervals(figures, columns, statistics, seed=SEED, cluster=cluster))
    return [[next(drawn) for _ in block.figures] for block in blocks]


def mean_block(values: Floats, chosen: Flags) -> Block:
    """The mean of the chosen values that are there, as a block of all rows. Undefined: "no items"."""
    columns = bootstrap.mean_columns(np.where(chosen, values, np.nan))
    total, n = columns.sum(axis=0)
    figure = Figure(float(total / n), int(n)) if n else Figure.without_value(NO_ITEMS)
    return Block([figure], columns, [bootstrap.ratio_of_sums])


def error_block(errors: Floats, columns: NDArray[Any] | None = None) -> Block:
    """MAD and signed error of the errors that are there; `columns` where they are not a row for each error."""
    known = errors[~np.isnan(errors)]
    deviations = deviation(known, np.zeros(len(known)))
    columns = judges.error_columns(errors) if columns is None else columns
    return Block([deviations.mad, deviations.signed_error], columns, [judges.mad, judges.signed_error])
