"""What the answers of several judges to a part come to, as one: the rules of panels (`agreement/panels.py`), by the
type of the part. No database."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agreement.panels import mean_on_scale, mean_ranks, most_said, named_most, ranked, share_of, yes_or_no
from annotation.questionnaires.gold import as_numbers
from formats.layout import Asked, Type


class Vote(NamedTuple):
    """A member's answer to a part, as `as_numbers` has it, and the member's weight."""

    numbers: Mapping[str, float]
    weight: float


class Combined(NamedTuple):
    """The answer, None where it is a tie or there is none; and the mean, or the mean ranks, that it rests on."""

    value: Any
    mean: Any = None


def votes_of(part: Asked, given: Sequence[tuple[Any, float]]) -> list[Vote]:
    """Of answers (value, weight) those that say something of the part as it is asked now."""
    votes = []
    for value, weight in given:
        responses = value if isinstance(value, Mapping) else ()
        if numbers := dict(as_numbers(part, value, responses)):
            votes.append(Vote(numbers, weight))
    return votes


def combined(part: Asked, votes: Sequence[Vote], is_mean: bool) -> Combined:
    """What at least one vote comes to. is_mean  whether grades and numbers are averaged; what was chosen never is, and
    ranks always are. Of free text there is no answer: nobody's words are another's."""
    weights = [vote.weight for vote in votes]
    if part.type == Type.TEXT:
        return Combined(None)
    if part.type == Type.CHOICES:
        return Combined(_chosen(part, votes, weights))
    if part.type == Type.RANKING:
        means = mean_ranks([vote.numbers for vote in votes], weights)
        return Combined(ranked(means, part.has_ties), means) if means else Combined(None)
    numbers = [vote.numbers[""] for vote in votes]
    if part.type == Type.CHOICE:
        places = [int(number) for number in numbers]
        place = most_said(places, weights) if part.is_ordered else named_most(places, weights)
        return Combined(None if place is None else part.options[place])
    if is_mean and part.type == Type.SCALE:
        assert part.lowest is not None
        assert part.highest is not None
        return Combined(*mean_on_scale(numbers, weights, int(part.lowest), int(part.highest)))
    if is_mean:
        total = sum(weights)
        mean = round(sum(n * share_of(w, total) for n, w in zip(numbers, weights, strict=True)), 9)
        return Combined(_plain(mean), mean)
    most = most_said(numbers, weights)
    return Combined(None if most is None else _plain(most))


def _chosen(part: Asked, votes: Sequence[Vote], weights: Sequence[float]) -> list[str] | None:
    """The answers that more than half chose; None where one was chosen by exactly half, where there are more than may
    be chosen, and where there is none though one must be."""
    said = {option: yes_or_no([bool(vote.numbers[option]) for vote in votes], weights) for option in part.options}
    if None in said.values():
        return None
    chosen = [option for option in part.options if said[option]]
    if part.most is not None and len(chosen) > part.most:
        return None
    return chosen if chosen or part.is_optional else None


def _plain(number: float) -> float | int:
    return int(number) if number == int(number) else number
