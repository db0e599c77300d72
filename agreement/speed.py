"""How fast a configuration answers, from a pass of its own at concurrency one.

Source: K. Ouda, ABBL (2025), section 4.2: words generated over seconds of inference, total over total. Interval of a
ratio: W. G. Cochran, Sampling Techniques, 3rd edition (1977), chapter 6; of quantiles: see `quantiles`.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, TOO_FEW, Figure
from agreement.quantiles import quantile
from agreement.ranks import METHOD, MIN_UNITS, TOO_FEW_UNITS
from agreement.spread import CONFIDENCE

NO_TIME = "no time passed"


def rate(amounts: ArrayLike, seconds: ArrayLike, confidence: float = CONFIDENCE) -> Figure:
    """Words (or characters) per second of inference: total over total.

    amounts  generated in each answer, shape (N,); 0 for an empty answer, whose time counts all the same.
    seconds  of inference of each, shape (N,). An answer for which either is NaN was not measured: left out, counted.

    The mean of the answers' own rates would let short answers weigh as much as long ones: 10, 20 and 70 words in
    1, 1 and 8 s are 100 words in 10 s, 10.0 a second, not 12.9.
    With e = amount - rate * seconds: standard error^2 = N / (N - 1) sum e^2 / (sum of seconds)^2, Student's t with
    N - 1 degrees of freedom; the lower bound is never below 0.
    n = answers; detail: `amount`, `seconds`, `unmeasured`. Undefined: "no items", "no time passed". Without an
    interval below 6 answers, with the reason in detail["interval"].
    Raises ValueError for lengths that differ and for negative or infinite numbers.
    """
    amount, second = np.asarray(amounts, dtype=float), np.asarray(seconds, dtype=float)
    if amount.shape != second.shape or amount.ndim != 1:
        raise ValueError("every answer has an amount and its seconds")
    measured = ~(np.isnan(amount) | np.isnan(second))
    detail: dict[str, object] = {"unmeasured": int((~measured).sum())}
    amount, second = amount[measured], second[measured]
    if not (np.isfinite(amount) & np.isfinite(second) & (amount >= 0) & (second >= 0)).all():
        raise ValueError("amounts and seconds are finite and not negative")
    n, total, passed = len(amount), float(amount.sum()), float(second.sum())
    detail |= {"amount": total, "seconds": passed}
    if n == 0 or passed == 0:
        return Figure.without_value(NO_TIME if n else NO_ITEMS, n, **detail)
    value = total / passed
    if n < MIN_UNITS:
        return Figure(value, n, detail={**detail, "interval": TOO_FEW if n < 2 else TOO_FEW_UNITS})
    error = float(np.sqrt(n / (n - 1) * ((amount - value * second) ** 2).sum())) / passed
    half = float(scipy.special.stdtrit(n - 1, (1 + confidence) / 2)) * error
    detail |= {"interval": METHOD, "confidence": confidence, "unit": "answer"}
    return Figure(value, n, max(0.0, value - half), value + half, detail=detail)


@dataclass(frozen=True)
class Speed:
    """Speed of one configuration.

    words_per_second, characters_per_second  totals over total seconds of inference.
    first_token_p50, first_token_p95         seconds from the request to the first token, over the answers that have
                                             one; each with the interval of order statistics, where the sample allows.
    """

    words_per_second: Figure
    characters_per_second: Figure
    first_token_p50: Figure
    first_token_p95: Figure


def speed(words: ArrayLike, characters: ArrayLike, seconds: ArrayLike, first_token: ArrayLike) -> Speed:
    """The speed of a configuration from its N answers.

    words, characters  generated in each answer; seconds  of inference; first_token  seconds to the first token, NaN
    where none came or the endpoint does not stream. Shape (N,) each.
    Raises ValueError as `rate`, and for a negative or infinite time to the first token.
    """
    waits = np.asarray(first_token, dtype=float)
    if waits.shape != np.shape(seconds):
        raise ValueError("every answer has a time to its first token, or NaN")
    streamed: NDArray[np.float64] = waits[~np.isnan(waits)]
    if not (np.isfinite(streamed) & (streamed >= 0)).all():
        raise ValueError("a time to the first token is finite and not negative")
    return Speed(rate(words, seconds), rate(characters, seconds), quantile(streamed, 0.5), quantile(streamed, 0.95))
