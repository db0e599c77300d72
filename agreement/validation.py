"""Cross-validation of spans: what becomes of a span that others have judged, and how many are retained."""

from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_SPANS, Figure
from agreement.inference import with_interval
from agreement.spread import wilson
from agreement.statistics import mean_columns, share_of_sums

VERDICTS = ("keep", "correct", "differs", "reject")
POLICIES = ("unanimous", "majority", "any")
OUTCOMES = ("kept", "rejected", "open", "pending")


def outcome_of(verdicts: Sequence[str], policy: str, needed: int) -> str:
    """What a span's verdicts so far make of it: "kept", "rejected", "open" or "pending".

    verdicts  of "keep", "correct" (a keep that mends boundaries, category or words), "differs" (right in some
              regions, not in others) and "reject", in any order.
    needed    how many verdicts a span gets; more than that all count.

    unanimous  any reject rejects; all keep or correct keeps; else (some differs, no reject) open.
    majority   keep and correct against reject, differs abstains; a tie, or nobody left to count: open.
    any        one keep or correct keeps; else some differs: open; else rejected.

    Before `needed` verdicts are in, a span is pending unless no further verdict could change the outcome.
    Open spans go to an expert. Raises ValueError for an unknown verdict or policy, or needed < 1.
    """
    if policy not in POLICIES:
        raise ValueError(f"policy must be one of {POLICIES}, not {policy!r}")
    if needed < 1:
        raise ValueError("a span needs at least one verdict")
    unknown = set(verdicts) - set(VERDICTS)
    if unknown:
        raise ValueError(f"unknown verdicts: {sorted(unknown)}")
    rejects, differs = (list(verdicts).count(verdict) for verdict in ("reject", "differs"))
    keeps = len(verdicts) - rejects - differs
    missing = max(0, needed - len(verdicts))
    # The rules only count, so the outcome is certain when every way the missing verdicts can fall agrees.
    possible = {
        _outcome(keeps + more_keeps, differs + more_differs, rejects + missing - more_keeps - more_differs, policy)
        for more_keeps in range(missing + 1)
        for more_differs in range(missing + 1 - more_keeps)
    }
    return possible.pop() if len(possible) == 1 else "pending"


def _outcome(keeps: int, differs: int, rejects: int, policy: str) -> str:
    if policy == "unanimous":
        if rejects:
            return "rejected"
        return "open" if differs else "kept"
    if policy == "majority":
        if keeps == rejects:
            return "open"
        return "kept" if keeps > rejects else "rejected"
    if keeps:
        return "kept"
    return "open" if differs else "rejected"


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Score interval of a share of independent trials: `spread.wilson` with the normal quantile of
    (1 + confidence) / 2.

    Source: E. B. Wilson, JASA 22 (1927), 209-212. Raises ValueError unless 0 <= successes <= n and n > 0.
    """
    if not 0 <= successes <= n or n == 0:
        raise ValueError("successes are between 0 and n, and n is not 0")
    return wilson(successes / n, float(scipy.special.ndtri((1 + confidence) / 2)), n)


def retained_share(retained: ArrayLike, prompt: ArrayLike) -> Figure:
    """Share of settled spans that others retained, with its interval over prompts: spans of one response are kept or
    rejected together more often than not, so they are not as many trials.

    retained  whether each settled span was kept, booleans, shape (S,); open and pending ones are counted beside it by
              the caller. prompt  which prompt each is of, shape (S,).

    n = spans. Undefined: "no spans". Raises ValueError for lengths that differ.
    """
    kept = np.asarray(retained, dtype=bool)
    if not len(kept):
        return Figure.without_value(NO_SPANS)
    figure = Figure(float(kept.mean()), len(kept))
    return with_interval(figure, mean_columns(kept), share_of_sums, cluster=prompt)


def mean_errors(criticality: ArrayLike, n_levels: int, n_responses: int) -> list[Figure]:
    """Errors per response at each level of criticality: count / n_responses, length n_levels.

    criticality  level of each error, integers in [0, n_levels), shape (S,).
    n_responses  all responses of the setting, those without errors included. n = n_responses.
    Undefined: "no items". For intervals: `inference.mean` over `errors_per_response`.
    """
    counts = np.bincount(np.asarray(criticality, dtype=np.int64), minlength=n_levels)
    if n_responses == 0:
        return [Figure.without_value(NO_ITEMS) for _ in counts]
    return [Figure(int(errors) / n_responses, n_responses, detail={"errors": int(errors)}) for errors in counts]


def errors_per_response(
    response: ArrayLike, criticality: ArrayLike, n_levels: int, n_responses: int
) -> NDArray[np.int64]:
    """How many errors of each level each response has, shape (n_responses, n_levels)."""
    response, criticality = np.asarray(response, np.int64), np.asarray(criticality, np.int64)
    cells = np.bincount(response * n_levels + criticality, minlength=n_responses * n_levels)
    return cells.reshape(n_responses, n_levels)
