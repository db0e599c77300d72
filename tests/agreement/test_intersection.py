"""What leaving out prompts and leaving out raters both count, worked out by hand."""

import numpy as np
import pytest

from agreement.intersection import Answers, Cells

PROMPT, RATER = (column.ravel() for column in np.divmod(np.arange(8), 2))
#: Four prompts, two raters: what is each prompt's, each rater's, and what is neither's.
OF_PROMPT, OF_RATER = np.array([3.0, -1, 2, -4]), np.array([0.5, -0.5])
REST = np.array([1.0, -1, 1, -1, -1, 1, -1, 1])
CHANGE = OF_PROMPT[PROMPT] + OF_RATER[RATER] + REST


def test_where_everybody_answered_everything_only_single_answers_count_twice():
    """The rest has 8 - 4 - 2 + 1 = 3 degrees of freedom: 8 cells of variance 8 / 3."""
    whole = Cells(PROMPT, RATER)
    assert whole.counted_twice(CHANGE, with_single=True) == pytest.approx(8 * 8 / 3)
    assert whole.counted_twice(CHANGE, with_single=False) == 0


def test_where_each_answered_a_part_prompts_and_raters_count_twice():
    """Raters 0 and 1 answer prompts 0 to 5, 2 and 3 prompts 6 to 11, with no rest: of a prompt's own half is counted
    with its raters (each met half of the prompts), of a rater's own half with their prompts (each has half of them)."""
    prompt = np.repeat(np.arange(12), 2)
    rater = np.tile([0, 1], 12) + 2 * (prompt >= 6)
    # Within each half both add up to nothing, so that they can be told apart.
    of_prompt, of_rater = np.tile([1.0, -1, 2, -2, 3, -3], 2), np.array([0.5, -0.5, 2, -2])
    made = Cells(prompt, rater)
    change = of_prompt[prompt] + of_rater[rater]
    expected = ((1 - 6 / 12) * of_prompt[prompt] ** 2 + (1 - 2 / 4) * of_rater[rater] ** 2).sum()
    for with_single in (True, False):
        assert made.counted_twice(change, with_single=with_single) == pytest.approx(expected)


def test_answers_of_one_rater_to_one_prompt_are_one():
    """Each answered twice, and half of the change lies in either."""
    twice = Cells(np.repeat(PROMPT, 2), np.repeat(RATER, 2))
    assert twice.counted_twice(np.repeat(CHANGE / 2, 2), with_single=True) == pytest.approx(8 * 8 / 3)


def test_of_raters_with_few_prompts_nothing_is_taken_off():
    """Three prompts a rater, or none that could be told apart: the interval stays cautious."""
    assert Cells(PROMPT[:6], RATER[:6]).counted_twice(CHANGE[:6], with_single=True) == 0
    alone = Cells(np.arange(8), np.repeat([0, 1], 4))
    assert alone.counted_twice(CHANGE, with_single=True) == 0


def test_a_pair_is_lost_with_either_rater():
    """Of every pair of four raters on twelve prompts, in turn: as if both of its answers changed the figure so."""
    pairs = np.array([(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)] * 2)
    change = np.arange(12.0) % 5 - 2
    made = Answers.of_pairs(np.zeros((12, 1)), pairs[:, 0], pairs[:, 1], np.arange(12))
    whole = Cells(np.repeat(np.arange(12), 2), pairs.ravel())
    expected = whole.counted_twice(np.repeat(change, 2), with_single=True)
    assert expected > 0
    assert made.counted_twice(change, with_single=True) == pytest.approx(expected)
