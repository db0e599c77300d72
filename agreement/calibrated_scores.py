"""A configuration's score calibrated on people: judged on all questions, labelled by people on a sample by skill.

`prediction_powered` holds the plain mean; here the sample is drawn skill by skill, and questions may share a passage.

Sources: as there; strata: A. Fisch, J. Maynez, R. A. Hofer, B. Dhingra, A. Globerson and W. W. Cohen, Stratified
Prediction-Powered Inference (arXiv 2406.04291); weights of strata and the collapse of small ones: W. G. Cochran,
Sampling Techniques, 3rd edition (1977), chapters 5 and 5A.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.ranks import units_of
from agreement.spread import CONFIDENCE

#: A skill with fewer labels says too little of how its labels vary, and is pooled with others like it.
MIN_LABELS = 5
TOO_FEW_LABELS = "too few labels"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CalibratedScore:
    """Scores of one configuration, in the units of the scores.

    mean         prediction-powered over all questions, with its interval; n = questions that the judge scored.
    people       mean of people's labels alone, skills weighted as among all questions; n = labelled questions.
    correction   mean less the judge's own mean over the same questions: < 0 where the judge is lenient.
    by_stratum   the same mean of each stratum with labels of its own; "too few labels" for those that were pooled.
    """

    mean: Figure
    people: Figure
    correction: Figure
    by_stratum: dict[Hashable, Figure]


def calibrated_score(
    judge: ArrayLike,
    human: ArrayLike,
    stratum: Sequence[Hashable],
    cluster: ArrayLike | None = None,
    *,
    power_tuned: bool = True,
    confidence: float = CONFIDENCE,
) -> CalibratedScore:
    """The prediction-powered score of one configuration, whose labels were drawn at random within each stratum (skill).

    judge    the judge's score of each question, shape (Q,); NaN where unscored: left out, counted (`without_judge`).
    human    people's score of the same answer, shape (Q,); NaN where nobody labelled it.
    stratum  of each question, Q of them; cluster  of each question, or None.

    With N_h scored questions in stratum h, n_h of them labelled, N in all,
        mean_h = lambda mean(f over all) + mean(Y - lambda f over labelled),    mean = sum_h N_h / N mean_h,
    lambda = 1, or with power tuning the slope of people's scores on the judge's within strata, clipped to [0, 1], and 0
    in a stratum that is labelled throughout. One slope for all: five labels are too few for one of their own.
    Strata with fewer than 5 labels, or labels in fewer than 2 clusters, are pooled to one stratum, which supposes that
    the judge errs alike in them; where the pool has too few itself, the stratum with the fewest labels joins it.

    What varies is the drawing of questions (clusters) and, within strata, of labels. With the influence of a question
        psi_q = (lambda (f_q - mean f) + mean_h - mean) / N + [labelled] N_h / N (Y_q - lambda f_q - their mean) / n_h
    standard error^2 = U / (U - 1) sum over U clusters of (sum psi)^2, the last term times root of U_h / (U_h - 1) with
    U_h clusters labelled in the stratum; Student's t with sum (U_h - 1) degrees of freedom. Where people labelled all,
    it is the interval of `ranks.mean_score` up to these factors.

    detail of mean: `unit`, `units`, `labelled`, `strata` (after pooling), `pooled` (how many went into the pool),
    `standard_error`, `lambda`, `power_tuned`, `without_judge` (labelled, but unscored by the judge: left out).
    Undefined: "no items" without a scored question; "too few labels" for fewer than 5 in all, or in one cluster.
    Raises ValueError for lengths that differ or infinite scores.
    """
    f, y = np.asarray(judge, dtype=float), np.asarray(human, dtype=float)
    if f.shape != y.shape or f.ndim != 1 or len(stratum) != len(f):
        raise ValueError("judge and people score the same questions, and every question has a stratum")
    if np.isinf(f).any() or np.isinf(y).any():
        raise ValueError("a score is a finite number, or NaN where there is none")
    units = units_of(len(f), cluster)
    scored = ~np.isnan(f)
    detail: dict[str, Any] = {"power_tuned": power_tuned, "without_judge": int((~scored & ~np.isnan(y)).sum())}
    names = [name for name, has_score in zip(stratum, scored, strict=True) if has_score]
    f, y, index = f[scored], y[scored], np.unique(units.index[scored], return_inverse=True)[1].reshape(-1)
    labelled = ~np.isnan(y)
    n, total = int(labelled.sum()), len(f)
    detail |= {"unit": units.name, "units": int(index.max(initial=-1)) + 1, "labelled": n}
    strata = _pooled(names, labelled, index) if total else None
    if strata is None:
        reason = TOO_FEW_LABELS if total else NO_ITEMS
        none = Figure.without_value(reason, total, **detail)
        return CalibratedScore(none, Figure.without_value(reason, n, **detail), none, {})
    sample = _Sample(f, labelled, strata.place, index)
    slope = _slope(y, sample) if power_tuned else 1.0
    throughout = np.bincount(strata.place, ~labelled) == 0
    slopes = np.where(throughout[strata.place], 0.0, slope)
    detail |= {"strata": len(throughout), "pooled": strata.pooled, "lambda": float(slopes.mean())}
    y = np.where(labelled, y, 0.0)
    rest = y - slopes * f
    mean = _combined(sample, slopes, rest, total, detail, confidence)
    people = _combined(sample, np.zeros(total), y, n, detail, confidence)
    correction = _combined(sample, slopes - 1, rest, total, detail, confidence)
    by_stratum: dict[Hashable, Figure] = {}
    for name, at in strata.own.items():
        if at is None:
            by_stratum[name] = Figure.without_value(TOO_FEW_LABELS, names.count(name))
            continue
        here = strata.place == at
        part = _Sample(f[here], labelled[here], np.zeros(here.sum(), dtype=np.int64), index[here])
        counts = {"labelled": int(labelled[here].sum()), "units": len(np.unique(index[here])), "unit": units.name}
        by_stratum[name] = _combined(part, slopes[here], rest[here], int(here.sum()), counts, confidence)
    return CalibratedScore(mean, people, correction, by_stratum)


@dataclass(frozen=True, eq=False)
class _Sample:
    """Questions with a judge's score each, which of them people labelled, their stratum and their cluster; (Q,)."""

    judge: Floats
    labelled: NDArray[np.bool_]
    place: NDArray[np.int64]
    cluster: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Strata:
    """place  stratum of each question, from 0; own  of each name, None where pooled; pooled  how many were."""

    place: NDArray[np.int64]
    own: dict[Hashable, int | None]
    pooled: int


