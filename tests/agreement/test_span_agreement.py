"""Two raters mark errors and say of which kind: agreement about place and kind together."""

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

from agreement import span_agreement, spans
from agreement.span_agreement import category_counts, disorder, gamma
from tests.agreement.test_spans import over

QUICK: dict = {}


def test_a_match_needs_the_category():
    # Words 0-2 and 4-6 are marked by both; the second is a "style" (1) for one and a "fact" (0) for the other.
    judge, gold = over((0, 2), (4, 6), (8, 9)), over((0, 2), (4, 6))
    counts = category_counts(judge, gold, [0, 1, 0], [0, 0])
    assert counts.tolist() == [[1, 3, 1, 2]]
    assert category_counts(judge, gold, [0, 0, 0], [0, 0]).tolist() == [[2, 3, 2, 2]]
    figure = span_agreement.category_figure(counts, spans.f1)
    assert figure.value == pytest.approx(2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2))


def test_half_credit_is_for_the_place_alone():
    judge, gold = over((0, 2), (4, 6), (8, 9)), over((0, 2), (4, 6))
    counts = category_counts(judge, gold, [0, 1, 0], [0, 0], credit="half")
    assert counts.tolist() == [[1.5, 3, 1.5, 2]]
    assert span_agreement.category_figure(counts, spans.recall).value == 0.75


def random_sides(generator, n_responses=3):
    sides = []
    for _ in range(2):
        n = int(generator.integers(0, 8))
        begin = generator.integers(0, 9, n)
        ranges = [(int(one), int(one + generator.integers(1, 11 - one))) for one in begin]
        side = over(*ranges, responses=n_responses)
        side = replace(side, response=generator.integers(0, n_responses, n))
        sides.append((side, ranges, generator.integers(0, 3, n)))
    return sides


@pytest.mark.parametrize("seed", range(25))
def test_counts_are_a_slow_comparison_of_word_sets(seed):
    (one, ranges, kinds), (other, other_ranges, other_kinds) = random_sides(np.random.default_rng(seed))

    def best(response, words, kind, against, against_ranges, against_kinds):
        credit = 0.0
        for at, (begin, stop) in enumerate(against_ranges):
            a, b = set(range(*words)), set(range(begin, stop))
            if against.response[at] == response and len(a & b) / len(a | b) > 0.15:
                credit = max(credit, 1.0 if against_kinds[at] == kind else 0.5)
        return credit

    expected = np.zeros((3, 2))
    for at, words in enumerate(ranges):
        credit = best(one.response[at], words, kinds[at], other, other_ranges, other_kinds)
        expected[one.response[at]] += credit, credit == 1
    half = category_counts(one, other, kinds, other_kinds, credit="half")
    same = category_counts(one, other, kinds, other_kinds)
    np.testing.assert_array_equal(np.column_stack((half[:, 0], same[:, 0])), expected)
    single = category_counts(one, other, kinds, other_kinds, one_to_one=True)
    assert (single[:, 0] == single[:, 2]).all()
    assert (single[:, 0] <= same[:, 0]).all()


def test_wrong_categories_and_options_are_refused():
    side = over((0, 2))
    with pytest.raises(ValueError, match="credit must be"):
        category_counts(side, side, [0], [0], credit="third")
    with pytest.raises(ValueError, match="no half credit"):
        category_counts(side, side, [0], [0], credit="half", one_to_one=True)
    with pytest.raises(ValueError, match="has a category"):
        category_counts(side, side, [], [0])
    with pytest.raises(ValueError, match="same responses"):
        category_counts(side, over((0, 2), responses=2), [0], [0])
    empty = category_counts(over(), over((0, 1)), [], [0])
    assert span_agreement.category_figure(empty, spans.f1).undefined == "no predicted spans"


def pair_cost(u, v):
    place = (abs(u[0] - v[0]) + abs(u[1] - v[1])) / (u[1] - u[0] + v[1] - v[0])
    return place**2 + (u[2] != v[2])


def slow_disorder(a, b):
    """Every partial matching of the two sides."""
    least = len(a) + len(b)
    for size in range(1, min(len(a), len(b)) + 1):
        for chosen in combinations(range(len(a)), size):
            for partners in permutations(range(len(b)), size):
                cost = sum(pair_cost(a[i], b[j]) for i, j in zip(chosen, partners, strict=True))
                least = min(least, cost + len(a) + len(b) - 2 * size)
    return least


