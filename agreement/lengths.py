"""Scores against the lengths of what was scored: do longer responses score higher?

Length is counted in doublings (its logarithm to base 2): from 100 words to 200 is as far as from 200 to 400.
"""

import numpy as np
from numpy.typing import ArrayLike

from agreement import inference
from agreement.correlation import correlation_columns, correlation_of_sums, slope_of_sums
from agreement.figures import NO_ITEMS, NO_VARIATION, TOO_FEW, Figure
from agreement.ranks import mean_score


def places(length: ArrayLike, score: ArrayLike, cluster: ArrayLike) -> tuple[Figure, Figure]:
    """Mean length and mean score of the responses that have a score, with intervals over clusters (`mean_score`).

    length, score, cluster  as of `against_length`. Undefined: "no items".
    """
    lengths, scores, clusters = np.asarray(length, dtype=float), np.asarray(score, dtype=float), np.asarray(cluster)
    known = ~np.isnan(scores)
    return mean_score(lengths[known], clusters[known]), mean_score(scores[known], clusters[known])


def against_length(length: ArrayLike, score: ArrayLike, cluster: ArrayLike) -> tuple[Figure, Figure]:
    """Pearson's correlation of score and doublings of length, and the change of the score for twice the length by least
    squares, both with intervals over clusters.

    length   above 0, of each response, shape (N,). score  NaN where a response has none. cluster  prompt of each.

    n = responses with a score. Undefined: "no items", "n < 2"; "no variation" where all lengths are alike, or, of the
    correlation, all scores. It says what goes together, not what makes what: a hard prompt may ask for a long answer.
    Raises ValueError for a length that is not above 0 or columns of different lengths.
    """
    lengths, scores, clusters = np.asarray(length, dtype=float), np.asarray(score, dtype=float), np.asarray(cluster)
    if lengths.shape != scores.shape or lengths.shape != clusters.shape:
        raise ValueError("every response has a length, a score or NaN, and a cluster")
    known = ~np.isnan(scores)
    if (lengths[known] <= 0).any():
        raise ValueError("a length is above 0")
    n = int(known.sum())
    if n < 2:
        nothing = Figure.without_value(TOO_FEW if n else NO_ITEMS, n)
        return nothing, nothing
    columns = correlation_columns(np.log2(lengths[known]), scores[known])
    statistics = (correlation_of_sums, slope_of_sums)
    values = [float(statistic(columns.sum(axis=0))) for statistic in statistics]
    points = [Figure.without_value(NO_VARIATION, n) if np.isnan(value) else Figure(value, n) for value in values]
    correlation, slope = inference.with_intervals(points, columns, statistics, cluster=clusters[known])
    return correlation, slope
