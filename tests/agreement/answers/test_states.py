"""Whether a model answered, and what that alone decides."""

import pytest

from agreement.answers.states import State, fixed_score, state_of


@pytest.mark.parametrize(
    ("text", "reported", "state"),
    [
        ("ج", {}, "answered"),
        (" \n", {}, "empty"),
        ("", {"is_cut": True}, "truncated"),
        ("half a sent", {"is_cut": True}, "truncated"),
        ("لا أستطيع", {"is_refusal": True}, "refused"),
        ("", {"is_refusal": True}, "refused"),
        ("I can", {"is_refusal": True, "is_cut": True}, "refused"),
    ],
)
def test_an_answer_has_one_state(text, reported, state):
    assert state_of(text, **reported) == state


def test_a_state_that_is_no_answer_scores_0_and_a_refusal_can_be_one():
    assert fixed_score(State.ANSWERED) is None
    assert fixed_score(State.EMPTY, counts_refusals=True) == 0
    assert fixed_score(State.TRUNCATED, counts_refusals=True) == 0
    assert fixed_score(State.REFUSED) == 0
    assert fixed_score(State.REFUSED, counts_refusals=True) is None
