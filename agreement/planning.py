"""How many prompts, raters and double codings an interval of a wanted width takes, and what a judge saves.

    grade = mean + prompt + response of the prompt + rater + rest,   each with a variance of its own

Sources: variance components from products of pairs: C. R. Henderson, Biometrics 9 (1953), 226-252, in the form of
U-statistics; what they say of a design: R. L. Brennan, Generalizability Theory (2001), chapters 1 to 4; degrees of
freedom: F. E. Satterthwaite, Biometrics Bulletin 2 (1946), 110-114; items for an interval of agreement: D. G. Bonett,
Statistics in Medicine 21 (2002), 1331-1335; judges: A. N. Angelopoulos, J. C. Duchi and T. Zrnic, PPI++ (arXiv
2311.01453), section 6.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure
from agreement.spread import CONFIDENCE

PROMPTS_AT_MOST = 1_000_000
NOT_TOLD_APART = "nothing was rated twice"
RATERS_TOO_FEW = "so few raters alone make it wider"
TOO_MANY = "more than a million prompts"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Components:
    """Variances, in squared units of the grades.

    prompts    between prompts.
    responses  between responses to the same prompt, 0 where each had one (it is then part of `prompts`).
    raters     between raters, by their severity.
    residual   what a rater's grade of a response has beyond that: taste, and slips.
    """

    prompts: float
    responses: float
    raters: float
    residual: float

    def __post_init__(self) -> None:
        if min(self.prompts, self.responses, self.raters, self.residual) < 0:
            raise ValueError("a variance is not negative")

    @property
    def total(self) -> float:
        return self.prompts + self.responses + self.raters + self.residual

    @property
    def agreement(self) -> float | None:
        """Share of the variance that is between responses: about alpha at interval level. None where nothing varies."""
        return (self.prompts + self.responses) / self.total if self.total else None


def components(items: ArrayLike, raters: ArrayLike, grades: ArrayLike, prompts: ArrayLike) -> Components | Figure:
    """The components of a pilot's grades, any design, all shape (N,): which response, rater, grade and prompt.

    Half the mean squared difference of two grades estimates, by what the two have in common,
        the response: raters + rest;  prompt and rater: responses + rest;  prompt: responses + raters + rest;
        rater: prompts + responses + rest;  nothing: all four.
    The means are over all such pairs, and the components those non-negative ones that fit them best, by least squares
    with the numbers of pairs as weights.
    Returns an undefined figure instead: "no items"; "nothing was rated twice" where no response has two raters.
    Raises ValueError for lengths that differ, a rater with two grades of a response or a response of two prompts.
    """
    columns = [np.unique(np.asarray(column), return_inverse=True)[1] for column in (items, raters, prompts)]
    item, rater, prompt = columns
    grade = np.asarray(grades, dtype=float)
    if not item.shape == rater.shape == prompt.shape == grade.shape or grade.ndim != 1:
        raise ValueError("every grade has its response, rater and prompt")
    if not len(grade):
        return Figure.without_value(NO_ITEMS)
    n_raters, n_prompts = int(rater.max()) + 1, int(prompt.max()) + 1
    if len(np.unique(item * n_raters + rater)) < len(item):
        raise ValueError("a rater grades a response once")
    if len(np.unique(item * n_prompts + prompt)) > int(item.max()) + 1:
        raise ValueError("a response belongs to one prompt")
    grade = grade - grade.mean()
    by_item, by_prompt, by_rater, by_both, everything = (
        _pairs(group, grade) for group in (item, prompt, rater, prompt * n_raters + rater, np.zeros_like(item))
    )
    if by_item[1] == 0:
        return Figure.without_value(NOT_TOLD_APART, len(grade))
    moments = np.array(
        [
            by_item,
            by_both,
            by_prompt - by_item - by_both,
            by_rater - by_both,
            everything - by_prompt - by_rater + by_both,
        ]
    )
    # Columns: prompts, responses, raters, rest.
    parts = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1], [1, 1, 0, 1], [1, 1, 1, 1]], dtype=float)
    known = moments[:, 1] > 0
    if not known[1:3].any():  # one response to each prompt: the two are one component
        parts[:, 1] = 0
    weight = np.sqrt(moments[known, 1])
    values = moments[known, 0] / moments[known, 1] / 2
    solved, _ = scipy.optimize.nnls(parts[known] * weight[:, None], values * weight)
    return Components(*(float(one) for one in solved))


def _pairs(group: NDArray, grade: Floats) -> Floats:
    """Sum of squared differences over unordered pairs within groups, and how many pairs; shape (2,)."""
    n = np.bincount(group)
    squares = np.bincount(group, grade**2)
    return np.array([(n * squares - np.bincount(group, grade) ** 2).sum(), (n * (n - 1) / 2).sum()])


@dataclass(frozen=True)
class Design:
    """Who grades what.

    prompts, responses  how many prompts, and responses to each (of the system whose mean is asked for).
    panel               raters, who share the work evenly. each  raters of every response.
    double              share of the responses with one rater more, 0 to 1.
    """

    prompts: int
    responses: int = 1
    panel: int = 3
    each: int = 1
    double: float = 0.0

    def __post_init__(self) -> None:
        if min(self.prompts, self.responses, self.panel, self.each) < 1 or not 0 <= self.double <= 1:
            raise ValueError("a design has at least one of everything, and a share of double codings from 0 to 1")
        if self.each + (self.double > 0) > self.panel:
            raise ValueError("nobody grades a response twice: the panel is too small")

    @property
    def gradings(self) -> int:
        return int(np.ceil(self.prompts * self.responses * (self.each + self.double) - 1e-9))


def error_of_mean(variances: Components, design: Design, *, these_raters: bool = False) -> tuple[float, float]:
    """Standard error of the mean grade, and its degrees of freedom.

        prompts / P + responses / (P R) + raters / J + residual * mean(1 / raters of a response) / (P R)
    these_raters  the mean is asked of these very raters and no others: severity is then no error.
    With few raters their part is large and known badly, which the degrees of freedom (Satterthwaite's) tell.
    """
    n = design.prompts * design.responses
    per_response = (1 - design.double) / design.each + design.double / (design.each + 1)
    parts = [
        (variances.prompts / design.prompts, design.prompts - 1),
        (variances.responses / n, n - 1),
        (0.0 if these_raters else variances.raters / design.panel, design.panel - 1),
        (variances.residual * per_response / n, n - 1),
    ]
    total = sum(part for part, _ in parts)
    if any(part > 0 and free < 1 for part, free in parts):
        return float(np.sqrt(total)), 0.0
    spread = sum(part**2 / free for part, free in parts if part > 0)
    return float(np.sqrt(total)), float(total**2 / spread) if spread else np.inf


def width_of(
    variances: Components, design: Design, *, these_raters: bool = False, confidence: float = CONFIDENCE
) -> Figure:
    """Expected width of the interval of the mean grade, in its units; n = gradings.

    detail: `standard_error`, `freedom`, and `shares` of the error variance by component. Undefined: "n < 2" where a
    component that matters has one unit alone.
    """
    error, freedom = error_of_mean(variances, design, these_raters=these_raters)
    if freedom <= 0:
        return Figure.without_value("n < 2", design.gradings)
    quantile = float(scipy.stats.t.ppf((1 + confidence) / 2, freedom)) if np.isfinite(freedom) else 0.0
    n = design.prompts * design.responses
    per_response = (1 - design.double) / design.each + design.double / (design.each + 1)
    parts = {
        "prompts": variances.prompts / design.prompts,
        "responses": variances.responses / n,
        "raters": 0.0 if these_raters else variances.raters / design.panel,
        "residual": variances.residual * per_response / n,
    }
    shares = {name: part / error**2 if error else 0.0 for name, part in parts.items()}
    detail = {"standard_error": error, "freedom": freedom if np.isfinite(freedom) else None, "shares": shares}
    return Figure(2 * quantile * error, design.gradings, detail=detail)


def prompts_for(
    variances: Components,
    width: float,
    *,
    responses: int = 1,
    panel: int = 3,
    each: int = 1,
    double: float = 0.0,
    these_raters: bool = False,
    confidence: float = CONFIDENCE,
) -> Figure:
    """The fewest prompts whose interval of the mean grade is no wider than `width`; n = gradings.

    Other arguments as `Design` and `width_of`; its detail stands beside. Undefined: "so few raters alone make it wider"
    where no number of prompts would do, "more than a million prompts". Raises ValueError for a width of 0 or less.
    """
    if not width > 0:
        raise ValueError("a width is above 0")

    def found(prompts: int) -> Figure:
        design = Design(prompts, responses, panel, each, double)
        return width_of(variances, design, these_raters=these_raters, confidence=confidence)

    def does(prompts: int) -> bool:
        value = found(prompts).value
        return value is not None and value <= width

    if not does(PROMPTS_AT_MOST):
        left = 0.0 if these_raters else variances.raters / panel
        half = scipy.stats.t.ppf((1 + confidence) / 2, max(panel - 1, 1)) * np.sqrt(left)
        return Figure.without_value(RATERS_TOO_FEW if 2 * half > width else TOO_MANY)
    low, high = 0, PROMPTS_AT_MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if does(middle) else (middle, high)
    best = found(high)
    return Figure(float(high), best.n, detail={**best.detail, "width": best.value})


def designs_for(
    variances: Components,
    width: float,
    *,
    panels: Iterable[int] = (3, 5, 10),
    each: Iterable[int] = (1, 2, 3),
    doubles: Iterable[float] = (0.0, 0.2),
    responses: int = 1,
    these_raters: bool = False,
) -> list[tuple[Design, Figure]]:
    """Every design of these that reaches the width, the fewest gradings first, with what `prompts_for` says of it."""
    options = []
    doubles = tuple(doubles)
    for size in panels:
        for per_response in each:
            for double in doubles:
                if per_response + (double > 0) > size:
                    continue
                figure = prompts_for(
                    variances,
                    width,
                    responses=responses,
                    panel=size,
                    each=per_response,
                    double=double,
                    these_raters=these_raters,
                )
                if figure.value is not None:
                    options.append((Design(int(figure.value), responses, size, per_response, double), figure))
    return sorted(options, key=lambda option: (option[1].n, option[0].panel))


def double_coded_for(agreement: float, width: float, raters: int = 2, confidence: float = CONFIDENCE) -> int:
    """How many responses must have `raters` raters each, so that the interval of their agreement has this width.

        8 z^2 (1 - a)^2 (1 + (k - 1) a)^2 / (k (k - 1) w^2) + 1,   rounded up
    agreement  expected alpha (interval level) or intraclass correlation, below 1. Grades that are about normal and
    responses of prompts of their own are assumed: with several responses to a prompt, or few grades, take more.
    Divided by all responses it is the share to be coded twice. Raises ValueError beyond the ranges.
    """
    if not (-1 < agreement < 1 and width > 0 and raters >= 2 and 0 < confidence < 1):
        raise ValueError("agreement lies below 1, a width above 0, and agreement takes two raters")
    z = float(scipy.special.ndtri((1 + confidence) / 2))
    spread = (1 - agreement) ** 2 * (1 + (raters - 1) * agreement) ** 2
    return int(np.ceil(8 * z**2 * spread / (raters * (raters - 1) * width**2) + 1))


def effective_labels(labelled: int, judged: float, correlation: float) -> float:
    """How many labels without a judge tell as much of the mean as these with one: n / (1 - r^2 (1 - n / N)).

    labelled     n responses with people's grades. judged  N with the judge's, those among them (may be infinite).
    correlation  r of the judge's and people's grades of a response; leniency costs nothing, it is corrected.
    The gain of `prediction_powered`, tuned. Raises ValueError where n exceeds N or r leaves [-1, 1].
    """
    if not (0 < labelled <= judged and -1 <= correlation <= 1):
        raise ValueError("the judge grades at least what people grade, and a correlation lies between -1 and 1")
    left = 1 - correlation**2 * (1 - labelled / judged)
    return float(labelled / left) if left > 0 else float("inf")


def labels_for(effective: float, judged: float, correlation: float) -> int:
    """How many responses people must grade beside a judge to know as much as from `effective` grades without one.

    effective_labels solved for n: m (1 - r^2) / (1 - m r^2 / N), rounded up, at most N and at least 2. Where m is N or
    more no judge saves anything. Arguments and errors as there.
    """
    if not (effective > 0 and judged > 0 and -1 <= correlation <= 1):
        raise ValueError("numbers of labels are above 0, and a correlation lies between -1 and 1")
    squared = correlation**2
    if effective >= judged:
        return int(np.ceil(judged))
    needed = effective * (1 - squared) / (1 - effective * squared / judged)
    return int(max(2, np.ceil(needed - 1e-9)))


def correlation_from_error(error_spread: float, people_spread: float) -> float:
    """The correlation that a judge is worth, from the standard deviations of its error (judge less people) and of
    people's grades: root(1 - s_e^2 / s_y^2), or 0 where it errs more than grades differ.

    It is what the judge's grades save taken as they are; tuned they never save less. Raises ValueError for spreads that
    are negative, or of people 0.
    """
    if error_spread < 0 or people_spread <= 0:
        raise ValueError("a spread is not negative, and people's grades differ")
    return float(np.sqrt(max(0.0, 1 - (error_spread / people_spread) ** 2)))
