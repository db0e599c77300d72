"""Simulated studies whose true figure is known: how often does the interval hold it?

A design is how many prompts, items a prompt, raters, and how alike the items of a prompt are (ICC). What is drawn anew
in each study are prompts and, where the figure speaks of raters in general, raters. Nothing here looks at how intervals
are made: only at what `agreement` says of the numbers of a study.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from agreement import crossed, inference, spans
from agreement.alpha import alpha, alpha_with_interval
from agreement.consensus import value_counts
from agreement.figures import Figure
from agreement.intersection import Answers
from agreement.rater_pairs import rater_pairs
from agreement.statistics import rate_of_sums, share_of_sums
from agreement.within import agreement_within, pair_columns

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Design:
    """Items of a prompt: a number, or 0 for 1 to 8 by chance. `icc`: correlation of two items of one prompt.
    `each`: how many of the raters rate each prompt, 0 for all of them."""

    prompts: int
    items: int = 1
    icc: float = 0.0
    raters: int = 0
    each: int = 0

    def __str__(self) -> str:
        raters = f", {f'{self.each} of ' if self.each else ''}{self.raters} raters" if self.raters else ""
        return f"{self.prompts} prompts x {self.items or '1 to 8'}, ICC {self.icc:g}{raters}"


def drawn(design: Design, generator: np.random.Generator) -> tuple[Integers, Floats]:
    """Prompt and standard normal quality of each item."""
    sizes = np.full(design.prompts, design.items) if design.items else generator.integers(1, 9, design.prompts)
    prompt = np.repeat(np.arange(design.prompts), sizes)
    shared = generator.standard_normal(design.prompts)[prompt]
    own = generator.standard_normal(len(prompt))
    return prompt, np.sqrt(design.icc) * shared + np.sqrt(1 - design.icc) * own


@dataclass(frozen=True)
class Case:
    """A kind of figure: its true value, and what a study of this design says."""

    name: str
    truth: Callable[[], float]
    study: Callable[[Design, np.random.Generator], Figure]


def coverage(case: Case, design: Design, studies: int, seed: int = 1) -> tuple[float | None, float]:
    """Share of the intervals that hold the truth (None without any), and share of studies that have an interval."""
    generator, truth = np.random.default_rng(seed), case.truth()
    figures = [case.study(design, generator) for _ in range(studies)]
    known = [figure.bounds for figure in figures if figure.low is not None]
    if not known:
        return None, 0.0
    return sum(low <= truth <= high for low, high in known) / len(known), len(known) / studies


# --- Kinds of figures ---------------------------------------------------------------------------------


def _mean(design: Design, generator: np.random.Generator) -> Figure:
    prompt, quality = drawn(design, generator)
    return inference.mean(quality, cluster=prompt)


def _deviation(design: Design, generator: np.random.Generator) -> Figure:
    prompt, quality = drawn(design, generator)
    return inference.mean(np.abs(quality), statistic=rate_of_sums, cluster=prompt)


def share_case(share: float) -> Case:
    def study(design: Design, generator: np.random.Generator) -> Figure:
        prompt, quality = drawn(design, generator)
        return inference.mean(quality < ndtri(share), statistic=share_of_sums, cluster=prompt)

    return Case(f"share of {share:.0%}", lambda: share, study)


_FOUND = 0.6  # of the errors of a response of middling quality


def counted(quality: Floats, generator: np.random.Generator) -> Floats:
    gold = generator.poisson(2, len(quality))
    found = generator.binomial(gold, ndtr(ndtri(_FOUND) + quality / 2))
    false = generator.poisson(1, len(quality))
    return np.column_stack((found, found + false, found, gold)).astype(float)


def _f1(design: Design, generator: np.random.Generator) -> Figure:
    prompt, quality = drawn(design, generator)
    counts = counted(quality, generator)
    return inference.with_interval(spans.figure(counts, spans.f1), counts, spans.f1, cluster=prompt)


@cache
def _true_f1() -> float:
    found = 2 * float(ndtr(ndtri(_FOUND) / np.sqrt(1.25)))
    return 2 * found / (found + 1 + 2)


def _difference(design: Design, generator: np.random.Generator) -> Figure:
    """Two judges of one quality, on the same responses."""
    prompt, quality = drawn(design, generator)
    sides = [counted(quality, generator) for _ in range(2)]
    return inference.paired_difference(sides[0], sides[1], spans.f1, cluster=prompt)


_SEVERITY, _NOISE, _UNEVEN = 0.4, 0.6, 0.3  # of raters: spread of severities, of grades, and of that spread


def _grades(quality: Floats, raters: int, generator: np.random.Generator) -> Integers:
    """Grades 1 to 5, shape (items, raters): raters differ in severity and in how carefully they read."""
    severity = _SEVERITY * generator.standard_normal(raters)
    noise = _NOISE * np.exp(_UNEVEN * generator.standard_normal(raters))
    said = quality[:, None] + severity + noise * generator.standard_normal((len(quality), raters))
    return 3 + np.clip(np.round(said), -2, 2).astype(np.int64)


def _rated(design: Design, prompt: Integers, generator: np.random.Generator) -> tuple[Integers, Integers]:
    """Item and rater of each rating: some of the raters, drawn, have each prompt, with all of its items."""
    if not design.each:
        return np.divmod(np.arange(len(prompt) * design.raters), design.raters)
    places = np.argsort(generator.random((design.prompts, design.raters)), axis=1)
    item, rater = np.nonzero((places < design.each)[prompt])
    return item, rater


def _alpha(design: Design, generator: np.random.Generator) -> Figure:
    prompt, quality = drawn(design, generator)
    grades = _grades(quality, design.raters, generator)
    item, rater = _rated(design, prompt, generator)
    return alpha_with_interval(item, grades[item, rater], rater, prompt[item], "interval")


@cache
def _true_alpha() -> float:
    generator = np.random.default_rng(99)
    grades = _grades(generator.standard_normal(4_000), 1_000, generator)
    return alpha(np.repeat(np.arange(4_000), 1_000), grades.ravel(), "interval").number


def _within(design: Design, generator: np.random.Generator) -> Figure:
    prompt, quality = drawn(design, generator)
    item, rater = _rated(design, prompt, generator)
    grades = _grades(quality, design.raters, generator)[item, rater] - 1
    table = value_counts(item, grades, len(quality), 5)
    counted_ratings = crossed.CountedRatings(table, item, grades, rater, design.raters)
    columns, lost = counted_ratings.columns(pair_columns), counted_ratings.lost(pair_columns)
    figure = agreement_within(table, interval=False)
    return inference.with_interval(
        figure,
        columns,
        share_of_sums,
        cluster=prompt,
        without_rater=crossed.what_is_left(columns, lost),
        answers=counted_ratings.answers(pair_columns, counted_ratings.cells(prompt)),
    )


@cache
def _true_within() -> float:
    generator = np.random.default_rng(99)
    grades = _grades(generator.standard_normal(4_000), 1_000, generator)
    counts = np.column_stack([(grades == grade).sum(axis=1) for grade in range(1, 6)])
    return agreement_within(counts, interval=False).number


_STRICT, _MISTAKEN = 0.3, 0.7  # of people who mark errors: spread of how much they find, and what they mark for nothing


def _found(gold: Integers, quality: Floats, raters: int, generator: np.random.Generator) -> tuple[NDArray, Integers]:
    """Which errors of each item each rater marks, shape (items, raters, errors), and how many other spans."""
    strict = _STRICT * generator.standard_normal(raters)
    is_there = np.arange(gold.max(initial=1)) < gold[:, None]
    chance = ndtr(quality[:, None] / 2 + strict)[:, :, None]
    marked = (generator.random((len(gold), raters, is_there.shape[1])) < chance) & is_there[:, None, :]
    return marked, generator.poisson(_MISTAKEN * np.exp(strict), (len(gold), raters))


def _pair_counts(marked: NDArray, more: Integers, item: Integers, first: Integers, second: Integers) -> Floats:
    one, other = marked[item, first], marked[item, second]
    both = (one & other).sum(axis=1)
    of_first, of_second = one.sum(axis=1) + more[item, first], other.sum(axis=1) + more[item, second]
    return np.column_stack((both, of_first, both, of_second)).astype(float)


def _f1_of_people(design: Design, generator: np.random.Generator) -> Figure:
    prompt, quality = drawn(design, generator)
    marked, more = _found(generator.poisson(2, len(prompt)), quality, design.raters, generator)
    of_ratings, rater = _rated(design, prompt, generator)
    pairs = rater_pairs(of_ratings)
    first, second = rater[pairs.first], rater[pairs.second]
    item = of_ratings[pairs.first]
    counts = _pair_counts(marked, more, item, first, second)
    return inference.with_interval(
        spans.figure(counts, spans.symmetric_f1),
        counts,
        spans.symmetric_f1,
        cluster=prompt[item],
        without_rater=crossed.without_each_of_pairs(counts, first, second),
        answers=Answers.of_pairs(counts, first, second, prompt[item]),
    )


@cache
def _true_f1_of_people() -> float:
    """Of the first two of each of many groups of people."""
    generator, total = np.random.default_rng(99), np.zeros(4)
    for _group in range(2_000):
        quality = generator.standard_normal(100)
        marked, more = _found(generator.poisson(2, 100), quality, 2, generator)
        nought = np.zeros(100, dtype=np.int64)
        total += _pair_counts(marked, more, np.arange(100), nought, nought + 1).sum(axis=0)
    return float(spans.symmetric_f1(total))


MEAN = Case("mean", lambda: 0.0, _mean)
DEVIATION = Case("mean absolute deviation", lambda: float(np.sqrt(2 / np.pi)), _deviation)
SHARES = [share_case(0.5), share_case(0.8), share_case(0.95)]
F1 = Case("F1", _true_f1, _f1)
DIFFERENCE = Case("difference of two F1", lambda: 0.0, _difference)
ALPHA = Case("alpha of people", _true_alpha, _alpha)
WITHIN = Case("within 1 of people", _true_within, _within)
F1_OF_PEOPLE = Case("F1 of people", _true_f1_of_people, _f1_of_people)
OF_RATERS = [ALPHA, WITHIN, F1_OF_PEOPLE]
OF_PROMPTS = [MEAN, DEVIATION, *SHARES, F1, DIFFERENCE]
