"""Bradley-Terry strengths of systems from pairwise preferences, ties included, with intervals over prompts.

    P(i wins) : P(tie) : P(j wins) = root(s_i / s_j) : v : root(s_j / s_i)

Sources: R. A. Bradley and M. E. Terry, Biometrika 39 (1952), 324-345; ties: R. R. Davidson, JASA 65 (1970), 317-328;
when there is an estimate at all: L. R. Ford, American Mathematical Monthly 64 (1957), 28-33, and for the multinomial
logit that this is A. Albert and J. A. Anderson, Biometrika 71 (1984), 1-10. Variance: leaving out one cluster at a
time, in one Newton step each (B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans (1982), chapter 3;
J. G. MacKinnon, M. Oe. Nielsen and M. D. Webb, Journal of Econometrics 232 (2023), 272-299, their CV3).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.inference import METHOD, TESTED_PROMPTS_AT_LEAST, TOO_FEW_PROMPTS
from agreement.preferences import LOSS, TIE, WIN
from agreement.spread import CONFIDENCE

NOT_CONNECTED = "not connected"
ONE_SIDED = "some never lost to others"

_STEPS = 100
_CLOSE = 1e-10
#: A system of which only one prompt tells has no strength without it.
_SINGULAR = 1e-9
#: Rounding of the last Newton step, where an interval has no width.
_NO_WIDTH = 1e-8
_CELLS_AT_ONCE = 1_000_000  # bounds memory, whatever the number of prompts and systems

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Strengths:
    """What a fit says of n systems.

    figures     log strength of each, sum zero, shape (n,), with its interval; n = its comparisons. Two systems whose
                strengths differ by 1 are at odds of e to 1 when nobody says "tie".
    covariance  of them, shape (n, n); NaN where there are no intervals.
    ties        v; 0 where nobody tied. How often two equal systems tie is v / (2 + v). None where undefined.
    clusters    how many prompts (or comparisons, where none were given).
    """

    figures: tuple[Figure, ...]
    covariance: Floats
    ties: float | None
    clusters: int

    def chances(self, first: int, second: int) -> tuple[float, float, float]:
        """Chances of a win of the first, a tie, and a win of the second. Raises ValueError where undefined."""
        if self.ties is None:
            raise ValueError(f"undefined: {self.figures[first].undefined}")
        half = np.exp((self.figures[first].number - self.figures[second].number) / 2)
        parts = np.array([half, self.ties, 1 / half])
        win, tie, loss = (parts / parts.sum()).tolist()
        return win, tie, loss

    def difference(self, first: int, second: int, confidence: float = CONFIDENCE) -> Figure:
        """Log strength of the first less the second's, with interval and detail["p"]: of the pair by itself, so who
        looks at many pairs corrects for it. n = comparisons of both systems."""
        one, other = self.figures[first], self.figures[second]
        if one.value is None or other.value is None:
            return one if one.value is None else other
        contrast = np.zeros(len(self.figures))
        contrast[first], contrast[second] = 1.0, -1.0
        value, variance = one.value - other.value, float(contrast @ self.covariance @ contrast)
        return _figure(value, variance, one.n + other.n, self.clusters, confidence)


def strengths(
    first: ArrayLike,
    second: ArrayLike,
    preference: ArrayLike,
    n_systems: int,
    cluster: ArrayLike | None = None,
    *,
    confidence: float = CONFIDENCE,
) -> Strengths:
    """Maximum likelihood strengths of n systems.

    first, second  the two systems of each comparison, indices in [0, n_systems), shape (N,).
    preference     1 for the first, 0 for a tie, -1 for the second, NaN for none (left out); shape (N,).
    cluster        of each comparison, the prompt: responses to one prompt are not independent, nor are several
                   raters' views of one pair. Every comparison is its own where None.

    With C clusters, score s_c and information H_c of each at the estimate, leaving one out moves it by
    d_c = -(H - H_c)^-1 s_c, its covariance is (C - 1) / C sum d_c d_c', and the interval that of t with C - 1
    degrees of freedom. No assumption about dependence within a prompt is made.

    Undefined, for all systems together, because strengths are relative to each other: "no items"; "not connected"
    where systems fall into groups that were never compared (or one was in no comparison); "some never lost to others"
    where some group never lost to the rest, so that its strength would be infinite (with ties: wherever the
    likelihood has no greatest value); "no variation" where all are ties.
    Without intervals, detail["interval"]: "too few prompts" for fewer than 10 clusters, or where a strength hangs on
    a single one; "no variation" where no prompt moves it, as when all say the same. Raises ValueError for other shapes,
    preferences, indices or a system against itself.
    """
    one, other = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    said = np.asarray(preference, dtype=float)
    group = np.arange(len(one)) if cluster is None else np.asarray(cluster)
    if not one.shape == other.shape == said.shape == group.shape or one.ndim != 1:
        raise ValueError("every comparison has two systems, a preference and, where given, a cluster")
    known = ~np.isnan(said)
    one, other, said, group = one[known], other[known], said[known], group[known]
    if not np.isin(said, (LOSS, TIE, WIN)).all() or (one == other).any():
        raise ValueError("a preference is -1, 0, 1 or NaN, between two different systems")
    if len(one) and (min(one.min(), other.min()) < 0 or max(one.max(), other.max()) >= n_systems):
        raise ValueError("a system is an index below n_systems")
    met = np.bincount(np.concatenate((one, other)), minlength=n_systems)
    games = _Games.of(one, other, said, n_systems)
    reason = _reason(games)
    count = len(np.unique(group))
    if reason is not None:
        none = tuple(Figure.without_value(reason, int(n)) for n in met)
        return Strengths(none, np.full((n_systems, n_systems), np.nan), None, count)
    at = games.solved()
    covariance = _leaving_out(one, other, said, group, games.with_ties, at, n_systems)
    figures = [
        _figure(value, variance, int(n), count, confidence)
        for value, variance, n in zip(at[:-1], np.diag(covariance), met, strict=True)
    ]
    return Strengths(tuple(figures), covariance, float(np.exp(at[-1])) if games.with_ties else 0.0, count)


def _figure(value: float, variance: float, n: int, clusters: int, confidence: float) -> Figure:
    detail: dict[str, Any] = {"prompts": clusters}
    if np.isnan(variance):
        return Figure(float(value), n, detail={**detail, "interval": TOO_FEW_PROMPTS})
    error = float(np.sqrt(max(variance, 0.0)))
    if error <= _NO_WIDTH:  # every prompt says the same, and none moves it: how sure that is no other prompt tells
        return Figure(float(value), n, detail={**detail, "interval": NO_VARIATION})
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, clusters - 1)) * error
    p = 2 * float(scipy.stats.t.sf(abs(value) / error, clusters - 1))
    detail |= {"se": error, "p": p, "interval": METHOD, "confidence": confidence}
    return Figure(float(value), n, float(value - half), float(value + half), detail=detail)


@dataclass(frozen=True, eq=False)
class _Games:
    """Comparisons, each shape (P,): counted per pair of systems, first < second, or one by one."""

    first: Integers
    second: Integers
    wins: Floats
    ties: Floats
    losses: Floats
    n: int
    with_ties: bool

    @classmethod
    def of(cls, one: Integers, other: Integers, said: Floats, n: int) -> "_Games":
        turned = one > other
        low, high, said = np.where(turned, other, one), np.where(turned, one, other), np.where(turned, -said, said)
        pairs, at = np.unique(low * max(n, 1) + high, return_inverse=True)
        wins, ties, losses = (
            np.bincount(at, said == value, minlength=len(pairs)).astype(float) for value in (WIN, TIE, LOSS)
        )
        return cls(pairs // max(n, 1), pairs % max(n, 1), wins, ties, losses, n, bool(ties.sum()))

    def solved(self) -> Floats:
        """Log strengths, sum zero, and log v (0 where there are no ties); shape (n + 1,). Newton, steps halved until
        the concave log-likelihood rises."""
        at = np.zeros(self.n + 1)
        value = self.likelihood(at)
        for _ in range(_STEPS):
            [score], [information] = self.derivatives(at)
            step = np.linalg.solve(information + _fixed(self.n, self.with_ties), score)
            size = 1.0
            while (risen := self.likelihood(at + size * step)) < value - 1e-12 * abs(value) and size > 1e-6:
                size /= 2
            at, value = at + size * step, risen
            if np.abs(size * step).max() < _CLOSE:
                break
        at[:-1] -= at[:-1].mean()
        return at

    @classmethod
    def listed(cls, one: Integers, other: Integers, said: Floats, n: int, with_ties: bool) -> "_Games":
        """Every comparison for itself."""
        wins, ties, losses = ((said == value).astype(float) for value in (WIN, TIE, LOSS))
        return cls(one, other, wins, ties, losses, n, with_ties)

    def derivatives(self, at: Floats, unit: Integers | None = None, units: int = 1) -> tuple[Floats, Floats]:
        """Score, shape (units, n + 1), and information, (units, n + 1, n + 1), of each unit's comparisons, `unit` of
        each of them: by the difference of log strengths the outcomes weigh 1/2, 0 and -1/2; by log v a tie weighs 1."""
        size, half = self.n + 1, (at[self.first] - at[self.second]) / 2
        of = np.zeros(len(half), dtype=np.int64) if unit is None else unit
        parts = np.stack([half, np.full(len(half), at[-1] if self.with_ties else -np.inf), -half])
        win, tie, loss = np.exp(parts - np.logaddexp.reduce(parts, axis=0))
        counts = self.wins + self.ties + self.losses
        lean = (win - loss) / 2
        by_x, by_v = (self.wins - self.losses) / 2 - counts * lean, self.ties - counts * tie
        xx, xv, vv = counts * ((win + loss) / 4 - lean**2), -counts * lean * tie, counts * tie * (1 - tie)
        one, other, last = self.first, self.second, np.full(len(half), self.n)
        score, information = np.zeros(units * size), np.zeros(units * size**2)
        for place, value in ((one, by_x), (other, -by_x), (last, by_v)):
            score += np.bincount(of * size + place, value, minlength=len(score))
        crossed = [(one, one, xx), (other, other, xx), (one, other, -xx), (other, one, -xx), (last, last, vv)]
        crossed += [(one, last, xv), (last, one, xv), (other, last, -xv), (last, other, -xv)]
        for row, column, value in crossed:
            information += np.bincount((of * size + row) * size + column, value, minlength=len(information))
        return score.reshape(units, size), information.reshape(units, size, size)

    def likelihood(self, at: Floats) -> float:
        half = (at[self.first] - at[self.second]) / 2
        parts = [half, -half, np.full(len(half), at[-1])] if self.with_ties else [half, -half]
        total = np.logaddexp.reduce(parts, axis=0)
        counts = self.wins + self.ties + self.losses
        return float(((self.wins - self.losses) * half + self.ties * at[-1] - counts * total).sum())


def _fixed(n: int, with_ties: bool) -> Floats:
    """What makes the information regular: strengths are known up to a constant, and without ties log v is none."""
    fixed = np.zeros((n + 1, n + 1))
    fixed[:n, :n] = 1.0 / n
    fixed[n, n] = 0.0 if with_ties else 1.0
    return fixed


def _leaving_out(
    one: Integers, other: Integers, said: Floats, group: NDArray, with_ties: bool, at: Floats, n: int
) -> Floats:
    """Covariance of the log strengths, shape (n, n); NaN throughout where there is none."""
    _, index = np.unique(group, return_inverse=True)
    count = int(index.max()) + 1
    nothing = np.full((n, n), np.nan)
    if count < TESTED_PROMPTS_AT_LEAST:
        return nothing
    order = np.argsort(index, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(index))))
    [_], [information] = _Games.listed(one, other, said, n, with_ties).derivatives(at)
    information = information + _fixed(n, with_ties)
    total, least = np.zeros((n, n)), _SINGULAR * np.trace(information) / (n + 1)
    width = max(1, _CELLS_AT_ONCE // (n + 1) ** 2)
    for begin in range(0, count, width):
        end = min(begin + width, count)
        mine = order[starts[begin] : starts[end]]
        games = _Games.listed(one[mine], other[mine], said[mine], n, with_ties)
        score, own = games.derivatives(at, index[mine] - begin, end - begin)
        left = information - own
        if (np.linalg.eigvalsh(left)[:, 0] < least).any():
            return nothing
        moved = np.linalg.solve(left, score[..., None])[:, :n, 0]
        moved -= moved.mean(axis=1, keepdims=True)
        total += moved.T @ moved
    return total * (count - 1) / count


def _reason(games: _Games) -> str | None:
    """Why there is no estimate, or None."""
    if not len(games.first):
        return NO_ITEMS
    ones = np.ones(len(games.first))
    graph = scipy.sparse.coo_array((ones, (games.first, games.second)), shape=(games.n, games.n))
    if scipy.sparse.csgraph.connected_components(graph, directed=False)[0] > 1:
        return NOT_CONNECTED
    if not (games.wins.sum() or games.losses.sum()):
        return NO_VARIATION
    return ONE_SIDED if _has_no_maximum(games) else None


def _has_no_maximum(games: _Games) -> bool:
    """Whether some direction of the parameters makes what happened never less likely and something of it more: then
    the likelihood rises for ever along it. Found by a linear programme, Albert and Anderson's condition; without ties
    it is Ford's, that every group of systems lost to some system outside it. That is enough with ties as well, and told
    fast, so the programme is for what ties alone may hold together."""
    n, rows = games.n, []
    won, lost = games.wins > 0, games.losses > 0
    beaten = np.concatenate((games.second[won], games.first[lost]))
    winners = np.concatenate((games.first[won], games.second[lost]))
    graph = scipy.sparse.coo_array((np.ones(len(winners)), (winners, beaten)), shape=(n, n))
    if scipy.sparse.csgraph.connected_components(graph, connection="strong")[0] == 1:
        return False
    for winner, loser, happened in (
        (games.first, games.second, won),
        (games.second, games.first, lost),
    ):
        difference = np.zeros((int(happened.sum()), n + 1))
        place = np.arange(len(difference))
        difference[place, winner[happened]], difference[place, loser[happened]] = 1.0, -1.0
        rows.append(difference)
        if games.with_ties:
            rows.append(difference / 2 - np.eye(n + 1)[n])
    tied = np.flatnonzero(games.ties > 0)
    for sign in (1, -1):
        difference = np.tile(np.eye(n + 1)[n], (len(tied), 1))
        place = np.arange(len(tied))
        difference[place, games.first[tied]], difference[place, games.second[tied]] = sign / 2, -sign / 2
        rows.append(difference)
    slack = np.vstack(rows)
    found = scipy.optimize.linprog(-slack.sum(axis=0), A_ub=-slack, b_ub=np.zeros(len(slack)), bounds=(-1, 1))
    return found.fun is not None and bool(found.fun < -1e-7)
