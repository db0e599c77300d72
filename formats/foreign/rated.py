"""A rating as the formats of other tools are written from it: whose answer to what, and what was said."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Side:
    model: str
    text: str


@dataclass(frozen=True, slots=True)
class Rated:
    """One rater's latest answer on one response or on the two of a pair.

    `games` are its answers by the order in which the two were shown, (first, swapped); of people and of judges asked
    in one order it has one. A weight is 1 for the first, 2 for the second, 1.5 for a tie, a number between by the
    judge's own probabilities, and None where no verdict could be read.
    """

    prompt_key: str
    prompt: str
    domain: str
    sides: tuple[Side, ...]
    rater: str
    model: str  # of a judge; of a person ""
    games: tuple["Game", ...]
    given_at: datetime

    @property
    def is_pair(self) -> bool:
        return len(self.sides) == 2

    @property
    def is_of_both_orders(self) -> bool:
        return len(self.games) == 2

    @property
    def weight(self) -> float | None:
        """Of both orders the mean: where they contradict each other that is a tie."""
        weights = [game.weight for game in self.games if game.weight is not None]
        return sum(weights) / len(weights) if len(weights) == len(self.games) else None


@dataclass(frozen=True, slots=True)
class Game:
    weight: float | None
    grade: float | None  # of a single response
    comment: str
