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
#: MACE as its authors run it: priors of competence (two) and of spam, so many starts of so many rounds each.
COMPETENCE_PRIOR, SPAM_PRIOR, RESTARTS, ROUNDS_EACH = (0.5, 0.5), 10.0, 10, 50
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
    log_prior, log_says  what the posterior is made of: log_prior_k plus the sum over an item's ratings of
                   log_says[rater, k, code], up to a constant; shapes (V,) and (J, V, V).
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
    log_prior: Floats
    log_says: Floats


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

    def cells(self) -> "scipy.sparse.csr_array":
        """Which item (row) has a rating of which rater and code (column j V + l): sums over ratings are products."""
        shape = (len(self.items), len(self.raters) * self.n_values)
        flags = (np.ones(len(self.code)), (self.item, self.rater * self.n_values + self.code))
        return scipy.sparse.csr_array(flags, shape=shape)

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
    close: float = _CLOSE,
) -> Annotated:
    """Dawid and Skene's model by EM from the votes.

    items, raters  ids, shape (N,), one entry per rating. codes  the value's place in the scale, 0..V-1, shape (N,).
    smoothing      pseudo-ratings added to every cell of every confusion and to every value's share; diagonal: further
                   ones on the diagonals, which says that raters are rather right than wrong (0 and 0: plain EM).
    rounds, close  at most so many; ends where the objective rises by less than this share of itself.

        T_ik  ~  prior_k prod_{ratings of i} confusion[rater, k, code]
        prior_k ~ sum_i T_ik + smoothing,   confusion[j, k, l] ~ sum_{j's ratings with code l} T_ik + smoothing + ...
    An item with one rating may get another value than that: what is common, and how the rater errs, count as well.
    Undefined competences say so; without ratings all arrays are empty. Raises ValueError for other shapes or codes.
    """
    if smoothing < 0 or diagonal < 0:
        raise ValueError("nothing is smoothed by less than nothing")
    data = _Ratings.of(items, raters, codes, n_values)
    cells, n_raters = data.cells(), len(data.raters)
    posterior, objective, converged = data.votes(), [], False
    pseudo = smoothing + diagonal * np.eye(n_values)
    prior, confusion = np.full(n_values, 1 / max(n_values, 1)), np.zeros((n_raters, n_values, n_values))
    for _ in range(rounds if len(data.code) else 0):
        prior = _shares(posterior.sum(axis=0) + smoothing)
        counts = (cells.T @ posterior).reshape(n_raters, n_values, n_values).transpose(0, 2, 1)
        confusion = _shares(counts + pseudo)
        with np.errstate(divide="ignore"):
            log_prior, log_confusion = np.log(prior), np.log(confusion).transpose(0, 2, 1)
        joint = log_prior + cells @ np.ascontiguousarray(log_confusion).reshape(-1, n_values)
        evidence = scipy.special.logsumexp(joint, axis=1)
        posterior = np.exp(joint - evidence[:, None])
        penalty = scipy.special.xlogy(smoothing, prior).sum() + scipy.special.xlogy(pseudo, confusion).sum()
        objective.append(float(evidence.sum() + penalty))
        converged = _has_converged(objective, close)
        if converged:
            break
    right = np.einsum("k,jkk->j", prior, confusion)
    with np.errstate(divide="ignore"):
        weights = np.log(prior), np.log(confusion)
    return _annotated(data, posterior, prior, confusion, right, objective, converged, weights)


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
    nobody is first taken for one who never looks); the one with the greatest lower bound after 50 rounds goes on.
    restarts = 0 is one start that is the same for all raters, so that nothing hangs on their order: each is first
    taken to have looked at three quarters of its ratings, and to say every value alike when it does not.
    confusion[j, k, l] = c_j [k = l] + (1 - c_j) h_jl.
    """
    data = _Ratings.of(items, raters, codes, n_values)
    generator, n_raters = np.random.default_rng(seed), len(data.raters)
    total = np.bincount(data.rater, minlength=n_raters)
    starts = []
    for _ in range(max(1, restarts)):
        drawn = restarts > 0
        looked = total * (generator.uniform(0.5, 1, n_raters) if drawn else 0.75)
        weights = np.stack((looked, total - looked), axis=1) + np.array(COMPETENCE_PRIOR)
        said = generator.uniform(0, 1, (n_raters, n_values)) if drawn else np.full((n_raters, n_values), 0.5)
        said = said + SPAM_PRIOR / max(n_values, 1)
        start = _Mace(weights, said, data.votes(), [], False)
        starts.append(start.continued(data, min(rounds, ROUNDS_EACH)))
    best = max(starts, key=lambda start: start.objective[-1] if start.objective else 0.0)
    if not best.converged:
        best = best.continued(data, rounds - len(best.objective))
    competence, habits = _shares(best.weights)[:, 0], _shares(best.said)
    confusion = (1 - competence)[:, None, None] * habits[:, None, :] + (
        competence[:, None, None] * np.eye(n_values)[None, :, :]
    )
    prior = np.full(n_values, 1 / max(n_values, 1))
    weights = np.zeros(n_values), _log_says(best.weights, best.said)
    return _annotated(data, best.posterior, prior, confusion, competence, best.objective, best.converged, weights)


@dataclass(frozen=True, eq=False)
class _Mace:
    """weights  of looking and not looking, shape (J, 2), and said of the values when not, (J, V): pseudo-counts of the
    variational posterior, priors included."""

    weights: Floats
    said: Floats
    posterior: Floats
    objective: list[float]
    converged: bool

    def continued(self, data: _Ratings, rounds: int) -> "_Mace":
        n_raters, v = self.said.shape
        priors, spam = np.array(COMPETENCE_PRIOR), np.full(v, SPAM_PRIOR / max(v, 1))
        cells, own = data.cells(), np.arange(n_raters * v) % max(v, 1)
        times = np.asarray(cells.sum(axis=0)).reshape(n_raters, v)
        weights, said, posterior, objective = self.weights, self.said, self.posterior, list(self.objective)
        for _ in range(rounds if len(data.code) else 0):
            table = _log_says(weights, said).transpose(0, 2, 1).reshape(-1, v)
            log_hit = table[np.arange(len(own)), own]
            log_guess = (_expected_logarithms(weights)[:, 1:] + _expected_logarithms(said)).ravel()
            joint = cells @ table
            evidence = scipy.special.logsumexp(joint, axis=1)
            posterior = np.exp(joint - evidence[:, None])
            bound = evidence.sum() - len(data.items) * np.log(v)
            objective.append(float(bound - _divergence(weights, priors) - _divergence(said, spam)))
            if _has_converged(objective):
                return _Mace(weights, said, posterior, objective, True)
            agreed = (cells.T @ posterior)[np.arange(len(own)), own]
            attentive = (agreed * -np.expm1(log_guess - log_hit)).reshape(n_raters, v)
            looks = attentive.sum(axis=1)
            weights = np.stack((looks, times.sum(axis=1) - looks), axis=1) + priors
            said = times - attentive + spam
        return _Mace(weights, said, posterior, objective, False)


def _expected_logarithms(counts: Floats) -> Floats:
    return scipy.special.psi(counts) - scipy.special.psi(counts.sum(axis=1, keepdims=True))


def _log_says(weights: Floats, said: Floats) -> Floats:
    """Expected logarithm of rater j saying l where k is true, shape (J, V, V): it looked, or guessed right."""
    log_look, log_habit = _expected_logarithms(weights), _expected_logarithms(said)
    log_guess = log_look[:, 1:] + log_habit
    v = said.shape[1]
    table = np.repeat(log_guess[:, None, :], v, axis=1)
    own = np.arange(v)
    table[:, own, own] = np.logaddexp(log_guess, log_look[:, :1])
    return table


def _has_converged(objective: list[float], close: float = _CLOSE) -> bool:
    return len(objective) > 1 and objective[-1] - objective[-2] <= close * abs(objective[-1])


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
    weights: tuple[Floats, Floats],
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
        *weights,
    )


def mean_certainty(model: Annotated) -> Figure:
    """Mean chance of the likeliest value: what the model itself thinks its gold is worth. n = items.

    It is no accuracy: raters who share an error make it certain. Undefined: "no items".
    """
    if not len(model.items):
        return Figure.without_value(NO_ITEMS)
    return Figure(float(model.posterior.max(axis=1).mean()), len(model.items))
