"""Whether a model answered at all. Every question that was asked counts, whatever came back."""

from enum import StrEnum


class State(StrEnum):
    ANSWERED = "answered"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    REFUSED = "refused"


def state_of(text: str, *, is_cut: bool = False, is_refusal: bool = False) -> State:
    """The state of an answer without its thinking (`thinking.without_thinking`).

    is_cut      the provider ended it at the token limit.
    is_refusal  the provider says so, or the words do.

    Nothing left to score is empty before it is anything else, but for what was cut: thinking that used up the limit is
    truncated. A cut refusal is a refusal.
    """
    if is_refusal:
        return State.REFUSED
    if is_cut:
        return State.TRUNCATED
    return State.ANSWERED if text.strip() else State.EMPTY


def fixed_score(state: State, counts_refusals: bool = False) -> float | None:
    """The score a state alone decides, or None where the rules of the question go on.

    counts_refusals  of the question's skill: to refuse can be the right answer (Trust & Safety in the paper).

    A refusal that counts goes on to the rules and scores 0 elsewhere; an empty or truncated answer scores 0.
    """
    if state is State.ANSWERED or (state is State.REFUSED and counts_refusals):
        return None
    return 0.0
