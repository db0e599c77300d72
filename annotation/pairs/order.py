"""Which response of a pair a rater sees first. Decided from a seed alone, with no database."""

import random

#: Field of a first answer that is kept (`TaskType.outlasting`): which order it was given in.
SWAPPED = "swapped"


def is_swapped(seed: int, rater: int, pair: int) -> bool:
    """Whether the pair's second response stands first on this rater's screen; the same at every look.

    Drawn for each rater and each pair by itself, so that no response and no target model is always read first.
    """
    return random.Random(f"{seed}:{rater}:{pair}").random() < 0.5
