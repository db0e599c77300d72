"""Alternative-annotator test: may a judge stand in for a person?

One person after another is left out, and the judge and that person are held against the others: who is closer to
them? Source: N. Calderon, R. Reichart and R. Dror, The Alternative Annotator Test for LLM-as-a-Judge (ACL 2025),
sections 3.1 to 3.4; the correction: Y. Benjamini and D. Yekutieli, Annals of Statistics 29 (2001), 1165-1188.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, TOO_FEW_SHARED, Figure
from agreement.multiplicity import benjamini_yekutieli
from agreement.numbering import all_differ, numbered

SCORES = ("accuracy", "negative_rmse")
NO_RATERS = "no rater with enough shared items"

#: The paper's advice: experts 0.2, skilled raters 0.15, the crowd 0.1; and no fewer items for a t-test than 30.
EPSILON, MIN_ITEMS, FALSE_DISCOVERIES = 0.15, 30, 0.05

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class AlternativeTest:
    """What the test says of one judge against J raters.

    raters         their ids, ascending, shape (J,).
    advantages     rho of each: share of shared items on which the judge is at least as close to the others; n = shared
                   items; detail: `human`, the same of the rater, `p`, and `p_adjusted` by Benjamini-Yekutieli, `wins`
                   whether the judge does. Undefined: "too few shared items".
    winning_rate   omega: share of tested raters over whom the judge wins; n = raters tested; detail: epsilon, score
                   (both, where some items are nominal), `passes` (omega >= 0.5), raters left out. Undefined: "no rater
                   with enough shared items".
    advantage      mean rho over tested raters, by which judges are compared; n and reasons as for the winning rate.
    """

    raters: Integers
    advantages: tuple[Figure, ...]
    winning_rate: Figure
    advantage: Figure

    def by_rater(self) -> dict[int, Figure]:
        return dict(zip(self.raters.tolist(), self.advantages, strict=True))


def alternative_test(
    items: ArrayLike,
    raters: ArrayLike,
    grades: ArrayLike,
    judge: ArrayLike,
    *,
    is_nominal: ArrayLike = False,
    cluster: ArrayLike | None = None,
    score: str = "accuracy",
    epsilon: float = EPSILON,
    min_items: int = MIN_ITEMS,
    false_discoveries: float = FALSE_DISCOVERIES,
) -> AlternativeTest:
    """The test of one judge.

    items, raters, grades  ids and finite numbers, one entry per rating by a person, shape (N,); nobody rates twice.
    judge    the judge's grade of the item of each rating, shape (N,), NaN where it has none.
    score    how close f is to the other raters of item x: "accuracy", the share of them with the same grade, or
             "negative_rmse", -sqrt(mean (f - x_k)^2).
    is_nominal  whether the grades of each rating's item are names without an order, shape (N,): of those closeness is
             "accuracy", whatever the score, for they have no distance. Who is closer is asked within each item, so
             items of several scales stand beside each other.
    cluster  which prompt each rating's item is of, shape (N,); each item is a prompt of its own by default.
    epsilon  what a person costs more than the judge, as a share of items: the judge need not be as good.
    min_items  shared items (rated by this person, another and the judge) that a rater must have to be tested.

    Of rater j on item i, W_f = [S(judge) >= S(rater)] and W_h = [S(rater) >= S(judge)], rho_f and rho_h their means.
    H_0: rho_f <= rho_h - epsilon, by the one-sided paired t-test of d = W_h - W_f,
        t = (mean d - epsilon) / e,  p = P(T_{C-1} <= t),
    e the standard error by leaving out one of the C prompts after the other (s_d / sqrt(n) where each item is a prompt
    of its own: items of one prompt are not independent); where all d are alike p is 0 or 1, whichever side of epsilon
    they lie. Hypotheses rejected at `false_discoveries`
    after Benjamini-Yekutieli, which holds however the tests depend on each other, are wins; omega is their share.

    Raises ValueError for an unknown score, lengths that differ, a rater with two grades of an item, or grades that
    are not finite.
    """
    if score not in SCORES:
        raise ValueError(f"score must be one of {SCORES}, not {score!r}")
    items, raters = np.asarray(items, dtype=np.int64), np.asarray(raters, dtype=np.int64)
    grades, judge = np.asarray(grades, dtype=float), np.asarray(judge, dtype=float)
    nominal = np.broadcast_to(np.asarray(is_nominal, dtype=bool), items.shape)
    if not items.shape == raters.shape == grades.shape == judge.shape or items.ndim != 1:
        raise ValueError("every rating has its item, its rater and the judge's grade of that item")
    if not np.isfinite(grades).all():
        raise ValueError("a grade is a finite number; leave out what is missing")
    if not all_differ(items, raters):
        raise ValueError("a rater grades an item once")
    distinct, (at, _count) = np.unique(raters), numbered(raters)
    closer, shared = np.zeros(len(items)), np.zeros(len(items), dtype=bool)
    # Where all items are alike in this, one of the two has no rows.
    for rows, by in ((~nominal, score), (nominal, "accuracy")):
        closer[rows], shared[rows] = judge_is_closer(items[rows], grades[rows], judge[rows], by)
    n = np.bincount(at[shared], minlength=len(distinct))
    judge_wins = np.bincount(at[shared], closer[shared] >= 0, minlength=len(distinct))
    rater_wins = np.bincount(at[shared], closer[shared] <= 0, minlength=len(distinct))
    prompt, _prompts = numbered(items if cluster is None else cluster)
    prompts, spread = _prompts_and_spread(at[shared], prompt[shared], -closer[shared], len(distinct))
    tested = (n >= max(2, min_items)) & (prompts >= 2)
    p = _p_of_differences((rater_wins - judge_wins)[tested] / n[tested], spread[tested], prompts[tested], epsilon)
    adjusted = benjamini_yekutieli(p)
    # Hundreds of raters have too few, and all with as many are told the same.
    few = {count: Figure.without_value(TOO_FEW_SHARED, count, min_items=min_items) for count in set(n.tolist())}
    advantages = [few[count] for count in n.tolist()]
    for place, number in enumerate(np.flatnonzero(tested)):
        detail = {
            "human": float(rater_wins[number] / n[number]),
            "p": float(p[place]),
            "p_adjusted": float(adjusted[place]),
            "wins": bool(adjusted[place] <= false_discoveries),
        }
        advantages[number] = Figure(float(judge_wins[number] / n[number]), int(n[number]), detail=detail)
    scores = sorted({"accuracy" if one else score for one in np.unique(nominal)} or {score})
    return _summed(distinct, advantages, ", ".join(scores), epsilon)


def judge_is_closer(items: Integers, grades: Floats, judge: Floats, score: str) -> tuple[Floats, NDArray[np.bool_]]:
    """For each rating 1 where the judge is closer to the item's other raters than the rater is, -1 where the rater
    is, 0 where both are equally close; and whether there is another rater and a judge's grade to compare."""
    index, _count = numbered(items)
    others = np.bincount(index)[index] - 1
    shared = (others > 0) & ~np.isnan(judge)
    known = np.where(shared, judge, 0.0)
    if score == "accuracy":
        # Ratings of an item with the rater's own grade, less the own one, and with the judge's.
        values, code = np.unique(np.concatenate((grades, known)), return_inverse=True)
        cell = np.concatenate((index, index)) * len(values) + code
        cells, n_cells = numbered(cell)
        counts = np.bincount(cells[: len(grades)], minlength=n_cells)
        like_rater = counts[cells[: len(grades)]] - 1
        like_judge = counts[cells[len(grades) :]] - (known == grades)
        return np.sign(like_judge - like_rater).astype(float), shared
    # sum_k (v - x_k)^2 - (f - x_k)^2 = (v - f) ((m - 1) (v + f) - 2 sum_k x_k), which is exactly 0 where v = f.
    rest = np.bincount(index, grades)[index] - grades
    return np.sign((grades - known) * (others * (grades + known) - 2 * rest)), shared


