"""Spans with categories: a match that needs the same category, and gamma, which weighs place and category together.

Sources: span F1 with labels as of E. F. Tjong Kim Sang and F. De Meulder, CoNLL 2003, here with an overlap in place of
equal bounds; gamma: Y. Mathet, A. Widlöcher and J.-P. Métivier, The Unified and Holistic Method Gamma for
Inter-Annotator Agreement Measure and Alignment, Computational Linguistics 41 (2015), 437-479, sections 4 and 5.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement import inference, spans
from agreement.crossed import without_each
from agreement.figures import NO_PAIRABLE_VALUES, NO_VARIATION, Figure
from agreement.spans import THRESHOLD, Spans
from agreement.statistics import Scale, on_scale

#: "same": a match needs the same category. "half": one of another category alone counts a half.
CREDITS = ("same", "half")
#: Random pairs drawn for each text, to say what agreement chance makes.
SAMPLES = 20
_TEXTS_AT_ONCE = 250  # bounds memory, however many texts there are

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def _apart(side: Spans, category: Integers, n_categories: int) -> Spans:
    """Each category of each response as a response of its own, so that spans of different ones never meet."""
    response = side.response * n_categories + category
    return replace(side, response=response, n_responses=side.n_responses * n_categories)


def _categories(side: Spans, category: ArrayLike) -> Integers:
    codes = np.asarray(category, dtype=np.int64)
    if codes.shape != side.response.shape or (codes.size and codes.min() < 0):
        raise ValueError("every span has a category, an index from 0")
    return codes


def category_counts(
    predicted: Spans,
    gold: Spans,
    predicted_category: ArrayLike,
    gold_category: ArrayLike,
    threshold: float = THRESHOLD,
    *,
    credit: str = "same",
    one_to_one: bool = False,
) -> Floats:
    """Match counts as `spans.match_counts`, shape (n_responses, 4), where a match needs the same category.

    predicted_category, gold_category  of each span, indices from 0, shape (number of spans,).
    credit      "same": a span is matched when some span of the other side overlaps it enough AND has its category.
                "half": a span that only spans of other categories match counts a half, so that the place found is worth
                something; the matched columns then come in halves. It lies midway between "same" and no categories.
    one_to_one  matches are those of `spans.one_to_one_counts` within each category. Only for "same": with half credits
                the best assignment would be another for each weight.
    Raises ValueError for other options, shapes or sides over different responses.
    """
    if credit not in CREDITS:
        raise ValueError(f"credit must be one of {CREDITS}, not {credit!r}")
    if one_to_one and credit != "same":
        raise ValueError("one-to-one matches have no half credit")
    one, other = _categories(predicted, predicted_category), _categories(gold, gold_category)
    if predicted.n_responses != gold.n_responses:
        raise ValueError("both sides are over the same responses")
    n = 1 + max(int(side.max(initial=0)) for side in (one, other))
    apart = _apart(predicted, one, n), _apart(gold, other, n)
    if one_to_one:
        counts = spans.one_to_one_counts(*apart, threshold)
    else:
        counts = spans.match_counts(spans.overlap(*apart), threshold)
    same = counts.reshape(predicted.n_responses, n, 4).sum(axis=1).astype(float)
    if credit == "same":
        return same
    # Whoever matches one of its own category matches one of any, so the two average to 1 for it and to 1/2 for others.
    return (same + spans.match_counts(spans.overlap(predicted, gold), threshold)) / 2


def category_figure(counts: ArrayLike, statistic: Callable[[ArrayLike], Floats], **options: Any) -> Figure:
    """`spans.precision`, `recall`, `f1` or `symmetric_f1` of `category_counts`, with its interval over responses.

    n = responses. Reasons as `spans.figure`; options as `inference.with_interval` (`cluster` draws, say, prompts).
    """
    table = np.asarray(counts, dtype=float)
    total = table.sum(axis=0)
    names = ("matched_predicted", "predicted", "matched_gold", "gold")
    detail = {name: float(total[column]) for column, name in enumerate(names)}
    value = float(statistic(total))
    if np.isnan(value):
        return Figure.without_value(spans.undefined_reason(total, statistic), len(table), **detail)
    return inference.with_interval(Figure(value, len(table), detail=detail), table, statistic, **options)


def disorder(first: ArrayLike, second: ArrayLike, by_place: float = 1.0, by_category: float = 1.0) -> float:
    """Cost of the best alignment of two raters' units of one text.

    first, second  units, shape (n, 3) and (m, 3): start, end, category. A unit has a length.
    Two aligned units cost
        by_place ((|start - start'| + |end - end'|) / (length + length'))^2 + by_category [category differs],
    a unit that is aligned with none costs 1. The alignment with the least sum is found exactly (`scipy`'s assignment).
    """
    a, b = np.asarray(first, dtype=float).reshape(-1, 3), np.asarray(second, dtype=float).reshape(-1, 3)
    if not (len(a) and len(b)):
        return float(len(a) + len(b))
    cost = _costs(a[:, None], b[None], by_place, by_category)
    return float(cost[scipy.optimize.linear_sum_assignment(cost)].sum() + abs(len(a) - len(b)))


def gamma_columns(
    lengths: ArrayLike,
    text_of_answer: ArrayLike,
    answer: ArrayLike,
    start: ArrayLike,
    end: ArrayLike,
    category: ArrayLike,
    *,
    by_place: float = 1.0,
    by_category: float = 1.0,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Floats:
    """Per text: observed cost and units, cost and units by chance; shape (T, 4), zeros for a text with one answer.

    Arguments as `gamma`. Costs are means over pairs of the text's answers (or over the drawn pairs), units the mean
    number in one answer.
    """
    weights = {"by_place": by_place, "by_category": by_category}
    return _gamma_rows(lengths, text_of_answer, answer, start, end, category, samples=samples, seed=seed, **weights)[0]


def gamma_parts(
    lengths: ArrayLike,
    text_of_answer: ArrayLike,
    rater_of_answer: ArrayLike,
    answer: ArrayLike,
    start: ArrayLike,
    end: ArrayLike,
    category: ArrayLike,
    *,
    by_place: float = 1.0,
    by_category: float = 1.0,
    samples: int = SAMPLES,
    seed: int = 0,
) -> tuple[Floats, Floats]:
    """`gamma_columns`, and their sums without each rater, shape (R, 4), for a figure that speaks of raters in general.

    rater_of_answer  any labels, shape (A,). Without a rater a text keeps its cost by chance, which rests on the
                     answers to all texts, as long as two others answered it.
    """
    weights = {"by_place": by_place, "by_category": by_category}
    columns, lost = _gamma_rows(
        lengths, text_of_answer, answer, start, end, category, samples=samples, seed=seed, **weights
    )
    return columns, without_each(columns, lost, rater_of_answer)


def samples_for(texts: int) -> int:
    """Random pairs of each of so many texts: `SAMPLES`, or fewer where 2,000 of all texts together say as much."""
    return max(1, min(SAMPLES, -(-2000 // max(1, texts))))


def _gamma_rows(
    lengths: ArrayLike,
    text_of_answer: ArrayLike,
    answer: ArrayLike,
    start: ArrayLike,
    end: ArrayLike,
    category: ArrayLike,
    *,
    by_place: float,
    by_category: float,
    samples: int,
    seed: int,
) -> tuple[Floats, Floats]:
    """Columns of the texts, shape (T, 4), and what each answer adds to those of its text, shape (A, 4)."""
    sizes, texts = np.asarray(lengths, dtype=np.int64), np.asarray(text_of_answer, dtype=np.int64)
    columns = [np.asarray(column, dtype=np.int64) for column in (answer, start, end, category)]
    of, begin, stop, kind = columns
    if len({column.shape for column in columns}) > 1 or of.ndim != 1:
        raise ValueError("every span has an answer, a start, an end and a category")
    if ((begin < 0) | (stop < begin) | (stop > sizes[texts[of]])).any():
        raise ValueError("a span leaves its text or ends before it starts")
    kept = stop > begin
    order = np.argsort(of[kept], kind="stable")
    units = np.column_stack((begin, stop, kind))[kept][order]
    count = np.bincount(of[kept], minlength=len(texts))
    marked = _Marked(units, np.cumsum(count) - count, count)
    by_text = np.argsort(texts, kind="stable")
    until = np.cumsum(np.bincount(texts, minlength=len(sizes))).tolist()
    answers = [by_text[since:stop] for since, stop in pairwise([0, *until])]
    drawn_from = np.concatenate([one for one in answers if len(one) > 1] or [np.empty(0, np.int64)])
    generator = np.random.default_rng(seed)
    weights = (by_place, by_category)
    rows, lost = np.zeros((len(sizes), 4)), np.zeros((len(texts), 4))
    told = np.array([text for text, here in enumerate(answers) if len(here) > 1 and sizes[text]], dtype=np.int64)
    for since in range(0, len(told), _TEXTS_AT_ONCE):
        batch = told[since : since + _TEXTS_AT_ONCE]
        rows[batch, 2:] = _by_chance(marked, sizes[batch], drawn_from, samples, generator, weights)
        # Texts with as many answers are worked out together.
        many = np.array([len(answers[text]) for text in batch.tolist()])
        for n in np.unique(many).tolist():
            alike = batch[many == n]
            here = np.array([answers[text] for text in alike.tolist()])
            costs = _observed(marked, here, weights)
            units_here = marked.count[here]
            rows[alike, 0], rows[alike, 1] = costs.sum(axis=(1, 2)) / (n * (n - 1)), units_here.mean(axis=1)
            lost[here] = rows[alike][:, None] - _without_one(costs, units_here, rows[alike])
    return rows, lost


@dataclass(frozen=True, eq=False)
class _Marked:
    """units  of all answers, shape (U, 3): start, end, category; since, count  where those of each begin and how many
    they are, shape (A,)."""

    units: Integers
    since: Integers
    count: Integers


def _by_chance(
    marked: _Marked,
    sizes: Integers,
    drawn_from: Integers,
    samples: int,
    generator: np.random.Generator,
    weights: tuple[float, float],
) -> Floats:
    """Of texts of these sizes the mean cost of two answers drawn from all and moved along the text, and the mean number
    of their units, shape (texts, 2)."""
    places, shifts = (np.empty((len(sizes), samples, 2), dtype=np.int64) for _ in range(2))
    for at, size in enumerate(sizes.tolist()):
        places[at] = generator.integers(0, len(drawn_from), (samples, 2))
        shifts[at] = generator.integers(0, size, (samples, 2))
    drawn = drawn_from[places.reshape(-1)]
    many = marked.count[drawn]
    chosen = marked.units[_ranges(marked.since[drawn], many)]
    moved = _shifted(chosen, np.repeat(sizes, 2 * samples), shifts.reshape(-1), many)
    since = np.cumsum(many) - many
    costs = _disorders(moved, (since[::2], many[::2]), (since[1::2], many[1::2]), *weights)
    return np.column_stack((costs.reshape(len(sizes), -1).mean(axis=1), many.reshape(len(sizes), -1).mean(axis=1)))


def _observed(marked: _Marked, answers: Integers, weights: tuple[float, float]) -> Floats:
    """Cost of each two answers of texts with n each, shape (texts, n, n); answers  shape (texts, n)."""
    n = answers.shape[1]
    one, other = np.triu_indices(n, 1)
    first, second = (
        (marked.since[side], marked.count[side]) for side in (answers[:, one].ravel(), answers[:, other].ravel())
    )
    costs = np.zeros((len(answers), n, n))
    found = _disorders(marked.units, first, second, *weights).reshape(len(answers), -1)
    costs[:, one, other] = costs[:, other, one] = found
    return costs


def _ranges(begin: Integers, count: Integers) -> Integers:
    """The indices from each beginning on, so many of each, one after the other."""
    return np.arange(count.sum()) + np.repeat(begin - np.cumsum(count) + count, count)


def _disorders(
    units: Integers,
    first: tuple[Integers, Integers],
    second: tuple[Integers, Integers],
    by_place: float,
    by_category: float,
) -> Floats:
    """`disorder` of each pair, shape (P,): the costs of aligning two units are worked out for all pairs at once.

    first, second  of each side of the pairs where its units begin among all, and how many these are, shape (P,).
    """
    (of_one, n), (of_other, m) = first, second
    found = np.abs(n - m).astype(float)
    cells = n * m
    if not cells.any():
        return found
    end = np.cumsum(cells)
    within = np.arange(end[-1]) - np.repeat(end - cells, cells)
    width = np.repeat(m, cells)
    one = units[np.repeat(of_one, cells) + within // width].astype(float)
    other = units[np.repeat(of_other, cells) + within % width].astype(float)
    costs = _costs(one, other, by_place, by_category)
    single = np.flatnonzero((cells > 0) & ((n == 1) | (m == 1)))
    if len(single):
        of_single = costs[_ranges((end - cells)[single], cells[single])]
        found[single] += np.minimum.reduceat(of_single, np.cumsum(cells[single]) - cells[single])
    for at in np.flatnonzero((n > 1) & (m > 1)).tolist():
        cost = costs[end[at] - cells[at] : end[at]].reshape(n[at], m[at])
        found[at] += cost[scipy.optimize.linear_sum_assignment(cost)].sum()
    return found


def _costs(one: Floats, other: Floats, by_place: float, by_category: float) -> Floats:
    """Of aligning units, shapes (..., 3); two units left alone are no dearer."""
    moved = np.abs(one[..., 0] - other[..., 0]) + np.abs(one[..., 1] - other[..., 1])
    place = (moved / ((one[..., 1] - one[..., 0]) + (other[..., 1] - other[..., 0]))) ** 2
    return np.minimum(by_place * place + by_category * (one[..., 2] != other[..., 2]), 2.0)


def _without_one(costs: Floats, units: Integers, row: Floats) -> Floats:
    """The columns of texts without each of their answers, shape (texts, answers, 4); zeros where one is left.

    costs  of each two answers, shape (texts, answers, answers); units  of each, (texts, answers); row  (texts, 4)."""
    n = units.shape[1]
    if n < 3:
        return np.zeros((*units.shape, 4))
    rest = (costs.sum(axis=(1, 2))[:, None] - 2 * costs.sum(axis=2)) / ((n - 1) * (n - 2))
    left = (units.sum(axis=1)[:, None] - units) / (n - 1)
    return np.stack((rest, left, *np.broadcast_to(row[:, 2:].T[..., None], (2, *units.shape))), axis=-1)


def _shifted(units: Integers, size: Integers, by: Integers, count: Integers) -> Integers:
    """The units of answers, so many of each, moved along a text of its size that is bent to a circle. One that would go
    over its end sticks out, so that its length stays; one longer than the text is cut to it. size, by, count  shape
    (answers,)."""
    size, by = np.repeat(size, count), np.repeat(by, count)
    begin = (units[:, 0] + by) % size
    return np.column_stack((begin, begin + np.minimum(units[:, 1] - units[:, 0], size), units[:, 2]))


@on_scale(Scale.COEFFICIENT)
def gamma_statistic(sums: Floats) -> Floats:
    """1 - (observed cost / units) / (cost by chance / units), over sums of `gamma_columns` (..., 4).
    NaN without any."""
    cost, units, by_chance, drawn = np.moveaxis(np.asarray(sums, dtype=float), -1, 0)
    defined = (units > 0) & (by_chance > 0)
    ratio = np.divide(cost * drawn, units * by_chance, out=np.full(np.shape(cost), np.nan), where=defined)
    return 1 - ratio


def gamma(
    lengths: ArrayLike,
    text_of_answer: ArrayLike,
    answer: ArrayLike,
    start: ArrayLike,
    end: ArrayLike,
    category: ArrayLike,
    *,
    by_place: float = 1.0,
    by_category: float = 1.0,
    samples: int = SAMPLES,
    seed: int = 0,
    interval: bool = True,
    **options: Any,
) -> Figure:
    """Gamma of two raters or more over many texts, in pairs: 1 for the same units, 0 for what chance makes.

    lengths         of each text in code points, shape (T,).
    text_of_answer  which text each answer (a rater's work on it, also an empty one) is about, shape (A,).
    answer, start, end, category  of each span, shape (S,); spans of one rater may overlap. Empty spans are ignored.
    by_place, by_category  what a difference weighs beside a missing unit, which weighs 1 (alpha and beta of the paper).
    samples         random pairs of answers per text; seed of them.

    The paper's dissimilarity and its best alignment, `disorder`, exactly. What differs from the paper:
    - With more than two raters each pair is aligned for itself and the mean taken; the paper's alignment of all raters
      at once must hang together and costs at least as much. With two raters the two are the same.
    - Chance: two answers are drawn from all texts, each moved along the text by a random distance. For a single text
      that is the paper's resampling; over many short texts it knows the corpus's shares of categories and of empty
      answers, so that two raters who both find nothing in a text where errors are rare agree little by that.
    - Costs of all texts are added up before dividing, so that a unit weighs the same in any text.
    n = texts with two answers. Options as for `inference.with_interval`. Undefined: "no pairable values" without such a
    text, "no variation" where nobody marked anything, or nothing could be told from chance. Errors as `gamma_columns`.
    """
    columns = gamma_columns(
        lengths,
        text_of_answer,
        answer,
        start,
        end,
        category,
        by_place=by_place,
        by_category=by_category,
        samples=samples,
        seed=seed,
    )
    answers = np.bincount(np.asarray(text_of_answer, dtype=np.int64), minlength=len(columns))
    n = int(((answers >= 2) & (np.asarray(lengths) > 0)).sum())
    detail: dict[str, Any] = {"samples": samples, "by_place": by_place, "by_category": by_category}
    if n == 0:
        return Figure.without_value(NO_PAIRABLE_VALUES, **detail)
    value = float(gamma_statistic(columns.sum(axis=0)))
    if np.isnan(value):
        return Figure.without_value(NO_VARIATION, n, **detail)
    figure = Figure(value, n, detail=detail)
    return inference.with_interval(figure, columns, gamma_statistic, **options) if interval else figure
