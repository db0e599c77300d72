"""Times the arithmetic of `agreement/` beside the floor each is held against, in one run.

Run from the project's root: `python -m speed.agreement_bench`. Prints; never passes or fails.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import krippendorff
import numpy as np
import scipy

from agreement import alternative, classes, consensus, inference, spans, within
from agreement import raters as rater_figures
from agreement.alpha import LEVELS, alpha, alpha_from_counts, alpha_of_coincidences, coincidence_columns
from agreement.statistics import mean_columns, ratio_of_sums
from agreement.words import words
from speed import results

REPEATS = 7


def best_of(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Shortest wall-clock time in seconds: what the machine can do when nothing else disturbs it."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def report(work: str, seconds: float, aim: str, floor: float | None = None) -> None:
    bare: dict[str, Any] = {"floor": f"{floor * 1000:.1f} ms", "ratio": seconds / floor} if floor else {}
    results.report(work, f"{seconds * 1000:.1f} ms", bar=aim, **bare)


def alpha_of_many_raters() -> None:
    """81,014 ratings of 1-5 by 1,934 raters on 12,846 items, as in a large study of preferences."""
    generator = np.random.default_rng(1)
    items = generator.integers(0, 12_846, 81_014)
    quality = generator.integers(1, 6, 12_846)
    ratings = np.clip(quality[items] + generator.integers(-1, 2, items.size), 1, 5)
    scale = np.arange(1, 6)
    counts = np.bincount(items * 5 + ratings - 1, minlength=12_846 * 5).reshape(-1, 5)
    for level in LEVELS:
        options: dict[str, Any] = {
            "value_counts": counts,
            "value_domain": scale,
            "level_of_measurement": level,
        }
        floor = best_of(partial(krippendorff.alpha, **options))
        aim = "at most 1.5 x, under 300 ms"
        from_counts = best_of(partial(alpha_from_counts, counts, scale, level))
        report(f"alpha, {level}, 81,014 ratings, from value counts", from_counts, aim, floor)
        from_ratings = best_of(partial(alpha, items, ratings, level))
        report(f"alpha, {level}, same, from single ratings", from_ratings, aim, floor)


def bare_interval(value: float, without: np.ndarray) -> tuple[float, float]:
    """By the values without each: the variance of the jackknife, and Student's t."""
    n = without.size
    half = float(scipy.special.stdtrit(n - 1, 0.975)) * np.sqrt((n - 1) / n * ((without - value) ** 2).sum())
    return value - half, value + half


def paired_intervals() -> None:
    """Paired differences over 1,766 items, beside the bare arithmetic of leaving out one after the other, which adds up
    no prompts and checks nothing."""
    generator = np.random.default_rng(2)
    first = generator.normal(size=1_766)
    second = first + generator.normal(scale=0.3, size=1_766)

    def bare() -> tuple[float, float]:
        difference = first - second
        return bare_interval(difference.mean(), (difference.sum() - difference) / (difference.size - 1))

    columns = mean_columns(first), mean_columns(second)
    aim, floor = "under 5 ms", best_of(bare)
    seconds = best_of(lambda: inference.paired_difference(*columns, ratio_of_sums))
    report("interval of a difference of two means, 1,766 items", seconds, aim, floor)

    counts = generator.integers(0, 5, (2, 1_766, 4))

    def bare_f1() -> tuple[float, float]:
        whole = counts.sum(axis=1, keepdims=True)
        (one,), (other,) = (spans.f1(side.astype(float)) for side in whole)
        without = [spans.f1(side.astype(float)) for side in whole - counts]
        return bare_interval(one - other, without[0] - without[1])

    floor = best_of(bare_f1)
    seconds = best_of(lambda: inference.paired_difference(counts[0], counts[1], spans.f1))
    report("interval of a difference of two F1 (8 columns), same size", seconds, aim, floor)


