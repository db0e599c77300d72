"""Penalties of error annotations after MQM (Multidimensional Quality Metrics).

Source: M. Freitag et al., "Experts, Errors, and Context", TACL 9 (2021), 1460-1474, table 4.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

MAJOR, MINOR = 5.0, 1.0
NON_TRANSLATION = 25.0
MINOR_PUNCTUATION = 0.1
#: What an error of the source text costs, for authors differ: nothing, as in the scores of the WMT metrics tasks from
#: 2023 on; or as much as any other, as table 4 of the paper and the script beside its data have it ("all others").
NOTHING, AS_OTHERS = "nothing", "as others"
SOURCE_ERRORS = (NOTHING, AS_OTHERS)


def weight(category: str, severity: str, source_errors: str = NOTHING) -> float:
    """What one annotation costs: major 5, minor 1, minor punctuation 0.1, non-translation 25.

    source_errors  what errors of the source text ("Source issue", "Source error") cost, one of `SOURCE_ERRORS`.
                   "nothing": they are not the translator's, whatever their severity.

    "No-error" and "Neutral" cost 0. An omission is marked in the source text but is the translator's: it costs as any
    other error.

    Raises ValueError for an unknown severity, or another choice for errors of the source.
    """
    if source_errors not in SOURCE_ERRORS:
        raise ValueError(f"source_errors must be one of {SOURCE_ERRORS}, not {source_errors!r}")
    if source_errors == NOTHING and category.lower().startswith("source "):
        return 0.0
    match severity.lower():
        case "no-error" | "neutral":
            return 0.0
        case "major" | "minor" if category.lower().startswith("non-translation"):
            return NON_TRANSLATION
        case "major":
            return MAJOR
        case "minor":
            return MINOR_PUNCTUATION if category == "Fluency/Punctuation" else MINOR
    raise ValueError(f"unknown severity: {severity!r}")


def penalties(answer: ArrayLike, weights: ArrayLike, n_answers: int) -> NDArray[np.float64]:
    """Penalty of each answer: the sum of its annotations' weights, shape (n_answers,), 0 without errors.

    answer   which answer each annotation belongs to, shape (A,); weights  shape (A,).

    Added one after the other in the given order, in double precision, unrounded. That matters only where
    equal sums must be recognised as equal (ordinal alpha): 0.1 + 0.1 + 0.1 is not the float 0.3. The ordinal
    alpha in `mqm_sxs2023_ende_sample.json` (0.564911) rests on exactly these sums in the order of the file,
    which hold 100 distinct values; rounded to one decimal there are 97 and alpha is 0.564938. Python's own
    `sum` compensates since 3.12 and a database adds in any order, so neither gives the same.
    """
    sums = np.bincount(np.asarray(answer, dtype=np.int64), np.asarray(weights, float), minlength=n_answers)
    return sums.astype(np.float64)
