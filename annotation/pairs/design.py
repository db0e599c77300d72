"""Which responses meet in a pair, and on which side each stands: decided from a seed alone, with no database.

Three designs. `ALL`: to every prompt each model meets each other one. `BASELINE`: each meets one model that is named.
`BALANCED`: so many pairs a prompt; the next is always one of the two models that have met least often so far, of those
one whose models stand in the fewest pairs, and where that leaves several, one that is drawn. So every two models meet
equally often, give or take one, where all have answered every prompt. Where models have several responses to a prompt,
the first of one meets the first of the other, the second the second.

The model that has stood first less often of the two stands first; who does where it is even is drawn.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

ALL, BASELINE, BALANCED = "all", "baseline", "balanced"


@dataclass(frozen=True)
class Design:
    """`baseline` is the id of a model, `per_prompt` how many pairs a prompt gets; each of its design alone."""

    kind: str
    seed: int
    baseline: int = 0
    per_prompt: int = 1


class Answered(NamedTuple):
    """A prompt in one language variety with its responses: ids by model, the first of each model first."""

    key: str
    responses: Mapping[int, Sequence[int]]


class Meeting(NamedTuple):
    """Two responses in a pair, the first on the first side, with their models."""

    prompt: str
    first: int
    second: int
    first_model: int
    second_model: int


@dataclass
class Tally:
    """How often two models have met, how often each was in a pair, and how often which stood first of which."""

    met: Counter[frozenset[int]] = field(default_factory=Counter)
    stood: Counter[int] = field(default_factory=Counter)
    first: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, first_model: int, second_model: int) -> None:
        self.met[frozenset((first_model, second_model))] += 1
        self.stood.update((first_model, second_model))
        self.first[first_model, second_model] += 1


def draw(
    prompts: Iterable[Answered], design: Design, there: Collection[frozenset[int]] = (), tally: Tally | None = None
) -> Iterator[Meeting]:
    """The pairs that the design asks for and that are not `there` (two responses each), prompt by prompt in an order
    drawn from the seed. `tally` holds what was formed before, which counts, and is kept up to date.

    The same prompts, seed and pairs that are there give the same pairs, in whatever order the prompts come.
    """
    tally = Tally() if tally is None else tally
    order = sorted(prompts, key=lambda prompt: prompt.key)
    random.Random(f"{design.seed}:order").shuffle(order)
    for prompt in order:
        dice = random.Random(f"{design.seed}:{prompt.key}")
        for one, other in chosen(prompt, design, there, tally, dice):
            leads = tally.first[one[0], other[0]] - tally.first[other[0], one[0]]
            is_other_first = leads > 0 or (leads == 0 and dice.random() < 0.5)
            first, second = (other, one) if is_other_first else (one, other)
            tally.add(first[0], second[0])
            yield Meeting(prompt.key, first[1], second[1], first[0], second[0])


Two = tuple[tuple[int, int], tuple[int, int]]  # model and response of each


def chosen(
    prompt: Answered, design: Design, there: Collection[frozenset[int]], tally: Tally, dice: random.Random
) -> Iterator[Two]:
    every = list(possible(prompt, design))
    left = [two for two in every if frozenset((two[0][1], two[1][1])) not in there]
    if design.kind != BALANCED:
        yield from left
        return
    ranked = [(dice.random(), two) for two in left]
    for _number in range(min(design.per_prompt - (len(every) - len(left)), len(left))):
        best = min(ranked, key=lambda each: (*so_far(each[1], tally), each[0]))
        ranked.remove(best)
        yield best[1]


def so_far(two: Two, tally: Tally) -> tuple[int, int]:
    (one, _response), (other, _other) = two
    return tally.met[frozenset((one, other))], tally.stood[one] + tally.stood[other]


def possible(prompt: Answered, design: Design) -> Iterator[Two]:
    """Every two responses of two models that may meet, in the order of the models' ids."""
    for one, other in combinations(sorted(prompt.responses), 2):
        if design.kind == BASELINE and design.baseline not in (one, other):
            continue
        for response, of_other in zip(prompt.responses[one], prompt.responses[other], strict=False):
            yield (one, response), (other, of_other)
