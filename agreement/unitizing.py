"""Krippendorff's alpha for unitizing, the binary member of the family: where are errors at all?

Source: K. Krippendorff, Y. Mathet, S. Bouvry and A. Widlöcher, "On the reliability of unitizing textual
continua: Further developments", Quality & Quantity 50 (2016), 2347-2364: coincidences and expected
coincidences of section 4, |u-alpha of section 5.2. With a single kind of unit it equals u-alpha itself.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.crossed import without_each
from agreement.figures import NO_PAIRABLE_VALUES, NO_VARIATION, Figure
from agreement.rater_pairs import rater_pairs, side_index
from agreement.statistics import Scale, on_scale

Floats = NDArray[np.float64]
_TOTAL, _IN_UNITS, _UNITS = 0, 1, 4


def unitizing_alpha(
    lengths: ArrayLike, text_of_answer: ArrayLike, answer: ArrayLike, start: ArrayLike, end: ArrayLike
) -> Figure:
    """|u-alpha over many texts, each a continuum of its own, unitized by two raters or more.

    lengths         of each text in code points, shape (T,).
    text_of_answer  which text each answer (a rater's work on a text) is about, shape (A,); an answer without
                    spans is one long gap and belongs here too. Texts with one answer are ignored.
    answer          which answer each span belongs to, shape (S,); start, end  in code points, shape (S,).
                    Spans of one answer that overlap are one unit (a partition knows no overlap); spans that
                    only touch stay two. Empty spans are ignored.

    With m_t raters on text t, L(.) a length, and phi for gaps, c = unit or phi:
        observed  l_ck = sum_t 1/(m_t - 1) sum_{i != j} L(intersections of i's c with j's k)
        expected  e_ck = l.. (l_c. l_.k - [c = k] s_c) / (l..^2 - s_phi - s_unit)
        s_phi = total length of gaps, s_unit = sum of squared lengths of units: what would pair with itself,
        gaps by single characters, units whole.
        alpha = 1 - (l.. - sum_c l_cc) / (l.. - sum_c e_cc)

    n = number of answers that count. Undefined: "no pairable values" (no text with two answers);
    "no variation" (no unit anywhere, or nothing but one unit).
    Raises ValueError where a span leaves its text.
    """
    lengths, text_of_answer = np.asarray(lengths, np.int64), np.asarray(text_of_answer, np.int64)
    answer, start, end = (np.asarray(values, np.int64) for values in (answer, start, end))
    if np.any((start < 0) | (end < start) | (end > lengths[text_of_answer[answer]])):
        raise ValueError("a span leaves its text or ends before it starts")
    columns = unitizing_columns(lengths, text_of_answer, answer, start, end)
    raters = np.bincount(text_of_answer, minlength=len(lengths))
    n = int(raters[raters >= 2].sum())
    if n == 0:
        return Figure.without_value(NO_PAIRABLE_VALUES)
    sums = columns.sum(axis=0)
    value = float(alpha_of_unitizings(sums))
    detail = {
        "texts": int((raters >= 2).sum()),
        "units": int(sums[_UNITS]),
        "share_in_units": float(sums[_IN_UNITS] / sums[_TOTAL]),
    }
    if np.isnan(value):
        return Figure.without_value(NO_VARIATION, n, **detail)
    return Figure(value, n, detail=detail)


def unitizing_columns(
    lengths: ArrayLike, text_of_answer: ArrayLike, answer: ArrayLike, start: ArrayLike, end: ArrayLike
) -> Floats:
    """What `alpha_of_unitizings` adds up over texts, shape (T, 5): length over all raters, of it in units, the sum of
    squared lengths of units, length on which two raters differ, units. Arguments as for `unitizing_alpha`; a text of
    one answer has zeros."""
    lengths, text_of_answer = np.asarray(lengths, np.int64), np.asarray(text_of_answer, np.int64)
    raters = np.bincount(text_of_answer, minlength=len(lengths))
    pairable = raters[text_of_answer] >= 2
    unit_answer, unit_start, unit_end = _units(*(np.asarray(values, np.int64) for values in (answer, start, end)))
    counted = pairable[unit_answer]
    text = text_of_answer[unit_answer[counted]]
    sizes = (unit_end - unit_start)[counted].astype(float)
    in_texts = [
        np.bincount(text, weights, minlength=len(lengths)) for weights in (sizes, sizes**2, np.ones(len(sizes)))
    ]
    mixed = _mixed(text, unit_start[counted], unit_end[counted], raters)
    total = np.where(raters >= 2, raters * lengths, 0)
    return np.column_stack((total, in_texts[0], in_texts[1], mixed, in_texts[2])).astype(np.float64)


@on_scale(Scale.COEFFICIENT)
def alpha_of_unitizings(sums: Floats) -> Floats:
    """|u-alpha from sums of `unitizing_columns`, shape (..., 5) to (...); NaN without variation."""
    total, in_units, self_units, mixed, _units = np.moveaxis(np.asarray(sums, dtype=float), -1, 0)
    in_gaps = total - in_units
    pairs = total**2 - self_units - in_gaps
    expected = np.divide(
        total * 2 * in_units * in_gaps, pairs, out=np.zeros(np.shape(total)), where=(pairs > 0) & (in_gaps > 0)
    )
    return 1 - np.divide(mixed, expected, out=np.full(np.shape(total), np.nan), where=expected > 0)


def unitizings_without_each_rater(
    lengths: ArrayLike,
    text_of_answer: ArrayLike,
    rater_of_answer: ArrayLike,
    answer: ArrayLike,
    start: ArrayLike,
    end: ArrayLike,
) -> Floats:
    """Sums of `unitizing_columns` without each rater's answers, shape (R, 5), for `inference`. rater_of_answer  any
    labels, shape (A,); others as for `unitizing_alpha`."""
    lengths, text = np.asarray(lengths, np.int64), np.asarray(text_of_answer, np.int64)
    start, end = np.asarray(start, np.int64), np.asarray(end, np.int64)
    columns = unitizing_columns(lengths, text, answer, start, end)
    # Every text once more for each of its answers, with the others' answers alone.
    pairs = rater_pairs(text)
    left_out = np.concatenate((pairs.first, pairs.second))
    span, other = side_index(answer, np.concatenate((pairs.second, pairs.first)))
    rest = unitizing_columns(lengths[text], left_out, other, start[span], end[span])
    return without_each(columns, columns[text] - rest, rater_of_answer)


def _units(answer: NDArray, start: NDArray, end: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Overlapping spans of an answer put together."""
    kept = end > start
    answer, start, end = answer[kept], start[kept], end[kept]
    if not len(answer):
        return answer, start, end
    stretch = int(end.max()) + 1  # one stretch of a line per answer, so that one sweep serves all of them
    order = np.argsort(answer * stretch + start, kind="stable")
    line_start = (answer * stretch + start)[order]
    furthest = np.maximum.accumulate((answer * stretch + end)[order])
    opens = np.flatnonzero(np.concatenate(([True], line_start[1:] >= furthest[:-1])))
    closes = np.concatenate((opens[1:], [len(order)])) - 1
    owner = answer[order][opens]
    return owner, line_start[opens] - owner * stretch, furthest[closes] - owner * stretch


def _mixed(text: NDArray, start: NDArray, end: NDArray, raters: NDArray) -> Floats:
    """l_unit,phi + l_phi,unit of each text: length on which one rater of a pair sees a unit and the other a gap.

    Where k of m raters see a unit, k (m - k) ordered pairs of each kind differ, over m - 1.
    """
    if not len(text):
        return np.zeros(len(raters))
    stretch = int(end.max()) + 1
    position = np.concatenate((text * stretch + start, text * stretch + end))
    step = np.concatenate((np.ones(len(text)), -np.ones(len(text))))
    order = np.argsort(position, kind="stable")
    position, depth = position[order], np.cumsum(step[order])
    here = position[:-1] // stretch
    m = raters[here]
    lengths = 2 * np.diff(position) * depth[:-1] * (m - depth[:-1]) / (m - 1)
    return np.asarray(np.bincount(here, lengths, minlength=len(raters)), dtype=np.float64)