def units(generator, n, size=60):
    begin = generator.integers(0, size - 12, n)
    return np.column_stack((begin, begin + generator.integers(1, 12, n), generator.integers(0, 3, n)))


@pytest.mark.parametrize("seed", range(20))
def test_the_best_alignment_is_the_best_of_all(seed):
    generator = np.random.default_rng(seed)
    a, b = units(generator, int(generator.integers(0, 5))), units(generator, int(generator.integers(0, 5)))
    assert disorder(a, b) == pytest.approx(slow_disorder(a, b))
    assert disorder(a, b) == pytest.approx(disorder(b, a))


def test_dissimilarity_by_hand():
    # Starts 2 apart, ends 2 apart, lengths 10 and 10: (4 / 20)^2 = 0.04; another category: 1 more, still below 2.
    assert disorder([[0, 10, 1]], [[2, 12, 1]]) == pytest.approx(0.04)
    assert disorder([[0, 10, 1]], [[2, 12, 2]]) == pytest.approx(1.04)
    assert disorder([[0, 10, 1]], [[50, 52, 1]]) == 2  # too far apart: both stay alone
    assert disorder([[0, 10, 1]], np.empty((0, 3))) == 1


def corpus(generator, n_texts, raters, noise, size=200):
    """Units marked on texts, one answer per rater; with `noise` chance a unit is another rater's own."""
    text, answer, begin, stop, kind = [], [], [], [], []
    for number in range(n_texts):
        true = units(generator, int(generator.integers(0, 5)), size)
        for _ in range(raters):
            seen = np.array([one if generator.random() > noise else units(generator, 1, size)[0] for one in true])
            for one in seen.reshape(-1, 3):
                answer.append(len(text))
                begin.append(one[0])
                stop.append(one[1])
                kind.append(one[2])
            text.append(number)
    return [size] * n_texts, text, answer, begin, stop, kind


def test_the_same_units_are_1_and_units_by_chance_are_about_0():
    generator = np.random.default_rng(1)
    assert gamma(*corpus(generator, 20, 3, 0.0), **QUICK).value == 1.0
    values = [gamma(*corpus(generator, 60, 2, 1.0), interval=False).value for _ in range(10)]
    # Both found equally many in each text, which is more than chance; their places and kinds are chance.
    assert 0 <= np.mean(values) < 0.25


def test_units_that_have_nothing_in_common_are_0():
    """Number of units drawn for each rater by itself: nothing is shared, so 0 within the error of 20 corpora."""
    values = []
    for seed in range(20):
        generator = np.random.default_rng(seed)
        text = np.repeat(np.arange(60), 2)
        answer = np.repeat(np.arange(120), generator.integers(0, 5, 120))
        marked = units(generator, len(answer), 200)
        begin = generator.integers(0, 180, len(answer))
        found = gamma(
            [200] * 60, text, answer, begin, begin + marked[:, 1] - marked[:, 0], marked[:, 2], interval=False
        )
        values.append(found.value)
    assert abs(np.mean(values)) < 3 * np.std(values) / np.sqrt(20) + 0.01


def test_chance_moves_units_along_the_text():
    """Both mark the same word of each of thirty texts. Left where they are, two units drawn by chance would cost
    nothing, and no agreement would be beyond chance. Moved by chance along 100 characters, units of 10 mostly miss."""
    text, answer = np.repeat(np.arange(30), 2), np.arange(60)
    begin = np.full(60, 40)
    found = gamma([100] * 30, text, answer, begin, begin + 10, np.ones(60, dtype=int), interval=False)
    assert found.value == 1.0
    columns = span_agreement.gamma_columns([100] * 30, text, answer, begin, begin + 10, np.ones(60, dtype=int))
    assert 1.2 < columns[:, 2].mean() < 2.0


def test_gamma_falls_with_noise_and_with_wrong_categories():
    generator = np.random.default_rng(2)
    values = [gamma(*corpus(np.random.default_rng(3), 40, 2, noise), interval=False).value for noise in (0.1, 0.4, 0.8)]
    assert values[0] > values[1] > values[2]
    whole = corpus(generator, 40, 2, 0.1)
    mixed = (*whole[:-1], generator.integers(0, 3, len(whole[-1])))
    blind = {"by_category": 0.0, "interval": False}
    assert gamma(*mixed, interval=False).value < gamma(*whole, interval=False).value - 0.2
    assert gamma(*mixed, **blind).value == pytest.approx(gamma(*whole, **blind).value)


