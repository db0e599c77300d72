"""What becomes of many spans at once: annotation.outcomes's rule, put to arrays.

The rule itself is `agreement.validation.settle`, asked once for every distinct combination of verdicts. A test
holds the result against `annotation.outcomes.outcomes`.
"""

import numpy as np
from numpy.typing import NDArray

from agreement.numbering import rows_numbered
from agreement.validation import outcome_of

Integers = NDArray[np.int64]

OUTCOMES = ("kept", "rejected", "open", "pending")
KEPT, REJECTED, OPEN, PENDING = range(4)
VERDICTS = ("keep", "correct", "differs", "reject")


def outcomes(
    policy: str,
    needed: Integers,
    reviewed: Integers,
    verdict: Integers,
    adjudicated: tuple[Integers, NDArray[np.bool_]],
) -> Integers:
    """Index into OUTCOMES of each span, shape (S,).

    needed       how many verdicts each span gets, shape (S,).
    reviewed     index of the span each review is about; verdict  its index in VERDICTS; shape (V,).
    adjudicated  indices of spans an expert decided, and whether each was kept: the last word.
    """
    votes = np.bincount(reviewed * len(VERDICTS) + verdict, minlength=len(needed) * len(VERDICTS))
    cases = np.column_stack((votes.reshape(len(needed), len(VERDICTS)), needed))
    place, which = rows_numbered(cases)
    decided = [OUTCOMES.index(_settled(case, policy)) for case in cases[place].tolist()]
    settled = np.array(decided, dtype=np.int64)[which]
    spans, is_kept = adjudicated
    settled[spans] = np.where(is_kept, KEPT, REJECTED)
    return settled


def _settled(case: list[int], policy: str) -> str:
    *votes, needed = case
    verdicts = [name for name, count in zip(VERDICTS, votes, strict=True) for _ in range(count)]
    return outcome_of(verdicts, policy, needed)
