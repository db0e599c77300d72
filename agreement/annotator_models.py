"""Gold from raters who are not equally good: Dawid and Skene's model and MACE, as rules of gold beside the majority.

Both take the true value of each item for unknown, and learn from who agrees with whom how far each rater is to be
believed. Dawid-Skene learns a whole confusion matrix per rater (who says 3 where 2 is true); MACE one number, how
often a rater looks at all, and what it says when it does not. With few ratings per rater MACE is the steadier; where
raters confuse in ways of their own Dawid-Skene is. Neither can tell a shared error from the truth.

Sources: A. P. Dawid and A. M. Skene, Applied Statistics 28 (1979), 20-28; D. Hovy, T. Berg-Kirkpatrick, A. Vaswani and
E. Hovy, Learning Whom to Trust with MACE, NAACL 2013, section 2, with the variational updates of M. Johnson, Why
Doesn't EM Find Good HMM POS-Taggers?, EMNLP 2007.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, TOO_FEW_SHARED, Figure

ROUNDS = 500
#: Counted to every cell of a rater's confusion, so that one rating settles nothing; on the diagonal that much more.
SMOOTHING, DIAGONAL = 0.1, 0.4
#: MACE as its authors run it: priors of competence (two) and of spam, and restarts of which the best is kept.
COMPETENCE_PRIOR, SPAM_PRIOR, RESTARTS = (0.5, 0.5), 10.0, 10
_CLOSE = 1e-8

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Annotated:
    """What a model says of I items, J raters and V values.

    items, raters  their ids, ascending.
    posterior      chance of each value being the item's true one, shape (I, V).
    codes          the likeliest, the least of several, shape (I,); ties can be seen in the posterior.
    prior          share of each true value, shape (V,).
    confusion      [j, k, l]: chance that rater j says l where k is true, shape (J, V, V).
    competence     of each rater, n = its ratings. Dawid-Skene: chance of saying the true value; MACE: chance of looking
                   at all, so that guessing right is not in it. Undefined: "too few shared items" for a rater
                   who shares no item with anybody, of whom nothing can be learned.
    objective      after every round, never falling: log-likelihood with the smoothing's log prior (Dawid-Skene), or
                   the variational lower bound (MACE).
    converged      whether the last round changed hardly anything.
    """

    items: Integers
    raters: Integers
    posterior: Floats
    codes: Integers
    prior: Floats
    confusion: Floats
    competence: tuple[Figure, ...]
    objective: tuple[float, ...]
    converged: bool


@dataclass(frozen=True, eq=False)
class _Ratings:
    items: Integers
    raters: Integers
    item: Integers
    rater: Integers
    code: Integers
    n_values: int

    @classmethod
    def of(cls, items: ArrayLike, raters: ArrayLike, codes: ArrayLike, n_values: int) -> "_Ratings":
        item_ids, item = np.unique(np.asarray(items), return_inverse=True)
        rater_ids, rater = np.unique(np.asarray(raters), return_inverse=True)
        code = np.asarray(codes, dtype=np.int64)
        if not item.shape == rater.shape == code.shape or code.ndim != 1:
            raise ValueError("every rating has its item, rater and code")
        if len(code) and (code.min() < 0 or code.max() >= n_values):
            raise ValueError("a code is a place in the scale, below n_values")
        return cls(item_ids, rater_ids, item, rater, code, n_values)

    def votes(self) -> Floats:
        """Share of the ratings of each item that gave each value, shape (I, V)."""
        counts = np.zeros((len(self.items), self.n_values))
        np.add.at(counts, (self.item, self.code), 1)
        return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)

    def competence(self, values: Floats) -> tuple[Figure, ...]:
        per_item = np.bincount(self.item, minlength=len(self.items))
        shared = np.bincount(self.rater, per_item[self.item] > 1, minlength=len(self.raters))
        n = np.bincount(self.rater, minlength=len(self.raters))
        return tuple(
            Figure(float(value), int(count)) if with_others else Figure.without_value(TOO_FEW_SHARED, int(count))
            for value, count, with_others in zip(values, n, shared, strict=True)
        )


def dawid_skene(
    items: ArrayLike,
    raters: ArrayLike,
    codes: ArrayLike,
    n_values: int,
    *,
    smoothing: float = SMOOTHING,
    diagonal: float = DIAGONAL,
    rounds: int = ROUNDS,
) -> Annotated:
    """Dawid and Skene's model by EM from the votes.

    items, raters  ids, shape (N,), one entry per rating. codes  the value's place in the scale, 0..V-1, shape (N,).
    smoothing      pseudo-ratings added to every cell of every confusion and to every value's share; diagonal: further
                   ones on the diagonals, which says that raters are rather right than wrong (0 and 0: plain EM).

        T_ik  ~  prior_k prod_{ratings of i} confusion[rater, k, code]
        prior_k ~ sum_i T_ik + smoothing,   confusion[j, k, l] ~ sum_{j's ratings with code l} T_ik + smoothing + ...
    An item with one rating may get another value than that: what is common, and how the rater errs, count as well.
    Undefined competences say so; without ratings all arrays are empty. Raises ValueError for other shapes or codes.
    """
    if smoothing < 0 or diagonal < 0:
        raise ValueError("nothing is smoothed by less than nothing")
    data = _Ratings.of(items, raters, codes, n_values)
    posterior, objective, converged = data.votes(), [], False
    pseudo = smoothing + diagonal * np.eye(n_values)
    prior, confusion = np.full(n_values, 1 / max(n_values, 1)), np.zeros((len(data.raters), n_values, n_values))
    for _ in range(rounds if len(data.code) else 0):
        prior = _shares(posterior.sum(axis=0) + smoothing)
        counts = np.zeros((len(data.raters), n_values, n_values))
        np.add.at(counts.transpose(0, 2, 1), (data.rater, data.code), posterior[data.item])
        confusion = _shares(counts + pseudo)
        with np.errstate(divide="ignore"):
            log_prior, log_confusion = np.log(prior), np.log(confusion)
        joint = np.tile(log_prior, (len(data.items), 1))
        np.add.at(joint, data.item, log_confusion.transpose(0, 2, 1)[data.rater, data.code])
        evidence = scipy.special.logsumexp(joint, axis=1)
        posterior = np.exp(joint - evidence[:, None])
        penalty = scipy.special.xlogy(smoothing, prior).sum() + scipy.special.xlogy(pseudo, confusion).sum()
        objective.append(float(evidence.sum() + penalty))
        converged = len(objective) > 1 and objective[-1] - objective[-2] <= _CLOSE * abs(objective[-1])
        if converged:
            break
    right = np.einsum("k,jkk->j", prior, confusion)
    return _annotated(data, posterior, prior, confusion, right, objective, converged)


def mace(
    items: ArrayLike,
    raters: ArrayLike,
    codes: ArrayLike,
    n_values: int,
    *,
    seed: int = 0,
    restarts: int = RESTARTS,
    rounds: int = ROUNDS,
) -> Annotated:
    """MACE by variational Bayes: with chance c_j rater j says the true value, else a value from its own habits h_j.

    Arguments and errors as `dawid_skene`. All true values are equally likely beforehand, as its authors have it (so
    where one is common, habits take some of it and competences come out low, in the same order); c_j has the prior
    Beta(0.5, 0.5) and h_j a Dirichlet of 10 / V for each value. Starts are drawn by the seed, near competence (so that
    nobody is first taken for one who never looks), and the one with the greatest lower bound is kept.
    confusion[j, k, l] = c_j [k = l] + (1 - c_j) h_jl.
    """
    data = _Ratings.of(items, raters, codes, n_values)
    generator, best = np.random.default_rng(seed), None
    for _ in range(max(1, restarts)):
        found = _mace_once(data, generator, rounds)
        if best is None or (found[2] and found[2][-1] > best[2][-1]):
            best = found
    assert best is not None
    posterior, (competence, habits), objective, converged = best
    confusion = (1 - competence)[:, None, None] * habits[:, None, :] + (
        competence[:, None, None] * np.eye(n_values)[None, :, :]
    )
    prior = np.full(n_values, 1 / max(n_values, 1))
    return _annotated(data, posterior, prior, confusion, competence, objective, converged)


def _mace_once(
    data: _Ratings, generator: np.random.Generator, rounds: int
) -> tuple[Floats, tuple[Floats, Floats], list[float], bool]:
    n_raters, v = len(data.raters), data.n_values
    priors, spam = np.array(COMPETENCE_PRIOR), SPAM_PRIOR / max(v, 1)
    looked = np.bincount(data.rater, minlength=n_raters) * generator.uniform(0.5, 1, n_raters)
    weights = np.stack((looked, np.bincount(data.rater, minlength=n_raters) - looked), axis=1) + priors
    said = generator.uniform(0, 1, (n_raters, v)) + spam
    posterior, objective, converged = data.votes(), [], False
    for _ in range(rounds if len(data.code) else 0):
        log_look = scipy.special.psi(weights) - scipy.special.psi(weights.sum(axis=1, keepdims=True))
        log_habit = scipy.special.psi(said) - scipy.special.psi(said.sum(axis=1, keepdims=True))
        guess = np.exp(log_look[:, 1])[data.rater] * np.exp(log_habit)[data.rater, data.code]
        hit = guess + np.exp(log_look[:, 0])[data.rater]
        joint = np.zeros((len(data.items), v))
        np.add.at(joint, data.item, np.log(guess)[:, None])
        np.add.at(joint, (data.item, data.code), np.log(hit) - np.log(guess))
        evidence = scipy.special.logsumexp(joint, axis=1)
        posterior = np.exp(joint - evidence[:, None])
        bound = evidence.sum() - len(data.items) * np.log(v)
        bound -= _divergence(weights, priors) + _divergence(said, np.full(v, spam))
        objective.append(float(bound))
        converged = len(objective) > 1 and objective[-1] - objective[-2] <= _CLOSE * abs(objective[-1])
        if converged:
            break
        attentive = posterior[data.item, data.code] * (1 - guess / hit)
        looks = np.bincount(data.rater, attentive, minlength=n_raters)
        total = np.bincount(data.rater, minlength=n_raters)
        weights = np.stack((looks, total - looks), axis=1) + priors
        said = np.full((n_raters, v), spam)
        np.add.at(said, (data.rater, data.code), 1 - attentive)
    return posterior, (_shares(weights)[:, 0], _shares(said)), objective, converged


def _divergence(alpha: Floats, prior: Floats) -> float:
    """Kullback-Leibler divergence of Dirichlet rows from their prior, summed: what the lower bound pays for them."""
    total, log_of = alpha.sum(axis=1), scipy.special.gammaln
    own = log_of(total) - log_of(alpha).sum(axis=1) - log_of(prior.sum()) + log_of(prior).sum()
    away = ((alpha - prior) * (scipy.special.psi(alpha) - scipy.special.psi(total)[:, None])).sum(axis=1)
    return float((own + away).sum())


def _shares(counts: Floats) -> Floats:
    total = counts.sum(axis=-1, keepdims=True)
    return np.divide(counts, total, out=np.full(counts.shape, 1 / max(counts.shape[-1], 1)), where=total > 0)


def _annotated(
    data: _Ratings,
    posterior: Floats,
    prior: Floats,
    confusion: Floats,
    competence: Floats,
    objective: list[float],
    converged: bool,
) -> Annotated:
    codes = np.argmax(posterior > posterior.max(axis=1, keepdims=True) - 1e-9, axis=1) if len(posterior) else data.item
    return Annotated(
        data.items,
        data.raters,
        posterior,
        codes,
        prior,
        confusion,
        data.competence(competence),
        tuple(objective),
        converged,
    )


def mean_certainty(model: Annotated) -> Figure:
    """Mean chance of the likeliest value: what the model itself thinks its gold is worth. n = items.

    It is no accuracy: raters who share an error make it certain. Undefined: "no items".
    """
    if not len(model.items):
        return Figure.without_value(NO_ITEMS)
    return Figure(float(model.posterior.max(axis=1).mean()), len(model.items))