def paired_classes() -> None:
    """Macro-F1 of two judges of one gold over 1,766 pairs' grades from 1 to 5, beside the same arithmetic."""
    generator = np.random.default_rng(4)
    gold = generator.integers(0, 5, 1_766)
    first, second = (np.clip(gold + generator.integers(-reach, reach + 1, gold.size), 0, 4) for reach in (1, 2))

    def bare_macro_f1(judge: np.ndarray) -> np.ndarray:
        """Of all items, then without each."""
        cell = gold * 5 + judge
        whole = np.bincount(cell, minlength=25)
        tables = np.repeat(whole[None], gold.size + 1, axis=0)
        tables[np.arange(1, gold.size + 1), cell] -= 1
        tables = tables.reshape(-1, 5, 5)
        hits = np.diagonal(tables, axis1=1, axis2=2)
        return (2 * hits / np.maximum(tables.sum(axis=1) + tables.sum(axis=2), 1)).mean(axis=1)

    def bare() -> tuple[float, float]:
        differences = bare_macro_f1(first) - bare_macro_f1(second)
        return bare_interval(differences[0], differences[1:])

    floor = best_of(bare)
    aim = "under 50 ms"
    seconds = best_of(lambda: classes.compared(gold, first, second, 5))
    report("interval of a difference of two macro-F1, 1,766 items", seconds, aim, floor)
    everything = best_of(lambda: classes.compared(gold, first, second, 5, list(classes.STATISTICS)))
    report(f"intervals, all {len(classes.STATISTICS)} figures of two judges compared", everything, "under 2 s")


def ratings_of_a_large_study() -> None:
    """Gold, intervals and raters of 81,014 ratings by 1,934 raters on 12,846 items."""
    generator = np.random.default_rng(5)
    items = np.arange(81_014) % 12_846
    raters = (np.arange(81_014) * 7 + generator.integers(0, 7, 81_014)) % 1_934
    quality = generator.integers(1, 6, 12_846)
    grades = np.clip(quality[items] + generator.integers(-1, 2, items.size), 1, 5)
    counts = consensus.value_counts(items, grades - 1, 12_846, 5)
    judge = np.clip(quality + generator.integers(-1, 2, quality.size), 1, 5)[items]
    _, once = np.unique(items * 1_934 + raters, return_index=True)
    alone = items[once], raters[once], grades[once]
    scale = np.arange(5)
    coincidences = coincidence_columns(counts).toarray()

    def alpha_with_interval() -> None:
        inference.with_interval(alpha_from_counts(counts), coincidences, alpha_of_coincidences(scale))

    for name, work in {
        "gold by majority": lambda: consensus.gold(items, grades, scale=(1, 5)),
        "alpha with its interval": alpha_with_interval,
        "agreement within 1 with its interval": lambda: within.agreement_within(counts),
        "every rater against the others": lambda: rater_figures.against_others(*alone),
        "careless shares of every rater": lambda: rater_figures.careless_shares(*alone),
        "alternative-annotator test": lambda: alternative.alternative_test(*alone, judge[once]),
    }.items():
        report(f"ratings, {name}, 81,014 ratings", best_of(work), "under 300 ms")


def span_matching() -> None:
    """7,470 gold and 8,000 predicted spans over 1,050 responses of about 400 words."""
    generator = np.random.default_rng(3)
    vocabulary = ["kata", "শব্দ", "كلمة", "말", "word", "bahasa", "ভাষা", "طويلة"]
    texts = [" ".join(generator.choice(vocabulary, int(size))) for size in generator.integers(350, 450, 1_050)]

    def draw(size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        response = generator.integers(0, len(texts), size)
        start = generator.integers(0, 1_500, size)
        return response, start, start + generator.integers(1, 60, size)

    gold_at, predicted_at = draw(7_470), draw(8_000)
    words_by_text = [words(text) for text in texts]

    def match() -> None:
        gold, predicted = (spans.marked(words_by_text, *side) for side in (gold_at, predicted_at))
        spans.match_counts(spans.overlap(predicted, gold))

    gold, predicted = (spans.marked(words_by_text, *side) for side in (gold_at, predicted_at))
    together = spans.overlap(predicted, gold)
    aim = "under 500 ms in total"
    segmented = best_of(lambda: [words(text) for text in texts])
    matched = best_of(match)
    report("spans, words of 1,050 texts", segmented, aim)
    report("spans, 7,470 gold x 8,000 predicted, best overlap and counts", matched, aim)
    report("spans, both together", segmented + matched, aim)
    report("spans, one-to-one assignment", best_of(lambda: spans.one_to_one_counts(predicted, gold)), aim)
    report(
        "spans, sweep of 101 thresholds",
        best_of(lambda: spans.sweep_counts(together, np.linspace(0, 1, 101))),
        aim,
    )


def main() -> None:
    alpha_of_many_raters()
    paired_intervals()
    paired_classes()
    ratings_of_a_large_study()
    span_matching()


if __name__ == "__main__":
    main()
