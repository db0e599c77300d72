"""How far people and judges can be told apart by what a reviewer sees of their marks.

A reviewer who recognises a judge's marks judges the judge and not the mark. So the guess is made for them: a plain
classifier learns, on other prompts, to tell judges' cards from people's, and is asked of two cards of one page, one of
a person and one of a judge, which is the judge's. The share it gets right (ties count half) is the area under the ROC
curve within pages: 0.5 is chance. Cards are compared within their page alone, as a reviewer does, so that a variety in
which judges mark more betrays nobody.

The classifier is logistic regression with a ridge, on columns that are centred within their page (what all cards of
a page share tells nothing) and have a standard deviation of 1 in what it is fitted on. It is fitted with the bound of
the Hessian that holds for all labels (D. Böhning and B. G. Lindsay, Annals of the Institute of Statistical
Mathematics 40 (1988), 641-663), so that all permutations of the labels are fitted at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.calibration import folds_of
from agreement.figures import Figure
from agreement.inference import TOO_FEW_PROMPTS, with_interval
from agreement.numbering import numbered
from agreement.statistics import share_of_sums

Floats = NDArray[np.float64]

CHANCE = 0.5
FOLDS = 5
#: Prompts with cards of both on one page, one in each fold. (An interval asks for more: agreement.inference.)
PROMPTS_AT_LEAST = FOLDS
PERMUTATIONS = 199
NOBODY_TO_TELL_APART = "no page with marks of both"
ALL_ALIKE = "all cards alike"

_RIDGE = 1.0
#: Ranks hardly move after these; with more, columns that part the two altogether only grow.
_STEPS = 10
_EPSILON = 1e-9


@dataclass(frozen=True)
class Told:
    """Which columns give judges away: the mean of the fitted weights of each, in standard deviations of the column,
    above 0 where more of it speaks for a judge; the heaviest first."""

    figure: Figure
    weights: Mapping[str, float]


def told_apart(
    columns: ArrayLike,
    is_judge: ArrayLike,
    page: ArrayLike,
    prompt: ArrayLike,
    *,
    names: Sequence[str] = (),
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    is_scaled: bool = True,
) -> Told:
    """How often, of a person's and a judge's card of one page, the judge's is recognised, by columns of the cards.

    columns   what is seen of each card, shape (N, k), finite. A mark stands in it once: on two pages it counts twice.
    is_judge  shape (N,). page, prompt  labels, shape (N,); a page is of one prompt.
    names     of the columns, for the weights; none are told without.
    is_scaled  whether every column counts alike, by its standard deviation; else as much as it varies.

    n = cards on pages with both. The interval is by prompts and speaks of the classifiers as they were fitted.
    detail: `pairs` compared, `prompts`, `p` (of so many permutations of who is a judge within each page, each fitted
    anew, the share that does as well or better; one-sided), `permutations`.

    Undefined: "no page with marks of both"; "too few prompts" with both, fewer than five; "all cards alike".
    Raises ValueError for other shapes or numbers that are not finite.
    """
    x, judged = np.asarray(columns, dtype=float), np.asarray(is_judge, dtype=bool)
    pages, prompts = np.asarray(page), np.asarray(prompt)
    if x.ndim != 2 or not (judged.shape == pages.shape == prompts.shape == x.shape[:1]):
        raise ValueError("every card has its columns, its marker, its page and its prompt")
    if not np.isfinite(x).all():
        raise ValueError("a column is a finite number")
    if names and len(names) != x.shape[1]:
        raise ValueError("every column has its name")
    both = _on_pages_of_both(judged, pages)
    x, judged, pages, prompts = x[both], judged[both], numbered(pages[both])[0], prompts[both]
    n, known = len(judged), len(np.unique(prompts))
    if not n:
        return Told(Figure.without_value(NOBODY_TO_TELL_APART), {})
    if known < PROMPTS_AT_LEAST:
        return Told(Figure.without_value(TOO_FEW_PROMPTS, n, prompts=known), {})
    x = _centred(x, pages)
    varies = np.sqrt((x**2).mean(axis=0)) > _EPSILON
    if not varies.any():
        return Told(Figure.without_value(ALL_ALIKE, n, prompts=known), {})
    labels = np.column_stack((judged, *_permuted(judged, pages, permutations, seed))).astype(float)
    scores, weights = _scores(x[:, varies], labels, folds_of(prompts, FOLDS, seed), is_scaled)
    pairs = _Pairs(pages)
    sums = pairs.sums(scores[:, 0], judged)
    areas = [
        float(share_of_sums(pairs.sums(column, labelled > 0).sum(axis=0)))
        for column, labelled in zip(scores.T, labels.T, strict=True)
    ]
    value = areas[0]
    p = sum(area >= value - _EPSILON for area in areas) / len(areas)
    detail = {"pairs": int(sums[:, 1].sum()), "prompts": known, "p": p, "permutations": permutations}
    prompt_of_page = prompts[np.unique(pages, return_index=True)[1]]
    figure = with_interval(Figure(value, n, detail=detail), sums, share_of_sums, cluster=prompt_of_page)
    return Told(figure, _named(names, varies, weights))


def _on_pages_of_both(judged: NDArray[np.bool_], pages: NDArray) -> NDArray[np.bool_]:
    if not len(judged):
        return judged
    at, count = numbered(pages)
    of_judges, of_all = np.bincount(at, judged, minlength=count), np.bincount(at, minlength=count)
    return ((of_judges > 0) & (of_judges < of_all))[at]


def _centred(x: Floats, pages: NDArray) -> Floats:
    """Less the mean of the page."""
    size = np.bincount(pages)
    means = np.column_stack([np.bincount(pages, column) / size for column in x.T])
    return x - means[pages]


def _permuted(judged: NDArray[np.bool_], pages: NDArray, count: int, seed: int) -> list[NDArray[np.bool_]]:
    """Who is a judge, dealt out anew within each page."""
    rng = np.random.default_rng(seed)
    place = np.argsort(pages, kind="stable")
    made = []
    for _ in range(count):
        drawn = np.lexsort((rng.random(len(pages)), pages))
        fresh = np.empty_like(judged)
        fresh[place] = judged[drawn]
        made.append(fresh)
    return made


def _scores(x: Floats, labels: Floats, fold: NDArray, is_scaled: bool) -> tuple[Floats, Floats]:
    """Scores of each card by a classifier that saw no card of its fold, of every column of labels; and the weights
    for the first of these, a mean over the folds."""
    scores, weights = np.zeros_like(labels), np.zeros(x.shape[1])
    for left_out in np.unique(fold):
        inside, held = fold != left_out, fold == left_out
        deviation = np.sqrt((x[inside] ** 2).mean(axis=0))
        if not is_scaled:
            deviation[:] = deviation.max()
        deviation[deviation <= _EPSILON] = np.inf  # what is alike in all that is learnt from, teaches nothing
        fitted = _fitted(x[inside] / deviation, labels[inside])
        scores[held] = (x[held] / deviation) @ fitted[:-1]
        weights += fitted[:-1, 0] / len(np.unique(fold))
    return scores, weights


def _fitted(x: Floats, labels: Floats) -> Floats:
    """Weights of the columns and, last, the constant, of every column of labels; shape (k + 1, labels)."""
    design = np.column_stack((x, np.ones(len(x))))
    ridge = np.full(design.shape[1], _RIDGE)
    ridge[-1] = _EPSILON
    hessian = design.T @ design / 4 + np.diag(ridge)
    inverse = np.linalg.inv(hessian)
    weights = np.zeros((design.shape[1], labels.shape[1]))
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        weights += inverse @ (design.T @ (labels - chance) - ridge[:, None] * weights)
    return weights


class _Pairs:
    """All pairs of cards of one page, made once."""

    def __init__(self, pages: NDArray):
        order = np.argsort(pages, kind="stable")
        starts = np.flatnonzero(np.diff(pages[order], prepend=-1))
        groups = np.split(order, starts[1:])
        self.first = np.concatenate([np.repeat(group, len(group)) for group in groups])
        self.second = np.concatenate([np.tile(group, len(group)) for group in groups])
        self.page = pages[self.first]
        self.count = len(groups)

    def sums(self, scores: Floats, judged: NDArray[np.bool_]) -> Floats:
        """Pairs of a judge's and a person's card in which the judge's has the higher score, ties half, and all such
        pairs; per page, shape (P, 2)."""
        compared = judged[self.first] & ~judged[self.second]
        apart = (scores[self.first] - scores[self.second])[compared]
        won = np.where(np.abs(apart) <= _EPSILON, 0.5, apart > 0)
        page = self.page[compared]
        return np.column_stack((np.bincount(page, won, self.count), np.bincount(page, minlength=self.count)))


def _named(names: Sequence[str], varies: NDArray[np.bool_], weights: Floats) -> dict[str, float]:
    if not names:
        return {}
    varying = [name for name, does in zip(names, varies, strict=True) if does]
    told = zip(varying, weights.tolist(), strict=True)
    return dict(sorted(told, key=lambda each: -abs(each[1])))
