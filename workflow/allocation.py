"""In which order items are handed out. Decided from a seed alone, with no database."""

import random
from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import TypeVar

Item = TypeVar("Item", int, tuple[int, int])


def spread(items: Iterable[tuple[Item, Hashable]], seed: int) -> list[Item]:
    """Order `(item, group)` pairs so that each group is shuffled and lies evenly over the whole.

    A project of seven settings then advances in all of them at once, however unequal they are. The same items
    and seed always give the same order, whatever order the items come in.
    """
    groups: dict[Hashable, list[Item]] = defaultdict(list)
    for item, group in items:
        groups[group].append(item)
    places = []
    for group, members in sorted(groups.items(), key=lambda entry: str(entry[0])):
        shuffle = random.Random(f"{seed}:{group}")
        members.sort()
        shuffle.shuffle(members)
        # Where several groups would fall on the same place, the tie is drawn too: no group is always first.
        places += [((index + 0.5) / len(members), shuffle.random(), item) for index, item in enumerate(members)]
    return [item for _place, _tie, item in sorted(places)]
