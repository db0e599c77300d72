"""The two sides of a pair: graded one by one, or preferred without grades that have an order."""

from typing import Any, TypeVar

import numpy as np

from reports.dashboard.columns import Floats, Integers, positions

R = TypeVar("R", bound=Any)


def one_by_one(rows: R, pairs: Any, n: int) -> tuple[R, Integers, Floats]:
    """`rows` and `pairs` as `reader.py` has them, n the number of questions.

    Every two answers of a rater to the two responses of a pair: those to the first, the pair, and the difference.
    """
    raters, who = np.unique(rows.rater, return_inverse=True)
    key = (rows.of_text * n + rows.question) * max(1, len(raters)) + who
    order = np.argsort(key)
    by_first = np.argsort(pairs.first, kind="stable")
    begin = np.searchsorted(pairs.first[by_first], rows.of_text, side="left")
    sizes = np.searchsorted(pairs.first[by_first], rows.of_text, side="right") - begin
    row = np.repeat(np.arange(len(rows.id)), sizes)
    pair = by_first[np.repeat(begin, sizes) + np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)]
    wanted = (pairs.second[pair] * n + rows.question[row]) * max(1, len(raters)) + who[row]
    other = positions(key[order], wanted)
    row, pair, other = (column[other >= 0] for column in (row, pair, other))
    return rows.taken(row), pair, rows.first[row] - rows.first[order[other]]


def without_grades(rows: Any, questions: Any) -> dict[str, Floats]:
    """The grades of pairs, none where they have no order: a preference that was stated stands by itself."""
    nominal = questions.nominal[rows.question]
    return {"first": np.where(nominal, np.nan, rows.first), "second": np.where(nominal, np.nan, rows.second)}
