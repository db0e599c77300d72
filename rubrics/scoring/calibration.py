"""The design of a calibration study: which responses are graded, and by whom. Decided from a seed, no database.

Every response goes to the same number of graders of each variety; within a variety nobody has more than one
turn more than another, as far as earlier grades allow. The same people, responses and seed always give the same
design, whatever order they come in.
"""

import random
from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

Turn = tuple[int, int]  # a response and its grader


class TooFewGraders(ValueError):
    """A variety has fewer graders for a response than the design asks for."""


@dataclass(frozen=True, slots=True)
class Design:
    """`turns` in the order of the responses; `loads` has every grader, those without a turn too."""

    responses: tuple[int, ...]
    turns: tuple[Turn, ...]
    loads: Mapping[int, int]


def design(
    responses: Mapping[str, Sequence[int]],
    graders: Mapping[str, Sequence[int]],
    *,
    responses_per_community: int,
    graders_per_community: int,
    seed: int,
    graded: Collection[Turn] = (),
) -> Design:
    """Draw responses of each variety and deal each to graders of every variety.

    responses  candidates by the variety of their prompt; graders by their own. No id stands in two varieties.
    graded     pairs that are never dealt: this person has graded this response before.
    Of a variety with fewer candidates all are taken. Raises TooFewGraders where a variety has fewer graders
    than asked for.
    """
    for members in graders.values():
        if len(members) < graders_per_community:
            raise TooFewGraders
    known = set(graded)
    free = {
        variety: [response for response in candidates if _has_enough(response, graders, graders_per_community, known)]
        for variety, candidates in responses.items()
    }
    chosen = _draw(free, responses_per_community, seed)
    turns: list[Turn] = []
    for variety, members in sorted(graders.items()):
        turns += deal(chosen, members, graders_per_community, f"{seed}:{variety}", known)
    places = {response: place for place, response in enumerate(chosen)}
    turns.sort(key=lambda turn: (places[turn[0]], turn[1]))
    dealt = Counter(grader for _response, grader in turns)
    everyone = sorted(grader for members in graders.values() for grader in members)
    return Design(tuple(chosen), tuple(turns), {grader: dealt[grader] for grader in everyone})


def deal(
    responses: Sequence[int], graders: Iterable[int], each: int, seed: int | str, graded: Collection[Turn] = ()
) -> list[Turn]:
    """Give every response to `each` of these graders, none of them twice, so that loads differ by at most one.

    Those who have graded a response before are passed over; loads are then as even as that allows. Raises
    TooFewGraders where fewer than `each` are left for a response.
    """
    known = set(graded)
    chance = random.Random(f"{seed}:deal")
    members = sorted(graders)
    chance.shuffle(members)
    loads = dict.fromkeys(members, 0)
    dealt: dict[int, set[int]] = {}
    for response in responses:
        allowed = [grader for grader in members if (response, grader) not in known]
        if len(allowed) < each:
            raise TooFewGraders
        # Among the least loaded the draw decides, so that graders meet one another in ever new pairs.
        least = sorted(allowed, key=lambda grader: (loads[grader], chance.random()))[:each]
        dealt[response] = set(least)
        for grader in least:
            loads[grader] += 1
    if known:
        _even_out(dealt, loads, known)
    return [(response, grader) for response in responses for grader in sorted(dealt[response])]


def _has_enough(response: int, graders: Mapping[str, Sequence[int]], each: int, graded: Collection[Turn]) -> bool:
    return all(sum((response, grader) not in graded for grader in members) >= each for members in graders.values())


def _draw(candidates: Mapping[str, Sequence[int]], each: int, seed: int) -> list[int]:
    """So many of each variety, in an order that mixes the varieties from the first to the last."""
    columns = []
    for variety, ids in sorted(candidates.items()):
        chance = random.Random(f"{seed}:draw:{variety}")
        shuffled = sorted(ids)
        chance.shuffle(shuffled)
        drawn = shuffled[:each]
        columns += [((place + 0.5) / len(drawn), variety, response) for place, response in enumerate(drawn)]
    return [response for _place, _variety, response in sorted(columns)]


def _even_out(dealt: dict[int, set[int]], loads: dict[int, int], graded: Collection[Turn]) -> None:
    """Hand turns on, over several people where it must be, until nobody with more can give to one with two fewer."""
    while (path := _way_down(dealt, loads, graded)) is not None:
        for giver, response, taker in path:
            dealt[response].remove(giver)
            dealt[response].add(taker)
        loads[path[0][0]] -= 1
        loads[path[-1][2]] += 1


def _way_down(
    dealt: Mapping[int, set[int]], loads: Mapping[int, int], graded: Collection[Turn]
) -> list[tuple[int, int, int]] | None:
    """Turns to hand on, each as (giver, response, taker), from one with more to one with at least two fewer."""
    held: dict[int, list[int]] = {grader: [] for grader in loads}
    for response, graders in dealt.items():
        for grader in graders:
            held[grader].append(response)
    fewest, members = min(loads.values()), sorted(loads)
    for start in sorted(loads, key=lambda grader: (-loads[grader], grader)):
        if loads[start] < fewest + 2:
            return None
        reached: dict[int, tuple[int, int]] = {}  # grader -> from whom, which response
        queue = deque([start])
        while queue:
            giver = queue.popleft()
            if loads[giver] <= loads[start] - 2:
                return _steps_to(giver, start, reached)
            for response in sorted(held[giver]):
                for taker in members:
                    is_new = taker != start and taker not in reached
                    if is_new and taker not in dealt[response] and (response, taker) not in graded:
                        reached[taker] = (giver, response)
                        queue.append(taker)
    return None


def _steps_to(taker: int, start: int, reached: Mapping[int, tuple[int, int]]) -> list[tuple[int, int, int]]:
    steps = []
    while taker != start:
        giver, response = reached[taker]
        steps.append((giver, response, taker))
        taker = giver
    return steps[::-1]
