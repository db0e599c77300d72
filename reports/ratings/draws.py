"""Intervals of many figures from one set of draws of whole prompts, though each is of its own items.

A block is the columns of one figure's items, added up by prompt; its prompts are among those that are drawn. As a
question type has a fifteenth of the prompts and a judge's items may be the test split alone, sums are made of those
prompts only, and for all figures together the draws, which cost most, are made once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from agreement.bootstrap import CONFIDENCE, RESAMPLES, Statistic
from agreement.figures import TOO_FEW, Figure
from reports.dashboard.draws import SEED

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: Gives a figure's values in all draws.
Values = Callable[[], Floats]

#: For one variety among several, of which there may be fifty.
FEWER = 1_000
# Rows x piece x columns of a product: beyond it the library of linear algebra shares the work among threads, whose
# waiting for each other on a busy machine costs ten times the product.
_IN_ONE_THREAD = 262_144
_PIECE, _COLUMNS = 64, 128
#: Columns of more than this are wide: those of a scale of more than twenty grades. They stay sparse, for 5,000 draws of
#: the 10,000 pairs of grades from 1 to 100 are 400 MB; of their draws so many cells are held.
_WIDE, _CELLS_AT_ONCE = 20 * 21, 500_000


@dataclass(frozen=True, eq=False)
class Block:
    """Figures that are statistics of sums of the same columns, shape (N, k), of rows that belong to these prompts.

    columns  an array, or sparse (scipy.sparse.csr_array).
    """

    figures: Sequence[Figure]
    columns: Any
    statistics: Sequence[Statistic]
    prompt: Integers


class _Sums:
    """Sums of a block's columns by prompt and in every draw, from which its statistics are taken at the end."""

    def __init__(self, block: Block, at: Integers, columns: Floats, resamples: int) -> None:
        self.block, self.at, self.columns = block, at, columns
        self.drawn = np.empty((resamples, columns.shape[1]))

    def values(self) -> list[Values]:
        return [partial(statistic, self.drawn) for statistic in self.block.statistics]


