"""Gold of items by a model of their raters: Dawid and Skene's, or MACE, fitted once and applied to any item's ratings.

`annotator_models` says how far each rater is to be believed. Here that becomes a rule of gold: the value that is
likeliest given what an item's raters said, so that two careful raters may outweigh three careless ones. A fit is of the
ratings of one question by raters who share items; it is applied to the same raters' ratings, also to a part of an
item's: what the others say without one rater, whose confusion then still rests on all that it said.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from agreement.annotator_models import Annotated, Floats, Integers, dawid_skene, mace
from agreement.consensus import DECIDED_BY, Gold, Nominal, between, gold
from agreement.figures import NO_ITEMS, TOO_FEW_SHARED

DAWID_SKENE, MACE = "dawid-skene", "mace"
#: At most so many rounds. Both start from the votes, the same for every rater, so nothing is random.
ROUNDS = 200
MODELS: dict[str, Callable[..., Annotated]] = {
    DAWID_SKENE: partial(dawid_skene, rounds=ROUNDS, close=1e-6),
    MACE: partial(mace, restarts=0, rounds=ROUNDS),
}
ONE_RATER, NOT_WHOLE = "one rater", "grades are no whole numbers"
#: Values whose chances differ by less are equally likely.
CLOSE = 1e-6


@dataclass(frozen=True, eq=False)
class RaterWeights:
    """What a fit says of each rater: `Annotated.log_prior` (V,) and `log_says` (J, V, V).

    raters  ids, ascending, shape (J,). lowest  the grade of code 0.
    """

    raters: Integers
    log_prior: Floats
    log_says: Floats
    lowest: int

    def log_chances(self, raters: ArrayLike, grades: ArrayLike) -> Floats:
        """What each rating adds to the logarithm of the chance of every value, shape (N, V). A rater that was not
        there when the model was fitted adds nothing."""
        who, code = np.asarray(raters, dtype=np.int64), np.asarray(grades, dtype=float).astype(np.int64) - self.lowest
        at = np.minimum(np.searchsorted(self.raters, who), len(self.raters) - 1)
        known = self.raters[at] == who
        return np.where(known[:, None], self.log_says[at, :, code], 0.0)


def unfit(items: ArrayLike, raters: ArrayLike, grades: ArrayLike) -> str:
    """Why no model can be fitted to these ratings; "" where one can: "no items", "one rater", "too few shared items"
    (nobody rated what somebody else did), or "grades are no whole numbers"."""
    values = np.asarray(grades, dtype=float)
    if not len(values):
        return NO_ITEMS
    if (values != np.round(values)).any():
        return NOT_WHOLE
    if len(np.unique(np.asarray(raters))) < 2:
        return ONE_RATER
    _, times = np.unique(np.asarray(items), return_counts=True)
    return "" if (times > 1).any() else TOO_FEW_SHARED


def fitted(rule: str, items: ArrayLike, raters: ArrayLike, grades: ArrayLike, scale: tuple[int, int]) -> Annotated:
    """The model of this rule, one of MODELS, of whole grades on a scale (lowest, highest); all shape (N,)."""
    lowest, highest = scale[0], scale[1]
    codes = np.asarray(grades, dtype=float).astype(np.int64) - lowest
    return MODELS[rule](items, raters, codes, highest - lowest + 1)


def weights_of(
    rule: str, items: ArrayLike, raters: ArrayLike, grades: ArrayLike, scale: tuple[int, int]
) -> RaterWeights | None:
    """The fit as weights of raters; None where `unfit` says why there is none."""
    if unfit(items, raters, grades):
        return None
    model = fitted(rule, items, raters, grades, scale)
    return RaterWeights(model.raters, model.log_prior, model.log_says, scale[0])


def weighed_gold(
    items: ArrayLike,
    raters: ArrayLike,
    grades: ArrayLike,
    is_expert: ArrayLike,
    weights: RaterWeights,
    scale: tuple[int, int],
) -> Gold:
    """Gold of every item that has a grade: the value likeliest by the weights; all of shape (N,).

    On an item that an expert graded the experts' grades alone count, by majority, as in `consensus.gold`. Where several
    values are equally likely it is the one halfway between them (`consensus.between`), for it takes the side of none;
    of a `Nominal` scale such an item has no gold.
    """
    distinct, index = np.unique(np.asarray(items, dtype=np.int64), return_inverse=True)
    who, values = np.asarray(raters), np.asarray(grades, dtype=float)
    experts = np.asarray(is_expert, dtype=bool)
    of_experts = np.bincount(index, experts, minlength=len(distinct)) > 0
    by_experts = gold(distinct[index[experts]], values[experts], scale=scale)
    rest = ~of_experts[index]
    added = np.zeros((len(distinct), len(weights.log_prior)))
    np.add.at(added, index[rest], weights.log_chances(who[rest], values[rest]))
    chances = added + weights.log_prior
    chances = np.exp(chances - chances.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    likeliest = chances > chances.max(axis=1, keepdims=True) - CLOSE
    made = ~of_experts & ((likeliest.sum(axis=1) == 1) | (not isinstance(scale, Nominal)))
    places = np.flatnonzero(made)
    n = np.bincount(index[rest], minlength=len(distinct))
    own = Gold(
        distinct[places],
        weights.lowest + between(likeliest[places]).astype(float),
        n[places],
        np.zeros(len(places), dtype=bool),
        np.full(len(places), DECIDED_BY.index("model")),
    )
    return _joined(own, by_experts)


def _joined(one: Gold, by_experts: Gold) -> Gold:
    order = np.argsort(np.concatenate((one.items, by_experts.items)), kind="stable")
    names = ("items", "values", "n", "by_experts", "decided_by")
    flags = np.ones(len(by_experts.items), dtype=bool)
    other = (by_experts.items, by_experts.values, by_experts.n, flags, by_experts.decided_by)
    return Gold(
        *(np.concatenate((getattr(one, name), column))[order] for name, column in zip(names, other, strict=True))
    )