def test_with_three_raters_it_is_the_mean_of_pairs_and_no_dearer_than_one_alignment_of_all():
    """Every way to put three raters' units into groups of at most one of each: the paper's alignment."""
    generator = np.random.default_rng(4)
    sides = [units(generator, 2) for _ in range(3)]

    def grouped(options):
        cost = 0.0
        for i, j in combinations(range(3), 2):
            for group in options:
                u, v = group[i], group[j]
                if u is not None and v is not None:
                    cost += pair_cost(sides[i][u], sides[j][v])
                elif (u is None) != (v is None):
                    cost += 1
        return cost / 3

    best = min(grouped(option) for option in _alignments([list(range(2)) for _ in range(3)]))
    pairwise = np.mean([disorder(sides[i], sides[j]) for i, j in combinations(range(3), 2)])
    assert pairwise <= best + 1e-9
    table = np.concatenate(sides)
    rows = span_agreement.gamma_columns([60], [0, 0, 0], np.repeat([0, 1, 2], 2), *table.T)
    assert rows[0, :2].tolist() == pytest.approx([pairwise, 2])


def _alignments(left):
    """All divisions of three raters' units into groups with at most one unit of each rater."""
    if not any(left):
        yield []
        return
    rater = next(at for at, units_left in enumerate(left) if units_left)
    unit = left[rater][0]
    others = [[None, *left[at]] if at != rater else [unit] for at in range(3)]
    for choice in ((a, b, c) for a in others[0] for b in others[1] for c in others[2]):
        rest = [[one for one in left[at] if one != choice[at]] for at in range(3)]
        for more in _alignments(rest):
            yield [choice, *more]


def test_what_cannot_be_said_of_units_has_its_reason():
    assert gamma([10], [0], [0], [1], [2], [0]).undefined == "no pairable values"
    assert gamma([10], [0, 0], [], [], [], []).undefined == "no variation"
    with pytest.raises(ValueError, match="leaves its text"):
        gamma([10], [0, 0], [0], [1], [12], [0])
    with pytest.raises(ValueError, match="every span has"):
        gamma([10], [0, 0], [0], [1], [2], [])


def test_the_same_seed_gives_the_same_gamma_and_an_interval():
    data = corpus(np.random.default_rng(5), 30, 2, 0.3)
    one, again = gamma(*data, **QUICK), gamma(*data, **QUICK)
    assert (one.value, one.bounds) == (again.value, again.bounds)
    assert one.low < one.value < one.high


def test_gamma_without_each_rater_is_that_of_the_others_answers():
    """Cost and units observed are those of the corpus without the rater; the cost by chance stays that of all."""
    lengths, *columns = corpus(np.random.default_rng(8), 12, 3, 0.5)
    text, answer, start, end, kind = (np.array(column) for column in columns)
    rater = np.tile([10, 20, 30], 12)
    columns, without = span_agreement.gamma_parts(lengths, text, rater, answer, start, end, kind, samples=3)
    assert columns == pytest.approx(span_agreement.gamma_columns(lengths, text, answer, start, end, kind, samples=3))
    for place, one in enumerate((10, 20, 30)):
        kept = np.flatnonzero(rater != one)
        of_kept = np.isin(answer, kept)
        renumbered = np.searchsorted(kept, answer[of_kept])
        rest = span_agreement.gamma_columns(
            lengths, text[kept], renumbered, start[of_kept], end[of_kept], kind[of_kept], samples=3
        )
        assert without[place, :2] == pytest.approx(rest[:, :2].sum(axis=0))
        assert without[place, 2:] == pytest.approx(columns[:, 2:].sum(axis=0))


def test_a_text_of_two_is_lost_without_either():
    columns, without = span_agreement.gamma_parts([30], [0, 0], [1, 2], [0, 1], [2, 3], [6, 9], [0, 1])
    assert columns.shape == (1, 4)
    assert not without.any()
    assert without.shape == (2, 4)
