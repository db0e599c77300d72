"""The score of a response under a penalty-weighted rubric.

A positive criterion says what a good answer contains and has a weight above 0, a negative one names an error and
has a weight below 0. A weight is given when the criterion passed, or when its error is present.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agreement.figures import Figure

NO_POSITIVE_WEIGHT = "no positive weight"


@dataclass(frozen=True)
class Score:
    """raw = S_raw and maximum = S_max in points, percent = P in percent with n = the number of criteria."""

    raw: float
    maximum: float
    percent: Figure


def score(weights: Sequence[float], given: Sequence[bool]) -> Score:
    """The score that these verdicts add up to (Perle, arXiv 2607.00139, equations 1 to 3).

        S_max = sum of w over positive criteria
        S_raw = sum of w over positive criteria that passed + sum of w over negative criteria whose error is present
        P     = 100 * S_raw / S_max

    weights  in points, one per criterion, none of them 0. given  as long: passed, or the error is present.
    P is not clipped: penalties can weigh more than all there is to earn, and it is then far below 0. A negative
    criterion counts alike, whether it was written with the rubric or found by a grader. So P / 100 is the score of an
    example of HealthBench (arXiv 2505.08775, section 2), whose score of a model is their mean, clipped to [0, 1].
    Undefined: "no positive weight" where there is nothing to earn. Raises ValueError for different lengths or a
    weight of 0, which is neither a positive nor a negative criterion.
    """
    if len(weights) != len(given):
        raise ValueError("every weight is given or not")
    if any(weight == 0 for weight in weights):
        raise ValueError("a criterion has a weight above or below 0")
    maximum = sum(weight for weight in weights if weight > 0)
    raw = sum(weight for weight, is_given in zip(weights, given, strict=True) if is_given)
    if maximum == 0:
        return Score(raw, maximum, Figure.without_value(NO_POSITIVE_WEIGHT, len(weights)))
    return Score(raw, maximum, Figure(100 * raw / maximum, len(weights)))
