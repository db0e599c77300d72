"""The score of a response: points earned, points lost, and what they come to in percent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.rubrics import score


def test_the_worked_example_of_perle():
    """Banknotes (Perle, section 3.2): -26 points of 37 are -70.3 percent.

    The paper prints the sums, not the weights; here 5 of 37 points are earned and errors take 31.
    """
    positive, negative = [10, 8, 6, 8, 5], [-8, -8, -5, -5, -5]
    reached = score(positive + negative, [False] * 4 + [True] + [True] * 5)
    assert (reached.raw, reached.maximum) == (-26, 37)
    assert round(reached.percent.number, 1) == -70.3
    assert reached.percent.n == 10


def test_what_passed_is_earned_and_what_is_present_is_lost():
    # 10 + 5 earned of 10 + 8 + 5 = 23, 4 lost: 11 of 23 is 47.8 percent.
    reached = score([10, 8, 5, -4, -6], [True, False, True, True, False])
    assert (reached.raw, reached.maximum) == (11, 23)
    assert round(reached.percent.number, 1) == 47.8


def test_with_nothing_to_earn_there_is_no_percentage():
    reached = score([-4], [True])
    assert (reached.raw, reached.maximum) == (-4, 0)
    assert reached.percent.value is None
    assert reached.percent.undefined == "no positive weight"


def test_a_weight_without_a_verdict_or_of_zero_is_refused():
    with pytest.raises(ValueError, match="given or not"):
        score([5, 3], [True])
    with pytest.raises(ValueError, match="above or below 0"):
        score([5, 0], [True, True])


criteria = st.lists(st.tuples(st.integers(-30, 30).filter(bool), st.booleans()), max_size=30)


@given(criteria)
def test_the_score_is_at_most_the_maximum_and_falls_with_every_error(entries):
    weights, verdicts = [weight for weight, _given in entries], [is_given for _weight, is_given in entries]
    reached = score(weights, verdicts)
    assert reached.raw <= reached.maximum
    assert score([*weights, -3], [*verdicts, True]).raw == reached.raw - 3
    assert score([*weights, -3], [*verdicts, False]) == score([-3, *weights], [False, *verdicts])