def _pooled(names: list[Hashable], labelled: NDArray[np.bool_], index: NDArray[np.int64]) -> _Strata | None:
    """Strata with enough labels each, the others together; None where all together have too few."""
    rows: dict[Hashable, list[int]] = {}
    for row, name in enumerate(names):
        rows.setdefault(name, []).append(row)

    def is_enough(chosen: list[int]) -> bool:
        marked = np.asarray(chosen, dtype=np.int64)[labelled[chosen]]
        return len(marked) >= MIN_LABELS and len(np.unique(index[marked])) >= 2

    by_labels = sorted(rows, key=lambda name: (is_enough(rows[name]), int(labelled[rows[name]].sum())))
    pool: list[int] = []
    pooled = 0
    for name in by_labels:
        if is_enough(rows[name]) and (not pool or is_enough(pool)):
            break
        pool += rows[name]
        pooled += 1
    if pool and not is_enough(pool):
        return None
    place = np.zeros(len(names), dtype=np.int64)
    own: dict[Hashable, int | None] = dict.fromkeys(rows)
    for at, name in enumerate(by_labels[pooled:], start=1 if pool else 0):
        place[rows[name]] = at
        own[name] = at
    return _Strata(place, own, pooled)


def _slope(y: Floats, sample: _Sample) -> float:
    """Of people's scores on the judge's, within strata, between 0 and 1; 0 where the judge's do not vary."""
    place, f, y = sample.place[sample.labelled], sample.judge[sample.labelled], y[sample.labelled]
    count = np.bincount(place)
    f, y = (values - (np.bincount(place, values) / count)[place] for values in (f, y))
    spread = float(f @ f)
    return float(np.clip(f @ y / spread, 0, 1)) if spread > 0 else 0.0


def _combined(
    sample: _Sample, coefficient: Floats, rest: Floats, n: int, detail: dict[str, Any], confidence: float
) -> Figure:
    """sum_h N_h / N (mean of coefficient f over all + mean of rest over labelled), with its interval. Shape (Q,) each;
    the coefficient is the same throughout a stratum."""
    place, labelled = sample.place, sample.labelled
    size, count = np.bincount(place), np.bincount(place, labelled)
    judged = np.bincount(place, coefficient * sample.judge) / size
    corrected = np.bincount(place, np.where(labelled, rest, 0.0)) / count
    means = judged + corrected
    total = len(place)
    value = float(size @ means / total)
    pairs = np.unique(np.column_stack((place, sample.cluster))[labelled], axis=0)
    clusters = np.bincount(pairs[:, 0])
    inflated = np.sqrt(clusters / (clusters - 1))
    influence = (coefficient * sample.judge - judged[place] + means[place] - value) / total
    weight = (inflated * size / count)[place] / total
    influence += np.where(labelled, weight * (rest - corrected[place]), 0.0)
    units = len(np.unique(sample.cluster))
    error = float(np.sqrt(units / (units - 1) * (np.bincount(sample.cluster, influence) ** 2).sum()))
    freedom = int((clusters - 1).sum())
    detail = {**detail, "standard_error": error}
    if error == 0:
        return Figure(value, n, detail={**detail, "interval": NO_VARIATION})
    half = float(scipy.special.stdtrit(freedom, (1 + confidence) / 2)) * error
    interval = {"interval": "t over units, within strata", "confidence": confidence}
    return Figure(value, n, value - half, value + half, detail={**detail, **interval})
