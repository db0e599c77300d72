"""A judge marks, people have marked: what of it is found?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import characters, spans
from agreement.words import words

TEXT = "zero one two three four five six seven eight nine"
STARTS = [0, 5, 9, 13, 19, 24, 29, 33, 39, 45]
ENDS = [4, 8, 12, 18, 23, 28, 32, 38, 44, 49]


def over(*word_ranges, responses=1, response=0):
    """Spans over whole words [from, to) of TEXT, all in one response."""
    start = [STARTS[begin] for begin, _ in word_ranges]
    end = [ENDS[stop - 1] for _, stop in word_ranges]
    return spans.marked([words(TEXT)] * responses, [response] * len(word_ranges), start, end)


def naive_iou(a, b):
    return len(a & b) / len(a | b)


RANGES = st.tuples(st.integers(0, 9), st.integers(1, 10)).filter(lambda pair: pair[0] < pair[1])
MARKED = st.lists(st.tuples(st.integers(0, 2), RANGES), max_size=8)


def drawn(marks):
    return spans.marked(
        [words(TEXT)] * 3,
        [response for response, _ in marks],
        [STARTS[begin] for _, (begin, _) in marks],
        [ENDS[stop - 1] for _, (_, stop) in marks],
    )


def test_word_iou_is_shared_words_over_all_words():
    # words 1-3 against words 2-6: two shared (2, 3), six in all (1..6)
    assert spans.word_iou(over((1, 4)), over((2, 7)))[0] == pytest.approx(2 / 6)


def test_part_of_a_word_counts_as_the_word():
    half = spans.marked([words(TEXT)], [0], [7], [10])  # "e t" of "one two"
    assert spans.word_iou(half, over((1, 3)))[0] == 1.0


@given(RANGES, RANGES)
def test_iou_is_symmetric_between_0_and_1_and_that_of_the_sets(a, b):
    one, other = over(a), over(b)
    iou = spans.word_iou(one, other)[0]
    assert iou == spans.word_iou(other, one)[0] == naive_iou(set(range(*a)), set(range(*b)))
    assert 0 <= iou <= 1


def test_two_marks_on_one_stray_space_match_and_a_word_never_matches_a_space():
    text = [words("a  b   c")]
    space = spans.marked(text, [0, 0, 0], [1, 1, 4], [3, 2, 7])
    assert spans.word_iou(space.taken([0, 0, 0]), space.taken([0, 1, 2])).tolist() == [1.0, 0.5, 0.0]
    word = spans.marked(text, [0], [0], [1])
    assert spans.word_iou(space.taken([0]), word)[0] == 0.0


def test_a_match_needs_strictly_more_than_the_threshold():
    found = spans.overlap(over((0, 1)), over((0, 2)))  # IoU 1/2
    assert spans.match_counts(found, 0.5).tolist() == [[0, 1, 0, 1]]
    assert spans.match_counts(found, 0.49).tolist() == [[1, 1, 1, 1]]


def test_at_a_threshold_of_1_the_very_same_words_match():
    predicted, gold = over((0, 2), (5, 7)), over((0, 2), (5, 8))  # IoU 1, and 2/3
    found = spans.overlap(predicted, gold)
    assert spans.match_counts(found, 1).tolist() == [[1, 2, 1, 2]]
    assert spans.sweep_counts(found, [0.95, 1])[:, 0].tolist() == [[1, 2, 1, 2], [1, 2, 1, 2]]
    assert spans.one_to_one_counts(predicted, gold, 1).tolist() == [[1, 2, 1, 2]]
    assert spans.class_counts(found, [0, 1], 2, 1).tolist() == [[[1, 1], [0, 1]]]


def test_precision_recall_and_f1_of_a_judge():
    # predicted: 0-1 (meets gold 0-2: 1/2), 5 (meets nothing); gold: 0-2, 7, 9
    counts = spans.match_counts(spans.overlap(over((0, 1), (5, 6)), over((0, 2), (7, 8), (9, 10))))
    assert spans.figure(counts, spans.precision).value == pytest.approx(1 / 2)
    assert spans.figure(counts, spans.recall).value == pytest.approx(1 / 3)
    assert spans.figure(counts, spans.f1).value == pytest.approx(2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3))
    assert spans.figure(counts, spans.symmetric_f1).value == pytest.approx((1 + 1) / (2 + 3))


def test_one_long_span_may_meet_several_unless_one_to_one_is_asked():
    long, short = over((0, 4)), over((0, 1), (1, 2), (2, 3))  # IoU 1/4 each
    assert spans.match_counts(spans.overlap(long, short)).tolist() == [[1, 1, 3, 3]]
    assert spans.one_to_one_counts(long, short).tolist() == [[1, 1, 1, 3]]


def test_one_to_one_finds_the_most_pairs_even_at_the_cost_of_overlap():
    # predicted A = 0-2, B = 0-1; gold X = 0-2, Y = 1-3.
    # IoU: A-X 1, A-Y 1/3, B-X 1/2, B-Y 0. Greedy takes A-X and leaves B alone; two pairs are A-Y and B-X.
    own, other, iou = spans.assignment(over((0, 2), (0, 1)), over((0, 2), (1, 3)))
    assert sorted(zip(own.tolist(), other.tolist(), iou.round(6).tolist(), strict=True)) == [
        (0, 1, 0.333333),
        (1, 0, 0.5),
    ]


def test_spans_of_different_responses_never_meet():
    counts = spans.match_counts(
        spans.overlap(over((0, 3), responses=2, response=0), over((0, 3), responses=2, response=1))
    )
    assert counts.tolist() == [[0, 1, 0, 0], [0, 0, 0, 1]]


def test_omissions_are_counted_beside_and_never_matched():
    texts, at = [words(TEXT)], ([0, 0], [0, 0], [4, 4])
    predicted = spans.marked(texts, *at, omission=[False, True])
    assert spans.match_counts(spans.overlap(predicted, over((0, 1)))).tolist() == [[1, 1, 1, 1]]
    assert predicted.omissions().tolist() == [1]
    assert spans.marked(texts, [0], [7], [7]).omissions().tolist() == [1]


@pytest.mark.parametrize(
    ("predicted", "gold", "statistic", "reason"),
    [
        ([], [(0, 1)], spans.precision, "no predicted spans"),
        ([], [(0, 1)], spans.f1, "no predicted spans"),
        ([(0, 1)], [], spans.recall, "no gold spans"),
        ([(0, 1)], [], spans.f1, "no gold spans"),
        ([], [], spans.symmetric_f1, "no spans"),
    ],
)
def test_what_cannot_be_said_has_its_reason(predicted, gold, statistic, reason):
    figure = spans.figure(spans.match_counts(spans.overlap(over(*predicted), over(*gold))), statistic)
    assert (figure.value, figure.undefined) == (None, reason)


def test_nothing_found_among_what_was_marked_is_zero_not_undefined():
    counts = spans.match_counts(spans.overlap(over((0, 1)), over((5, 6))))
    assert spans.figure(counts, spans.f1).value == 0.0


@given(MARKED, MARKED, st.floats(0, 0.99))
def test_counts_equal_the_naive_comparison_of_word_sets(one, other, threshold):
    predicted, gold = drawn(one), drawn(other)
    expected = []
    for response in range(3):
        sets = [[set(range(*span)) for place, span in side if place == response] for side in (one, other)]
        matched = [
            sum(any(naive_iou(a, b) > threshold for b in opposite) for a in side)
            for side, opposite in (sets, sets[::-1])
        ]
        expected.append([matched[0], len(sets[0]), matched[1], len(sets[1])])
    assert spans.match_counts(spans.overlap(predicted, gold), threshold).tolist() == expected
    single = spans.one_to_one_counts(predicted, gold, threshold)
    assert (single[:, 0] == single[:, 2]).all()
    assert (single[:, 0] <= np.array(expected)[:, [0, 2]].min(axis=1)).all()


@given(MARKED, MARKED, st.randoms(use_true_random=False))
def test_the_order_of_spans_does_not_matter(one, other, random):
    before = spans.match_counts(spans.overlap(drawn(one), drawn(other)))
    random.shuffle(one)
    random.shuffle(other)
    assert spans.match_counts(spans.overlap(drawn(one), drawn(other))).tolist() == before.tolist()


@given(MARKED, MARKED)
def test_matches_only_fall_as_the_threshold_rises(one, other):
    thresholds = np.linspace(0, 1, 21)
    swept = spans.sweep_counts(spans.overlap(drawn(one), drawn(other)), thresholds)
    assert swept.shape == (21, 3, 4)
    assert (np.diff(swept[:, :, [0, 2]], axis=0) <= 0).all()


@given(MARKED, MARKED)
def test_small_pieces_give_what_one_piece_gives(one, other):
    whole = spans.overlap(drawn(one), drawn(other))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "_PAIRS_AT_ONCE", 1)
        pieces = spans.overlap(drawn(one), drawn(other))
    assert pieces.best_predicted.tolist() == whole.best_predicted.tolist()
    assert pieces.best_gold.tolist() == whole.best_gold.tolist()


def test_recall_by_category_leaves_the_prediction_s_category_open():
    gold = over((0, 1), (2, 3), (4, 5), (6, 7))
    found = spans.overlap(over((0, 1), (4, 5)), gold)
    counts = spans.class_counts(found, [0, 0, 1, -1], n_classes=3)
    assert counts.tolist() == [[[1, 2], [1, 1], [0, 0]]]


def test_sides_over_different_responses_are_refused():
    with pytest.raises(ValueError, match="same responses"):
        spans.overlap(over((0, 1)), over((0, 1), responses=2))


def test_characters_covered_twice_count_once():
    # predicted covers 0-8 ("zero one", twice over "one"), gold 5-12 ("one two"): 3 shared of 8 and 7
    counts = characters.character_counts(over((0, 2), (1, 2)), over((1, 3)))
    assert counts.tolist() == [[3, 8, 7]]
    assert characters.micro_character_f1(counts).value == pytest.approx(2 * 3 / (8 + 7))
    assert characters.character_iou(counts)[0] == pytest.approx(3 / 12)


@given(MARKED, MARKED)
def test_characters_equal_the_naive_sets(one, other):
    def covered(marks, response):
        return {
            position
            for place, (begin, stop) in marks
            if place == response
            for position in range(STARTS[begin], ENDS[stop - 1])
        }

    expected = [
        [len(covered(one, r) & covered(other, r)), len(covered(one, r)), len(covered(other, r))] for r in range(3)
    ]
    assert characters.character_counts(drawn(one), drawn(other)).tolist() == expected


def test_nobody_marked_anything_so_no_character_f1():
    figure = characters.micro_character_f1(characters.character_counts(over(), over()))
    assert figure.undefined == "no spans"
