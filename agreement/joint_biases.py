"""What a judge's error hangs on, all at once: length, place, own laboratory, markup and language in one regression.

One bias looked at alone takes the blame for another: a judge that favours its own laboratory, whose models write long,
looks drawn by length. Here each effect is what is left when the others are held fixed.

Sources: least squares with intervals by leaving out one cluster at a time: R. M. Bell and D. F. McCaffrey, Survey
Methodology 28 (2002), 169-181; J. G. MacKinnon, M. Oe. Nielsen and M. D. Webb, Journal of Econometrics 232 (2023),
272-299 (CV3, t with C - 1 degrees of freedom). Controlled win rate: Y. Dubois, B. Galambosi, P. Liang and
T. B. Hashimoto, Length-Controlled AlpacaEval (arXiv 2404.04475), section 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure
from agreement.inference import estimate, estimates
from agreement.statistics import Statistic

CONSTANT = "does not vary"
#: What of a column must be left beside the others, as a share of its own spread.
_LEFT_AT_LEAST = 1e-6

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class JointEffects:
    """Effects on a judge's error, in units of the error.

    effects  of each feature that could be told apart, for one unit more of it and the others unchanged, with its
             95 % interval; detail: p (of 0; of each by itself, so a table of many is corrected by its caller), `spread`
             (the feature's standard deviation) and `per_spread` (the effect of that much), prompts.
    mean     the error where every feature has its mean.
    dropped  of each feature that is left out: "does not vary", or "follows from ..." with the names of the features
             (or "controls") that determine it. It has no effect of its own to speak of.
    n        items; left_out  items with something missing.
    """

    effects: dict[str, Figure]
    mean: Figure
    dropped: dict[str, str]
    n: int
    left_out: int


def joint_effects(
    errors: ArrayLike,
    features: ArrayLike,
    names: Sequence[str],
    cluster: ArrayLike,
    controls: ArrayLike | None = None,
) -> JointEffects:
    """The regression of a judge's errors on K features, over items.

    errors    judge less people (or less gold), shape (N,). features  shape (N, K), such as log2 of the length, 1 for
              shown first, 1 for the judge's own laboratory, marks of markup, `indicators` of the language.
    names     of the features, K of them. cluster  the prompt of each item, shape (N,).
    controls  further columns that are held fixed and not reported, shape (N, M), such as indicators of the question or
              people's own score. A NaN anywhere leaves the item out.

    Undefined: "no items"; "too few prompts" for fewer than 10, or where an effect hangs on a single one.
    Raises ValueError for lengths that differ or names given twice.
    """
    error, given = np.asarray(errors, dtype=float), np.asarray(features, dtype=float)
    held = np.zeros((len(error), 0)) if controls is None else np.asarray(controls, dtype=float)
    prompt = np.asarray(cluster)
    if given.shape != (len(error), len(names)) or held.ndim != 2 or not len(held) == len(prompt) == len(error):
        raise ValueError("every item has an error, a value of each feature and control, and a prompt")
    if len(set(names)) < len(names):
        raise ValueError("a feature is named once")
    known = ~np.isnan(np.column_stack((error, given, held))).any(axis=1)
    n, left_out = int(known.sum()), int((~known).sum())
    if not n:
        none = Figure.without_value(NO_ITEMS)
        return JointEffects(dict.fromkeys(names, none), none, {}, 0, left_out)
    columns = np.hstack((held, given))[known]
    kept, dropped = _independent(columns, [*(["controls"] * held.shape[1]), *names])
    spread = columns.std(axis=0)
    # Deviations from the mean in standard deviations: the same effects, and sums of products that lose no digits.
    design = (columns[:, kept] - columns[:, kept].mean(axis=0)) / spread[kept]
    rows = _products(np.column_stack((np.ones(n), design)), error[known])
    equations = _Equations(1 + len(kept))
    places = [place for place, column in enumerate(kept, 1) if column >= held.shape[1]]
    scales = [float(spread[kept[place - 1]]) for place in places]
    statistics = [equations.coefficient(place, scale) for place, scale in zip(places, scales, strict=True)]
    mean, *figures = estimates(
        rows,
        [equations.coefficient(0), *statistics],
        prompt[known],
        details=[{}, *({"spread": scale} for scale in scales)],
    )
    effects = {}
    for place, scale, figure in zip(places, scales, figures, strict=True):
        if figure.value is not None:
            figure = figure.with_detail(per_spread=figure.value * scale)
        effects[names[kept[place - 1] - held.shape[1]]] = figure
    return JointEffects(effects, mean, dropped, n, left_out)


def controlled_win_rate(
    credit: ArrayLike, differences: ArrayLike, names: Sequence[str], cluster: ArrayLike
) -> tuple[Figure, JointEffects]:
    """The win rate of a system, as it would be if both responses were equally long, and alike in what else is given.

    credit       of the system in each comparison: 1 for a win, 1/2 for a tie, 0 for a loss, shape (N,).
    differences  of each feature, the system's response less the other's, shape (N, K): log2 of the length, markup, 1
                 for shown first and -1 for second. Each enters as tanh(difference / its root mean square), so
                 that ten times the length is not ten times the effect.
    names, cluster  as `joint_effects`.

    The regression's value where all differences are 0. Of the paper's model it is the linear form for one pair of
    systems, which always has a solution but follows the judge's curve by a straight line (0.01 off where a system with
    a win rate of 0.7 writes 1.6 times as long); a value beyond [0, 1] is cut, as its interval is.
    Returns it and the effects (in shares of wins). detail["raw"]: the win rate as it is. Undefined and errors as
    `joint_effects`.
    """
    effects = joint_effects(credit, _bent(np.asarray(differences, dtype=float)), names, cluster)
    return win_rate_at_no_difference(credit, differences, cluster), effects


def win_rate_at_no_difference(credit: ArrayLike, differences: ArrayLike, cluster: ArrayLike) -> Figure:
    """The first of `controlled_win_rate`, for whoever asks for no effects."""
    won, given = np.asarray(credit, dtype=float), np.asarray(differences, dtype=float)
    known = ~np.isnan(won)
    if not np.isin(won[known], (0.0, 0.5, 1.0)).all():
        raise ValueError("a comparison's credit is 0, 1/2, 1 or NaN")
    if given.ndim != 2 or len(given) != len(won):
        raise ValueError("every comparison has a difference of each feature")
    bent = _bent(given)
    known &= ~np.isnan(bent).any(axis=1)
    if not known.any():
        return Figure.without_value(NO_ITEMS)
    # Not centred: where every difference is 0 is what is asked for. A column that follows from others adds nothing.
    kept, _ = _independent(bent[known], [str(column) for column in range(bent.shape[1])])
    rows = _products(np.column_stack((np.ones(int(known.sum())), bent[known][:, kept])), won[known])
    statistic = _Equations(1 + len(kept)).coefficient(0)
    figure = estimate(rows, statistic, np.asarray(cluster)[known], raw=float(won[known].mean()))
    if figure.value is None:
        return figure
    return replace(figure.within(0.0, 1.0), value=float(np.clip(figure.value, 0, 1)))


def indicators(labels: Sequence[str]) -> tuple[Floats, list[str]]:
    """A column of 0 and 1 for each label but the commonest, which the others are compared with; shape (N, L - 1), and
    their names, ascending. Of equally common labels the first in order is left out."""
    given = np.asarray(labels)
    distinct, at, counts = np.unique(given, return_inverse=True, return_counts=True)
    kept = [place for place in range(len(distinct)) if place != (counts.argmax() if len(counts) else -1)]
    return (at.reshape(-1)[:, None] == np.array(kept, dtype=np.int64)).astype(float), [
        str(distinct[one]) for one in kept
    ]


def _bent(differences: Floats) -> Floats:
    size = np.sqrt(np.nanmean(differences**2, axis=0)) if len(differences) else np.ones(differences.shape[1])
    return np.tanh(differences / np.where(size > 0, size, 1.0))


def _independent(columns: Floats, names: Sequence[str]) -> tuple[list[int], dict[str, str]]:
    """Columns that the ones before them do not determine, in order; and why each other one is left out."""
    kept: list[int] = []
    dropped: dict[str, str] = {}
    away = columns - columns.mean(axis=0)
    spread = np.sqrt((away**2).mean(axis=0))
    basis = np.zeros((len(columns), 0))
    for place, name in enumerate(names):
        if spread[place] <= 1e-12 * max(1.0, float(np.abs(columns[:, place]).max())):
            dropped.setdefault(name, CONSTANT)
            continue
        scaled = away[:, place] / spread[place]
        rest = scaled - basis @ (basis.T @ scaled)
        rest -= basis @ (basis.T @ rest)
        if np.sqrt((rest**2).mean()) < _LEFT_AT_LEAST:
            others = away[:, kept] / spread[kept]
            weights = np.linalg.lstsq(others, scaled, rcond=None)[0]
            causes = dict.fromkeys(names[one] for one, weight in zip(kept, weights, strict=True) if abs(weight) > 1e-6)
            dropped.setdefault(name, "follows from " + ", ".join(causes))
            continue
        kept.append(place)
        basis = np.column_stack((basis, rest / np.linalg.norm(rest)))
    dropped.pop("controls", None)
    return kept, dropped


def _products(design: Floats, outcome: Floats) -> Floats:
    """Products of every pair of columns and of each with the outcome, per item: their sums are what is solved."""
    first, second = np.triu_indices(design.shape[1])
    return np.column_stack((design[:, first] * design[:, second], design * outcome[:, None]))


class _Equations:
    """Least squares from sums of `_products`: all coefficients of some sums are solved at once, each is a statistic."""

    def __init__(self, width: int):
        self.width = width
        self.sums: Floats | None = None
        self.solved: Floats = np.empty(0)

    def coefficient(self, place: int, scale: float = 1.0) -> Statistic:
        """One coefficient over `scale`; NaN where the equations have no single solution."""

        def statistic(sums: Floats) -> Floats:
            # Whoever asks for one coefficient of some sums asks for the others of the same next.
            if self.sums is not sums:
                self.sums, self.solved = sums, self._solved(np.asarray(sums, dtype=float))
            return self.solved[..., place] / scale

        return statistic

    def _solved(self, sums: Floats) -> Floats:
        width = self.width
        first, second = np.triu_indices(width)
        matrix = np.zeros((*sums.shape[:-1], width, width))
        matrix[..., first, second] = matrix[..., second, first] = sums[..., : len(first)]
        diagonal = np.sqrt(np.maximum(np.diagonal(matrix, axis1=-2, axis2=-1), 0))
        usable = (diagonal > 0).all(axis=-1)
        safe = np.where(diagonal > 0, diagonal, 1.0)
        scaled = matrix / (safe[..., :, None] * safe[..., None, :])
        least = 1 - np.abs(scaled[..., 0, 1]) if width == 2 else np.linalg.eigvalsh(scaled)[..., 0]
        usable &= least > _LEFT_AT_LEAST**2
        scaled = np.where(usable[..., None, None], scaled, np.eye(width))
        solved = np.linalg.solve(scaled, (sums[..., len(first) :] / safe)[..., None])[..., 0] / safe
        return np.where(usable[..., None], solved, np.nan)