class _WideSums:
    """The same of wide columns, which stay sparse: the statistics are taken of a few draws at a time."""

    def __init__(self, block: Block, at: Integers, columns: "scipy.sparse.csr_array", resamples: int) -> None:
        self.block, self.at, self.columns = block, at, columns
        self.taken = np.full((len(block.statistics), resamples), np.nan)

    def add(self, begin: int, times: Floats) -> None:
        """Draws from `begin` on, in which each prompt comes so many times; shape (rows, prompts of the block)."""
        at_once = max(1, _CELLS_AT_ONCE // self.columns.shape[1])
        for first in range(0, len(times), at_once):
            sums = times[first : first + at_once] @ self.columns
            chosen = slice(begin + first, begin + first + len(sums))
            for values, figure, statistic in zip(self.taken, self.block.figures, self.block.statistics, strict=True):
                if figure.value is not None:
                    values[chosen] = statistic(sums)

    def values(self) -> list[Values]:
        return [partial(np.asarray, values) for values in self.taken]


def with_intervals(blocks: Sequence[Block], resamples: int = RESAMPLES, seed: int = SEED) -> list[list[Figure]]:
    """The figures of each block with percentile intervals; where all rows are of one prompt there is none, and the
    detail says so."""
    if not blocks:
        return []
    prompts = np.unique(np.concatenate([block.prompt for block in blocks]))
    sums = [_by_prompt(block, prompts, resamples) for block in blocks]
    _draw(sums, len(prompts), resamples, seed)
    return [
        [
            _with_interval(figure, values, len(of_block.at))
            for figure, values in zip(of_block.block.figures, of_block.values(), strict=True)
        ]
        for of_block in sums
    ]


def _by_prompt(block: Block, prompts: Integers, resamples: int) -> _Sums | _WideSums:
    """The block's columns added up over each of its prompts, which are some of the prompts."""
    prompts_of_block, at = np.unique(block.prompt, return_inverse=True)
    places = np.searchsorted(prompts, prompts_of_block).astype(np.int64)
    n, width = block.columns.shape
    if width > _WIDE:
        of_prompt = scipy.sparse.csr_array((np.ones(n), (at, np.arange(n))), shape=(len(places), n))
        return _WideSums(block, places, of_prompt @ scipy.sparse.csr_array(block.columns, dtype=np.float64), resamples)
    is_sparse = not isinstance(block.columns, np.ndarray)
    columns = np.asarray(block.columns.toarray() if is_sparse else block.columns, dtype=np.float64)
    sums = np.zeros((len(places), width))
    for place, column in enumerate(columns.T):
        sums[:, place] = np.bincount(at, column, minlength=len(places))
    return _Sums(block, places, sums, resamples)


def _draw(sums: Sequence[_Sums | _WideSums], n: int, resamples: int, seed: int) -> None:
    """Fill in every block's sums over the same draws of n prompts with replacement."""
    generator = np.random.default_rng(seed)
    wide = [of_block for of_block in sums if isinstance(of_block, _WideSums)]
    # Blocks of the same prompts are multiplied as one.
    alike: dict[bytes, list[_Sums]] = {}
    for of_block in sums:
        if isinstance(of_block, _Sums):
            alike.setdefault(of_block.at.tobytes(), []).append(of_block)
    together = [(same[0].at, _in_pieces(np.hstack([part.columns for part in same])), same) for same in alike.values()]
    widths = [pieces.shape[2] for _at, pieces, _same in together] + [of_block.columns.shape[1] for of_block in wide]
    widest = min(_COLUMNS, max(widths))
    at_once = max(1, _IN_ONE_THREAD // (_PIECE * widest))
    for begin in range(0, resamples, at_once):
        rows = min(at_once, resamples - begin)
        place = generator.integers(0, n, (rows, n), dtype=np.int32) + (np.arange(rows, dtype=np.int32) * n)[:, None]
        times = np.bincount(place.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)
        for at, columns, same in together:
            drawn = _product(_of(times, at), columns)
            ends = np.cumsum([part.columns.shape[1] for part in same])[:-1]
            for part, of_part in zip(same, np.split(drawn, ends, axis=1), strict=True):
                part.drawn[begin : begin + rows] = of_part
        for of_block in wide:
            of_block.add(begin, _of(times, of_block.at))


def _of(times: Floats, at: Integers) -> Floats:
    """How often each prompt of a block is drawn."""
    return times if len(at) == times.shape[1] else times.take(at, axis=1)


def _in_pieces(columns: Floats) -> Floats:
    """Columns of shape (n, k) as (pieces, _PIECE, k), zeros at the end."""
    n, k = columns.shape
    pieces = np.zeros((-(-n // _PIECE), _PIECE, k))
    pieces.reshape(-1, k)[:n] = columns
    return pieces


def _product(times: Floats, pieces: Floats) -> Floats:
    """times @ columns, shapes (rows, n) and (pieces, _PIECE, k), piece by piece and in one thread."""
    rows, n = times.shape
    padded = np.zeros((rows, len(pieces) * _PIECE))
    padded[:, :n] = times
    of_pieces = padded.reshape(rows, len(pieces), _PIECE).transpose(1, 0, 2)
    products = np.empty((rows, pieces.shape[2]))
    for begin in range(0, pieces.shape[2], _COLUMNS):
        chosen = slice(begin, begin + _COLUMNS)
        products[:, chosen] = np.matmul(of_pieces, pieces[:, :, chosen]).sum(axis=0)
    return products


def _with_interval(figure: Figure, values_of_draws: Values, units: int) -> Figure:
    if figure.value is None:
        return figure
    if units < 2:
        return figure.with_detail(interval=TOO_FEW)
    values = values_of_draws()
    usable = values[~np.isnan(values)]
    detail = {
        "interval": "percentile bootstrap",
        "confidence": CONFIDENCE,
        "resamples": len(values),
        "undefined_resamples": len(values) - len(usable),
        "units": units,
    }
    if not len(usable):
        return figure.with_detail(**detail)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(usable, (tail, 1 - tail))
    return replace(figure.with_detail(**detail), low=float(low), high=float(high))
