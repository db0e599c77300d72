"""The rule by which scores of rules become scores of questions, for tables of many answers.

`question.py` beside this says it of one answer, with the reasons.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def question_scores(use: Integers, values: Floats, decided: Floats, limit: Floats, ruled: Flags) -> Floats:
    """The score of each of Q questions for each of n configurations, (Q, n), NaN where there is none.

    use      the question of each use of a rule, places from 0, (U,). values  its score, NaN where it has none, (U, n).
    decided  the score that a fixed rule gives, else NaN, (Q, n). limit  the most that rules can give, (Q, n).
    ruled    whether there is an answer that the fixed rules have seen, (Q, n).

    What a fixed rule decides, else the mean of the question's rules within the limit. With one rule missing a question
    is unscored, never the mean of the rest, and so is one that the fixed rules have not seen.
    """
    sums = np.zeros(decided.shape)
    np.add.at(sums, use, values)
    count = np.bincount(use, minlength=len(decided)).astype(float)[:, None]
    mean = np.divide(sums, count, out=np.full(decided.shape, np.nan), where=count > 0)
    scores = np.where(np.isnan(decided), np.minimum(mean, limit), decided)
    return np.where(ruled, scores, np.nan)


def rule_values(read: Floats, judged: list[Floats]) -> Floats:
    """The score of each use, (U, n): what was read or computed, else the mean of these judges, NaN where one of them
    is missing."""
    return np.where(np.isnan(read), np.mean(judged, axis=0), read) if judged else read
