"""Amina, Boris and Chitra marked the same items."""

import numpy as np
import pytest

from agreement import rater_pairs, spans
from agreement.words import words

TEXT = "one two three four"
AMINA_0, BORIS_0, CHITRA_0, AMINA_1, BORIS_1 = range(5)
ITEM_OF_ANSWER = [0, 0, 0, 1, 1]


@pytest.fixture
def everybody():
    """Item 0: Amina and Boris mark "one", Chitra nothing. Item 1: Amina marks "one", Boris "three"."""
    answer = np.array([BORIS_1, AMINA_0, BORIS_0, AMINA_1])
    marked = spans.marked([words(TEXT)] * 2, [1, 0, 0, 1], [8, 0, 0, 0], [13, 3, 3, 3])
    pairs = rater_pairs.rater_pairs(ITEM_OF_ANSWER)
    return pairs, *rater_pairs.sides(marked, answer, pairs)


def test_every_unordered_pair_of_an_item_once(everybody):
    pairs, *_ = everybody
    assert list(zip(pairs.item, pairs.first, pairs.second, strict=True)) == [
        (0, AMINA_0, BORIS_0),
        (0, AMINA_0, CHITRA_0),
        (0, BORIS_0, CHITRA_0),
        (1, AMINA_1, BORIS_1),
    ]


def test_a_row_of_counts_per_pair_and_pooled_f1(everybody):
    _, one, other = everybody
    counts = spans.match_counts(spans.overlap(one, other))
    assert counts.tolist() == [[1, 1, 1, 1], [0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 1]]
    assert spans.figure(counts, spans.symmetric_f1).value == pytest.approx(2 / 6)


def test_mean_over_pairs_then_over_items(everybody):
    pairs, one, other = everybody
    values = spans.symmetric_f1(spans.match_counts(spans.overlap(one, other)))
    figure = rater_pairs.mean_over_items(values, pairs.item)
    assert figure.value == pytest.approx(((1 + 0 + 0) / 3 + 0) / 2)
    assert (figure.n, figure.detail["pairs"]) == (2, 4)


def test_two_who_found_nothing_agree_or_are_left_out_as_the_policy_says():
    values, item = [np.nan, 0.5, np.nan], [0, 1, 2]
    assert rater_pairs.mean_over_items(values, item).value == 0.5
    assert rater_pairs.mean_over_items(values, item, "agree").value == pytest.approx(2.5 / 3)
    assert rater_pairs.mean_over_items([np.nan], [0]).undefined == "no items"
    with pytest.raises(ValueError, match="both_empty"):
        rater_pairs.mean_over_items(values, item, "zero")


def test_agreement_on_whether_there_is_any_error(everybody):
    _, one, other = everybody
    figure = rater_pairs.presence_agreement(spans.match_counts(spans.overlap(one, other)))
    assert figure.value == pytest.approx(2 / 4)
    assert figure.detail["both_empty"] == 0


def test_nobody_shares_an_item():
    assert len(rater_pairs.rater_pairs([0, 1, 2])) == 0
    assert rater_pairs.presence_agreement(np.zeros((0, 4))).undefined == "no items"
