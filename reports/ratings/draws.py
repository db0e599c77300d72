"""Intervals of many figures from one set of draws of whole prompts, though each is of its own items.

A block is the columns of one figure's items, added up by prompt; its prompts are among those that are drawn. As a
question type has a fifteenth of the prompts and a judge's items may be the test split alone, sums are made of those
prompts only, and for all figures together the draws, which cost most, are made once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement.bootstrap import CONFIDENCE, RESAMPLES, Statistic
from agreement.figures import TOO_FEW, Figure
from reports.dashboard.draws import SEED

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: For one variety among several, of which there may be fifty.
FEWER = 1_000
# Rows x piece x columns of a product: beyond it the library of linear algebra shares the work among threads, whose
# waiting for each other on a busy machine costs ten times the product.
_IN_ONE_THREAD = 262_144
_PIECE, _COLUMNS = 64, 128
#: Columns of more than this are wide: those of a scale of more than twenty grades. Of them so many cells are held.
_WIDE, _CELLS_AT_ONCE = 20 * 21, 500_000


@dataclass(frozen=True, eq=False)
class Block:
    """Figures that are statistics of sums of the same columns, shape (N, k), of rows that belong to these prompts."""

    figures: Sequence[Figure]
    columns: NDArray[Any]
    statistics: Sequence[Statistic]
    prompt: Integers


def with_intervals(blocks: Sequence[Block], resamples: int = RESAMPLES, seed: int = SEED) -> list[list[Figure]]:
    """The figures of each block with percentile intervals; where all rows are of one prompt there is none, and the
    detail says so."""
    if not blocks:
        return []
    prompts = np.unique(np.concatenate([block.prompt for block in blocks]))
    units = [_by_prompt(block, prompts) for block in blocks]
    counted = [_counted(columns) for _at, columns in units]
    narrow = [(at, columns[:, kept]) for (at, columns), kept in zip(units, counted, strict=True)]
    sums = _drawn(narrow, len(prompts), resamples, seed)
    return [
        [
            _with_interval(figure, partial(_values, statistic, kept, columns.shape[1]), of_block, len(at))
            for figure, statistic in zip(block.figures, block.statistics, strict=True)
        ]
        for block, of_block, kept, (at, columns) in zip(blocks, sums, counted, units, strict=True)
    ]


def _counted(columns: Floats) -> Integers:
    """The columns to draw: all, but of wide ones those with anything in them. The pairs of grades of a scale from 1 to
    100 are 10,000 columns, nearly all empty, of which 5,000 draws are 400 MB."""
    kept = columns.any(axis=0) if columns.shape[1] > _WIDE else np.ones(columns.shape[1], dtype=bool)
    return np.flatnonzero(kept)


def _values(statistic: Statistic, kept: Integers, width: int, sums: Floats) -> Floats:
    """The statistic of every draw; of wide columns of a few draws at a time, with the empty ones put back."""
    if width <= _WIDE:
        return statistic(sums)
    values = np.empty(len(sums))
    at_once = max(2, _CELLS_AT_ONCE // width)
    for begin in range(0, len(sums), at_once):
        part = sums[begin : begin + at_once]
        whole = np.zeros((len(part), width))
        whole[:, kept] = part
        values[begin : begin + at_once] = statistic(whole)
    return values


def _by_prompt(block: Block, prompts: Integers) -> tuple[Integers, Floats]:
    """Which of the prompts the block is of, and its columns added up over each of them."""
    prompts_of_block, at = np.unique(block.prompt, return_inverse=True)
    columns = np.asarray(block.columns, dtype=np.float64)
    sums = np.zeros((len(prompts_of_block), columns.shape[1]))
    for place, column in enumerate(columns.T):
        sums[:, place] = np.bincount(at, column, minlength=len(prompts_of_block))
    return np.searchsorted(prompts, prompts_of_block).astype(np.int64), sums


def _drawn(units: Sequence[tuple[Integers, Floats]], n: int, resamples: int, seed: int) -> list[Floats]:
    """Sums of every block's columns over the same draws of n prompts with replacement, shape (resamples, k) each."""
    generator = np.random.default_rng(seed)
    drawn = [np.empty((resamples, columns.shape[1])) for _at, columns in units]
    # Blocks of the same prompts are multiplied as one.
    alike: dict[bytes, list[int]] = {}
    for number, (at, _columns) in enumerate(units):
        alike.setdefault(at.tobytes(), []).append(number)
    together = [(units[of[0]][0], _in_pieces(np.hstack([units[one][1] for one in of])), of) for of in alike.values()]
    widest = min(_COLUMNS, max(pieces.shape[2] for _at, pieces, _of in together))
    at_once = max(1, _IN_ONE_THREAD // (_PIECE * widest))
    for begin in range(0, resamples, at_once):
        rows = min(at_once, resamples - begin)
        place = generator.integers(0, n, (rows, n), dtype=np.int32) + (np.arange(rows, dtype=np.int32) * n)[:, None]
        times = np.bincount(place.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)
        for at, columns, of in together:
            sums = _product(times if len(at) == n else times.take(at, axis=1), columns)
            ends = np.cumsum([units[one][1].shape[1] for one in of])[:-1]
            for one, part in zip(of, np.split(sums, ends, axis=1), strict=True):
                drawn[one][begin : begin + rows] = part
    return drawn


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


def _with_interval(figure: Figure, statistic: Statistic, sums: Floats, units: int) -> Figure:
    if figure.value is None:
        return figure
    if units < 2:
        return figure.with_detail(interval=TOO_FEW)
    values = statistic(sums)
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
