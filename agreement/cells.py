"""Counts of people in cells of which none, shown or left out, says how few are in it."""

from collections.abc import Sequence

#: A cell of fewer people is not shown.
LEAST = 5


def shown_counts(counts: Sequence[int], least: int = LEAST) -> list[int | None]:
    """The counts that may be shown, None for those that are kept back, where the sum of all of them is known.

    Cells below `least` are kept back, also those of nobody. So that none follows by subtraction, further cells are, the
    smallest first and equal ones together, until at least two are kept back, they hold at least `least` people between
    them, and they are not all as full as cells below `least` can be. Whoever knows the sum, what is shown
    and these rules cannot work out the count of any cell that is kept back, unless there is nobody at all
    (tests/agreement/test_cells.py goes through all small tables).

    Raises:
        ValueError: a count is negative.
    """
    if any(count < 0 for count in counts):
        raise ValueError("a count of people is not negative")
    kept_back = {place for place, count in enumerate(counts) if count < least}
    while kept_back and not _hides(counts, kept_back, least):
        shown = [count for place, count in enumerate(counts) if place not in kept_back]
        if not shown:
            break
        # Equal cells go together: which of them went first would tell them apart.
        smallest = min(shown)
        kept_back |= {place for place, count in enumerate(counts) if count == smallest}
    return [None if place in kept_back else count for place, count in enumerate(counts)]


def _hides(counts: Sequence[int], kept_back: set[int], least: int) -> bool:
    hidden = [counts[place] for place in kept_back]
    return len(hidden) >= 2 and sum(hidden) >= least and any(count != least - 1 for count in hidden)
