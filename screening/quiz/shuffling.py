"""The order in which an attempt shows its questions and their options, from the attempt's recorded seed."""

import random


def question_order(seed: int, count: int) -> list[int]:
    """The indices 0 .. count - 1 in the order shown; the same for the same seed, on any machine."""
    return _shuffled(f"{seed}:questions", count)


def option_order(seed: int, question: str, count: int) -> list[int]:
    """As `question_order`, for the options of one question, whichever place it has; `question` is its key."""
    return _shuffled(f"{seed}:{question}", count)


def _shuffled(seed: str, count: int) -> list[int]:
    order = list(range(count))
    # A string seeds by SHA-512, the same in every process; hash() would not be.
    random.Random(seed).shuffle(order)
    return order
