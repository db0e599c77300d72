"""Stories whose times must fit together: short ones first, and longer ones where the machine was busy meanwhile."""

from collections.abc import Callable

# What a test's times are multiplied with, until its story fits into them. Only a slow machine gets beyond the first.
FACTORS = (1, 3, 9, 27)


def given_more_time(story: Callable[[float], None]) -> None:
    """Tell a story again with all its times longer, where it does not fit into them.

    What holds however slow the machine is belongs into `story` too: a defect fails it each time.
    Raises AssertionError where it fails with the longest times.
    """
    for factor in FACTORS:
        try:
            return story(factor)
        except AssertionError:
            if factor == FACTORS[-1]:
                raise
    return None