def _prompts_and_spread(rater: Integers, prompt: Integers, difference: Floats, n: int) -> tuple[Integers, Floats]:
    """Of each of n raters the prompts its ratings are of, and the standard error of its mean difference, by leaving
    out one prompt after the other; NaN with one prompt. One entry per rating."""
    width = int(prompt.max(initial=0)) + 1
    cells, at = np.unique(rater * width + prompt, return_inverse=True)
    who = cells // width
    sums, sizes = np.bincount(at, difference, minlength=len(cells)), np.bincount(at, minlength=len(cells))
    total, every = np.bincount(who, sums, minlength=n), np.bincount(who, sizes, minlength=n)
    prompts = np.bincount(who, minlength=n)
    mean = np.divide(total, every, out=np.zeros(n), where=every > 0)
    rest = every[who] - sizes
    without = np.divide(total[who] - sums, rest, out=np.full(len(cells), np.nan), where=rest > 0)
    squares = np.bincount(who, (without - mean[who]) ** 2, minlength=n)
    return prompts, np.sqrt(np.divide(prompts - 1, prompts, out=np.zeros(n), where=prompts > 0) * squares)


def _p_of_differences(mean: Floats, spread: Floats, prompts: Integers, epsilon: float) -> Floats:
    """One-sided p-values of mean d < epsilon, from each rater's mean, its standard error and prompts, shape (T,)."""
    alike = spread < 1e-12
    t = np.divide(mean - epsilon, spread, out=np.zeros_like(mean), where=~alike)
    return np.where(alike, (mean >= epsilon).astype(float), scipy.special.stdtr(prompts - 1, t))


def _summed(raters: Integers, advantages: list[Figure], score: str, epsilon: float) -> AlternativeTest:
    tested = [figure for figure in advantages if figure.value is not None]
    detail: dict[str, Any] = {"score": score, "epsilon": epsilon, "left_out": len(advantages) - len(tested)}
    if not tested:
        none = Figure.without_value(NO_RATERS if len(raters) else NO_ITEMS, **detail)
        return AlternativeTest(raters, tuple(advantages), none, none)
    omega = float(np.mean([figure.detail["wins"] for figure in tested]))
    rho = Figure(float(np.mean([figure.number for figure in tested])), len(tested), detail=detail)
    rate = replace(rho, value=omega, detail={**detail, "passes": omega >= 0.5})
    return AlternativeTest(raters, tuple(advantages), rate, rho)
