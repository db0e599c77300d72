"""Which spans of a panel's members are one error, and where it lies; words are counted by hand."""

import numpy as np
import pytest

from agreement.span_panels import issues, overlaps, words_of_most
from agreement.spans import marked
from agreement.words import words

TEXT = "zero one two three four five six seven eight nine"
PIECES = words(TEXT)


def spans_on(*places: tuple[int, int]):
    """Spans that own the words [first, last) of TEXT."""
    starts = [int(PIECES.starts[first]) for first, _last in places]
    ends = [int(PIECES.ends[last - 1]) for _first, last in places]
    return marked([PIECES], [0] * len(places), starts, ends)


def test_every_two_spans_are_compared_by_their_words():
    # [0, 4) and [2, 6): 2 of 6 words; [8, 9) meets neither.
    third = 2 / 6
    assert np.allclose(overlaps(spans_on((0, 4), (2, 6), (8, 9))), [[1, third, 0], [third, 1, 0], [0, 0, 1]])


def test_two_of_three_who_mark_the_same_words_are_most():
    iou = overlaps(spans_on((0, 4), (1, 4), (8, 9)))
    [issue] = issues(iou, [0, 1, 2], [1, 1, 1])
    assert (issue.spans, issue.is_of_most, issue.is_of_half) == ((0, 1), True, False)
    assert issue.share == pytest.approx(2 / 3)


def test_one_of_two_is_half_and_one_of_three_is_nothing():
    iou = overlaps(spans_on((0, 4)))
    [issue] = issues(iou, [0], [1, 1])
    assert (issue.is_of_most, issue.is_of_half) == (False, True)
    assert issues(iou, [0], [1, 1, 1]) == []


def test_a_chain_of_overlaps_is_not_one_error():
    """[0, 4) meets [2, 7) meets [5, 9), but the first and the last share no word with each other."""
    iou = overlaps(spans_on((0, 4), (2, 7), (5, 9)))
    [issue] = issues(iou, [0, 1, 2], [1, 1, 1])
    assert issue.centre == 1  # both others match it, and all three are one error around it
    assert issue.spans == (0, 1, 2)
    # Without the one between them the two ends are two errors, each of half of the members.
    assert [each.spans for each in issues(overlaps(spans_on((0, 4), (5, 9))), [0, 1], [1, 1])] == [(0,), (1,)]


def test_a_member_has_one_span_in_an_error_the_one_that_matches_best():
    """The first member marks [0, 2) and [0, 4); the others [0, 4). The second of its spans is the one that counts."""
    iou = overlaps(spans_on((0, 2), (0, 4), (0, 4), (0, 4)))
    [issue] = issues(iou, [0, 0, 1, 2], [1, 1, 1])
    assert issue.spans == (1, 2, 3)


def test_weights_decide_what_most_is():
    """The second judge alone weighs 0.8 of 1.5: what it marks is the panel's."""
    iou = overlaps(spans_on((0, 2), (6, 8)))
    [issue] = issues(iou, [0, 1], [0.4, 0.8, 0.3])
    assert (issue.spans, issue.share) == ((1,), pytest.approx(0.8 / 1.5))


def test_spans_that_touch_too_little_do_not_match():
    # One word of seven: 0.143 is not above 0.15.
    iou = overlaps(spans_on((0, 4), (3, 7)))
    assert [each.is_of_half for each in issues(iou, [0, 1], [1, 1])] == [True, True]
    assert [each.share for each in issues(iou, [0, 1], [1, 1], threshold=0.1)] == [1.0]


def test_without_a_vote_that_weighs_there_is_no_panel():
    with pytest.raises(ValueError, match="nobody"):
        issues(np.zeros((0, 0)), [], [])
    assert issues(np.zeros((0, 0)), [], [1, 1]) == []


def test_the_words_that_most_cover():
    # [0, 4), [1, 5), [2, 6): words 1 to 4 are covered twice or more.
    assert words_of_most([0, 1, 2], [4, 5, 6], [1, 1, 1], (1, 5)) == (1, 5)
    # A vote that weighs more than the others together has its own words.
    assert words_of_most([0, 1, 2], [4, 5, 6], [3, 1, 1], (1, 5)) == (0, 4)
    # Two that share [2, 4).
    assert words_of_most([0, 2], [4, 6], [1, 1], (0, 4)) == (2, 4)


def test_of_several_runs_of_words_the_longest_counts_and_without_any_the_centre():
    # [0, 10) with [0, 2) and [7, 10): covered twice are 0 to 1 and 7 to 9.
    assert words_of_most([0, 0, 7], [10, 2, 10], [1, 1, 1], (0, 10)) == (7, 10)
    # [0, 9) with three that share no word with each other: each word is covered by 2 of 4.
    assert words_of_most([0, 0, 3, 6], [9, 3, 6, 9], [1, 1, 1, 1], (0, 9)) == (0, 9)
